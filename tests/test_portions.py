"""Examples of a memory in portions: what belongs together goes together, and nothing is in two."""

from scriptorium_core.names import TopicPath
from scriptorium_core.writing.organizing import Run, decode_run, encode_run
from scriptorium_core.writing.portions import Sized, portions


def sized(name: str, tokens: int = 10, *links: str) -> Sized:
    return Sized(
        TopicPath(f"topics/{name}.md"), tokens, frozenset(TopicPath(f"topics/{n}.md") for n in links)
    )


def parted(goal: int, *topics: Sized) -> list[str]:
    return [
        " ".join(path.removeprefix("topics/").removesuffix(".md") for path in each)
        for each in portions(topics, goal)
    ]


def test_what_is_linked_goes_before_what_lies_beside() -> None:
    topics = [sized("a/one", 10, "z/far"), sized("a/two"), sized("z/far")]
    assert parted(20, *topics) == ["a/one z/far", "a/two"]
    assert parted(20, *reversed(topics)) == ["a/one z/far", "a/two"]


def test_a_topic_and_the_folder_of_its_name_and_words_of_names_belong_together() -> None:
    mara = [sized("a/mara-trip"), sized("b/tea"), sized("people/mara"), sized("people/mara/2026")]
    assert parted(20, *mara) == ["a/mara-trip people/mara", "b/tea people/mara/2026"]
    assert parted(20, *mara[1:], sized("a/two", 20)) == ["a/two", "b/tea people/mara", "people/mara/2026"]


def test_what_belongs_to_nothing_fills_the_room_by_path() -> None:
    topics = [sized("a/one"), sized("b/two"), sized("c/three"), sized("d/four", 15)]
    assert parted(30, *topics) == ["a/one b/two c/three", "d/four"]
    assert parted(25, *topics) == ["a/one b/two", "c/three d/four"]


def test_a_topic_larger_than_a_portion_is_one_by_itself() -> None:
    assert parted(10, sized("a/one", 99), sized("a/two")) == ["a/one", "a/two"]
    assert parted(10) == []


def test_a_run_is_read_back_as_it_was_written_and_none_where_it_cannot_be_read() -> None:
    run = Run("2026-05-01T12:00:00", "extractive", frozenset({TopicPath("topics/a.md")}))
    assert decode_run(encode_run(run)) == run
    for data in (None, b"", b"no json", b"[]", b"[" * 99_999, b'{"begun_at": "x", "writer": 3, "done": []}'):
        assert decode_run(data) == Run()
