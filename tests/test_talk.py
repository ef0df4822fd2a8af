"""What of a conversation is talk."""

import pytest

from scriptorium_core.sessions.talk import said, talks
from scriptorium_core.sources.frame import Origin


@pytest.mark.parametrize("origin", [Origin.HUMAN, Origin.ASSISTANT])
def test_what_people_and_the_assistant_say_is_talk(origin: Origin) -> None:
    assert talks(origin, "Sow beans in May.")


@pytest.mark.parametrize("origin", [Origin.AGENT, Origin.TOOL, Origin.HARNESS, Origin.SUMMARY])
def test_nothing_else_is_talk(origin: Origin) -> None:
    assert not talks(origin, "Sow beans in May.")


@pytest.mark.parametrize("text", ["", " \n\t", "<memory-context>Lives in Porto</memory-context>\n"])
def test_a_blank_message_is_no_talk_nor_one_that_holds_our_own_block_alone(text: str) -> None:
    assert not talks(Origin.HUMAN, text)


def test_our_own_block_is_cut_out_and_the_rest_stays_as_it_was() -> None:
    text = (
        'Hello.\r\n<memory-context kind="core">\nLives in Porto\n</memory-context>\n\nI moved  to Lisbon.\n'
    )
    assert said(text) == "Hello.\r\nI moved  to Lisbon.\n"


def test_all_blocks_are_cut_out() -> None:
    assert said("a<memory-context>1</memory-context>b<memory-context>2</memory-context>c") == "abc"


def test_who_speaks_of_a_mark_above_a_block_loses_no_word_of_it() -> None:
    asked = "What does <memory-context> mean? I moved to Lisbon.\n"
    assert said(f'{asked}<memory-context kind="core">\nLives in Porto\n</memory-context>\n') == asked


@pytest.mark.parametrize(
    "text",
    [
        "the tag </memory-context> closes it",
        "the tag <memory-context> opens it",
        "</memory-context> before <memory-context>",
        "<memory-contexts>plural</memory-context>",
        "<|endoftext|> \x00 \u2028 \ufeff r^2",
    ],
)
def test_a_mark_that_stands_alone_is_ordinary_text(text: str) -> None:
    assert said(text) == text
