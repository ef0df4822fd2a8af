"""Examples of what counts as adding to a topic, and of what is named as overwritten."""

import pytest

from memory_example import KEYS
from scriptorium_core.names import TopicPath
from scriptorium_core.policy.appending import overwritten
from scriptorium_core.topics import Topic, parse_topic

FENCE = "\n```\nremark"


def topic(text: str) -> Topic:
    return parse_topic(TopicPath("topics/keys.md"), text.encode())[0]


def found(before: str, after: str | None) -> str:
    """The text of what was overwritten; empty if nothing was."""
    span = overwritten(topic(before), topic(after) if after is not None else None)
    return span.text.strip() if span is not None else ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (KEYS, KEYS),
        (KEYS, KEYS + "\nMore.\n"),
        (KEYS, KEYS.replace("## Spare", "More.\n\n\n## Spare")),
        (KEYS, KEYS.replace("\n", "\r\n")),
        (KEYS + FENCE, KEYS + FENCE + "\n```\n\nMore.\n"),
        (KEYS + FENCE + "\n", KEYS + FENCE + "\n```\n\nMore.\n"),
        (KEYS + "\n~~~~", KEYS + "\n~~~~\n~~~~\n\nMore.\n"),
    ],
)
def test_what_only_adds_overwrites_nothing(before: str, after: str) -> None:
    assert found(before, after) == ""


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        (KEYS, KEYS.replace("Mara has", "Mara holds"), "Mara has the key.[^e-aaaaaaaaaa] ^key1"),
        (KEYS, KEYS.replace("# Keys\n\n", ""), "# Keys"),
        (KEYS, KEYS.replace("## Spare", "## Others"), "## Spare"),
        (KEYS, None, "# Keys"),
        (KEYS + FENCE, KEYS + FENCE + " and more\n```\n", FENCE.strip()),
    ],
)
def test_what_was_changed_moved_or_taken_away_is_named(before: str, after: str | None, named: str) -> None:
    assert found(before, after) == named
