"""What became of the records between two revisions, and the plain diff of the topics."""

import subprocess
from pathlib import Path

import pytest

from scriptorium.history.touching import looking, touching
from scriptorium.index.commits import commits_named
from scriptorium.layout import git_program
from scriptorium.refused import Refused
from scriptorium.service import Service, revisions
from scriptorium.settings import Settings
from scriptorium_core.problem import Code
from stories import BLUE, GREEN, HOUSE, NOTES, Story, delete, forget, story
from trips import create

NO_GIT = git_program() is None


@pytest.fixture
def told(tmp_path: Path) -> Story:
    return story(tmp_path)


def test_without_revisions_it_is_the_newest_commit(told: Story) -> None:
    found = told.service.diff()
    assert (found.old, found.new) == (told.commits[2], told.commits[3])
    (step,) = found.steps
    assert (step.id, step.deeds) == (told.record, ("moved",))
    assert found.topics == (HOUSE, NOTES)


def test_with_one_revision_it_is_from_there_to_the_present(told: Story) -> None:
    found = told.service.diff(told.commits[1])
    (step,) = found.steps
    assert step.deeds == ("changed", "evidence", "moved")
    assert step.before is not None
    assert step.after is not None
    assert (step.before.record.content, step.after.record.content) == (BLUE, GREEN)


def test_the_first_commit_made_everything(told: Story) -> None:
    found = told.service.diff(new=told.commits[0])
    assert found.old is None
    assert {step.deeds for step in found.steps} == {("created",)}


def test_days_name_the_newest_commit_by_their_end(told: Story) -> None:
    found = told.service.diff("2026-04-04", "2026-04-05")
    assert (found.old, found.new) == (told.commits[1], told.commits[2])


def test_what_was_made_and_deleted_between_is_not_there(told: Story) -> None:
    told.ask(delete(told.record))
    assert told.service.diff(told.commits[0]).steps == ()
    (step,) = told.service.diff(told.commits[3]).steps
    assert step.deeds == ("deleted",)


def test_only_one_topic_is_compared_where_it_is_named(told: Story) -> None:
    told.ask(create("Rain.", "topics/out/weather.md"))
    first = told.commits[0]
    assert {step.id == told.record for step in told.service.diff(first).steps} == {True, False}
    assert [step.id for step in told.service.diff(first, topic="house").steps] == [told.record]
    assert told.service.diff(first, topic="out").topics == ("topics/out/weather.md",)


def test_a_forgotten_record_is_counted_and_not_shown(told: Story) -> None:
    forget(told, HOUSE, told.record)
    found = told.service.diff(told.commits[0], told.commits[3])
    assert found.withheld == 1
    assert "door" not in repr(found)
    assert "door" not in told.service.patch(told.commits[1], told.commits[3])
    assert "door" not in told.service.patch()


@pytest.mark.skipif(NO_GIT, reason="the git program is not installed")
def test_the_patch_is_one_that_git_applies(told: Story, tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    git = told.service.root
    for path in (NOTES, HOUSE):
        (there / path).parent.mkdir(parents=True, exist_ok=True)
    data = subprocess.run(
        ["git", "show", f"{told.commits[1]}:{NOTES}"], cwd=git, check=True, capture_output=True
    )
    (there / NOTES).write_bytes(data.stdout)
    patch = told.service.patch(told.commits[1])
    subprocess.run(["git", "apply", "-"], cwd=there, input=patch.encode(), check=True)
    assert (there / HOUSE).read_bytes() == (git / HOUSE).read_bytes()
    assert not (there / NOTES).exists()


@pytest.mark.parametrize("name", ["HEAD~9", "ffffffff", "2025", "0" * 40])
def test_a_revision_that_is_not_there_is_said(told: Story, name: str) -> None:
    with pytest.raises(Refused) as refused:
        told.service.diff(name)
    (problem,) = refused.value.problems
    assert (problem.code, problem.path) == (Code.MEMORY_NOT_FOUND, "old")
    with pytest.raises(Refused, match=f"new: .*{'committed by then' if name == '2025' else name}"):
        told.service.diff(new=name)


@pytest.mark.parametrize("name", ["yesterday", "HEAD^^", "abc", "2026-13"])
def test_a_revision_that_can_be_none_is_said(told: Story, name: str) -> None:
    with pytest.raises(Refused) as refused:
        told.service.diff(name)
    assert refused.value.problems[0].code is Code.INVALID_ARGUMENT


def test_the_beginning_of_an_id_names_a_commit_if_no_other_begins_so(told: Story) -> None:
    memory = told.service.memory()
    with memory.reading():
        assert set(commits_named(memory.index.queries, "", 10)) == set(told.commits)
        assert commits_named(memory.index.queries, told.commits[1][:9]) == (told.commits[1],)
    assert told.service.diff(told.commits[1][:9].upper(), "HEAD").old == told.commits[1]


def test_a_commit_is_named_by_a_later_one_and_the_steps_back_from_it(told: Story) -> None:
    first, second, third = told.commits[:3]
    for name in (f"{third[:8]}~2", f"{second[:8].upper()}^", f"{first}~0"):
        assert told.service.diff(name).old == first
    with pytest.raises(Refused) as refused:
        told.service.diff(f"{third[:8]}~99")
    assert refused.value.problems[0].code is Code.MEMORY_NOT_FOUND


def test_a_beginning_that_two_commits_share_names_none(told: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revisions, "commits_named", lambda queries, beginning: ("abcd1", "abcd2"))
    with pytest.raises(Refused) as refused:
        told.service.diff("abcd")
    assert "abcd1 and abcd2" in refused.value.problems[0].message


def test_before_the_first_commit_there_is_no_revision(tmp_path: Path) -> None:
    with Service(tmp_path / "home", settings=Settings()) as service:
        service.init()
        with pytest.raises(Refused) as refused:
            service.diff()
        assert refused.value.problems[0].code is Code.MEMORY_NOT_FOUND
        assert service.log() == ()


@pytest.mark.parametrize("path", [NOTES, "topics", "topics/people", "topics/nowhere.md", "topics/*.md"])
def test_git_and_looking_at_every_commit_find_the_same(told: Story, path: str) -> None:
    told.ask(create("Rain.", "topics/people/mira.md"))
    history = told.service.memory().history
    by_git = list(touching(history, told.commits[-1], path, "topics/people/owner.md"))
    assert by_git == list(looking(history, told.commits[-1], path, "topics/people/owner.md"))
    assert told.commits[0] in by_git


def test_without_the_git_program_every_commit_is_looked_at(
    told: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scriptorium.history.program.git_program", lambda: None)
    assert len(told.service.blame(told.record).versions) == 3
    assert [entry.commit for entry in told.service.log(1, topic="notes")] == [told.commits[3]]


def test_a_commit_that_is_not_there_is_no_beginning_of_a_search(told: Story) -> None:
    with pytest.raises(KeyError):
        list(touching(told.service.memory().history, "0" * 40, NOTES))
