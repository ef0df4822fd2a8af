"""Coverage of the core is measured where the core alone is asked, and in the first examples of a law.

A tracer doubles the time of whatever runs in its thread. What a law reaches it reaches early, and what it
finds it often finds late; what the shell asks of the core, tests of the core ask too.
"""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from types import ModuleType
from typing import Any

from coverage import Coverage

__all__ = ["MEASURED", "at_first", "only_here", "uses_the_shell", "without"]

MEASURED = 5


def only_here() -> None:
    """Let the tracer, where one runs, follow no thread that begins from now on."""
    if Coverage.current() is not None:
        threading.settrace(None)


@cache
def uses_the_shell(module: ModuleType) -> bool:
    """Whether a module of tests, or a helper of it, has anything from the shell."""
    homes = {
        value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or ""
        for value in vars(module).values()
    }
    helpers = {sys.modules[name] for name in homes & sys.modules.keys() if "." not in name} - {module}
    return any(name.partition(".")[0] == "scriptorium" for name in homes) or any(
        uses_the_shell(helper) for helper in helpers if _is_helper(helper)
    )


def _is_helper(module: ModuleType) -> bool:
    return Path(getattr(module, "__file__", None) or "/").parent.name in ("tests", "properties", "crash")


@contextmanager
def without() -> Iterator[None]:
    """Let the tracer, where one runs, watch nothing."""
    tracer = Coverage.current()
    if tracer is None:
        yield
        return
    tracer.stop()
    try:
        yield
    finally:
        tracer.start()
        only_here()


@contextmanager
def at_first(law: Any) -> Iterator[None]:
    """Let the tracer, where one runs, watch a law of Hypothesis in its first examples only.

    `law` is a function that draws, or the class of a state machine, of which each example makes one.
    """
    tracer, name = Coverage.current(), "__init__" if isinstance(law, type) else "inner_test"
    if tracer is None:
        yield
        return
    only_here()
    inner = getattr(law, name)
    example, is_away = _counted(inner, tracer)
    setattr(law, name, example)
    try:
        yield
    finally:
        setattr(law, name, inner)
        if is_away():
            tracer.start()
            only_here()


def _counted(inner: Callable[..., Any], tracer: Coverage) -> tuple[Callable[..., Any], Callable[[], bool]]:
    count = 0

    @wraps(inner)
    def example(*arguments: Any, **named: Any) -> Any:
        nonlocal count
        count += 1
        if count == MEASURED + 1:
            tracer.stop()
        return inner(*arguments, **named)

    return example, lambda: count > MEASURED
