"""How a history is sealed step by step: which packs stay, and which small ones become one.

Each sealing adds a pack of what is new. When there are many, the last ones are replaced by one pack of the
same commits, so that the pack before it is at least twice as large: their number stays small, and each
commit is sealed anew only a few times.
"""

from collections.abc import Callable

from .manifest import Run

__all__ = ["MANY", "kept", "tips"]

MANY = 32


def kept(runs: tuple[Run, ...], stands: Callable[[str], bool], many: int = MANY) -> tuple[Run, ...]:
    """The packs on which the next one builds; what the others hold goes into the next one.

    `stands` says whether a commit is still part of the history. A pack of which one is not holds what was
    erased or rewritten, and so may those that build on it: none of them stays.
    """
    found = list[Run]()
    for run in runs:
        if not all(map(stands, run.new)):
            break
        found.append(run)
    if len(found) < many:
        return tuple(found)
    folded = found.pop().size
    while found and found[-1].size < 2 * folded:
        folded += found.pop().size
    return tuple(found)


def tips(runs: tuple[Run, ...]) -> tuple[str, ...]:
    """The commits that some packs lead to, each once."""
    return tuple(dict.fromkeys(commit for run in runs for commit in run.new))
