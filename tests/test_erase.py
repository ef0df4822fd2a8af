"""Erasing: afterwards nothing below the home holds a word of it, not even where nobody looks."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from erase_homes import GUEST_HOUSE, WORDS, copied, erased, made, record_of
from residue import places_with
from scriptorium import Memory
from scriptorium.conversations.store import open_store
from scriptorium.service import Service
from scriptorium.service.forgetting import Forgotten
from scriptorium.service.shown import RecordShown
from scriptorium.settings import Settings
from scriptorium.workspace import Committed
from scriptorium_core.recall import Query
from scriptorium_core.sources.archive import scan
from scriptorium_core.sources.archived import is_erased
from trips import TRAINS, a_talk, ask, at_noon, create


@pytest.fixture
def service(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Service:
    return copied(tmp_path, tmp_path_factory.getbasetemp())


def git(service: Service, *arguments: str) -> str:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    command = ["git", "-C", str(service.root), "-c", "user.name=x", "-c", "user.email=x@x", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def home_of(service: Service) -> Path:
    return service.home


def test_the_search_for_words_finds_them_while_they_are_there(service: Service) -> None:
    found = places_with(home_of(service), WORDS)
    assert any(place.startswith("git object") for place in found)
    assert any(place.endswith(".sqlite3: nodes") for place in found)
    assert any("index.sqlite3" in place for place in found)


def test_nothing_below_the_home_holds_the_words(tmp_path: Path) -> None:
    service = made(tmp_path)  # its index and its full text are open
    block = record_of(service, TRAINS)
    done = erased(service, block)
    service.close()
    assert places_with(home_of(service), WORDS) == []
    assert done.commits > 0
    assert done.turns == 1
    assert done.remaining == ()


def test_the_memory_is_whole_afterwards_and_goes_on(service: Service) -> None:
    erased(service, record_of(service, TRAINS))
    assert service.verify().holds, service.verify().findings
    ask(service, create("Mara has a new hat.", source=GUEST_HOUSE))
    assert service.search(Query("new hat")).hits
    assert service.verify().findings == ()


def test_the_frame_stays_with_its_id_and_says_when_it_was_erased(service: Service) -> None:
    erased(service, TRAINS)
    path = "sources/native/_v2/trip.md"
    archive = scan(path, (service.root / path).read_bytes())
    assert archive.complete
    (frame,) = [frame for frame in archive.frames if frame.id == TRAINS]
    assert is_erased(frame)
    assert frame.record == "[erased 2026-04-03] erased: "
    assert len([frame for frame in archive.frames if not is_erased(frame)]) > 1


def test_other_commits_keep_their_messages_times_and_order(service: Service) -> None:
    before = service.log(None)
    erased(service, TRAINS)
    after = service.log(None)[1:]
    assert [(e.subject, e.at, e.author, e.trailers) for e in after] == [
        (e.subject, e.at, e.author, e.trailers) for e in before
    ]
    assert after[0].commit != before[0].commit


def test_the_same_log_imported_again_brings_nothing_back(tmp_path: Path) -> None:
    service = made(tmp_path)
    erased(service, TRAINS)
    service.import_paths([tmp_path / "trip.jsonl"], again=True)
    service.write(force=True)
    service.close()
    assert places_with(home_of(service), WORDS) == []
    # A store that was lost takes the log in anew; the memory still does not.
    service.sessions_path.unlink()
    service.import_paths([tmp_path / "trip.jsonl"])
    service.write(force=True)
    service.close()
    assert places_with(service.root, WORDS) == []
    assert service.verify().holds


def test_what_else_may_hold_a_copy_is_said(tmp_path: Path) -> None:
    service = made(tmp_path)
    git(service, "remote", "add", "origin", "https://example.org/memory.git")
    git(service, "update-ref", "refs/remotes/origin/main", "HEAD")
    notes = home_of(service) / "notes.txt"
    notes.write_text("I prefer trains to planes, always.")
    done = erased(service, TRAINS)
    assert done.dropped == ("refs/remotes/origin/main",)
    assert "notes.txt" in done.remaining
    told = "\n".join(done.copies)
    assert "https://example.org/memory.git" in told
    assert str(tmp_path / "trip.jsonl") in told


def test_branches_tags_stashes_and_notes_of_git_are_rewritten_or_gone(service: Service) -> None:
    git(service, "branch", "older", "HEAD~2")
    git(service, "tag", "-a", "-m", "when I said: I prefer trains to planes, always.", "told", "HEAD~1")
    git(service, "pack-refs", "--all")
    git(service, "gc", "-q")
    done = erased(service, TRAINS)
    assert {"refs/heads/older", "refs/tags/told", "refs/heads/main"} <= {*done.references}
    assert git(service, "cat-file", "-t", "told").strip() == "tag"
    assert git(service, "fsck", "--full", "--strict") == ""
    assert git(service, "status", "--porcelain") == ""
    service.close()
    assert places_with(home_of(service), WORDS) == []


def test_every_stash_stays_without_the_words(service: Service) -> None:
    topic = next(path for path in (service.root / "topics").rglob("*.md") if WORDS in path.read_text("utf-8"))
    for number in range(3):
        topic.write_text(f"{topic.read_text('utf-8')}\nUnfinished thought {number}.\n", "utf-8")
        git(service, "stash", "push", "-q", "-m", f"I prefer trains to planes, always. {number}")
    erased(service, TRAINS)
    listed = git(service, "stash", "list").splitlines()
    assert [line.partition(":")[0] for line in listed] == ["stash@{0}", "stash@{1}", "stash@{2}"]
    for number in range(3):
        assert f"Unfinished thought {2 - number}." in git(
            service, "stash", "show", "-p", f"stash@{{{number}}}"
        )
    assert git(service, "fsck", "--full", "--strict") == ""
    erased(service, TRAINS)
    assert git(service, "stash", "list").splitlines() == listed
    service.close()
    assert places_with(home_of(service), WORDS) == []


def test_another_working_tree_of_the_repository_goes_on(service: Service, tmp_path: Path) -> None:
    other = tmp_path / "other"
    git(service, "worktree", "add", "-q", str(other), "HEAD~1")
    erased(service, TRAINS)
    assert git(service, "fsck", "--full") == ""
    service.close()
    assert places_with(home_of(service), WORDS) == []
    subject = ["git", "-C", str(other), "log", "-1", "--format=%s"]
    assert subprocess.run(subject, capture_output=True, text=True, check=True).stdout.strip()


def test_messages_of_commits_that_quote_it_lose_the_line(service: Service) -> None:
    request = {"memory_changes": [create("Mara likes rails.", source=GUEST_HOUSE)]}
    done = service.change({**request, "commit_message": "Because I prefer trains to planes, always."})
    assert isinstance(done, Committed), done
    erased(service, TRAINS)
    assert "[erased]" in {entry.subject for entry in service.log(None)}
    service.close()
    assert places_with(home_of(service), WORDS) == []


def test_files_of_the_runtime_folder_lose_the_words(service: Service) -> None:
    runtime = service.memory().layout.runtime
    (runtime / "tape.jsonl").write_text(json.dumps({"content": "I prefer trains to planes, always."}) + "\n")
    (runtime / "at").mkdir()
    (runtime / "at" / "old.bin").write_bytes(b"I prefer trains to planes, always.")
    erased(service, TRAINS)
    assert json.loads((runtime / "tape.jsonl").read_text()) == {"content": "[erased]"}
    assert not (runtime / "at").exists()


def test_a_record_forgotten_before_can_be_erased_later(service: Service) -> None:
    block = record_of(service, TRAINS)
    done = service.forget([block], unlink=True)
    assert isinstance(done, Forgotten)
    assert any(place.startswith("git object") for place in places_with(home_of(service), WORDS))
    erased(service, block)
    service.close()
    assert places_with(home_of(service), WORDS) == []


def test_earlier_texts_of_a_record_go_with_it(service: Service) -> None:
    made = ask(
        service, create("Mara hides the key in the blue vase.", source="native/trip/m3")
    ).report.created[0]
    change = {"op": "update_record", "memory_id": made, "content": "Mara moved the key.", "time": None}
    ask(service, {**change, "sources": [{"source": "native/trip/m3", "label": "said"}]})
    erased(service, made)
    service.close()
    assert places_with(home_of(service), "blue vase", "moved the key") == []


def test_other_records_with_the_same_words_stay_and_are_named(service: Service) -> None:
    twin = ask(service, create("I prefer trains to planes, always.", source=GUEST_HOUSE)).report.created[0]
    done = erased(service, TRAINS)
    assert "memory/topics/notes.md" in done.remaining
    shown = service.show(twin)
    assert isinstance(shown, RecordShown)
    assert shown.record.content.startswith("I prefer trains")
    assert service.verify().holds


def test_erasing_again_changes_nothing(service: Service) -> None:
    erased(service, TRAINS)
    first = service.log(None)
    again = erased(service, TRAINS)
    assert again.commits == 0
    assert service.log(None)[1:] == first


def test_titles_and_texts_of_tools_that_repeat_it_lose_it(service: Service, tmp_path: Path) -> None:
    lines = (
        {
            "id": "t1",
            "role": "user",
            "text": "What do you know?",
            "title": "I prefer trains to planes, always.",
        },
        {"id": "t2", "role": "tool", "text": "memory: I prefer trains to planes, always."},
        {"id": "t3", "role": "assistant", "text": "You said: I prefer trains to planes, always."},
    )
    service.import_paths([a_talk(tmp_path, *lines, session="later")])
    done = erased(service, TRAINS)
    with open_store(service.sessions_path) as store:
        (session,) = store.find("later")
        texts = [node.text for node in store.nodes(session)]
    assert session.title == ""
    assert texts == ["What do you know?", "memory: [erased]", "You said: I prefer trains to planes, always."]
    assert any("native/later/t3" in line for line in done.copies)


def test_a_memory_that_another_process_holds_open_goes_on_with_the_new_history(service: Service) -> None:
    other = Service(service.home, settings=service.settings, moment=service.moment)
    before = other.log(None)
    erased(service, record_of(service, TRAINS))
    assert len(other.log(None)) == len(before) + 1
    ask(other, create("Mara has a boat.", source=GUEST_HOUSE))
    assert service.search(Query("boat")).hits
    assert service.verify().holds
    other.close()


def test_the_front_door_forgets_too(service: Service) -> None:
    block = record_of(service, TRAINS)
    service.close()
    with Memory.open(service.root, settings=Settings(), moment=at_noon) as memory:
        done = memory.forget([block], erase=True, unlink=True, reason="mine")
    assert isinstance(done, Forgotten)
    assert done.records == (block,)
