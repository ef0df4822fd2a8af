"""The pure parts of a sync: addresses, what commits stand to one another, archives, names, two texts."""

import pytest

from scriptorium_core.names import SourceId, archive_path
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sources.annexing import annexed
from scriptorium_core.sources.archive import append, scan
from scriptorium_core.sources.frame import Frame, Provenance, Tier, Trust
from scriptorium_core.sources.promoting import promote
from scriptorium_core.syncing import Node, Standing, erased_by, is_within, relation, tidings_of
from scriptorium_core.syncing.address import Address, address_of, is_name, told
from scriptorium_core.syncing.incoming import FILE, FOLDER, entry_faults, path_faults
from scriptorium_core.syncing.order import Head, in_order
from scriptorium_core.syncing.rewritten import Made, lost_by_rewriting

PATH = archive_path("chat/s1/m1")


def frame(name: str, text: str = "words", trust: Trust = Trust.TRUSTED) -> Frame:
    made_by = Provenance("p", "owner", Tier.OWNER, trust)
    return Frame(SourceId(f"chat/s1/{name}"), "user", text, "", "4402", "Bo", made_by)


def archive(*frames: Frame) -> bytes:
    data = append(PATH, None, frames)
    assert isinstance(data, bytes)
    return data


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("/mnt/stick/memory.git", "/mnt/stick/memory.git"),
        ("memory.git", "memory.git"),
        ("file:///mnt/memory.git", "file:///mnt/memory.git"),
        ("file://localhost/mnt/memory.git", "file:///mnt/memory.git"),
        ("ssh://me@host:22/memory.git", "ssh://me@host:22/memory.git"),
        ("me@host:memory.git", "me@host:memory.git"),
        ("https://me:secret@host/memory.git", "https://me:secret@host/memory.git"),
    ],
)
def test_a_folder_and_an_encrypted_way_may_be_used(text: str, url: str) -> None:
    found = address_of(text)
    assert isinstance(found, Address)
    assert found.url == url
    assert "secret" not in f"{found.shown} {found}"


@pytest.mark.parametrize(
    "text",
    ["", "-x", "http://host/m", "git://host/m", "ext::sh -c id", "ext://x/y", "file://elsewhere/m",
     "ssh://me:pw@host/m", "ssh://-oX/m", "https:///m", "https://host:port/m", "a\x07b", "me@-x:y"],
)  # fmt: skip
def test_anything_else_is_refused_with_a_remedy(text: str) -> None:
    found = address_of(text)
    assert isinstance(found, Problem), found
    assert found.code is Code.INVALID_ARGUMENT
    assert found.remedy
    assert "pw@" not in f"{found.path} {found.message}"


def test_this_computer_may_be_asked_in_the_open_where_that_is_said() -> None:
    assert isinstance(address_of("http://127.0.0.1:80/m", loopback=True), Address)
    assert isinstance(address_of("http://example.org/m", loopback=True), Problem)


def test_credentials_are_cut_out_of_any_text() -> None:
    assert told("no way to https://me:pw@host/x and ssh://a@b/c") == "no way to https://host/x and ssh://b/c"
    assert is_name("origin")
    assert not is_name("../x")


def graph(**parents: str) -> dict[str, Node]:
    """Commits by their one-letter names, each with the letters of its parents, made in this order."""
    return {name: Node(time, tuple(of)) for time, (name, of) in enumerate(parents.items(), 1)}


def test_two_commits_stand_in_one_of_five_ways() -> None:
    known = graph(a="", b="a", c="b", d="b", x="")
    look = known.__getitem__
    assert relation("c", "c", look).standing is Standing.SAME
    assert relation("c", "b", look).standing is Standing.AHEAD
    assert relation("a", "c", look).standing is Standing.BEHIND
    assert relation("c", "x", look).standing is Standing.UNRELATED
    assert relation(None, "b", look).only_two == ("a", "b")
    apart = relation("c", "d", look)
    assert (apart.standing, apart.bases) == (Standing.APART, ("b",))
    assert (apart.only_one, apart.only_two) == (("c",), ("d",))
    assert is_within("a", "d", look)
    assert not is_within("c", "d", look)


def test_a_commit_of_two_parents_brings_the_base_with_it() -> None:
    known = graph(a="", b="a", c="a", m="bc", d="m", e="c")
    found = relation("d", "e", known.__getitem__)
    assert found.bases == ("c",)
    assert found.only_one == ("b", "m", "d")
    assert found.only_two == ("e",)


def test_clocks_that_go_wrong_hide_no_common_commit() -> None:
    known = {"a": Node(90), "b": Node(1, ("a",)), "c": Node(100, ("b",)), "d": Node(2, ("b",))}
    found = relation("c", "d", known.__getitem__)
    assert (found.standing, found.bases, found.only_two) == (Standing.APART, ("b",), ("d",))


def test_a_clock_that_is_wrong_beneath_the_common_commit_makes_nothing_new_of_what_both_have() -> None:
    known = {"a": Node(1), "c": Node(0, ("a",)), "d": Node(0, ("c",)), "e": Node(1, ("a", "d"))}
    found = relation("d", "e", known.__getitem__)
    assert (found.standing, found.bases, found.only_two) == (Standing.BEHIND, ("d",), ("e",))


def test_the_older_commit_is_the_first_and_one_of_another_hand_never() -> None:
    old, new, foreign = Head("b", 1), Head("a", 2), Head("c", 0, foreign=True)
    assert in_order(new, old) == in_order(old, new) == (old, new)
    assert in_order(foreign, new) == (new, foreign)


def test_frames_of_another_copy_are_taken_over_byte_for_byte() -> None:
    here, there = archive(frame("m1"), frame("m2")), archive(frame("m1"), frame("m3", "three\nlines\n"))
    result = annexed(PATH, here, there)
    assert isinstance(result, bytes)
    assert result.startswith(here)
    assert result == archive(frame("m1"), frame("m2"), frame("m3", "three\nlines\n"))
    assert annexed(PATH, result, there) == result
    assert annexed(PATH, None, there) == there


def test_another_text_under_one_id_is_named_and_nothing_is_taken() -> None:
    found = annexed(PATH, archive(frame("m1")), archive(frame("m1", "other"), frame("m2")))
    assert isinstance(found, tuple)
    (problem,) = found
    assert (problem.code, problem.path) == (Code.SOURCES_CHANGED, PATH)


def test_consent_that_was_given_elsewhere_counts_where_a_commit_says_so() -> None:
    waiting = archive(frame("m1", trust=Trust.PENDING))
    let_in = promote(PATH, waiting, ["chat/s1/m1"])
    assert isinstance(let_in, bytes)
    assert annexed(PATH, waiting, let_in, {"chat/s1/m1"}) == let_in
    assert annexed(PATH, waiting, let_in) == waiting


def test_a_damaged_archive_takes_nothing() -> None:
    broken = archive(frame("m1")) + b"\nnot a frame\n"
    assert not scan(PATH, broken).complete
    assert isinstance(annexed(PATH, broken, archive(frame("m2"))), tuple)


def test_names_and_modes_that_no_memory_takes_in_are_told() -> None:
    fine = [("keys.md", FILE), ("people", FOLDER), ("café.md", FILE), ("x" * 255, FILE)]
    assert entry_faults(fine) == ()
    for name, mode in (
        (".git", FOLDER), (".GIT", FILE), (".g\u200cit", FOLDER), (".git. ", FOLDER), ("git~1", FOLDER),
        ("..", FOLDER), ("a\\b", FILE), ("a/b", FILE), ("bell\x07", FILE), ("x" * 256, FILE),
        ("ä" * 128, FILE), ("l", 0o120000), ("s", 0o160000), ("e", 0o100755), ("odd", 0o100000),
    ):  # fmt: skip
        assert len(entry_faults([(name, mode)])) == 1, name
    assert len(entry_faults([("Keys.md", FILE), ("keys.md", FILE)])) == 1
    assert len(entry_faults([("caf\u00e9.md", FILE), ("cafe\u0301.md", FILE)])) == 1


def test_paths_that_belong_to_a_running_program_are_told() -> None:
    assert path_faults(["topics/a.md", "core.md", "topics/.trash/a:b.md"]) == ()
    assert len(path_faults([".Scriptorium/x", ".nativemem2/x", "topics/con.md"])) == 3


def test_what_a_commit_erased_is_read_from_its_kind_and_from_what_it_brought() -> None:
    erase = (("Kind", "erase"), ("Forgotten", "aa chat/s1/m1"))
    both = (("Kind", "sync"), ("Forgotten", "aa bb"), ("Erased", "aa"))
    assert erased_by(erase) == ("aa", "chat/s1/m1")
    assert erased_by(both) == ("aa",)
    assert erased_by((("Kind", "forget"), ("Forgotten", "aa"))) == ()
    found = tidings_of([(("Kind", "write"), ("Created", "cc")), erase, both])
    assert (found.created, found.forgotten, found.erased) == (
        ("cc",), ("aa", "chat/s1/m1", "bb"), ("aa", "chat/s1/m1"),
    )  # fmt: skip


def test_a_rewritten_history_has_each_commit_once_under_another_id() -> None:
    one, other = Made(5, 0, "a", (("Created", "x1"),)), Made(5, 0, "a", (("Created", "x2"),))
    assert lost_by_rewriting({"a": one, "b": other}, [other, one, one]) == ()
    assert lost_by_rewriting({"a": one, "b": one, "c": other}, [one]) == ("b", "c")
    assert lost_by_rewriting({"a": one}, [Made(6, 0, "a", one.trailers)]) == ("a",)
