"""Erasing from the views of a commit: rows of the timeline, newest records, shards of relations."""

import json
from collections.abc import Iterator, Mapping
from typing import cast

from ..markdown.links import Link, links_in, resolve
from .model import Targets
from .topic import unlinked

__all__ = ["cleaned_day", "cleaned_recent", "cleaned_shard"]


def cleaned_day(path: str, data: bytes, targets: Targets) -> bytes | None:
    """A file of the timeline without the rows of what goes; None if no row is left."""
    head, *rows = data.decode("utf-8", "surrogateescape").rstrip("\n").split("\n\n")
    kept = [unlinked(row, targets.nowhere) for row in rows if not _goes(path, row, targets)]
    return "\n\n".join([head, *kept]).encode("utf-8", "surrogateescape") + b"\n" if kept else None


def cleaned_recent(data: bytes, targets: Targets) -> tuple[bytes | None, bool]:
    """The newest records without those that go (None: none is left), and whether one lost a citation."""
    rows = [(line, _record(line, targets)) for line in data.split(b"\n") if line.strip()]
    partly = any(after and after != before for before, after in rows)
    return b"".join(after + b"\n" for _, after in rows if after) or None, partly


def cleaned_shard(data: bytes, targets: Targets) -> bytes | None:
    """A shard of relations without the ids that go; None if none is left."""
    value = _json(data)
    if value is None:
        return data
    view = {name: _lists(links, targets) for name, links in value.items()}
    if not any(view.values()):
        return None
    return json.dumps(view, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def _goes(path: str, row: str, targets: Targets) -> bool:
    """Whether a row is of a record that goes, or cites nothing that stays."""
    links = links_in(row)
    # The quote may hold a link of the same form: the last one is the row's own.
    topic = max((n for n, link in enumerate(links) if link.label == "Topic" and link.block), default=-1)
    if topic < 0:
        return False
    cited = [_place(path, link) for link in links[topic + 1 :]]
    return links[topic].block in targets.ids or (bool(cited) and targets.places.issuperset(cited))


def _place(path: str, link: Link) -> str:
    file, _, fragment = link.target.partition("#")
    resolved = resolve(path, file)
    return f"{resolved}#{fragment}" if resolved else ""


def _record(line: bytes, targets: Targets) -> bytes:
    """A line of the newest records; empty if its record goes."""
    row = _json(line) if targets.names(line) else None
    if row is None:
        return line
    refs = _texts(row.get("source_refs"))
    left = [ref for ref in refs if ref not in targets.sources and ref not in targets.places]
    if row.get("memory_id") in targets.ids or (refs and not left):
        return b""
    content = row.get("content")
    named = {key: left for key in ("refs", "source_refs") if key in row}
    said = {"content": unlinked(content, targets.nowhere)} if isinstance(content, str) else {}
    return json.dumps({**row, **said, **named}, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _lists(value: object, targets: Targets) -> Mapping[str, object]:
    """Ids to lists of ids, without those that go and without lists that this leaves empty."""
    given = _object(value) or {}
    found = {
        block: [each for each in _texts(links) if each not in targets.nowhere]
        for block, links in given.items()
        if block not in targets.nowhere
    }
    return {block: links for block, links in found.items() if links}


def _texts(value: object) -> list[str]:
    return list(_strings(value))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (each for each in cast("list[object]", value) if isinstance(each, str))


def _json(data: bytes) -> Mapping[str, object] | None:
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return _object(value)


def _object(value: object) -> Mapping[str, object] | None:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else None
