"""Counting tokens: with a vocabulary that ships in a package where it is installed, else an estimate."""

from functools import cache

from scriptorium_core.budget import Count, estimate

__all__ = ["ESTIMATE", "count", "counter_name"]

ESTIMATE = "estimate"
_VOCABULARY = "o200k_base"


def count(text: str) -> int:
    """The tokens of a text: exact with the extra `tokens`, else the core's documented estimate.

    The vocabulary is loaded at the first call, which takes half a second and more. The text of
    special tokens (`<|endoftext|>`) is counted as plain text.
    """
    return _counter()[1](text)


def counter_name() -> str:
    """What counts: the name of the vocabulary, or `estimate`."""
    return _counter()[0]


@cache
def _counter() -> tuple[str, Count]:
    try:
        from toktok import batch_count
    except ImportError:
        return ESTIMATE, estimate

    def exact(text: str) -> int:
        return int(batch_count([text.encode("utf-8", "replace").decode()], _VOCABULARY)[0])

    return _VOCABULARY, exact
