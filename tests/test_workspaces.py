"""The directories that the other program wrote are read as it reads them, and written back byte for byte.

The directories are not part of the repository; without them these tests say so and are left out.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from scriptorium_core.facts import Facts, facts_of
from scriptorium_core.names import TopicPath
from scriptorium_core.topics import Evidence, Record, parse_topic, render_topic
from scriptorium_core.tree import tree_of
from scriptorium_core.when import render_when
from tars import unpacked

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "workspaces"
NAMES = ("small", "rich", "legacy", "legacy-before")

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason=f"no acceptance data at {SHARED}")


@frozen
class Workspace:
    """A directory as it was unpacked, and what the other program read in it."""

    files: Mapping[str, bytes]
    expected: Mapping[str, Any]

    @property
    def facts(self) -> Facts:
        return facts_of(tree_of(self.files))

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(sorted(path for path in self.files if path.startswith("topics/")))


@pytest.fixture(params=NAMES)
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Workspace:
    name = str(request.param)
    unpacked(SHARED / f"{name}.tar.gz", tmp_path)
    root = tmp_path / name
    files = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.parts
    }
    return Workspace(files, json.loads((SHARED / f"{name}.expected.json").read_text("utf-8")))


def test_every_topic_reads_without_a_problem_and_renders_back_byte_for_byte(workspace: Workspace) -> None:
    assert workspace.topics
    for path in workspace.topics:
        topic, problems = parse_topic(TopicPath(path), workspace.files[path])
        assert problems == ()
        assert render_topic(topic) == workspace.files[path]


def test_the_records_are_those_that_the_other_program_reads(workspace: Workspace) -> None:
    facts = workspace.facts
    read = [unit for path in workspace.topics for unit in _units(path, workspace.files[path], facts)]
    # Creation order of these expectations is that of occurrence: each id counts, merged ids share the first.
    order: dict[str, int] = {}
    for number, unit in enumerate(read):
        order.setdefault(unit["span"], number)
    for unit in read:
        unit["created_order"] = order[unit.pop("span")]
    assert read == workspace.expected["units"]


def test_the_trusted_sources_are_the_same(workspace: Workspace) -> None:
    trusted = sorted(source.id for source in workspace.facts.sources.values() if source.trusted)
    assert trusted == workspace.expected["trusted_source_ids"]


def test_the_relations_are_the_same_but_for_ids_without_links(workspace: Workspace) -> None:
    relations = workspace.expected["relations"]
    if relations is None:
        pytest.skip("the other program had not derived relations in this directory")
    facts = workspace.facts
    outbound = {block: sorted(known.record.links) for block, known in facts.records.items()}
    assert {block: links for block, links in outbound.items() if links} == {
        block: links for block, links in relations["outbound"].items() if links
    }
    assert {block: list(ids) for block, ids in facts.backlinks.items()} == relations["backlinks"]


def _units(path: str, data: bytes, facts: Facts) -> Iterator[dict[str, Any]]:
    """One row an id, as the other program lists them: a merged paragraph stands once for each of its ids."""
    topic, _ = parse_topic(TopicPath(path), data)
    for record in topic.records:
        for block in record.ids:
            yield _unit(record, block, facts)


def _unit(record: Record, block: str, facts: Facts) -> dict[str, Any]:
    sources = record.sources
    return {
        "memory_id": block,
        "content": record.content,
        "when": str(record.when) if record.when else None,
        "source_refs": [facts.places[source.place] for source in sources],
        "source_links": [source.target for source in sources],
        "topic_path": record.path.removeprefix("topics/"),
        "headings": list(record.headings),
        "source_labels": [source.label for source in sources],
        # It lists no groups for the older form.
        "evidence": [] if record.legacy else [_group(group, facts) for group in record.evidence],
        "relation_targets": list(record.links),
        "span": (record.path, record.span, record.id),
    }


def _group(group: Evidence, facts: Facts) -> dict[str, Any]:
    return {
        "citation_id": group.id,
        "quote": group.quote,
        "when": render_when(group.when) if group.when else None,
        "source_refs": [facts.places[source.place] for source in group.sources],
        "source_links": [source.target for source in group.sources],
        "source_labels": [source.label for source in group.sources],
    }
