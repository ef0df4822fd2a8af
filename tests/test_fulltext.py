"""The full text index on real folders: what it finds, what it stands for, and how it survives damage."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptorium.fulltext import FullText
from scriptorium_core.recall import Document, Hit, Kind, Nothing, Query, Reason, Why
from scriptorium_core.sources import Trust
from scriptorium_core.when import When, Window

BOTH = (Kind.RECORD, Kind.TURN)


def record(name: str, content: str, path: str = "topics/home.md", **more: object) -> Document:
    return Document(name, Kind.RECORD, content, path, **more)  # type: ignore[arg-type]


def turn(order: int, content: str, **more: object) -> Document:
    name, path = f"chat/s1/m{order}", "sources/chat/_v2/s1.md"
    return Document(name, Kind.TURN, content, path, order=order, **more)  # type: ignore[arg-type]


KEY = record("key1", "The spare key hangs behind the blue door", sources=("chat/s1/m0",))
LIMA = record(
    "lima1",
    "Bo flies to Lima",
    "topics/trips/peru.md",
    headings=("Plans", "Spring"),
    dates=(When(2026, 4, 3), When(2026)),
    speaker="Bo (4402)",
    scopes=("/home/bo",),
    sources=("chat/s1/m1", "mail/t/2"),
)
SECRET = record("pend1", "The spare key is a secret", trust=Trust.PENDING)
TURNS = (
    turn(0, "where is the spare key"),
    turn(1, "in the drawer"),
    turn(2, "behind the door"),
    turn(3, "bye"),
)


@pytest.fixture
def index(tmp_path: Path) -> FullText:
    built = FullText.open(tmp_path / "fulltext")
    assert built.rebuild("c1", (KEY, LIMA, SECRET, *TURNS))
    return built


def hits(index: FullText, query: Query) -> tuple[Hit, ...]:
    found = index.search(query)
    return () if isinstance(found, Nothing) else found


def ids(index: FullText, query: Query | str) -> list[str]:
    return [hit.document.id for hit in hits(index, Query(query) if isinstance(query, str) else query)]


def test_a_record_is_found_as_it_was_given(index: FullText) -> None:
    (hit,) = hits(index, Query("flying to Lima"))
    assert hit.document == LIMA
    assert hit.matched == ("fli", "lima")
    assert hit.reasons == (Reason.TERMS,)


def test_an_index_that_was_closed_is_found_again(index: FullText) -> None:
    again = FullText.open(index.folder)
    assert again.stands_for() == "c1"
    assert ids(again, "lima") == ["lima1"]


def test_turns_are_found_when_asked_for_with_their_neighbours(index: FullText) -> None:
    assert ids(index, "drawer") == []
    found = hits(index, Query("drawer", kinds=(Kind.TURN,)))
    assert found[0].document == TURNS[1]
    assert {hit.document.id for hit in found[1:]} == {"chat/s1/m0", "chat/s1/m2", "chat/s1/m3"}
    assert {hit.reasons for hit in found[1:]} == {(Reason.AROUND,)}


def test_records_and_turns_are_found_together(index: FullText) -> None:
    assert {"key1", "chat/s1/m0"} <= set(ids(index, Query("spare key", kinds=BOTH)))


def test_pending_documents_are_left_out_unless_asked_for(index: FullText) -> None:
    assert ids(index, "secret") == []
    assert ids(index, Query("secret", trust=(Trust.PENDING, Trust.TRUSTED))) == ["pend1"]


@pytest.mark.parametrize(
    ("query", "passes"),
    [
        (Query("lima", topic="trips"), True),
        (Query("lima", topic="trips/peru"), True),
        (Query("lima", topic="home"), False),
        (Query("lima", source="mail/t"), True),
        (Query("lima", source="chat/s2"), False),
        (Query("lima", speaker="bo"), True),
        (Query("lima", speaker="ann"), False),
        (Query("lima", scope="/home/bo"), True),
        (Query("lima", scope="/"), False),
        (Query("lima", window=Window(When(2026, 4), When(2026, 4))), True),
        (Query("lima", window=Window(end=When(2025))), False),
        (Query("lima", window=Window(start=When(2027))), False),
        (Query("key", window=Window(start=When(2000))), False),
    ],
)
def test_filters_are_applied(index: FullText, query: Query, passes: bool) -> None:
    assert bool(ids(index, query)) is passes


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", Why.NO_WORDS),
        ('"', Why.NO_WORDS),
        ("*", Why.NO_WORDS),
        ("where is the", Why.ONLY_COMMON_WORDS),
        ("zebra", Why.NO_MATCH),
        ("\x00\ud800", Why.NO_WORDS),
        ("NEAR(zebra", Why.NO_MATCH),
        ("z" * 10_000, Why.NO_MATCH),
    ],
)
def test_nothing_to_find_is_an_answer_with_its_reason(index: FullText, text: str, why: Why) -> None:
    answer = index.search(Query(text))
    assert isinstance(answer, Nothing)
    assert answer.why is why


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("今日はしりとりをした", "しりとり"),
        ("아이들과 끝말잇기를 했다", "끝말잇기"),
        ("新的NAS设备到了", "设备"),
        ("新的NAS设备到了", "nas"),
        ("新的NAS设备到了", "备"),
        ("новый пароль от дома", "ПАРОЛЬ"),
        ("das Café am Eck", "cafe"),
        ("das Cafe am Eck", "café"),
        ("progress is 100%_done", "100%_done"),
        ("see getBranch in src/main.py", "branch"),
        ("it runs v1.2.3", "1.2.3"),
        ("新的iPhone15手机壳", "iphone"),
        ("it moved to GitHub2", "github"),
        ("a lone \ud800 surrogate", "surrogate"),
    ],
)
def test_every_script_and_sign_finds_its_document(index: FullText, content: str, query: str) -> None:
    document = record("new1", content)
    assert index.update("c1", "c2", [document])
    assert [hit.document for hit in hits(index, Query(query))] == [document]


def test_a_pasted_text_is_a_query(index: FullText) -> None:
    assert ids(index, " ".join(f"word{n}" for n in range(2_000)) + " lima") == ["lima1"]


def test_an_update_replaces_the_documents_of_a_path(index: FullText) -> None:
    assert index.update("c1", "c2", [record("key2", "The key moved to Ann")], remove_paths=["topics/home.md"])
    assert index.stands_for() == "c2"
    assert ids(index, "key") == ["key2"]
    assert ids(index, "lima") == ["lima1"]


def test_an_update_removes_by_id(index: FullText) -> None:
    assert index.update("c1", "c2", (), remove_ids=["lima1"])
    assert ids(index, "lima") == []


def test_an_update_from_another_commit_changes_nothing(index: FullText) -> None:
    assert not index.update("c0", "c2", [record("key2", "zebra")])
    assert index.stands_for() == "c1"
    assert ids(index, "zebra") == []


def test_an_updated_index_answers_like_a_rebuilt_one(index: FullText, tmp_path: Path) -> None:
    more = [record(f"r{n}", f"key number {n} of the door", f"topics/t{n % 7}.md") for n in range(60)]
    assert index.update("c1", "c2", more)
    assert index.update("c2", "c3", more[1::7], remove_paths=["topics/t1.md", "topics/t3.md"])
    rebuilt = FullText.open(tmp_path / "rebuilt")
    gone = ("topics/t1.md", "topics/t3.md")
    kept = [each for each in more if each.path not in gone]
    assert rebuilt.rebuild("c3", [KEY, LIMA, SECRET, *TURNS, *kept, *more[1::7]])
    for text in ("key", "door number 12", "blue key", "lima"):
        query = Query(text, kinds=BOTH, limit=30)
        assert index.search(query) == rebuilt.search(query)


def test_an_update_that_fails_leaves_the_old_state(index: FullText) -> None:
    def documents() -> Iterator[Document]:
        yield record("key2", "zebra")
        raise RuntimeError("the source broke")

    with pytest.raises(RuntimeError):
        index.update("c1", "c2", documents(), remove_paths=["topics/home.md"])
    again = FullText.open(index.folder)
    assert again.stands_for() == "c1"
    assert ids(again, "zebra") == []
    assert ids(again, "key") == ["key1"]
    assert again.update("c1", "c2", [record("key2", "zebra")])


def test_a_search_stays_in_the_state_that_was_named(index: FullText) -> None:
    assert FullText.open(index.folder).update("c1", "c2", [record("z1", "zebra")])
    assert ids(index, "zebra") == []
    assert index.stands_for() == "c2"
    assert ids(index, "zebra") == ["z1"]
