"""The loop that keeps a memory by itself: a round, a wait until the next thing is due, again.

What is due is decided by the clock on the wall; the waits are short, so that a laptop that wakes, a clock
that was set, and a hook that asks are noticed within seconds.
"""

from collections.abc import Callable

from scriptorium_core.problem import Code, Problem
from scriptorium_core.writing.cadence import seconds_of
from scriptorium_core.writing.outcome import backoff

from . import clock
from .layout import Layout
from .refused import Refused
from .service import Service
from .service.keeping import Round, keeping, one_round
from .service.runtime import requests_left

__all__ = ["keep"]

_SLICE = 2.0
_LEAST = 30
_MOST = 300


def keep(
    service: Service,
    told: Callable[[Round], None],
    begun: Callable[[], None] = lambda: None,
    pause: Callable[[float], None] = clock.pause,
) -> None:
    """Keep the memory of a home until the process is ended; `begun` is called when it is the one keeper,
    `told` after each round.

    Raises Refused where another keeper runs. A round that fails is told, and tried again later.
    """
    layout = service.memory(make=True).layout
    failures = 0
    with keeping(layout):
        begun()
        while True:
            done = _round(service)
            failures = failures + 1 if done.next_at == "" else 0
            told(done)
            wait = (seconds_of(done.next_at) or 0) - service.moment().seconds
            wait = backoff(failures) if failures else wait
            _wait(service, layout, max(min(wait, wait if failures else _MOST), _LEAST), pause)


def _round(service: Service) -> Round:
    try:
        return one_round(service, False)
    except Refused as refused:
        return Round(faults=refused.problems)
    except Exception as error:  # whatever befell this round, the next one may go well
        message = f"{type(error).__name__}: {error}"
        return Round(faults=(Problem(Code.WRITER_FAILURE_UNKNOWN, message, remedy="please report it"),))
    finally:
        service.close()


def _wait(service: Service, layout: Layout, seconds: int, pause: Callable[[float], None]) -> None:
    """Until it is time, a hook asks, or the clock was set back."""
    begun = service.moment().seconds
    while not requests_left(layout) and 0 <= service.moment().seconds - begun < seconds:
        pause(_SLICE)
