"""What of a writer's answer may come near a commit: clean words, no evidence of its own, and progress."""

from collections.abc import Iterable, Mapping

from attrs import evolve

from ..markdown.spans import SpanKind, spans
from ..names import SourceId, TopicPath
from ..problem import Code, Problem
from ..sources.redact import Redact, Secret, totalled
from ..topics.parse import parse_topic
from ..transaction import Snapshot
from ..transaction.staging import Stage
from ..transaction.touching import touched
from ..tree import Tree

__all__ = ["brings_nothing", "cited_in", "clean_stage", "progress_fault", "size_faults"]

LARGEST_TOPIC = 4_000_000
"""Bytes of a topic that a writer may leave."""


def clean_stage(stage: Stage, redact: Redact) -> tuple[Stage, Mapping[Secret, int]]:
    """A stage without secrets in the paragraphs that are new in its topics, and how many were in them."""
    found: list[Mapping[Secret, int]] = []
    tree = stage.tree
    for path, data in stage.tree.differences().items():
        if data is None or not path.startswith("topics/") or len(data) > LARGEST_TOPIC:
            continue
        try:
            text, before = data.decode(), (stage.base.tree.get(path) or b"").decode("utf-8", "replace")
        except UnicodeDecodeError:
            continue  # no topic: the checks say so
        old = {span.text for span in spans(before)}
        pieces: list[str] = []
        for span in spans(text):
            new = span.kind is SpanKind.PARAGRAPH and span.text not in old
            result = redact(span.text) if new else None
            pieces.append(span.text if result is None else result.text)
            found += [] if result is None else [result.found]
        if (cleaned := "".join(pieces)) != text:
            tree = tree.put(path, cleaned.encode())
    return evolve(stage, tree=tree), totalled(found)


def brings_nothing(brought: Iterable[str]) -> tuple[Problem, ...]:
    """That a writer brings no evidence: what was said is archived by the pass alone."""
    message, remedy = "a writer brings no evidence of its own, and", "cite the messages of the batch"
    return tuple(
        Problem(Code.NOT_PERMITTED, f"{message} {name} would be archived", "sources", remedy=remedy)
        for name in brought
    )


def size_faults(tree: Tree) -> tuple[Problem, ...]:
    """The files of an edit that are too large to be a topic."""
    return tuple(
        Problem(
            Code.INVALID_TOPIC_FORMAT,
            f"the file has {len(data):,} bytes; a topic has at most {LARGEST_TOPIC:,}",
            path,
            remedy="write less, or split it into several topics",
        )
        for path, data in tree.differences().items()
        if data is not None and len(data) > LARGEST_TOPIC
    )


def progress_fault(base: Snapshot, tree: Tree) -> tuple[Problem, ...]:
    """That an edit changes no topic, whatever its writer says; empty if it changes one.

    Empty too where the edit is no good otherwise: then the checks say so, and it can be mended.
    """
    before, after, unread = touched(base, tree)
    kept = {path: topic for path, topic in after.items() if topic.records}
    elsewhere = any(not path.startswith("topics/") for path in tree.differences())
    if elsewhere or unread or kept != before:
        return ()
    message = "the writer ended without changing any topic, and did not say that there is nothing to keep"
    remedy = "try again, with another model if it happens often"
    return (Problem(Code.WRITER_NO_PROGRESS, message, "topics", remedy=remedy),)


def cited_in(base: Snapshot, paths: Iterable[str]) -> frozenset[SourceId]:
    """The messages that topics cite already."""
    found: set[SourceId] = set()
    for path in paths:
        data = base.tree.get(path)
        for record in parse_topic(TopicPath(path), data)[0].records if data is not None else ():
            named = (base.facts.places.get(source.place) for source in record.sources)
            found.update(name for name in named if name is not None)
    return frozenset(found)
