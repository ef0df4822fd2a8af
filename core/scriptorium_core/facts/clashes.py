"""What is wrong with a topic only beside another one: the same block id, or nearly the same name."""

import re

from ..problem import Code, Problem

__all__ = ["clashing", "id_clash", "name_clash"]

_CLASH = re.compile(r"the block id \^\S+ stands in (.+) already")


def id_clash(path: str, line: int, block: str, first: str) -> Problem:
    """The problem of a topic that has a block id of another topic, which comes first by path."""
    message = f"the block id ^{block} stands in {first} already"
    return Problem(Code.INVALID_TOPIC_FORMAT, message, path, line, f"take ^{block} away in one of the two")


def clashing(problem: Problem) -> str | None:
    """The other topic that such a problem names, None if it is another problem."""
    found = _CLASH.fullmatch(problem.message)
    return found[1] if found is not None else None


def name_clash(path: str, first: str) -> Problem:
    """The problem of a topic whose name is another topic's but for case or Unicode form."""
    message = f"{path} differs from {first} only in case or Unicode form"
    return Problem(Code.INVALID_TOPIC_FORMAT, message, path, 0, "rename one of the two")
