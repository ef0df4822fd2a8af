"""A memory of one topic whose records each rest on a line with fields of its own."""

from memory_example import S1, link, memory, snapshot
from scriptorium_core.names import BlockId
from scriptorium_core.topics import Record
from scriptorium_core.transaction import Snapshot

__all__ = ["PATH", "base_of", "line", "record_of"]

PATH = "topics/keys.md"


def line(block: str, content: str, fields: str = "", source: str = S1, when: str = "2026-04-01") -> str:
    """A record with its definition; `fields` stand behind the sources, as `Status: disputed`."""
    label = f"e-{block}"
    more = f"; {fields}" if fields else ""
    return (
        f"{content}[^{label}] ^{block}\n\n[^{label}]: Time: `{when}`; Sources: [said]({link(source)}){more}\n"
    )


def base_of(*records: str) -> Snapshot:
    """The memory that holds these records."""
    return snapshot(memory(keys="# Keys\n\n" + "\n".join(records)))


def record_of(base: Snapshot, block: str) -> Record:
    """One of its records."""
    return base.facts.records[BlockId(block)].record
