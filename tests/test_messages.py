"""Messages of a runtime become nodes: each once, with who said it, and what is wrong is told at once."""

from scriptorium_core.names import NodeId
from scriptorium_core.sessions.evidence import provenance
from scriptorium_core.sessions.messages import Message, messages_of, nodes_of
from scriptorium_core.sources.frame import Origin, Tier, Trust
from scriptorium_core.writing.discarding import must_keep

OWNER = Tier.OWNER


def nodes(
    *messages: Message, head: str | None = None, tier: Tier | None = OWNER
) -> list[tuple[str, str | None]]:
    found = nodes_of(messages, "agent", "s1", NodeId(head) if head else None, tier)
    return [(node.id, node.parent) for node in found]


def test_a_message_hangs_below_the_one_before_it_and_the_first_goes_on_at_the_head() -> None:
    assert nodes(Message("user", "A", "m1"), Message("assistant", "B", "m2")) == [("m1", None), ("m2", "m1")]
    assert nodes(Message("user", "C", "m3"), head="m2") == [("m3", "m2")]
    assert nodes(Message("user", "C", "m3"), head="m3") == [("m3", None)], "none hangs below itself"


def test_a_message_without_an_id_has_one_of_its_words_wherever_it_stands() -> None:
    whole = (Message("user", "Yes."), Message("assistant", "?"), Message("user", "Yes."))
    first, answer, again = (name for name, _ in nodes(*whole))
    assert len({first, answer, again}) == 3
    assert [name for name, _ in nodes(*whole[1:])] == [answer, first], "the rest of a list makes none anew"


def test_who_talks_decides_what_their_words_are_worth() -> None:
    for tier, trust in ((Tier.OWNER, Trust.TRUSTED), (Tier.PAIRED, Trust.TRUSTED), (None, Trust.PENDING)):
        for speaker in ("", "Bo"):
            (node,) = nodes_of([Message("user", "A", speaker=speaker)], "agent", "s1", None, tier)
            told = provenance(node, "owner")
            assert (told.tier, told.trust) == (tier, trust)
    (node,) = nodes_of([Message("assistant", "A")], "agent", "s1", None, None)
    assert (node.origin, provenance(node, "owner").trust) == (Origin.ASSISTANT, Trust.TRUSTED)


def test_what_is_wrong_with_messages_is_told_at_once() -> None:
    given = (3, {"role": "x"}, {"role": "user", "content": 3}, {"role": "user", "at": 3}, {"role": "tool"})
    found, problems = messages_of(given)
    assert found == (Message("tool", ""),)
    assert [problem.path for problem in problems] == [
        "messages[0]",
        "messages[1].role",
        "messages[2].content",
        "messages[3]",
    ]
    assert all(problem.remedy for problem in problems)


def test_text_counts_in_whatever_form_it_comes() -> None:
    parts = [{"type": "text", "text": "A"}, {"type": "image"}, "x", {"type": "text", "text": "B"}]
    given = (
        {"role": "user", "content": parts},
        {"role": "assistant", "text": "C", "id": "m2", "speaker": "Bo"},
    )
    found, problems = messages_of(given)
    assert problems == ()
    assert found == (Message("user", "A\n\nB"), Message("assistant", "C", "m2", speaker="Bo"))


def test_a_summary_keeps_what_people_stated_rules_first_then_the_newest() -> None:
    said = [
        Message("user", "I live in Lisbon. What time is it?"),
        Message("user", "From now on, write prices in euros.", speaker="Bo"),
        Message("assistant", "I live in a computer."),
        Message("user", "I moved to Porto."),
        Message("user", "I live in Lisbon."),
    ]
    lines = ["- Bo: From now on, write prices in euros.\n", "- I moved to Porto.\n", "- I live in Lisbon.\n"]
    assert must_keep(said, len, 1000) == "".join(lines)
    assert must_keep(said, len, len(lines[0]) + len(lines[2])) == lines[0] + lines[2]
    assert must_keep(said, len, 3) == ""
