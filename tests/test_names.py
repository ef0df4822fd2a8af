"""Examples of ids and paths."""

from hashlib import sha256

import pytest

from scriptorium_core.names import (
    anchor,
    archive_path,
    block_id,
    context_path,
    evidence_id,
    is_source_name,
    path_key,
    source_id,
    spelling,
    split_source_id,
    topic_named,
    topic_path,
    topic_prefix,
)
from scriptorium_core.problem import Code, Problem


@pytest.mark.parametrize(
    ("name", "message"),
    [("chat/s1/m2", True), ("D1:2", True), ("D1:x", False), ("a/b", False), ("a1", False), ("", False)],
)
def test_the_name_of_a_message_is_told_from_that_of_a_record(name: str, message: bool) -> None:
    assert is_source_name(name) is message


@pytest.mark.parametrize("text", ["a/b/c", "open program/会话 一/m/2", "a/b/D1:2", "..x/a/b", "a/../c"])
def test_a_source_id_has_three_printable_parts(text: str) -> None:
    assert source_id(text) == text


@pytest.mark.parametrize(
    "text",
    ["", "a", "a/b", "a/b/", "/b/c", "a//c", "./b/c", "../b/c", "a/b/c(1)", "a/b/[c]", "a/<b>/c", "a/b\n/c",
     "a/b/\u200b", "a/b/c\r", ".git/b/c", ".GIT/b/c", "git~1/b/c",
     f"a/{'é' * 40}/c", f"{'x' * 201}/b/c", "a/b/\ud800"],
)  # fmt: skip
def test_anything_else_is_no_source_id(text: str) -> None:
    assert source_id(text) is None


def test_a_source_id_is_split_at_the_first_two_slashes() -> None:
    assert split_source_id("a/b/c/d") == ("a", "b", "c/d")


def test_an_archive_is_named_by_provider_and_thread() -> None:
    assert (
        archive_path("channel telegram/main:A-1 50%~/m")
        == "sources/channel%20telegram/_v2/main%3AA-1%2050%25~.md"
    )
    assert context_path("a/b/c") == "sources/a/_v2/b.jsonl"
    assert anchor("a/b/c") == "source-" + sha256(b"a/b/c").hexdigest()[:16]
    assert (archive_path("D12:3"), anchor("D12:3")) == ("sources/D12.md", "d12-3")


def test_ids_follow_from_what_they_name_and_the_first_free_counter() -> None:
    first = sha256(b"block|a.md|two words|0").hexdigest()[:8]
    second = sha256(b"block|a.md|two words|1").hexdigest()[:8]
    assert block_id("a.md", " two\n words ", lambda _: False) == first
    assert block_id("a.md", "two words", lambda name: name == first) == second
    evidence = sha256(b"evidence|2026|a/b/c|d/e/f|0").hexdigest()[:10]
    assert evidence_id("2026", ("a/b/c", "d/e/f"), lambda _: False) == f"e-{evidence}"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("", "topics/"),
        ("/", "topics/"),
        ("topics", "topics/"),
        ("topics/", "topics/"),
        ("people", "topics/people"),
        ("/people/", "topics/people"),
        ("topics/people", "topics/people"),
        ("topics2/a", "topics/topics2/a"),
        ("topics/topics", "topics/topics"),
    ],
)
def test_a_prefix_of_topics_is_said_with_or_without_their_folder(said: str, meant: str) -> None:
    assert topic_prefix(said) == meant


@pytest.mark.parametrize(
    "path", ["topics/a.md", "topics/房屋/misc notes/odd (ids).md", "topics/a.b/c.d.md", "topics/a#b.md"]
)
def test_a_path_below_topics_is_accepted(path: str) -> None:
    assert topic_path(path) == path


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("", Code.INVALID_ARGUMENT),
        (" ", Code.INVALID_ARGUMENT),
        ("/topics/a.md", Code.PATH_OUTSIDE_WORKSPACE),
        ("/etc/passwd", Code.PATH_OUTSIDE_WORKSPACE),
        ("~/a.md", Code.PATH_OUTSIDE_WORKSPACE),
        ("topics/../../a.md", Code.PATH_OUTSIDE_WORKSPACE),
        ("topics\\..\\a.md", Code.PATH_OUTSIDE_WORKSPACE),
        (".git/hooks/x", Code.READ_ONLY_PATH),
        ("sources/a/_v2/b.md", Code.READ_ONLY_PATH),
        ("core.md", Code.READ_ONLY_PATH),
        ("Topics/a.md", Code.READ_ONLY_PATH),
        ("topics/a.txt", Code.INVALID_TOPIC_FORMAT),
        ("topics/.md", Code.INVALID_TOPIC_FORMAT),
        ("topics//a.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/./a.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/.a.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/.git/a.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/git~1/a.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/a\x00.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/a\x7f.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/a\ud800.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/a\\b.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/a:b.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/a /b.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/a./b.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/CON.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/nul/a.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/lpt1.x.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/COM\u00b9.md", Code.INVALID_TOPIC_FORMAT),
        ("topics/a.md/b.md", Code.INVALID_TOPIC_FORMAT),
        (f"topics/{'é' * 101}.md", Code.INVALID_TOPIC_FORMAT),
        (f"topics/{'a/' * 500}a.md", Code.INVALID_TOPIC_FORMAT),
    ],
)
def test_any_other_path_is_refused_with_its_reason(path: str, code: Code) -> None:
    found = topic_path(path)
    assert isinstance(found, Problem)
    assert (found.code, found.path) == (code, path)
    assert found.remedy


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("people/mira", "topics/people/mira.md"),
        (" topics/people/mira.md ", "topics/people/mira.md"),
        ("/abs", Code.PATH_OUTSIDE_WORKSPACE),
        ("../x", Code.PATH_OUTSIDE_WORKSPACE),
        ("a:b", Code.INVALID_ARGUMENT),
        ("a//b", Code.INVALID_ARGUMENT),
        ("", Code.INVALID_ARGUMENT),
    ],
)
def test_a_topic_that_a_person_names_is_one_or_a_fault_of_theirs(said: str, meant: str | Code) -> None:
    found = topic_named(said)
    assert (found.code if isinstance(found, Problem) else found) == meant


def test_paths_that_a_file_system_may_take_for_one_share_a_key() -> None:
    for one, two in (("café", "cafe\u0301"), ("Notes", "notes"), ("straße", "STRASSE"), ("\u212b", "\u00e5")):
        assert path_key(one) == path_key(two)
    assert path_key("notes") != path_key("note")


def test_a_title_has_one_spelling_however_its_words_are_joined() -> None:
    one = {spelling(f"topics/{name}.md") for name in ("Coffee Brewing", "coffee-brewing", "COFFEE__brewing")}
    assert len(one) == 1
    assert spelling("topics/coffee/brewing.md") not in one
    assert spelling("topics/coffeebrewing.md") not in one
    assert spelling("topics/-.md") != spelling("topics/_.md")
