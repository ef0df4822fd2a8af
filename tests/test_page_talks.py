"""Messages behind a record that stand beside each other in one conversation are shown once."""

import pytest

from scriptorium.service.cited import Turn
from scriptorium.service.shown import Conversation
from scriptorium.web.pages.talks import talks


def turn(name: str) -> Turn:
    return Turn(name, f"sources/talk.md#{name}", "Owner", "", name, len(name), True)


def around(before: str, name: str, after: str) -> Conversation:
    return Conversation(turn(name), tuple(map(turn, before)), tuple(map(turn, after)))


def told(*conversations: Conversation) -> list[str]:
    """Each talk in a line; what is asked about stands in capitals."""
    return [
        "".join(each.turn.source.upper() if each.main else each.turn.source for each in talk.said)
        for talk in talks(conversations)
    ]


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ([around("ab", "c", "de")], ["abCde"]),
        ([around("ab", "c", "de"), around("bc", "d", "ef")], ["abCDef"]),
        ([around("bc", "d", "ef"), around("ab", "c", "de")], ["abCDef"]),
        ([around("ab", "c", "d"), around("x", "y", "z")], ["abCd", "xYz"]),
        ([around("ab", "c", "de"), around("ab", "c", "de")], ["abCde"]),
        ([around("a", "b", "c"), around("c", "d", "e"), around("b", "c", "d")], ["aBCDe"]),
        # From the same message on, two branches go on differently: none of them may be lost.
        ([around("ab", "c", ""), around("ab", "d", "")], ["abC", "abD"]),
    ],
)
def test_talks_that_hold_the_same_messages_are_one(given: list[Conversation], wanted: list[str]) -> None:
    assert told(*given) == wanted
