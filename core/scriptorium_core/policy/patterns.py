"""Patterns of resources: globs over the paths of a memory, step by step.

    topics/people/**        everything below a folder; `**` stands for any number of steps, also none
    topics/people           the topic people.md, or everything in the folder people
    topics/*/plan.md        `*` and `?` stay inside a step
    core                    the core: the topic core.md and what is made of it
    secrets/mail            a named secret; policy.toml is the policy itself

Case and Unicode form do not count, as no two topics differ in them alone.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from ..names import CORE_TOPIC, path_key

__all__ = ["ROOTS", "covers", "fault_of", "matches", "meets"]

ROOTS = ("topics", "sources")
_CORE = "core"
_PLACES = (*ROOTS, "secrets", "policy.toml")
_LONGEST = 1_000
_I = TypeVar("_I")
_P = TypeVar("_P")


def matches(pattern: str, path: str) -> bool:
    """Whether a resource is one that a pattern means."""
    asked, steps = _steps(pattern), _steps(path)
    bare = [*steps[:-1], steps[-1].removesuffix(".md")]
    if _is_match(asked, steps) or (asked[-1] != "**" and _is_match(asked, bare)):
        return True
    # A folder that is named without stars stands for all that is in it.
    named = not _has_star(asked[-1])
    return named and any(_is_match(asked, steps[:depth]) for depth in range(1, len(steps)))


def covers(pattern: str, root: str) -> bool:
    """Whether everything below a root is meant, whatever it is called."""
    return path_key(pattern.rstrip("/")) in ("**", root, f"{root}/**")


def meets(pattern: str, root: str) -> bool:
    """Whether anything below a root may be meant."""
    first = _steps(pattern)[0]
    return _has_star(first) or first == root


def fault_of(pattern: str) -> str:
    """What makes a pattern one that means nothing, in words; empty if nothing does."""
    if not pattern.strip() or len(pattern) > _LONGEST:
        return f"is blank or longer than {_LONGEST:,} characters"
    steps = _steps(pattern)
    if any(step in ("", ".", "..") or "\\" in step for step in steps):
        return "has an empty step, a `.`, `..` or a backslash"
    if any("**" in step and step != "**" for step in steps):
        return "has `**` beside something else in one step"
    if not _has_star(steps[0]) and steps[0] not in _PLACES:
        return "means nothing: it begins with none of topics/, sources/, secrets/, policy.toml, core, **"
    return ""


def _steps(path: str) -> list[str]:
    key = path_key(path.rstrip("/"))
    return (CORE_TOPIC if key == _CORE else key).split("/")


def _has_star(step: str) -> bool:
    return "*" in step or "?" in step


def _is_match(pattern: Sequence[str], steps: Sequence[str]) -> bool:
    return _wild(pattern, steps, "**", _is_step)


def _is_step(pattern: str, step: str) -> bool:
    return _wild(pattern, step, "*", lambda one, char: one in ("?", char))


def _wild(pattern: Sequence[_P], items: Sequence[_I], many: str, same: Callable[[_P, _I], bool]) -> bool:
    """Whether a pattern in which `many` stands for any number of items matches them all.

    Only the last `many` is ever tried again, so that no pattern takes longer than its length times theirs.
    """
    at = place = 0
    star, tried = -1, 0
    while place < len(items):
        if at < len(pattern) and pattern[at] == many:
            star, tried, at = at, place, at + 1
        elif at < len(pattern) and same(pattern[at], items[place]):
            at, place = at + 1, place + 1
        elif star >= 0:
            tried += 1
            at, place = star + 1, tried
        else:
            return False
    return all(each == many for each in pattern[at:])
