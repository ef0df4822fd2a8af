"""Secrets are found in what people say, and nothing else is."""

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from cli_example import ROOT
from scriptorium.redaction import redact, spans
from scriptorium_core.sources.redact import Secret
from secret_examples import EXAMPLES, HARMLESS, PEM, Example
from trips import shared


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.value[:24])
def test_a_secret_is_replaced_by_its_kind_and_nothing_else_is_touched(example: Example) -> None:
    found = redact(example.text)
    assert found.text == example.redacted
    assert sum(found.found.values()) == 1
    assert redact(found.text) == redact(example.redacted)
    assert redact(found.text).text == found.text


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_text_stays_byte_for_byte(text: str) -> None:
    found = redact(text)
    assert found.text == text
    assert found.found == {}


def test_all_secrets_of_one_text_go_at_once() -> None:
    text = "\n\n".join(example.text for example in EXAMPLES)
    found = redact(text)
    assert found.text == "\n\n".join(example.redacted for example in EXAMPLES)
    assert sum(found.found.values()) == len(EXAMPLES)
    assert len(spans(text)) == len(EXAMPLES)
    assert spans(found.text) == []


def test_a_key_block_goes_as_a_whole_and_two_are_two() -> None:
    found = redact(f"{PEM}\nand\n{PEM}")
    assert found.text == "[secret:private-key]\nand\n[secret:private-key]"
    assert found.found == {Secret.PRIVATE_KEY: 2}


def test_a_token_goes_to_its_end_and_only_where_it_begins_a_word() -> None:
    token = "ghp_ab123cDEfGhiz1UabC1cDfGhIj4KlM1NO1P1"
    assert redact(f"{token}more_of-it").text == "[secret:github-token]"
    assert redact(f"xAKIA{'A' * 16}").text == f"xAKIA{'A' * 16}"


def test_every_secret_of_a_line_is_found_not_only_the_first() -> None:
    one, two = "ghp_ab123cDEfGhiz1UabC1cDfGhIj4KlM1NO1P1", "ghp_Zx123yDEfGhij9UvW5xCdEfGhIj7MnO4PR2Q"
    assert redact(f"{one} {two}").text == "[secret:github-token] [secret:github-token]"


def test_a_long_conversation_of_ordinary_talk_is_wholly_untouched() -> None:
    talks = json.loads(shared("locomo10.json").read_text("utf-8"))
    texts = [text for talk in talks for text in _spoken(talk["conversation"])]
    assert len(texts) > 5_000
    assert [text for text in texts if redact(text).text != text] == []


def test_ordinary_talk_never_loads_the_library() -> None:
    code = (
        "import sys; from scriptorium.redaction import redact; from secret_examples import HARMLESS\n"
        "[redact(text) for text in HARMLESS if 'chr1' not in text]\n"
        "sys.exit('detect_secrets' in sys.modules)"
    )
    paths = [str(ROOT / folder) for folder in ("core", "shell", "tests")]
    done = subprocess.run([sys.executable, "-c", f"import sys; sys.path[:0] = {paths}\n{code}"], check=False)
    assert done.returncode == 0


def _spoken(conversation: object) -> Iterator[str]:
    if isinstance(conversation, dict):
        for key, value in conversation.items():
            if key in ("text", "blip_caption"):
                yield value
            else:
                yield from _spoken(value)
    elif isinstance(conversation, list):
        for each in conversation:
            yield from _spoken(each)
