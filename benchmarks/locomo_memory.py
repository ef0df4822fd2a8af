"""A memory of one conversation, made as any user makes one: import, write, index."""

from collections.abc import Callable
from pathlib import Path

from attrs import frozen
from locomo_set import Conversation

from scriptorium.service import Service
from scriptorium.service.indexing import documents
from scriptorium.settings import Settings
from scriptorium_core.recall import Document, Kind

__all__ = ["Made", "made"]


@frozen
class Made:
    """An open memory of a conversation, its documents, and the turns that each of them stands for.

    `holds` has the id of a turn for a turn, and for a record those of the turns that it cites.
    """

    service: Service
    documents: tuple[Document, ...]
    holds: dict[tuple[Kind, str], frozenset[str]]

    @property
    def written(self) -> frozenset[str]:
        """The turns that any record cites."""
        return frozenset[str]().union(
            *(held for (kind, _), held in self.holds.items() if kind is Kind.RECORD)
        )

    def of_kind(self, kind: Kind) -> tuple[Document, ...]:
        """The documents of a kind, turns in the order of the conversation."""
        return tuple(each for each in self.documents if each.kind is kind)


def made(talk: Conversation, home: Path, told: Callable[[str], None], semantic: bool) -> Made:
    """The memory in `home`, which is made unless it is there; with vectors too if it is `semantic`.

    Where it was left half made, it is made to its end: what is imported and written is not so twice.
    """
    service, whole = Service(home, settings=Settings()), home / "whole"
    if not whole.exists():
        home.mkdir(parents=True, exist_ok=True)
        log = home / "locomo.json"
        log.write_text(talk.log, encoding="utf-8")
        told("importing and writing")
        service.import_paths([log], format="locomo")
        service.write(force=True, writer="extractive")
        whole.touch()
    service.by_meaning = semantic
    told("indexing")
    service.index()
    memory = service.memory()
    with memory.reading() as (_, base):
        held = tuple(documents(memory, base.facts))
    return Made(service, held, {(each.kind, each.id): _turns(each) for each in held})


def _turns(document: Document) -> frozenset[str]:
    sources = document.sources if document.kind is Kind.RECORD else (document.id,)
    return frozenset(source.rpartition("/")[2] for source in sources)
