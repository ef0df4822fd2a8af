"""Values as JSON for the rows of the index, with sums, and back without loss.

A record leaves out what stands in columns of its own: its topic, its lines and its span.
"""

import json
import zlib
from collections.abc import Sequence
from typing import Any

from scriptorium_core.names import BlockId, EvidenceId, NodeId, SessionId, SourceId, TopicPath
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sources.kinds import Context, Origin
from scriptorium_core.topics.records import Cited, Evidence, Record
from scriptorium_core.when import When

from .schema import Damaged

__all__ = [
    "checked",
    "context_text",
    "problem_list",
    "problems_from",
    "record_text",
    "sum_of",
    "text",
    "to_context",
    "to_record",
]

text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def sum_of(*values: object) -> int:
    """The sum that stands beside values in their row."""
    return zlib.crc32("\0".join(map(str, values)).encode())


def checked(found: int | None, *values: object) -> None:
    """Raise Damaged if values do not have the sum that was written with them."""
    if found != sum_of(*values):
        raise Damaged("a row does not have its sum")


def record_text(record: Record) -> str:
    """A record; its ids come first, so that SQL finds them at `$[0]`."""
    groups = [_evidence(group, record.content) for group in record.evidence]
    return text([record.ids, record.content, groups, record.links, record.headings, record.legacy])


def to_record(data: str, path: str, lines: tuple[int, int], span: int) -> Record:
    """The record of `record_text`, where it stands now."""
    ids, content, groups, links, headings, legacy = json.loads(data)
    return Record(
        ids=tuple(map(BlockId, ids)),
        content=content,
        evidence=tuple(_to_evidence(group, content) for group in groups),
        links=tuple(map(BlockId, links)),
        path=TopicPath(path),
        headings=tuple(headings),
        lines=lines,
        span=span,
        legacy=legacy,
    )


def context_text(context: Context) -> str:
    """A context."""
    return text(
        [
            context.id,
            context.origin,
            context.session,
            context.node,
            context.parent,
            context.branch,
            context.scope,
            context.at,
        ]
    )


def to_context(data: str) -> Context:
    """The context of `context_text`."""
    source, origin, session, node, parent, branch, scope, at = json.loads(data)
    above = None if parent is None else NodeId(parent)
    return Context(
        SourceId(source), Origin(origin), SessionId(session), NodeId(node), above, branch, scope, at
    )


def problem_list(problems: Sequence[Problem]) -> list[list[object]]:
    """Problems as lists that JSON can hold."""
    return [[found.code, found.message, found.path, found.line, found.remedy] for found in problems]


def problems_from(rows: Sequence[Sequence[Any]]) -> tuple[Problem, ...]:
    """The problems of `problem_list`, after JSON."""
    return tuple(Problem(Code(code), *rest) for code, *rest in rows)


def _evidence(group: Evidence, content: str) -> list[object]:
    when = group.when and (group.when.year, group.when.month, group.when.day)
    sources = [(cited.label, cited.target, cited.place) for cited in group.sources]
    # Most records have one claim, which is their whole content: it is written once.
    return [group.id, None if group.quote == content else group.quote, when, sources, group.fields]


def _to_evidence(group: Sequence[Any], content: str) -> Evidence:
    name, quote, when, sources, fields = group
    return Evidence(
        EvidenceId(name),
        content if quote is None else quote,
        When(*when) if when else None,
        tuple(Cited(*cited) for cited in sources),
        tuple((key, value) for key, value in fields),
    )
