"""Nodes as frames with their context."""

from itertools import product

import pytest
from attrs import evolve

from scriptorium_core.names import NodeId, SessionId, SourceId, archive_path, source_id
from scriptorium_core.sessions.evidence import frames, provenance, source_of
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sessions.pending import Waiting
from scriptorium_core.sources.frame import Context, Frame, Origin, Provenance, Tier, Trust, frame_problems
from talk_examples import node

OWNER = "owner/install/1"


def test_a_node_becomes_a_frame_with_its_context() -> None:
    turn = node(
        "m2",
        "m1",
        "Bo here",
        at="2026-04-22T10:21:00+02:00",
        speaker_id="4402",
        speaker_name="Bo",
        scope="/w/a",
    )
    made, contexts = frames([Waiting(turn, "abandoned", True)], OWNER)
    assert made == (
        Frame(
            id=SourceId("chat/s1/m2"),
            role="user",
            content="Bo here",
            at="2026-04-22T10:21:00+02:00",
            speaker_id="4402",
            speaker_name="Bo",
            provenance=Provenance(OWNER, "human", None, Trust.TRUSTED),
        ),
    )
    assert contexts == (
        Context(
            id=SourceId("chat/s1/m2"),
            origin=Origin.HUMAN,
            session=SessionId("s1"),
            node=NodeId("m2"),
            parent=NodeId("m1"),
            branch="abandoned",
            scope="/w/a",
            at="2026-04-22T10:21:00+02:00",
        ),
    )


def test_the_content_is_verbatim_but_for_our_own_blocks() -> None:
    turn = node("m", text="  <memory-context>known</memory-context>\nI moved\r\n")
    assert frames([Waiting(turn, "live", True)], OWNER)[0][0].content == "  I moved\r\n"


def test_a_turn_without_a_speaker_is_the_owners() -> None:
    assert provenance(node("m"), OWNER) == Provenance(OWNER, "owner", Tier.OWNER, Trust.TRUSTED)
    assert provenance(node("m", speaker_id=OWNER, speaker_name="Mira"), OWNER).tier is Tier.OWNER


def test_the_assistant_speaks_with_no_tier() -> None:
    turn = node("m", origin=Origin.ASSISTANT, metadata={"authority_tier": "owner"})
    assert provenance(turn, OWNER) == Provenance(OWNER, "assistant", None, Trust.TRUSTED)


def test_another_speaker_is_a_person_without_the_owners_tier() -> None:
    assert provenance(node("m", speaker_name="Bo"), OWNER) == Provenance(OWNER, "human", None, Trust.TRUSTED)


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"speaker_kind": "owner"}, Provenance(OWNER, "owner", Tier.OWNER, Trust.TRUSTED)),
        ({"authority_tier": "paired"}, Provenance(OWNER, "human", Tier.PAIRED, Trust.TRUSTED)),
        ({"authority_tier": "king"}, Provenance(OWNER, "human", None, Trust.TRUSTED)),
        ({"trust_state": "pending"}, Provenance(OWNER, "human", None, Trust.PENDING)),
    ],
)
def test_the_metadata_of_a_node_say_who_speaks_and_how_far_it_is_trusted(
    metadata: dict[str, str], expected: Provenance
) -> None:
    assert provenance(node("m", speaker_name="Bo", metadata=metadata), OWNER) == expected


def test_a_time_that_cannot_be_written_is_unknown() -> None:
    made, contexts = frames([Waiting(node("m", at="[now]"), "live", True)], OWNER)
    assert (made[0].at, contexts[0].at) == ("", "")


AWKWARD = [
    "",
    " ",
    ".",
    "..",
    "a/b",
    "(x)",
    "[y]",
    "<z>",
    "100%",
    "line\nbreak",
    "nul\x00",
    "\u200b",
    "钥匙",
    "x" * 300,
]


def awkward_turns() -> list[Node]:
    parts = product(AWKWARD, AWKWARD, AWKWARD)
    return [
        evolve(node(name), provider=provider, session=SessionId(session)) for provider, session, name in parts
    ]


def test_every_node_has_a_source_id_that_an_archive_can_hold() -> None:
    for made in frames([Waiting(turn, "live", True) for turn in awkward_turns()], OWNER)[0]:
        assert source_id(made.id) == made.id
        assert frame_problems(made) == ()
        assert all(len(part) <= 255 for part in archive_path(made.id).split("/"))


def test_two_nodes_never_share_a_source_id() -> None:
    turns = awkward_turns()
    assert len({source_of(turn) for turn in turns}) == len(turns)


def test_an_id_that_keeps_the_rule_stays_as_it_is() -> None:
    assert (
        source_of(evolve(node("D1:3"), provider="locomo", session=SessionId("conv-26")))
        == "locomo/conv-26/D1:3"
    )
    assert source_of(node("a/b c")) == "chat/s1/a/b c"


def test_an_id_that_breaks_the_rule_is_percent_encoded() -> None:
    assert source_of(evolve(node("m(1)"), session=SessionId("a/b"))) == "chat/a%2Fb/m%281%29"
    assert source_of(evolve(node("é\u200b"), session=SessionId("50%"))) == "chat/50%25/é%E2%80%8B"


def test_a_long_session_id_is_cut_and_keeps_apart_from_others() -> None:
    one, other = (evolve(node("m"), session=SessionId("钥匙" * 60 + end)) for end in "ab")
    assert source_of(one) != source_of(other)
    assert len(archive_path(source_of(one)).split("/")[-1]) < 200
