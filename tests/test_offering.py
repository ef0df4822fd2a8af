"""Examples of what a search found as offers for a context: what stands beside it, and what it is worth."""

from datetime import date

import pytest
from attrs import evolve

from memory_example import PENDING, S1, S2
from scriptorium_core.facts import Facts
from scriptorium_core.knowledge.offer import Offer
from scriptorium_core.knowledge.offering import Asked, pending_offer, record_offers, talk_offer
from scriptorium_core.names import SessionId, SourceId
from scriptorium_core.recall.document import Document, Kind, is_named
from scriptorium_core.recall.ranking import Statistics
from scriptorium_core.recall.search import Hit, Reason
from scriptorium_core.sessions.evidence import source_of
from scriptorium_core.sources.frame import Context, Origin, Tier
from small_topics import PATH, base_of, line
from talk_examples import node

TODAY = date(2026, 5, 1)
ASKED = Asked.of(("key", "shed"), Statistics(9, 5.0, {"key": 3, "shed": 1}), TODAY)


def hit(block: str, score: float = 1.0, *reasons: Reason, matched: tuple[str, ...] = ("key", "shed")) -> Hit:
    return Hit(Document(block, Kind.RECORD, "", PATH), score, reasons or (Reason.TERMS,), matched)


def offers(facts: Facts, *hits: Hit, asked: Asked = ASKED) -> dict[str, Offer]:
    return {each.id: each for each in record_offers(facts, hits, asked)}


def with_context(facts: Facts, source: str, origin: Origin, branch: str = "live", scope: str = "") -> Facts:
    """The facts in which a message has a place in its conversation."""
    name = SourceId(source)
    context = Context(name, origin, SessionId("s1"), "m", None, branch, scope or None)  # type: ignore[arg-type]
    return facts._replace(sources={**facts.sources, name: facts.sources[name]._replace(context=context)})


def test_a_question_weighs_what_occurs_and_one_word_that_does_not() -> None:
    assert Asked.of(("key",), None, TODAY) == Asked({}, TODAY)
    assert Asked({}, TODAY).share(["key"]) == 0.0
    assert ASKED.unknown == 0.0
    stranger = Asked.of(("key", "zeppelin"), Statistics(9, 5.0, {"key": 3}), TODAY)
    assert stranger.unknown > 0
    assert stranger.share(["key"]) < stranger.named(["key"]) == 1.0


def test_nothing_that_is_gone_broken_held_or_of_another_project_is_offered() -> None:
    facts = base_of(line("a1", "In the shed."), line("b2", "Bo has it.", "", PENDING)).facts
    assert list(offers(facts, hit("a1"), hit("b2"), hit("gone"))) == ["a1"]
    elsewhere = with_context(facts, S1, Origin.HUMAN, scope="/srv/boat")
    assert list(offers(elsewhere, hit("a1"), asked=ASKED._replace(scope="/srv/house"))) == []
    assert list(offers(elsewhere, hit("a1"), asked=ASKED._replace(scope="/srv/boat"))) == ["a1"]
    assert record_offers(facts, (), ASKED) == ()


def test_what_stands_where_the_question_says_or_is_alike_in_meaning_counts_for_more() -> None:
    facts = base_of(line("a1", "In the shed.")).facts
    strange = ASKED._replace(unknown=9.0)
    told = offers(facts, hit("a1", matched=("shed",)), asked=strange)["a1"]
    named = offers(facts, hit("a1", matched=("key", "shed")), asked=strange)["a1"]
    alike = offers(facts, hit("a1", 1.0, Reason.SIMILAR, matched=()), asked=strange)["a1"]
    assert told.similarity < alike.similarity == 0.5 < named.similarity == 1.0
    assert [each.subject for each in (told, alike, named)] == [False, False, True]


def test_a_number_alone_names_no_heading() -> None:
    document = Document("a1", Kind.RECORD, "We plan.", "topics/work.md", ("Sprint 12", "2026-12"))
    assert is_named(document, ("sprint",))
    assert is_named(document, ("decemb",)) or is_named(document, ("december",))
    assert is_named(document, ("2026-12",))
    assert not is_named(document, ("12",))
    assert not is_named(document, ("2026",))


def test_former_evidence_is_offered_beside_what_holds_now() -> None:
    former = line("a1", "In the shed.", "Until: 2026-04-20").splitlines()[-1].replace("[^e-a1]", "[^e-old]")
    text = line("a1", "In the shed.", source=S2).replace("[^e-a1] ^a1", "[^e-old][^e-a1] ^a1") + former + "\n"
    offer = offers(base_of(text).facts, hit("a1"))["a1"]
    assert offer.cited is not None
    assert offer.former is not None
    assert (offer.cited.id, offer.former.id) == (S2, S1)
    assert offer.former.head.startswith("formerly, until 2026-04-20: Bo, undated")
    assert "; current" in offer.head


def test_a_version_that_held_once_names_what_holds_now_and_counts_half() -> None:
    old = line("a1", "The key hangs in the shed.", "Until: 2026-04-20")
    facts = base_of(old, line("b2", "The key hangs in the hall.", source=S2)).facts
    found = offers(facts, hit("a1"))
    assert found["a1"].head.endswith("former: held until 2026-04-20; now ^b2")
    assert found["a1"].former is None
    assert found["b2"].head.endswith("current; former: ^a1") is False
    assert (found["a1"].beside, found["b2"].beside) == (("b2",), ())
    both = offers(facts, hit("a1"), hit("b2"))
    assert both["b2"].head.endswith("current; former: ^a1")
    assert both["a1"].score < both["b2"].score


def test_alternatives_of_branches_name_one_another() -> None:
    one = line("a1", "The key hangs in the shed.", "Branch: s1@m1 live")
    facts = base_of(one, line("b2", "The key hangs in the hall.", "Branch: s1@m2 live", S2)).facts
    found = offers(facts, hit("a1"))
    assert found["a1"].head.endswith("on branch s1@m1; alternative to ^b2")
    assert found["b2"].head.endswith("on branch s1@m2")


def test_what_was_said_on_an_abandoned_branch_is_marked_and_counts_half() -> None:
    plain = base_of(line("a1", "In the shed.")).facts
    given_up = with_context(plain, S1, Origin.HUMAN, "abandoned")
    before, after = (offers(facts, hit("a1"))["a1"] for facts in (plain, given_up))
    assert "abandoned branch: not current" in after.head
    assert after.cited is not None
    assert after.cited.head.endswith(", abandoned branch")
    assert after.score == pytest.approx(before.score / 2, rel=0.1)


def test_the_nearer_a_persons_word_the_better() -> None:
    facts = base_of(line("a1", "In the shed.", "Status: supported 0.75")).facts
    scores = [
        offers(each, hit("a1"))["a1"].score
        for each in (
            with_context(facts, S1, Origin.TOOL),
            facts._replace(sources={S1: facts.sources[SourceId(S1)]._replace(tier=Tier.PAIRED)}),
            facts,
        )
    ]
    assert scores == sorted(scores)
    assert len(set(scores)) == 3


def test_of_a_message_that_may_not_be_read_only_the_citation_is_left() -> None:
    facts = base_of(line("a1", "In the shed.")).facts
    withheld = facts.sources[SourceId(S1)]._replace(withheld=True)
    offer = offers(facts._replace(sources={**facts.sources, withheld.id: withheld}), hit("a1"))["a1"]
    assert offer.cited is None
    assert offer.text == "In the shed."


def test_a_message_of_the_conversation_itself_says_who_spoke_and_when() -> None:
    said = evolve(node("u1", text="The key is in the shed."), at="2026-04-30T10:20:30Z", speaker_name="Bo")
    offer = talk_offer(said, said.text, ASKED)
    name = source_of(said)
    assert (offer.id, offer.text, offer.head) == (name, said.text, f"Bo, 2026-04-30 10:20 ({name})")
    assert (offer.similarity, offer.held) == (1.0, None)
    waiting = evolve(said, metadata={"trust_state": "pending"}, speaker_name="", at="")
    offer = talk_offer(waiting, "Tea.", ASKED)
    assert (offer.head, offer.similarity, offer.held) == (f"user, undated ({name})", 0.0, "pending")


def test_of_what_waits_nothing_is_offered_but_that_it_is_there() -> None:
    offer = pending_offer(hit("a1"))
    assert (offer.id, offer.text, offer.head, offer.held) == ("a1", "", "", "pending")
