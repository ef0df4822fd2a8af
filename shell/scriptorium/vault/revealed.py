"""A secret while it is used: handed to a function, shown by nothing, and void when the function is done."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from scriptorium_core.problem import Code, Problem

from ..refused import Refused

__all__ = ["Revealed", "used"]

_SHOWN = "[secret:vault]"


class Revealed:
    """A secret that only `data` and `text` give; it cannot be printed, compared, copied or pickled.

    When the function that it was given to ends, its bytes are overwritten.
    """

    __slots__ = ("_held",)

    def __init__(self, value: bytes) -> None:
        self._held = bytearray(value)

    def data(self) -> bytes:
        """The secret. Raises Refused once it is void."""
        if not self._held:
            _void()
        return bytes(self._held)

    def text(self) -> str:
        """The secret as UTF-8. Raises Refused where it is none."""
        try:
            return self.data().decode()
        except UnicodeDecodeError:
            pass
        raise Refused(_problem("the secret is no text", "take its `data`"))

    def clear(self) -> None:
        """Overwrite it."""
        self._held[:] = bytes(len(self._held))
        self._held.clear()

    def __repr__(self) -> str:
        return _SHOWN

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not copied")


def used(value: Callable[[], bytes], called: Callable[[Revealed], object]) -> None:
    """Give a secret to a function, whose answer is dropped.

    Whatever the function raises may quote the secret, and its frames hold it. So Refused is raised in its
    place, which says the kind of the error and where it arose, and an interrupt as a new one.
    """
    revealed = Revealed(value())
    failed = _failed(revealed, called)
    revealed.clear()
    if failed == KeyboardInterrupt.__name__:
        raise KeyboardInterrupt
    if failed:
        remedy = "mend it there; what it says is not shown, as it may hold the secret"
        raise Refused(_problem(f"what was to use the secret failed: {failed}", remedy))


def _failed(revealed: Revealed, called: Callable[[Revealed], object]) -> str:
    """The kind and the place of what a function raised; empty if it did not."""
    try:
        called(revealed)
    except KeyboardInterrupt:
        return KeyboardInterrupt.__name__
    except BaseException as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        kind = type(error).__name__
        return f"{kind} in {last.name} ({Path(last.filename).name}:{last.lineno})"
    return ""


def _void() -> NoReturn:
    raise Refused(_problem("the secret is void: the function that it was given to has ended", "use it there"))


def _problem(message: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, "secret", remedy=remedy)
