"""Coverage is measured in the thread of a test, and in the first examples of a law; the rest runs faster.

What a law reaches it reaches early, and what it finds it often finds late: the time that a tracer takes is
better spent on further examples. What a server answers in its threads is asked of the service by other tests.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from coverage import Coverage

__all__ = ["MEASURED", "at_first", "only_here"]

MEASURED = 5


def only_here() -> None:
    """Let the tracer, where one runs, follow no thread that begins from now on."""
    if Coverage.current() is not None:
        threading.settrace(None)


@contextmanager
def at_first(law: Any) -> Iterator[None]:
    """Let the tracer, where one runs, watch a law of Hypothesis in its first examples only."""
    tracer, inner = Coverage.current(), law.inner_test
    if tracer is None:
        yield
        return
    only_here()
    law.inner_test, is_away = _counted(inner, tracer)
    try:
        yield
    finally:
        law.inner_test = inner
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
