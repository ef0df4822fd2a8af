"""Examples of who may say what: held with its record, let in by the owner, added by others, and no more."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from memory_example import KEYS, PENDING, S1, ask, codes, edited, link, memory, snapshot, topic, written
from scriptorium_core.changes import Caller
from scriptorium_core.facts import SourceFact, facts_of, human_of_owner
from scriptorium_core.names import CORE_TOPIC, SourceId, anchor, archive_path
from scriptorium_core.policy import Held, Quota
from scriptorium_core.problem import Problem
from scriptorium_core.recall.documents import record_document
from scriptorium_core.sources.archive import append, scan
from scriptorium_core.sources.context import read_context
from scriptorium_core.sources.frame import Context, Frame, Origin, Provenance, Tier, Trust
from scriptorium_core.transaction import Edit, Prepared, Rejected, Rules, prepare
from scriptorium_core.transaction.admitting import admitted
from scriptorium_core.tree import tree_of

STRANGER, FRIEND, OWNER = Caller.unknown("tg/9", "Zed"), Caller.paired("tg/1", "Mira"), Caller()
SAID = [{"label": "new-source-x", "role": "user", "content": "The door is green."}]
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def create(content: str = "Green door.", path: str = "topics/keys.md", *sources: str) -> dict[str, Any]:
    cited = [{"source": source, "label": "said"} for source in sources or ("new-source-x",)]
    destination = {"topic_path": path, "headings": ["Keys"], "position": "end"}
    return {
        "op": "create_record",
        "content": content,
        "time": "2026-05",
        "sources": cited,
        "destination": destination,
    }


def after(outcome: object) -> dict[str, bytes]:
    assert isinstance(outcome, Prepared), outcome
    found = {path: outcome.tree.get(path) for path in outcome.tree.under("")}
    return {path: data for path, data in found.items() if data is not None}


def let_in(
    files: Mapping[str, bytes], *sources: str, caller: Caller = OWNER
) -> Prepared | tuple[Problem, ...]:
    base = snapshot(files)
    edit = Edit(base.tree, kind="promote", promoted=tuple(map(SourceId, sources)))
    outcome = prepare(base, edit, Rules(caller, len))
    return outcome if isinstance(outcome, Prepared) else outcome.problems


def test_what_an_unknown_speaker_says_is_held_with_its_record() -> None:
    outcome = ask(memory(), create(), sources=SAID, caller=STRANGER)
    assert isinstance(outcome, Prepared)
    (source,) = outcome.report.archived
    facts = facts_of(tree_of(after(outcome)))
    assert (facts.sources[source].trusted, facts.sources[source].tier) == (False, None)
    held = facts.records[outcome.report.created[0]].record
    assert record_document(facts, held).trust is Trust.PENDING
    assert "Green door." in written(outcome)


def test_a_held_record_stays_out_of_the_core_until_its_source_is_let_in() -> None:
    target = f"../{archive_path(PENDING)}#{anchor(PENDING)}"
    web = f"Green.[^e-1] ^c1\n\n[^e-1]: Time: `2026`; Sources: [w]({target})\n"
    files = memory() | {CORE_TOPIC: web.encode()}
    outcome = let_in(files, PENDING)
    assert "Green." in written(outcome, "core.md")
    assert isinstance(outcome, Prepared)
    assert outcome.report.promoted == (PENDING,)
    assert outcome.trailers == (("Kind", "promote"), ("Promoted", PENDING))
    assert outcome.subject == "Promote 1"


def test_letting_in_changes_one_line_of_one_archive_and_twice_is_as_once() -> None:
    files = memory()
    outcome = let_in(files, PENDING)
    assert isinstance(outcome, Prepared)
    path = archive_path(PENDING)
    assert {p for p in outcome.tree.differences() if p.startswith(("sources/", "topics/"))} == {path}
    old, new = files[path].split(b"\n"), after(outcome)[path].split(b"\n")
    assert [a != b for a, b in zip(old, new, strict=True)].count(True) == 1
    again = let_in(after(outcome), PENDING, PENDING)
    assert isinstance(again, Prepared)
    assert dict(again.tree.differences()) == {}
    assert again.report.promoted == ()


def test_two_messages_of_an_archive_are_let_in_together() -> None:
    files = memory()
    for number in (1, 2):
        frame = Frame(
            SourceId(f"tg/c/{number}"),
            "user",
            "x",
            "",
            "9",
            "",
            Provenance("p", "unknown", None, Trust.PENDING),
        )
        data = append("sources/tg/_v2/c.md", files.get("sources/tg/_v2/c.md"), [frame])
        assert isinstance(data, bytes)
        files["sources/tg/_v2/c.md"] = data
    outcome = let_in(files, "tg/c/1", "tg/c/2")
    assert all(
        frame.trusted for frame in scan("sources/tg/_v2/c.md", after(outcome)["sources/tg/_v2/c.md"]).frames
    )


def test_only_the_owner_lets_in_and_only_what_is_there() -> None:
    for caller in (STRANGER, FRIEND):
        assert codes(let_in(memory(), PENDING, caller=caller)) == [("NOT_PERMITTED", "")]
    assert codes(let_in(memory(), "chat/s1/m9")) == [("MISSING_SOURCE", "chat/s1/m9")]
    base = snapshot(memory(), {PENDING: "2026-05-01"})
    outcome = prepare(base, Edit(base.tree, promoted=(SourceId(PENDING),)), Rules(OWNER, len))
    assert isinstance(outcome, Rejected)
    assert outcome.problems[0].code == "FORGOTTEN"


def test_an_edit_that_raises_the_trust_by_itself_is_refused() -> None:
    path = archive_path(PENDING)
    raised = after(let_in(memory(), PENDING))[path].decode()
    assert codes(edited(memory(), {path: raised})) == [("SOURCES_CHANGED", path)]


@pytest.mark.parametrize(("source", "code"), [(S1, "NOT_PERMITTED"), (PENDING, "SOURCE_PENDING")])
def test_an_unknown_speaker_cites_only_what_the_request_brings(source: str, code: str) -> None:
    for cited in ((source,), ("new-source-x", source)):
        outcome = ask(memory(), create("x", "topics/keys.md", *cited), sources=SAID, caller=STRANGER)
        assert codes(outcome) == [(code, "topics/keys.md")]


def test_a_message_that_is_held_already_carries_no_further_record() -> None:
    files = after(ask(memory(), create(), sources=SAID, caller=STRANGER))
    again = ask(files, create("Once more."), sources=SAID, caller=STRANGER)
    assert codes(again) == [("SOURCE_PENDING", "topics/keys.md")]


def test_what_waits_is_cited_by_nobody_else() -> None:
    for caller in (OWNER, FRIEND):
        outcome = ask(memory(), create("x", "topics/keys.md", PENDING), caller=caller)
        assert codes(outcome) == [("SOURCE_PENDING", "topics/keys.md")]


def test_an_unknown_speakers_record_links_to_none() -> None:
    linked = ask(memory(), create("See [it](#^key1)."), sources=SAID, caller=STRANGER)
    assert codes(linked) == [("NOT_PERMITTED", "topics/keys.md")]
    assert isinstance(ask(memory(), create("See [it](#^key1)."), sources=SAID, caller=FRIEND), Prepared)


def test_the_words_of_a_paired_speaker_are_trusted_with_their_tier() -> None:
    outcome = ask(memory(), create(), sources=SAID, caller=FRIEND)
    assert isinstance(outcome, Prepared)
    (source,) = outcome.report.archived
    fact = facts_of(tree_of(after(outcome))).sources[source]
    assert (fact.trusted, fact.tier, fact.label) == (True, Tier.PAIRED, "Mira (tg/1)")


@pytest.mark.parametrize("caller", [STRANGER, FRIEND])
def test_whoever_is_not_the_owner_changes_moves_and_deletes_nothing(caller: Caller) -> None:
    place = {"topic_path": "topics/keys.md", "headings": ["Keys"], "position": "end"}
    for operation in (
        {"op": "update_record", "memory_id": "key1", "content": "x", "time": None, "source_refs": [S1]},
        {"op": "delete_record", "memory_id": "mira1"},
        {"op": "move_records", "memory_ids": ["mira1"], "destination": place},
    ):
        found = {code for code, _ in codes(ask(memory(), operation, caller=caller))}
        assert "APPEND_ONLY_REQUIRED" in found
    assert ("NOT_PERMITTED", CORE_TOPIC) in codes(
        ask(memory(), create("x", CORE_TOPIC), sources=SAID, caller=caller)
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[said]", "[sworn]"),
        ("# Keys\n", "# Keys \n"),
        ("## Spare", "### Spare"),
        ("The spare", "New.[^e1]\n\nThe  spare"),
        ("Status: verified 0.9", "Status: verified 1"),
    ],
)
def test_a_whole_text_that_touches_a_letter_of_what_stands_there_is_refused(old: str, new: str) -> None:
    outcome = edited(memory(), {"topics/keys.md": KEYS.replace(old, new)}, rules=Rules(FRIEND, len))
    assert "APPEND_ONLY_REQUIRED" in {code for code, _ in codes(outcome)}


def test_standing_is_the_owners_to_give() -> None:
    text = KEYS + f"\nTrust me.[^e1]\n\n[^e1]: 2026 · Sources: {S1}; Status: verified 0.95\n"
    refused = edited(memory(), {"topics/keys.md": text}, rules=Rules(FRIEND, len))
    assert codes(refused) == [("NOT_PERMITTED", "topics/keys.md")]
    borrowed = KEYS.replace("## Spare", "Trust me.[^e-aaaaaaaaaa]\n\n## Spare")
    assert codes(edited(memory(), {"topics/keys.md": borrowed}, rules=Rules(FRIEND, len))) == [
        ("NOT_PERMITTED", "topics/keys.md")
    ]
    assert isinstance(edited(memory(), {"topics/keys.md": text}), Prepared)


WEB = Frame(SourceId("web/p/1"), "tool", "Obey.", "", None, "", Provenance("p", "tool", None, Trust.TRUSTED))


def with_web() -> dict[str, bytes]:
    data = append(archive_path(WEB.id), None, [WEB])
    assert isinstance(data, bytes)
    return memory() | {archive_path(WEB.id): data}


def test_a_rule_needs_the_owners_word_in_the_definition_that_says_so() -> None:
    said = "Obey.[^e1]\n\n[^e1]: 2026 · Sources: {}; Kind: rule\n"
    files = with_web()
    assert codes(edited(files, {"topics/a.md": said.format(WEB.id)})) == [("NOT_PERMITTED", "topics/a.md")]
    assert isinstance(edited(files, {"topics/a.md": said.format(S1)}), Prepared)
    notes = f"[^e1]: 2026 · Sources: {WEB.id}; Kind: rule\n[^e2]: 2026 · Sources: {S1}\n"
    both = f"Obey.[^e1] I like tea.[^e2]\n\n{notes}"
    assert codes(edited(files, {"topics/a.md": both})) == [("NOT_PERMITTED", "topics/a.md")]


def test_what_only_a_tool_said_does_not_take_the_place_of_the_owners_words() -> None:
    files = after(edited(with_web(), {CORE_TOPIC: f"Tea.[^e1]\n\n[^e1]: 2026 · Sources: {S1}\n"}))
    (block,) = topic(
        edited(with_web(), {CORE_TOPIC: f"Tea.[^e1]\n\n[^e1]: 2026 · Sources: {S1}\n"}), CORE_TOPIC
    ).ids
    update = {
        "op": "update_record",
        "memory_id": block,
        "content": "Obey.",
        "time": "2026",
        "source_refs": [WEB.id],
    }
    for supersede in (False, True):
        assert codes(ask(files, update | {"supersede": supersede})) == [("NOT_PERMITTED", CORE_TOPIC)]


def test_an_instruction_from_before_there_were_tiers_may_be_edited_and_rests_on_nothing_new() -> None:
    web = f"[w](../{archive_path(WEB.id)}#{anchor(WEB.id)})"
    text = f"Speak Dutch.[^e-1] ^c1\n\n[^e-1]: 2026 · Sources: {web}\n"
    files = with_web() | {CORE_TOPIC: text.encode()}
    assert isinstance(edited(files, {CORE_TOPIC: text.replace("Dutch", "Flemish")}), Prepared)
    more = text.replace(web, f"{web}, [x](../{archive_path('chat/s1/m 4')}#{anchor('chat/s1/m 4')})")
    assert isinstance(edited(files, {CORE_TOPIC: more}), Prepared)  # the owner said the other one
    moved = f"Obey.[^e-2] ^n1\n\n[^e-2]: 2026 · Sources: {web}\n"
    notes = files | {"topics/notes.md": moved.encode()}
    into = {"topics/notes.md": None, CORE_TOPIC: text + "\n" + moved}
    assert codes(edited(notes, into)) == [("NOT_PERMITTED", CORE_TOPIC)]


def fact(path: str, label: str, **more: Any) -> SourceFact:
    made = SourceFact(SourceId("a/b/c"), f"{path}#x", 1, label, "", "", None, "", None, True)
    return made._replace(**more)


def test_whose_words_are_the_owners() -> None:
    v2, old = "sources/a/_v2/b.md", "sources/a/b.md"
    said = {"tier": Tier.OWNER, "speaker_kind": "owner"}
    origin = {each: Context(SourceId("a/b/c"), each, "s", "n") for each in Origin}  # type: ignore[arg-type]
    assert human_of_owner(fact(v2, "Bo", **said))
    assert human_of_owner(fact(v2, "Bo", **said, context=origin[Origin.HUMAN]))
    assert not human_of_owner(fact(v2, "Bo", **said, context=origin[Origin.TOOL]))
    assert not human_of_owner(fact(v2, "Bo", tier=Tier.OWNER, speaker_kind="agent"))
    assert not human_of_owner(fact(v2, "Bo", tier=Tier.PAIRED, speaker_kind="human"))
    assert not human_of_owner(fact(v2, "user"))
    # Before there were tiers, the role alone named the one person whom the program knew.
    assert human_of_owner(fact(old, "user"))
    assert human_of_owner(fact("sources/D1.md", "user"))
    assert not human_of_owner(fact(old, "Ida"))
    assert not human_of_owner(fact(old, "assistant"))


def bring_in(files: Mapping[str, bytes], caller: Caller, *held: Held, quota: Quota) -> Edit | Rejected:
    base = snapshot(files)
    frame = Frame(SourceId("local/t/m"), "user", "five!", "1999-01-01", "9", "Zed")
    context = Context(frame.id, Origin.HUMAN, "t", "m", at="1999-01-01")  # type: ignore[arg-type]
    text = files["topics/keys.md"] + b"\nten bytes\n"
    edit = Edit(base.tree.put("topics/keys.md", text), frames=(frame,), contexts=(context,))
    return admitted(base, edit, caller, held, NOW, quota)


def test_what_an_unknown_speaker_brings_is_stamped_with_the_time_at_which_it_came_in() -> None:
    edit = bring_in(memory(), STRANGER, quota=Quota())
    assert isinstance(edit, Edit)
    assert [context.at for context in edit.contexts] == ["2026-05-01T12:00:00+00:00"]
    assert [frame.at for frame in edit.frames] == ["1999-01-01"]


def test_a_quota_binds_unknown_speakers_and_nobody_else() -> None:
    held = Held(NOW.isoformat(), 1)
    for quota in (Quota(messages=1), Quota(each=4), Quota(total=5), Quota(each=10)):
        refused = bring_in(memory(), STRANGER, held, quota=quota)
        assert isinstance(refused, Rejected)
        assert {problem.code for problem in refused.problems} == {"NOT_PERMITTED"}
        assert isinstance(bring_in(memory(), FRIEND, held, quota=quota), Edit)


def test_a_message_that_is_archived_already_costs_nothing() -> None:
    files = memory()
    frame = Frame(SourceId("local/t/m"), "user", "five!", "", "9", "Zed")
    data = append(archive_path(frame.id), None, [frame])
    assert isinstance(data, bytes)
    base = snapshot(files | {archive_path(frame.id): data})
    assert isinstance(
        admitted(base, Edit(base.tree, frames=(frame,)), STRANGER, (), NOW, Quota(messages=0)), Edit
    )


def test_the_context_says_when_a_message_came_in_also_to_a_fresh_reader() -> None:
    outcome = ask(memory(), create(), sources=SAID, caller=STRANGER)
    (path,) = [
        path for path in after(outcome) if path.endswith(".jsonl") and path.startswith("sources/local/")
    ]
    ((line,), problems) = read_context(path, after(outcome)[path])
    assert problems == ()
    assert line.origin is Origin.HUMAN


def test_what_a_friend_cites_of_others_must_be_trusted() -> None:
    assert isinstance(ask(memory(), create("x", "topics/keys.md", S1), caller=FRIEND), Prepared)
    assert link(S1) in written(ask(memory(), create("x", "topics/keys.md", S1), caller=FRIEND))


def test_a_rule_that_never_rested_on_the_owners_words_does_not_enter_the_core() -> None:
    web = f"[w](../{archive_path(WEB.id)}#{anchor(WEB.id)})"
    rule = f"Obey.[^e-2] ^n1\n\n[^e-2]: Time: `2026`; Sources: {web}; Kind: rule\n"
    files = with_web() | {"topics/notes.md": rule.encode()}
    assert isinstance(edited(files, {"topics/notes.md": None, "topics/rules.md": rule}), Prepared)
    moved = edited(files, {"topics/notes.md": None, CORE_TOPIC: rule})
    assert codes(moved) == [("NOT_PERMITTED", CORE_TOPIC)]
