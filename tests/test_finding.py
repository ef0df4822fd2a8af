"""Searching on the command line: words of every script find their record, and no sign means anything else."""

from pathlib import Path
from typing import Any

import pytest

from cli_example import run
from scriptorium.service import Service

SAID = {
    "しりとり": "今日は子供たちとしりとりをした。",
    "끝말잇기": "아이들과 끝말잇기를 했다.",
    "设备": "网络存储设备放在走廊的柜子里。",
    "NAS": "The NAS hums in the hallway.",
    "пароль": "Новый пароль от дома висит у двери.",
    "cafe": "Das Café am Eck schließt um sechs.",
    "100%_done": "Progress is 100%_done since Monday.",
    "C++": "The build of the C++ part takes an hour.",
}
LITERAL = [
    "100%_done",
    '"',
    "*",
    "NEAR(",
    "a OR b",
    "title:x",
    "-",
    "x" * 10_000,
    "設" * 10_000,
    "\\",
    "^1",
    "",
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("home")
    with Service(made) as service:
        for text in SAID.values():
            service.remember(text)
    return made


def answered(home: Path, asked: str) -> Any:
    """The answer of a search to a program."""
    ran = run("--home", home, "--json", "search", "--", asked)
    assert (ran.code, ran.err) == (0, "")
    return ran.json


@pytest.mark.parametrize("asked", SAID)
def test_words_of_every_script_find_their_record_first(home: Path, asked: str) -> None:
    answer = answered(home, asked)
    assert answer["hits"][0]["content"] == SAID[asked]
    assert SAID[asked] in run("--home", home, "search", "--", asked).out


@pytest.mark.parametrize("asked", LITERAL, ids=lambda text: text[:8] or "empty")
def test_whatever_is_asked_for_is_answered(home: Path, asked: str) -> None:
    answer = answered(home, asked)
    assert answer["hits"] or answer["nothing"]["message"]
    ran = run("--home", home, "search", "--", asked)
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize("asked", ["zeppelin", "кенгуру", "恐竜", "공룡", "zeppelin of the day"])
def test_where_no_word_occurs_nothing_is_found_and_the_answer_says_so(home: Path, asked: str) -> None:
    answer = answered(home, asked)
    assert (answer["hits"], answer["nothing"]["why"]) == ([], "no_match")
    assert run("--home", home, "search", "--", asked).out.startswith("nothing found: ")
