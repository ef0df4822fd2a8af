"""Examples of verdicts and corrections: what an edit they are, and why one cannot be given."""

import pytest

from memory_example import PENDING
from scriptorium_core.changes import Caller
from scriptorium_core.facts import facts_of
from scriptorium_core.knowledge.correcting import Words, added, corrected
from scriptorium_core.knowledge.judging import Verdict, all_judged, judged, text_key
from scriptorium_core.names import BlockId
from scriptorium_core.policy import withheld
from scriptorium_core.policy.permission import Action
from scriptorium_core.problem import Code
from scriptorium_core.transaction import Edit, Rejected, Snapshot
from scriptorium_core.when import When
from small_topics import PATH, base_of, line, record_of

OWNER = Caller()
TODAY = When(2026, 5, 1)
WORDS = "Mara has the key."


def standing(edit: Edit | Rejected) -> str:
    """What the line of the first record says behind its sources, after an edit."""
    assert isinstance(edit, Edit), edit
    data = edit.tree.get(PATH)
    assert data is not None
    found = next(each for each in data.decode().splitlines() if each.startswith("[^e-a1]:"))
    return found.partition("); ")[2]


def verdict(base: Snapshot, which: Verdict, caller: Caller = OWNER) -> Edit | Rejected:
    return judged(base, which, "^a1", text_key(record_of(base, "a1")), TODAY, caller)


def told(outcome: Edit | Rejected) -> list[tuple[Code, str, str]]:
    assert isinstance(outcome, Rejected), outcome
    return [(each.code, each.path, each.remedy) for each in outcome.problems]


# --- Verdicts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "which", "after"),
    [
        ("", Verdict.VALIDATE, "Status: verified 0.95; Checked: 2026-05-01"),
        ("Status: verified 0.99", Verdict.VALIDATE, "Status: verified 0.99; Checked: 2026-05-01"),
        ("Status: verified", Verdict.VALIDATE, "Status: verified 0.95; Checked: 2026-05-01"),
        ("Status: plausible 0.99", Verdict.VALIDATE, "Status: verified 0.95; Checked: 2026-05-01"),
        (
            "Status: verified 0.9; Checked: 2026-04-02",
            Verdict.DISPUTE,
            "Status: disputed; Checked: 2026-04-02",
        ),
        ("Status: unverified 0.5", Verdict.APPROVE, "Status: supported 0.75"),
        ("Status: plausible", Verdict.APPROVE, "Status: supported 0.75"),
        ("Status: unverified 0.5", Verdict.DISCARD, "Status: retracted"),
        ("Status: disputed", Verdict.DISCARD, "Status: retracted"),
        (
            "Status: verified 0.9; Fresh: dynamic 30d",
            Verdict.RETRACT,
            "Status: retracted; Fresh: dynamic 30d",
        ),
    ],
)
def test_a_verdict_is_written_on_the_line_of_the_record(fields: str, which: Verdict, after: str) -> None:
    edit = verdict(base_of(line("a1", WORDS, fields)), which)
    assert isinstance(edit, Edit)
    assert standing(edit) == after
    assert (edit.kind, edit.subject, edit.trailers) == (
        which,
        f"{which.capitalize()} ^a1",
        (("Target", "a1"),),
    )


def test_what_rests_on_a_held_message_waits_and_its_approval_lets_that_in() -> None:
    base = base_of(line("a1", WORDS, "Status: verified 0.9", PENDING))
    edit = verdict(base, Verdict.APPROVE)
    assert isinstance(edit, Edit)
    assert edit.promoted == (PENDING,)
    assert standing(edit) == "Status: verified 0.9"
    discarded = verdict(base, Verdict.DISCARD)
    assert isinstance(discarded, Edit)
    assert (standing(discarded), discarded.promoted) == ("Status: retracted", ())


@pytest.mark.parametrize(
    ("fields", "which", "remedy"),
    [
        ("Status: verified 0.9", Verdict.APPROVE, "validate it"),
        ("Status: disputed", Verdict.APPROVE, "validate it"),
        ("Status: verified 0.9", Verdict.DISCARD, "retract it, or forget it"),
    ],
)
def test_what_does_not_wait_is_neither_approved_nor_discarded(
    fields: str, which: Verdict, remedy: str
) -> None:
    base = base_of(line("a1", WORDS, fields))
    assert told(verdict(base, which)) == [(Code.INVALID_ARGUMENT, "id", remedy)]


def test_a_verdict_on_what_is_not_there_or_not_what_was_seen_is_refused() -> None:
    base = base_of(line("a1", WORDS), line("b2", "Bo has it."))
    remedy = "search for it; ids are never reused"
    assert told(judged(base, Verdict.VALIDATE, "zz", "", TODAY, OWNER)) == [
        (Code.MEMORY_NOT_FOUND, "id", remedy)
    ]
    key = text_key(record_of(base, "a1"))
    other = text_key(record_of(base, "b2"))
    found = judged(base, Verdict.VALIDATE, "a1", other, TODAY, OWNER)
    assert told(found) == [
        (Code.CONCURRENT_UPDATE, "seen", f"read it again; what it says now has the key {key}")
    ]
    assert isinstance(found, Rejected)
    assert found.problems[0].message == f"^a1 has changed since it was seen, it now says: {WORDS}"


def test_who_may_not_say_how_far_a_record_is_relied_on_gives_no_verdict() -> None:
    base = base_of(line("a1", WORDS))
    stranger = Caller.unknown("tg/9", "Zed")
    (refusal,) = withheld(stranger.tier, Action.STAND)
    missing = judged(base, Verdict.VALIDATE, "zz", "", TODAY, stranger)
    assert told(missing)[0] == told(verdict(base, Verdict.VALIDATE, stranger))[0]
    assert told(missing)[0] == (Code.NOT_PERMITTED, refusal.path, refusal.remedy)
    assert [code for code, _, _ in told(missing)] == [Code.NOT_PERMITTED, Code.MEMORY_NOT_FOUND]


def test_several_verdicts_are_one_edit_and_one_alone_is_what_it_is() -> None:
    base = base_of(line("a1", WORDS), line("b2", "Bo has it.", "Status: unverified 0.5", PENDING))
    keys = {block: text_key(record_of(base, block)) for block in ("a1", "b2")}
    both = all_judged(
        base, [(Verdict.VALIDATE, "a1", keys["a1"]), (Verdict.APPROVE, "b2", keys["b2"])], TODAY, OWNER
    )
    assert isinstance(both, Edit)
    assert (both.kind, both.subject, both.promoted) == ("review", "Review 2 records", (PENDING,))
    assert both.trailers == (("Target", "a1"), ("Target", "b2"))
    alone = all_judged(base, [(Verdict.DISPUTE, "a1", keys["a1"])], TODAY, OWNER)
    assert isinstance(alone, Edit)
    assert (alone.kind, alone.subject) == ("dispute", "Dispute ^a1")
    wrong = all_judged(base, [(Verdict.VALIDATE, "zz", ""), (Verdict.VALIDATE, "a1", "0" * 16)], TODAY, OWNER)
    assert [code for code, _, _ in told(wrong)] == [Code.MEMORY_NOT_FOUND, Code.CONCURRENT_UPDATE]


def test_a_record_whose_line_says_so_already_is_left_as_it_is() -> None:
    base = base_of(line("a1", WORDS, "Status: disputed"))
    edit = verdict(base, Verdict.DISPUTE)
    assert isinstance(edit, Edit)
    assert edit.tree.differences().keys() <= {PATH}
    assert edit.tree.get(PATH) == base.tree.get(PATH)


def test_a_line_that_another_record_cites_is_left_to_that_one() -> None:
    text = line("a1", WORDS) + "\nBo has it.[^e-a1] ^b2\n"
    base = base_of(text)
    edit = verdict(base, Verdict.DISPUTE)
    assert isinstance(edit, Edit)
    after = facts_of(edit.tree).records
    own, left = (after[BlockId(block)].record.evidence[0] for block in ("a1", "b2"))
    assert (left.id, left.fields) == ("e-a1", ())
    assert own.id != "e-a1"
    assert own.fields == (("Status", "disputed"),)


# --- Corrections -----------------------------------------------------------------------------------


def words(base: Snapshot, text: str, block: str = "a1", seen: str | None = None) -> Words:
    key = text_key(record_of(base, block)) if seen is None else seen
    return Words(BlockId(block), key, text, TODAY, "2026-05-01T12:00:00+00:00")


def test_a_correction_closes_the_evidence_and_keeps_how_fast_it_grows_old() -> None:
    base = base_of(line("a1", WORDS, "Status: plausible 0.6; Checked: 2026-04-02; Fresh: dynamic 30d"))
    edit = corrected(base, words(base, "Bo has the key."), OWNER)
    assert isinstance(edit, Edit)
    now = facts_of(edit.tree).records[BlockId("a1")].record
    former, current = now.evidence
    assert now.content == "Bo has the key."
    assert ("Until", "2026-05-01") in former.fields
    assert current.fields == (("Status", "verified 0.95"), ("Fresh", "dynamic 30d"))
    assert (edit.kind, edit.trailers, len(edit.frames)) == ("correct", (("Target", "a1"),), 1)


def test_words_that_a_record_says_already_change_nothing() -> None:
    base = base_of(line("a1", WORDS))
    for edit in (
        corrected(base, words(base, "  mara has the key. "), OWNER),
        added(base, words(base, "has the KEY."), OWNER),
    ):
        assert isinstance(edit, Edit)
        assert (edit.tree.differences(), edit.frames) == ({}, ())


def test_words_are_added_behind_what_is_there_and_leave_its_standing() -> None:
    base = base_of(line("a1", WORDS, "Status: plausible 0.6"))
    edit = added(base, words(base, "It is green."), OWNER)
    assert isinstance(edit, Edit)
    assert facts_of(edit.tree).records[BlockId("a1")].record.content == "Mara has the key. It is green."
    assert (edit.kind, edit.subject, standing(edit)) == ("append", "Append ^a1", "Status: plausible 0.6")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (" \n", (Code.INVALID_ARGUMENT, "text", "say what is to be remembered")),
        ("One.\n\nTwo.", (Code.INVALID_ARGUMENT, "text", "say it in one; remember the others")),
    ],
)
def test_words_that_cannot_be_a_record_are_refused(text: str, problem: tuple[Code, str, str]) -> None:
    base = base_of(line("a1", WORDS))
    assert told(corrected(base, words(base, text), OWNER)) == [problem]


def test_words_for_a_record_that_is_not_there_or_was_not_seen_are_refused() -> None:
    base = base_of(line("a1", WORDS))
    missing = corrected(base, words(base, "One.\n\nTwo.", "zz", ""), OWNER)
    assert [(code, path) for code, path, _ in told(missing)] == [
        (Code.INVALID_ARGUMENT, "text"),
        (Code.MEMORY_NOT_FOUND, "target"),
    ]
    unseen = added(base, words(base, "More.", seen="0" * 16), OWNER)
    assert [(code, path) for code, path, _ in told(unseen)] == [(Code.CONCURRENT_UPDATE, "seen")]


def test_words_for_a_record_of_a_broken_topic_are_refused() -> None:
    base = base_of(line("a1", WORDS))
    broken = base_of(line("a1", WORDS), "Prose.\n")
    assert broken.facts.broken
    outcome = corrected(broken, words(base, "Bo has the key."), OWNER)
    assert [(code, path) for code, path, _ in told(outcome)] == [(Code.INVALID_TOPIC_FORMAT, "target")]
