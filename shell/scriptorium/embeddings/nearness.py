"""How near the documents of a memory are to one query."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from scriptorium_core.recall import Kind, Similar

__all__ = ["Nearness"]


@frozen
class Nearness:
    """What the core fuses with, and for the engine the ids that stand out, of each kind the nearest first."""

    similar: Similar
    best: Mapping[Kind, Sequence[str]]
