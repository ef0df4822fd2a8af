"""The vault of a home for whoever may use it: putting, listing and deleting secrets, and using one.

Nothing here answers with a secret. The parts of a service that answer agents, models and programs do not know
this module, and `pyproject.toml` forbids that they come to know it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeVar

from attrs import field, frozen

from scriptorium_core.policy import POLICY_FILE, Right
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sealing.secretname import PLAIN, Kept, checked_name, checked_value

from ..clock import time_of
from ..layout import WRITER_RUN
from ..redaction import redact, redacting, spans
from ..refused import Refused
from ..settings import variable
from ..vault.finding import Finder
from ..vault.revealed import Revealed, used
from ..vault.running import ran
from ..vault.store import Opened, changed, opened
from ..vault.uses import Use, keep_use, kept_uses
from .permitted import may_all, see_it_is_allowed

if TYPE_CHECKING:
    from .place import Place

__all__ = ["Secrets"]

T = TypeVar("T")
_ANY = (Right.USE_SECRET, Right.MANAGE)
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEYS = ("SCRIPTORIUM_KEY",)  # opens everything: no program is given it


@frozen
class Secrets:
    """The vault of a service's home, as its actor may use it.

    Putting and deleting need `manage` of `secrets/NAME`, using it `use_secret`; a writer may neither.
    Every method raises `Refused` for what cannot be done, and where the vault cannot be believed.
    """

    _service: Place = field(repr=False)

    def put(self, name: str, value: bytes) -> Kept:
        """Keep a secret under a name, in the place of the one that had it; what may be told of it."""
        self._may(name, Right.MANAGE)
        kept_value = _sound(checked_value(value))
        kind, now, found = _kind(kept_value), self._now(), list[Kept]()

        def change(vault: Opened) -> Opened:
            known = vault.vault.find(name)
            found[:] = [Kept(name, kind, known.kept.made if known else now, now)]
            return vault.with_secret(found[0], kept_value)

        changed(self._service.home, change)
        return found[0]

    def listed(self) -> tuple[Kept, ...]:
        """Names, types and dates of the secrets that the actor may use or manage, by name."""
        _not_by_a_writer()
        vault = opened(self._service.home)
        kept = (entry.kept for entry in vault.vault.entries) if vault is not None else ()
        return tuple(each for each in kept if any(self._allowed(each.name, right) for right in _ANY))

    def delete(self, name: str) -> Kept:
        """Take a secret out of the vault; what was told of it."""
        self._may(name, Right.MANAGE)
        found = list[Kept]()

        def change(vault: Opened) -> Opened:
            found[:] = [_known(vault, name)]
            return vault.without(name)

        if opened(self._service.home) is None:
            raise Refused(_unknown())
        changed(self._service.home, change)
        return found[0]

    def use(self, name: str, callback: Callable[[Revealed], object], *, purpose: str = "") -> None:
        """Call a function with a secret, which is void when the function ends; what it answers is dropped.

        The use is traced first, for `purpose` or the function's own name. What the function raises becomes a
        `Refused` without its words, which may hold the secret.
        """
        self._may(name, Right.USE_SECRET, traced=purpose or _name_of(callback))
        vault = opened(self._service.home)
        if vault is None:
            raise Refused(_unknown())
        entry = vault.vault.find(_known(vault, name).name)
        assert entry is not None
        self._trace(name, purpose or _name_of(callback), allowed=True)
        used(lambda: vault.value(entry), callback)

    def run(self, name: str, command: Sequence[str], around: Mapping[str, str], env: str = "") -> int:
        """Run a program with a secret in one variable of its environment.

        The variable is `env`, by default the name in capitals; `around` is the rest of the environment. Its
        exit code. Where its output is no terminal, the secret is masked in it.
        """
        chosen = env or name.upper().replace("-", "_")
        if not _VARIABLE.fullmatch(chosen) or chosen.startswith("SCRIPTORIUM_"):
            raise Refused(_wrong("this is no variable for a secret", "env", "take letters, digits and `_`"))
        if not command:
            raise Refused(_wrong("there is no command", "command", "write it behind `--`"))
        rest = {name: value for name, value in around.items() if name not in _KEYS}
        ended = list[int | Problem]()

        def run(secret: Revealed) -> None:
            ended.append(ran(command, chosen, secret, rest))

        self.use(name, run, purpose=f"run {PurePath(command[0]).name}")
        return _sound(ended[0])

    def uses(self, limit: int = 50) -> tuple[Use, ...]:
        """The newest uses, newest first; whoever does not manage the memory sees their own."""
        _not_by_a_writer()
        everybody, actor = may_all(self._service, Right.MANAGE, POLICY_FILE), self._service.actor.name
        found = kept_uses(self._service.home)
        return tuple(use for use in found if everybody or use.actor == actor)[:limit]

    def _may(self, name: str, right: Right, traced: str = "") -> None:
        """Raise Refused where the actor may not do this; a use that is not allowed is traced."""
        _not_by_a_writer()
        _sound(checked_name(name))
        if traced and not self._allowed(name, right):
            self._trace(name, traced, allowed=False)
        see_it_is_allowed(self._service, right, f"secrets/{name}")

    def _allowed(self, name: str, right: Right) -> bool:
        return may_all(self._service, right, f"secrets/{name}")

    def _trace(self, name: str, purpose: str, allowed: bool) -> None:
        # Who may not use one is told nothing of the vault, not even whether it can be opened.
        clean = redacting(Finder(self._service.home)) if allowed else redact
        said = clean(purpose).text[:200]
        keep_use(self._service.home, Use(self._now(), self._service.actor.name, name, said, allowed))

    def _now(self) -> str:
        return time_of(self._service.moment()).isoformat(timespec="seconds")


def _kind(value: bytes) -> str:
    """What the detector takes a whole secret for; `text` where it knows none."""
    text = value.decode("utf-8", "replace").strip()
    found = spans(text)
    return str(found[0].kind) if len(found) == 1 and found[0].end - found[0].start == len(text) else PLAIN


def _known(vault: Opened, name: str) -> Kept:
    found = vault.vault.find(name)
    if found is None:
        raise Refused(_unknown())
    return found.kept


def _name_of(callback: Callable[..., object]) -> str:
    return (
        f"{getattr(callback, '__module__', '')}.{getattr(callback, '__qualname__', type(callback).__name__)}"
    )


def _not_by_a_writer() -> None:
    if variable(WRITER_RUN):
        message = "a writer and the programs that it starts reach no secrets"
        raise Refused(Problem(Code.NOT_PERMITTED, message, "vault", remedy="use the vault yourself"))


def _sound(found: T | Problem) -> T:
    """What was checked. Raises Refused with the problem where there is one."""
    if isinstance(found, Problem):
        raise Refused(found)
    return found


def _unknown() -> Problem:
    remedy = "`scriptorium vault list` shows the names, `scriptorium vault put NAME` keeps one"
    return Problem(Code.MEMORY_NOT_FOUND, "there is no secret of this name", "name", remedy=remedy)


def _wrong(message: str, path: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, path, remedy=remedy)
