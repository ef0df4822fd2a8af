"""The laws of taking memory along: it is the same memory, without what may not be read."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings

from policy_strategies import memories_seen
from scriptorium.clock import Moment
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium_core.facts import Known, facts_of
from scriptorium_core.facts.rows import contributes
from scriptorium_core.names import BlockId
from scriptorium_core.policy import AGENT, POLICY_FILE, Policy, Right
from scriptorium_core.policy.reading import render_policy
from scriptorium_core.policy.rules import Rule
from scriptorium_core.transaction import Edit, Rejected
from scriptorium_core.tree import tree_of
from topic_strategies import Memory, memories

__all__: list[str] = []

NOW = Moment(1_700_000_000, 60)


def opened(root: Path) -> Service:
    """The memory in a folder, taken over if it was not opened before."""
    return Service(memory=root, settings=Settings(), moment=lambda: NOW)


def placed(root: Path, memory: Memory) -> Service:
    """A memory with these files."""
    for path, data in memory.files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    (root / ".scriptorium").mkdir(parents=True)
    made = opened(root)
    made.memory(make=True)
    return made


def on_disk(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def lines(path: Path) -> dict[str, Any]:
    return {each["id"]: each for each in map(json.loads, path.read_text("utf-8").split("\n")[:-1])}


class TestExport:
    """An exported folder, opened as a memory, has the same records, messages and relations."""

    @settings(max_examples=5)
    @given(memories())
    def test_what_was_exported_and_is_opened_is_the_same_memory(self, memory: Memory) -> None:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            with placed(place / "memory", memory) as made:
                made.export(place / "copy")
                made.export(place / "lines.jsonl")
                related = made.relations(limit=1_000).topics
                with made.memory().reading() as (_, base):
                    truth = {path: base.tree.get(path) for path in base.tree.under("") if contributes(path)}
                    facts = base.facts
                    known: dict[str, Known] = dict(facts.records.items())
            taken = {path: data for path, data in on_disk(place / "copy").items() if contributes(path)}
            assert taken == truth
            with opened(place / "copy") as copy:
                copy.memory(make=True)
                copy.export(place / "again.jsonl")
                assert copy.relations(limit=1_000).topics == related
                with copy.memory().reading() as (_, base):
                    again = {block: each.record for block, each in base.facts.records.items()}
            assert again == {block: each.record for block, each in known.items()}
            assert (place / "again.jsonl").read_bytes() == (place / "lines.jsonl").read_bytes()

    @settings(max_examples=5)
    @given(memories_seen())
    def test_what_an_actor_exports_is_the_memory_without_what_is_denied(
        self, case: tuple[Memory, frozenset[str]]
    ) -> None:
        memory, denied = case
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            with placed(place / "memory", memory) as made:
                _let_hold(made, denied)
                made.actor = AGENT
                made.export(place / "copy")
                made.export(place / "lines.jsonl")
            found = on_disk(place / "copy")
            left = {path: data for path, data in memory.files.items() if path not in denied}
            assert set(filter(contributes, found)) == set(filter(contributes, left))
            # Views hold words of all.
            assert not denied or all(map(contributes, found))
            facts = facts_of(tree_of(found))
            for block, line in lines(place / "lines.jsonl").items():
                assert line["content"] == facts.records[block].record.content
                assert set(line["links"]) <= set(facts.records)


class TestRelations:
    """The relations that are shown are those of the view, and every link has two ends."""

    @settings(max_examples=5)
    @given(memories())
    def test_each_record_is_shown_with_the_links_of_the_facts(self, memory: Memory) -> None:
        with tempfile.TemporaryDirectory() as folder, placed(Path(folder) / "memory", memory) as made:
            with made.memory().reading() as (_, base):
                records = {known.record.id: known.record for known in base.facts.newest}
                meant = {
                    block: known.record.id for block, known in base.facts.records.items()
                }  # an alias means its record
            out: set[tuple[BlockId, BlockId]] = set()
            into: set[tuple[BlockId, BlockId]] = set()
            for block in records:
                (found,) = made.relations(block, 1_000).records
                out |= {(block, BlockId(each.record.id)) for each in found.links}
                into |= {(BlockId(each.record.id), block) for each in found.backlinks}
            expected = {
                (block, meant[link]) for block, r in records.items() for link in r.links if link in meant
            }
            assert out == into == expected
            topics = made.relations(limit=1_000).topics
            assert sum(each.links for each in topics) == sum(each.backlinks for each in topics) == len(out)
            for each in topics:
                assert each.links == sum(records[one].path == each.path for one, _ in out)
                assert each.backlinks == sum(records[two].path == each.path for _, two in out)


def _let_hold(service: Service, denied: frozenset[str]) -> None:
    rules = [Rule((AGENT.name,), True, (Right.READ,), ("topics/**", "sources/**"))]
    if denied:
        rules.append(Rule((AGENT.name,), False, (Right.READ,), tuple(sorted(denied))))
    policy, memory = render_policy(Policy(tuple(rules))).encode(), service.whole()
    done = memory.commit(lambda base: Edit(base.tree.put(POLICY_FILE, policy)), memory.rules())
    assert not isinstance(done, Rejected), done
