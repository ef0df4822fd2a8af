"""A backend beside an agent: the memory of a home, nothing at all, or one of another package."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from cli_example import run
from scriptorium import Code, Companion, LocalBackend, MemoryBackend, NoneBackend, Refused, Tier
from scriptorium.backend import Recalled, Written, backend_named, backends, chosen
from scriptorium.backend.interface import Message
from scriptorium.clock import Moment
from scriptorium.service import Service
from scriptorium.settings import Settings

NOON = Moment(1_796_040_000, 0)
MEMBERS = (
    *"name is_available initialize shutdown".split(),
    *"system_prompt search write reorganize extract_before_discard".split(),
)


def user(text: str, **more: object) -> Message:
    return {"role": "user", "content": text, **more}


def assistant(text: str) -> Message:
    return {"role": "assistant", "content": text}


TALK = (
    user("My sister Ines is allergic to shellfish."),
    assistant("I will keep that in mind."),
    user("From now on, write prices in euros."),
    assistant("Euros it is."),
)


def local(home: Path, **settings: object) -> LocalBackend:
    return LocalBackend(home, settings=Settings(**settings), moment=lambda: NOON)  # type: ignore[arg-type]


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[LocalBackend]:
    made = local(tmp_path / "home")
    made.initialize("s1")
    yield made
    made.shutdown()


# --- The memory of a home ------------------------------------------------------------------------


def test_all_nine_members_are_implemented_by_the_local_one_and_all_but_the_name_have_a_default() -> None:
    assert all(member in vars(LocalBackend) for member in MEMBERS)
    assert MemoryBackend.__abstractmethods__ == {"name"}
    assert [name for name in vars(MemoryBackend) if not name.startswith("_")] == [*MEMBERS]


def test_what_was_written_in_one_session_is_found_in_the_next(backend: LocalBackend) -> None:
    done = backend.write(TALK, "s1", force=True)
    assert (done.taken, len(done.commits), len(done.records), done.problems) == (4, 1, 2, ())
    found = backend.search("Can Ines eat shellfish?", "s2")
    assert "allergic to shellfish" in found.text
    assert "agent/s1/" in found.text, "the turn is cited"
    assert set(found.ids) <= set(done.records)
    assert backend.search("What is the capital of Peru?", "s2") == Recalled()
    assert backend.search("  ", "s2") == Recalled()


def test_without_force_less_than_a_batch_waits_and_nothing_is_kept_twice(backend: LocalBackend) -> None:
    assert backend.write(TALK[:2], "s1") == Written(taken=2)
    assert backend.write(TALK, "s1") == Written(taken=2)
    assert backend.write((), "s1", force=True).taken == 0
    assert backend.write(TALK[2:], "s1", force=True) == Written()


def test_the_same_words_said_again_are_another_message(backend: LocalBackend) -> None:
    assert backend.write((user("Yes."), assistant("?"), user("Yes.")), "s1").taken == 3


def test_going_back_makes_another_branch(tmp_path: Path, backend: LocalBackend) -> None:
    backend.write(
        (user("A", id="m1"), assistant("B"), user("I love the harbour.", id="m3")), "s1", force=True
    )
    backend.write((user("A", id="m1"), user("I love the old town.", id="m4")), "s1", force=True)
    with Service(tmp_path / "home", settings=Settings(), moment=lambda: NOON) as service:
        assert "abandoned" in str(service.why("agent/s1/m3"))


def test_the_prompt_holds_the_core_as_far_as_the_tier_goes(tmp_path: Path, backend: LocalBackend) -> None:
    with Service(tmp_path / "home", settings=Settings(), moment=lambda: NOON) as service:
        service.remember("Call me Mara.", topic="core")
    prompt = backend.system_prompt()
    assert "Call me Mara." in prompt
    assert "never an instruction" in prompt
    assert "Call me Mara." in backend.system_prompt(Tier.PAIRED)


def test_somebody_unknown_is_given_nothing_and_what_they_say_waits(
    tmp_path: Path, backend: LocalBackend
) -> None:
    backend.write(TALK, "s1", force=True)
    assert backend.system_prompt(Tier.UNKNOWN) == ""
    assert backend.search("shellfish", "s2", Tier.UNKNOWN) == Recalled()
    backend.write([user("I prefer planes, always.")], "s2", force=True, tier=Tier.UNKNOWN)
    assert backend.search("planes", "s3") == Recalled()
    with Service(tmp_path / "home", settings=Settings(), moment=lambda: NOON) as service:
        (held,) = service.held().messages
        assert "planes" in str(held)


def test_organizing_tells_the_commits(backend: LocalBackend) -> None:
    for number in range(3):
        backend.write([user("I prefer trains to planes.", id=f"m{number}")], f"s{number}", force=True)
    done = backend.reorganize()
    assert done.problems == ()


def test_what_a_summary_must_keep_is_chosen_and_nothing_is_stored(
    tmp_path: Path, backend: LocalBackend
) -> None:
    kept = backend.extract_before_discard([*TALK, user("Thanks!"), user("What time is it?")])
    assert kept.splitlines() == [
        "- My sister Ines is allergic to shellfish.",
        "- From now on, write prices in euros.",
    ]
    assert not (tmp_path / "home" / "sessions.sqlite3").exists()


def test_messages_of_another_form_are_refused_with_all_that_is_wrong(backend: LocalBackend) -> None:
    bad: Sequence[Message] = ({"role": "nobody"}, {"role": "user", "content": 3}, {"role": "user", "id": 3})
    with pytest.raises(Refused) as refused:
        backend.write(bad, "s1")
    places = [problem.path for problem in refused.value.problems]
    assert places == ["messages[0].role", "messages[1].content", "messages[2]"]
    parts = [{"type": "text", "text": "I live in Lisbon."}, {"type": "image"}]
    assert backend.extract_before_discard([{"role": "user", "content": parts}]) == "- I live in Lisbon.\n"


# --- Choosing ------------------------------------------------------------------------------------


def test_availability_is_told_without_making_anything(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert local(home).is_available()
    assert not local(home, backend="none").is_available()
    assert local(home).system_prompt() == ""
    assert local(home).search("x") == Recalled()
    assert not home.exists()
    (tmp_path / "file").write_text("")
    assert not local(tmp_path / "file" / "home").is_available()


def test_settings_choose_the_backend(tmp_path: Path) -> None:
    assert chosen(tmp_path).name == "local"
    (tmp_path / "settings.toml").write_text('backend = "none"\n')
    assert isinstance(chosen(tmp_path), NoneBackend)


def test_a_name_that_nobody_has_is_a_clear_problem(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('backend = "elsewhere"\n')
    with pytest.raises(Refused) as refused:
        chosen(tmp_path)
    (problem,) = refused.value.problems
    assert "no backend 'elsewhere'" in problem.message
    assert "local, none" in problem.remedy


class Mine(MemoryBackend):
    """A backend of another package."""

    def __init__(self, home: Path) -> None:
        self.home = home

    @property
    def name(self) -> str:
        """`mine`."""
        return "mine"

    def is_available(self) -> bool:
        """Only in a home that says so."""
        return (self.home / "mine").exists()


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("test_backend:Mine", ""),
        ("test_backend:TALK", "cannot be loaded"),
        ("no_such:Thing", "cannot be loaded"),
    ],
)
def test_a_backend_of_another_package_is_found_by_its_entry_point(
    tmp_path: Path, value: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "mine-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1\n")
    (package / "entry_points.txt").write_text(f"[scriptorium.backends]\nmine = {value}\nlocal = {value}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    assert set(backends()) >= {"local", "mine", "none"}
    assert isinstance(backend_named("local", tmp_path), LocalBackend), "ours is never replaced"
    if why:
        with pytest.raises(Refused, match=why):
            backend_named("mine", tmp_path)
        return
    (tmp_path / "settings.toml").write_text('backend = "mine"\n')
    with pytest.raises(Refused, match="not available"):
        chosen(tmp_path)
    (tmp_path / "mine").write_text("")
    assert chosen(tmp_path).name == "mine"


def test_with_no_backend_every_door_says_so_before_a_directory_is_made(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('backend = "none"\n')
    reading = ("status", "search x", "context x", "core", "show x", "why x", "topics", "timeline", "log")
    writing = ("init", "remember x", "import settings.toml", "write --force", "organize", "backfill", "index")
    for words in (*reading, *writing, "keep --once", "hook install codex"):
        ran = run("--home", tmp_path, *words.split(), "--json")
        assert ran.code != 0, words
        assert "switched off" in json.loads(ran.out)["error"]["message"], words
    for event in ("session-start", "prompt", "turn", "session-end"):
        assert run("--home", tmp_path, "hook", event).out == ""
    assert [path.name for path in tmp_path.iterdir()] == ["settings.toml"]


def test_none_gives_keeps_and_orders_nothing(tmp_path: Path) -> None:
    none = NoneBackend()
    with Companion(none, "s1") as memory:
        assert (memory.opening(), memory.before("x"), memory.after(*TALK)) == ("", Recalled(), Written())
        assert memory.compact(keep=1) == ""
        assert memory.tidy().commits == ()
    assert memory.faults == []


# --- Beside a conversation -----------------------------------------------------------------------


def test_each_member_is_called_in_its_place() -> None:
    backend = mock.create_autospec(MemoryBackend, instance=True)
    backend.is_available.return_value = True
    backend.write.return_value = Written()
    backend.search.return_value = Recalled("that")
    backend.extract_before_discard.return_value = "- kept"
    with Companion(backend, "s1", Tier.PAIRED, moment=lambda: NOON) as memory:
        memory.opening()
        assert memory.before("what?").text == "that"
        memory.after(user("so"), assistant("yes"))
        assert memory.compact(keep=1) == "- kept"
        assert len(memory.messages) == 1
        memory.tidy()
    at = "2026-11-30T12:00:00+00:00"
    said = [{"at": at, **user("so")}, {"at": at, **assistant("yes")}]
    assert backend.mock_calls == [
        mock.call.is_available(),
        mock.call.initialize("s1"),
        mock.call.system_prompt(Tier.PAIRED),
        mock.call.search("what?", "s1", Tier.PAIRED),
        mock.call.write(said, "s1", False, Tier.PAIRED),
        mock.call.extract_before_discard(said[:1]),
        mock.call.reorganize(),
        mock.call.write((), "s1", True, Tier.PAIRED),
        mock.call.shutdown(),
    ]


def test_a_backend_that_fails_ends_no_conversation() -> None:
    backend = mock.create_autospec(MemoryBackend, instance=True)
    for member in MEMBERS[3:]:
        getattr(backend, member).side_effect = RuntimeError(member)
    with Companion(backend, "s1") as memory:
        assert (memory.opening(), memory.before("x")) == ("", Recalled())
        (problem,) = memory.after(user("x")).problems
        assert (problem.code, problem.message) == (Code.WRITER_FAILURE_UNKNOWN, "RuntimeError: write")
        assert (memory.compact(keep=0), memory.tidy().commits) == ("", ())
    assert len(memory.faults) == 7
    backend.initialize.side_effect = RuntimeError("not here")
    backend.reset_mock()
    with Companion(backend, "s2") as memory:
        memory.before("x")
    backend.search.assert_not_called()
    assert memory.faults == ["RuntimeError: not here"]


def test_what_is_not_available_is_not_asked_and_what_is_said_to_it_is_told_as_not_kept() -> None:
    backend = mock.create_autospec(MemoryBackend, instance=True)
    backend.is_available.return_value = False
    with Companion(backend, "s1") as memory:
        memory.opening()
        done = memory.after(user("x"))
    assert backend.mock_calls == [mock.call.is_available()]
    assert [(each.code, each.path) for each in done.problems] == [(Code.INVALID_ARGUMENT, "session")]


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ({"role": "nope", "content": "x"}, "messages[1].role"),
        ({"role": "user", "content": 5}, "messages[1].content"),
        ({"role": "user", "content": "x", "at": 5}, "messages[1]"),
        (None, "messages[1]"),
        ("My train is at 7:40.", "messages[1]"),
    ],
)
def test_no_message_is_dropped_in_silence(tmp_path: Path, message: Any, place: str) -> None:
    with Companion(local(tmp_path / "home"), "s1") as memory:
        done = memory.after(user("I love trains."), message)
        assert (done.taken, [each.path for each in done.problems]) == (0, [place])
        assert done.problems[0].remedy
        assert memory.messages == [], "a summary is never made of what is no message"
        assert memory.after(user("I love trains.")).taken == 1
    assert [fault.split(":")[0] for fault in memory.faults] == [place]


def test_what_is_said_after_the_end_is_not_taken_and_that_is_told(tmp_path: Path) -> None:
    companion = Companion(local(tmp_path / "home"), "s1")
    with companion as memory:
        memory.after(*TALK)
    assert (companion.faults, companion.end()) == ([], Written())
    done = companion.after(user("And another thing."))
    assert (done.taken, [each.message for each in done.problems]) == (0, ["this session has ended"])
    assert companion.before("shellfish") == Recalled()
    assert companion.faults == ["session: this session has ended"] * 2
    with companion as again:
        assert again.after(user("And another thing.")).taken == 1


def test_what_is_asked_in_another_form_is_told_among_the_faults(tmp_path: Path) -> None:
    with Companion(local(tmp_path / "home"), "s1") as memory:
        memory.after(*TALK)
        wrong: Any = None
        assert (memory.before(wrong), memory.compact(-1), memory.compact(wrong)) == (Recalled(), "", "")
        assert len(memory.messages) == len(TALK)
    assert memory.faults == [
        "query: it must be a text, not nothing",
        "keep: -1 is no number of messages",
        "keep: None is no number of messages",
    ]
