"""Transactions played against a plain model of records in sections."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve, frozen
from hypothesis import assume, event, given, note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scriptorium_core.budget import estimate
from scriptorium_core.changes import Caller, apply_changes, bring, decode_request
from scriptorium_core.changes.content import content_fault
from scriptorium_core.facts import facts_of
from scriptorium_core.markdown.links import link_path, relative, without_paths
from scriptorium_core.markdown.spans import SpanKind
from scriptorium_core.names import TopicPath, path_key
from scriptorium_core.problem import Code, Problem
from scriptorium_core.topics import Record, Topic, parse_topic
from scriptorium_core.transaction import Edit, Prepared, Rules, Snapshot, prepare
from scriptorium_core.tree import tree_of
from scriptorium_core.when import render_when
from strategies import partial_dates, sentences, topic_paths, words
from topic_strategies import memories, prose

TODAY = "2026-11-01"
POSITIONS = ("start", "end", "before", "after")
Place = tuple[str, tuple[str, ...]]
Group = tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]


@frozen
class Plain:
    """A record as anybody would note it down: links by id, sources by place."""

    ids: tuple[str, ...]
    content: str
    evidence: tuple[Group, ...]
    legacy: bool = False


Sections = dict[Place, list[Plain]]


def committed(files: Mapping[str, bytes]) -> Snapshot:
    tree = tree_of(files)
    return Snapshot(tree, facts_of(tree))


def topics_of(files: Mapping[str, bytes]) -> dict[str, Topic]:
    return {p: parse_topic(TopicPath(p), data)[0] for p, data in files.items() if p.startswith("topics/")}


def sections_of(files: Mapping[str, bytes]) -> Sections:
    sections: Sections = {}
    for path, topic in topics_of(files).items():
        for record in topic.records:
            sections.setdefault((path, record.headings), []).append(plain(record))
    return sections


def plain(record: Record) -> Plain:
    groups = tuple(
        (render_when(group.when), tuple(source.place for source in group.sources), group.fields)
        for group in record.evidence
    )
    return Plain(record.ids, without_paths(record.content), groups, record.legacy)


def files_after(base: Snapshot, outcome: Prepared) -> dict[str, bytes]:
    found = {path: outcome.tree.get(path) for path in outcome.tree.under("")}
    return {path: data for path, data in found.items() if data is not None}


def ask(base: Snapshot, request: object) -> Prepared | tuple[Problem, ...]:
    """What a door does with a request."""
    decoded, problems = decode_request(request)
    caller = Caller()
    brought = bring(decoded.sources, caller)
    applied = apply_changes(base.tree, base.facts, decoded.changes, brought.places, TODAY)
    if problems or isinstance(applied, tuple):
        return problems + (applied if isinstance(applied, tuple) else ())
    edit = Edit(applied.tree, applied.deleted, brought.frames, brought.contexts)
    outcome = prepare(base, edit, Rules(caller, estimate))
    return outcome if isinstance(outcome, Prepared) else outcome.problems


class Transactions(RuleBasedStateMachine):
    """Ids after = before − deleted ∪ created; a move keeps content, time, sources; links land; only what is
    asked for is rewritten; a rejected transaction changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, bytes] = {}
        self.sections: Sections = {}

    @initialize(memory=memories())
    def begin(self, memory: Any) -> None:
        self.files = dict(memory.files)
        self.sections = sections_of(self.files)

    @property
    def base(self) -> Snapshot:
        return committed(self.files)

    @property
    def records(self) -> list[tuple[Place, Plain]]:
        return [(place, record) for place, found in self.sections.items() for record in found]

    def play(self, request: dict[str, Any], wanted: Sections, touched: set[str]) -> None:
        """Ask for it, and find what the model says, or a refusal that the model expects."""
        note(request)
        base = self.base
        expected = refusals(base, wanted, self.files)
        outcome = ask(base, request)
        if not isinstance(outcome, Prepared):
            note(outcome)
            event(f"refused: {', '.join(sorted(expected))}")
            assert expected
            assert expected & {problem.code for problem in outcome}
            return
        assert not expected
        event(f"done: {request['memory_changes'][0]['op']}")
        after = files_after(base, outcome)
        now = sections_of(after)
        made = {block for found in now.values() for record in found for block in record.ids}
        old = {block for found in self.sections.values() for record in found for block in record.ids}
        assert set(outcome.report.created) == made - old
        assert {place: [named(r, old) for r in found] for place, found in now.items()} == {
            place: found for place, found in wanted.items() if found
        }
        kept_as_they_were(self.files, after, touched)
        self.files, self.sections = after, now

    @rule(data=st.data())
    def create(self, data: st.DataObject) -> None:
        place, order, destination = self.destination(data, ())
        content, raw = self.said(data, place[0])
        time, uses, groups, new = self.cited(data)
        operation = {"op": "create_record", "content": raw, "time": time, "sources": uses}
        request = {"memory_changes": [operation | {"destination": destination}], "sources": new}
        wanted = self.copy()
        wanted.setdefault(place, []).insert(order, Plain((), content, groups))
        self.play(request, wanted, set())

    @precondition(lambda self: self.records)
    @rule(data=st.data())
    def update(self, data: st.DataObject) -> None:
        place, record = data.draw(st.sampled_from(self.records))
        content, raw = self.said(data, place[0])
        time, uses, groups, new = self.cited(data)
        mode = "" if record.legacy else data.draw(st.sampled_from(("", "supersede", "add")))
        block = data.draw(st.sampled_from(record.ids))
        operation = {"op": "update_record", "memory_id": block, "content": raw, "time": time, "sources": uses}
        closing = closed(record.evidence, TODAY if time is None else time)
        earlier = closing if mode == "supersede" else record.evidence if mode == "add" else ()
        wanted = self.copy()
        swap(wanted, place, record, evolve(record, content=content, evidence=(*earlier, *groups)))
        request = {"memory_changes": [operation | ({mode: True} if mode else {})], "sources": new}
        self.play(request, wanted, set(record.ids))

    @precondition(lambda self: self.records)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        place, record = data.draw(st.sampled_from(self.records))
        block = data.draw(st.sampled_from(record.ids))
        wanted = self.copy()
        rest = tuple(each for each in record.ids if each != block)
        # The identity takes the whole record along, an alias only itself.
        swap(wanted, place, record, evolve(record, ids=rest) if block != record.ids[-1] else None)
        self.play({"memory_changes": [{"op": "delete_record", "memory_id": block}]}, wanted, set(record.ids))

    @precondition(lambda self: len(self.records) > 1)
    @rule(data=st.data())
    def merge(self, data: st.DataObject) -> None:
        chosen = data.draw(st.lists(st.sampled_from(self.records), min_size=2, max_size=3, unique_by=str))
        (place, record), *others = chosen
        content, raw = self.said(data, place[0])
        time, uses, groups, new = self.cited(data)
        operations: list[dict[str, Any]] = [
            {"op": "update_record", "memory_id": record.ids[-1], "content": raw}
            | {"time": time, "sources": uses}
        ]
        operations += [{"op": "delete_record", "memory_id": other.ids[-1]} for _, other in others]
        wanted = self.copy()
        swap(wanted, place, record, evolve(record, content=content, evidence=groups))
        for where, other in others:
            swap(wanted, where, other, None)
        gone = {block for _, each in chosen for block in each.ids}
        self.play({"memory_changes": operations, "sources": new}, wanted, gone)

    @precondition(lambda self: self.records)
    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        chosen = data.draw(st.lists(st.sampled_from(self.records), min_size=1, max_size=3, unique_by=str))
        moved = [record for _, record in chosen]
        place, order, destination = self.destination(data, moved)
        ids = [block for record in moved for block in record.ids]
        wanted = self.copy()
        for where, record in chosen:
            swap(wanted, where, record, None)
        wanted.setdefault(place, [])[order:order] = moved
        request = {"memory_changes": [{"op": "move_records", "memory_ids": ids, "destination": destination}]}
        self.play(request, wanted, set(ids))

    @invariant()
    def nothing_is_broken(self) -> None:
        facts = self.base.facts
        assert not facts.broken
        for known in facts.records.values():
            assert all(link in facts.records for link in known.record.links)

    def copy(self) -> Sections:
        return {place: list(found) for place, found in self.sections.items()}

    def destination(
        self, data: st.DataObject, moved: list[Plain] | tuple[()]
    ) -> tuple[Place, int, dict[str, Any]]:
        """A place to put something, its order in the section without what moves, and the JSON of it."""
        places = [place for place, found in self.sections.items() if [r for r in found if r not in moved]]
        position = data.draw(st.sampled_from(POSITIONS if places else POSITIONS[:2]))
        anchor = None
        if position in ("before", "after") or (places and data.draw(st.booleans())):
            place = data.draw(st.sampled_from(places))
        else:
            place = data.draw(st.tuples(self.paths(), st.lists(words(), max_size=3).map(tuple)))
        left = [record for record in self.sections.get(place, []) if record not in moved]
        order = {"start": 0, "end": len(left)}.get(position, 0)
        if position in ("before", "after"):
            record = data.draw(st.sampled_from(left))
            anchor = data.draw(st.sampled_from(record.ids))
            order = left.index(record) + (position == "after")
        destination = {"topic_path": place[0], "headings": list(place[1]), "position": position}
        return place, order, destination | ({"anchor_memory_id": anchor} if anchor else {})

    def paths(self) -> st.SearchStrategy[str]:
        known = {path_key(path): path for path, _ in self.sections}
        return topic_paths().map(lambda path: known.get(path_key(path), path))

    def said(self, data: st.DataObject, path: str) -> tuple[str, str]:
        """A content as the model keeps it, and as a request gives it."""
        where = {block: place[0] for place, record in self.records for block in record.ids}
        text = data.draw(prose() | sentences())
        links = data.draw(st.lists(st.sampled_from(sorted(where)), max_size=2)) if where else []
        for block in links:
            text += f" [see [{block}]]({link_path(relative(path, where[block]))}#^{block})"
        assume(not content_fault(text))
        return without_paths(text.strip()), text

    def cited(self, data: st.DataObject) -> tuple[str | None, list[Any], tuple[Group, ...], list[Any]]:
        """A time, the sources as a request gives them, as the model keeps them, and the new ones."""
        facts = self.base.facts
        trusted = {source.id: source.place for source in facts.sources.values() if source.trusted}
        time = data.draw(st.none() | partial_dates())
        new = [{"label": "new-source-a", "role": "user", "content": data.draw(sentences())}]
        brought = bring(decode_request({"memory_changes": [], "sources": new})[0].sources, Caller()).places
        known = trusted | {"new-source-a": brought["new-source-a"]}
        named = data.draw(st.lists(st.sampled_from(sorted(known)), min_size=1, max_size=2, unique=True))
        assume(len({known[name] for name in named}) == len(named))
        uses = [{"source": name, "label": data.draw(words())} for name in named]
        groups = ((time or "undated", tuple(known[name] for name in named), ()),)
        return time, uses, groups, new if "new-source-a" in named else []


def closed(evidence: tuple[Group, ...], until: str) -> tuple[Group, ...]:
    return tuple(
        (when, places, fields if any(name == "Until" for name, _ in fields) else (*fields, ("Until", until)))
        for when, places, fields in evidence
    )


def named(record: Plain, known: set[str]) -> Plain:
    """The record without an id that was only just allocated."""
    return evolve(record, ids=tuple(block for block in record.ids if block in known))


def swap(sections: Sections, place: Place, old: Plain, new: Plain | None) -> None:
    at = sections[place].index(old)
    sections[place][at : at + 1] = [new] if new else []


def refusals(base: Snapshot, wanted: Sections, files: Mapping[str, bytes]) -> set[Code]:
    """The codes with which the wanted state must be refused; empty if it must be accepted."""
    found: set[Code] = set()
    left = {block for records in wanted.values() for record in records for block in record.ids}
    gone = base.facts.records.keys() - left
    texts = [record.content for records in wanted.values() for record in records]
    if any(f"(#^{block})" in text for block in gone for text in texts):
        found.add(Code.LINK_DANGLING)
    inhabited = {
        (path, headings[:depth])
        for (path, headings), records in wanted.items()
        if records
        for depth in range(len(headings) + 1)
    }
    for path, topic in topics_of(files).items():
        idle = (span for span in topic.spans if span.kind in (SpanKind.FENCE, SpanKind.HTML))
        if any((path, span.headings) not in inhabited for span in idle):
            found.add(Code.INVALID_TOPIC_FORMAT)
    return found


def kept_as_they_were(before: Mapping[str, bytes], after: Mapping[str, bytes], touched: set[str]) -> None:
    """Every file but the topics and views stays, and in the topics every text that was not asked for."""
    for path, data in before.items():
        if path.startswith("sources/"):
            assert after[path].startswith(data)
    texts = {span.text.strip("\r\n") for topic in topics_of(after).values() for span in topic.spans}
    for topic in topics_of(before).values():
        mine = {r.span for r in topic.records if not touched & {*r.ids, *r.links}}
        cited = {g.id for r in topic.records if r.span in mine for g in r.evidence}
        kinds = (SpanKind.FENCE, SpanKind.HTML)
        spans = [s for n, s in enumerate(topic.spans) if n in mine or s.kind in kinds]
        spans += [topic.spans[topic.definitions[label].span] for label in cited]
        for span in spans:
            assert span.text.strip("\r\n\ufeff") in {text.strip("\ufeff") for text in texts}


TestTransactions = Transactions.TestCase


class TestRejection:
    """A rejected transaction leaves everything as it was."""

    @given(memories())
    def test_a_request_with_one_fault_does_nothing_of_the_rest(self, memory: Any) -> None:
        base = committed(memory.files)
        block = next(iter(base.facts.records))
        delete = {"op": "delete_record", "memory_id": block}
        outcome = ask(base, {"memory_changes": [delete, {"op": "delete_record", "memory_id": "nowhere"}]})
        assert not isinstance(outcome, Prepared)
        assert Code.MEMORY_NOT_FOUND in {problem.code for problem in outcome}
        assert base == committed(memory.files)
