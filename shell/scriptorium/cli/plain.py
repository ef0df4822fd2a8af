"""Results as plain data for JSON: attrs classes by their fields, outcomes with their name."""

from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from cattrs import BaseConverter

from scriptorium_core.when import When, render_when
from scriptorium_core.writing.outcome import Failed, NothingDue, NothingToKeep, Wrote

from ..service.model import FoundItem, Turn, Verified
from ..workspace import Committed

__all__ = ["plain"]


def plain(value: object) -> Any:
    """The value as JSON can hold it."""
    return _converter().unstructure(value)


def _converter() -> BaseConverter:
    converter = BaseConverter()
    converter.register_unstructure_hook(PurePath, str)
    converter.register_unstructure_hook(When, render_when)
    for outcome in (Wrote, NothingToKeep, NothingDue, Failed):
        _extend(converter, outcome, outcome=lambda value: type(value).__name__)
    _extend(converter, FoundItem, is_abandoned=lambda value: value.is_abandoned)
    _extend(converter, Turn, is_cut=lambda value: value.is_cut)
    _extend(converter, Verified, holds=lambda value: value.holds)
    _extend(converter, Committed, memory_committed=lambda _: True, git_committed=lambda _: True)
    return converter


def _extend(converter: BaseConverter, owner: type, **more: Callable[[Any], object]) -> None:
    """Give the data of a class some keys that are no fields of it."""

    def unstructure(value: Any) -> dict[str, object]:
        fields = converter.unstructure_attrs_asdict(value)
        return {name: of(value) for name, of in more.items()} | fields

    converter.register_unstructure_hook(owner, unstructure)
