"""The versions of a record: which commit made each, and what was behind it."""

from pathlib import Path

import pytest

from scriptorium.refused import Refused
from scriptorium.service.versioned import Blame, Version
from scriptorium_core.knowledge.words import after_of, before_of
from scriptorium_core.problem import Code
from stories import BLUE, GREEN, HOUSE, NOTES, Story, delete, forget, move, story, update
from trips import TRAINS, ask, create, written


@pytest.fixture
def told(tmp_path: Path) -> Story:
    return story(tmp_path)


def _deeds(found: Blame) -> list[tuple[str, ...]]:
    return [version.step.deeds for version in found.versions]


def _texts(found: Blame) -> list[str]:
    return [version.step.after.record.content if version.step.after else "" for version in found.versions]


def _newest(found: Blame) -> Version:
    return found.versions[0]


@pytest.mark.parametrize("sign", ["", "^"])
def test_every_version_is_named_newest_first_with_its_commit(told: Story, sign: str) -> None:
    found = told.service.blame(sign + told.record)
    assert _deeds(found) == [("moved",), ("changed", "evidence"), ("created",)]
    assert [version.commit for version in found.versions] == told.commits[:0:-1]
    assert _texts(found) == [GREEN, GREEN, BLUE]
    assert [version.at[:10] for version in found.versions] == ["2026-04-06", "2026-04-05", "2026-04-04"]
    assert {version.kind for version in found.versions} == {"edit"}


def test_the_words_that_changed_stand_between_those_that_stayed(told: Story) -> None:
    (_, changed, _) = told.service.blame(told.record).versions
    pieces = [(str(piece.side), piece.text) for piece in changed.step.words]
    assert ("gone", "blue") in pieces
    assert ("new", "green") in pieces
    assert (before_of(changed.step.words), after_of(changed.step.words)) == (BLUE, GREEN)
    assert [ground.date for ground in changed.step.lost] == ["2026-04-03"]
    assert [(ground.date, ground.sources) for ground in changed.step.gained] == [("2026-04-05", (TRAINS,))]


def test_a_move_says_from_where_to_where_and_changes_no_word(told: Story) -> None:
    step = _newest(told.service.blame(told.record)).step
    assert step.before is not None
    assert step.after is not None
    assert (step.before.record.topic_path, step.before.record.headings) == (NOTES, ("Notes",))
    assert (step.after.record.topic_path, step.after.record.headings) == (HOUSE, ("Keys",))
    assert step.words == ()


def test_what_a_writer_wrote_names_batch_conversation_and_writer(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        record = service.recent(1).rows[0].record.id
        (version,) = service.blame(record).versions
    assert (version.kind, version.session, version.writer) == ("write", "native/trip", "extractive")
    assert version.batch


def test_a_deleted_record_keeps_its_history(told: Story) -> None:
    told.ask(delete(told.record))
    found = told.service.blame(told.record)
    assert _deeds(found)[:2] == [("deleted",), ("moved",)]
    assert _newest(found).step.after is None
    gone = _newest(found).step.before
    assert gone is not None
    assert gone.record.content == GREEN


def test_a_record_that_came_back_is_followed_through_its_absence(told: Story) -> None:
    memory = told.service.memory()
    data = memory.history.base(told.commits[-1]).get(HOUSE)
    assert data is not None
    told.ask(delete(told.record))
    told.ask(create("Something else."))
    (told.service.root / HOUSE).write_bytes(data)
    told.tomorrow()
    told.service.adopt()
    found = told.service.blame(told.record)
    assert _deeds(found) == [("created",), ("deleted",), ("moved",), ("changed", "evidence"), ("created",)]


def test_what_git_deleted_by_hand_is_found_without_a_trailer_that_says_so(told: Story) -> None:
    (told.service.root / HOUSE).unlink()
    _commit_by_hand(told)
    told.tomorrow()
    ask(told.service, create("Afterwards."))
    found = told.service.blame(told.record)
    assert _deeds(found)[:2] == [("deleted",), ("moved",)]
    assert _newest(found).kind == ""
    assert _newest(found).author.startswith("By Hand")


def test_a_merged_record_is_followed_by_each_of_its_ids(told: Story) -> None:
    other = told.ask(create("The cellar key is with Ines.", HOUSE)).report.created[0]
    path = told.service.root / HOUSE
    text = path.read_text()
    path.write_text(
        text.replace(f" ^{told.record}", f" ^{other}a ^{told.record}").replace(f"{other}a", other, 1)
    )
    kept = "\n\n".join(part for part in path.read_text().split("\n\n") if "cellar" not in part)
    path.write_text(kept)
    told.tomorrow()
    told.service.adopt()
    newest = _newest(told.service.blame(other)).step
    assert "merged" in newest.deeds
    assert newest.after is not None
    assert newest.after.record.id == told.record
    assert newest.after.aliases == (other,)
    assert _newest(told.service.blame(told.record)).step.deeds == ("merged",)


def test_of_a_forgotten_record_only_that_and_when_is_said(told: Story) -> None:
    by = forget(told, HOUSE, told.record)
    found = told.service.blame(told.record)
    assert (found.versions, found.forgotten, found.forgotten_by) == ((), "2026-04-07", by)
    assert "door" not in repr(found)


def test_a_version_that_rests_on_a_forgotten_message_shows_no_word(told: Story) -> None:
    other = told.ask(create("Mara sleeps late.", source="native/trip/m5")).report.created[0]
    told.ask(update(other, "Mara sleeps until ten."))
    extra = told.ask(create("An aside.", HOUSE)).report.created[0]
    forget(told, HOUSE, extra, "native/trip/m5")
    newest, oldest = told.service.blame(other).versions
    assert (newest.step.withheld, oldest.step.withheld) == (True, True)
    assert "late" not in repr((newest, oldest))


def test_only_a_record_has_versions(told: Story) -> None:
    for name, code in (
        (TRAINS, Code.INVALID_ARGUMENT),
        ("house", Code.INVALID_ARGUMENT),
        ("no", Code.MEMORY_NOT_FOUND),
    ):
        with pytest.raises(Refused) as refused:
            told.service.blame(name)
        assert refused.value.problems[0].code is code


def test_the_cost_follows_the_commits_that_touched_the_topic(
    told: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(12):
        told.ask(create(f"Note number {number} about the weather.", "topics/weather.md"))
    from scriptorium.history import History

    compared: list[str] = []
    changes = History.changes

    def counting(self: History, old: str | None, new: str | None) -> object:
        compared.append(str(new))
        return changes(self, old, new)

    with told.service.memory().reading():
        pass
    monkeypatch.setattr(History, "changes", counting)
    assert len(told.service.blame(told.record).versions) == 3
    assert compared == told.commits[3:0:-1]


def test_the_log_is_filtered_by_record_and_by_topic(told: Story) -> None:
    told.ask(create("Rain.", "topics/out/weather.md"))
    last = told.commits[-1]

    def commits(topic: str = "", record: str = "") -> list[str]:
        return [entry.commit for entry in told.service.log(topic=topic, record=record)]

    assert commits(record=told.record) == told.commits[3:0:-1]
    assert commits(record=f"^{told.record}", topic="notes") == told.commits[3:0:-1]
    assert commits(record=told.record, topic="house") == [told.commits[3]]
    for name in ("out", "topics/out/", "out/weather", "out/weather.md", "topics/out/weather.md"):
        assert commits(topic=name) == [last]
    assert commits(topic="nowhere") == []
    assert [entry.commit for entry in told.service.log(1, topic="notes")] == [told.commits[3]]


def test_the_log_of_a_deleted_or_forgotten_record_names_its_commits(told: Story) -> None:
    told.ask(delete(told.record))
    assert len(told.service.log(record=told.record)) == 4
    other = told.ask(create("To be forgotten.")).report.created[0]
    by = forget(told, NOTES, other)
    assert [entry.commit for entry in told.service.log(record=other)] == [by, told.commits[-2]]


def test_a_record_moved_twice_in_a_topic_it_shares_is_followed(told: Story) -> None:
    told.ask(move(told.record, "topics/attic.md"))
    told.ask(update(told.record, BLUE))
    told.ask(move(told.record, NOTES))
    found = told.service.blame(told.record)
    assert [deeds[0] for deeds in _deeds(found)] == [
        "moved",
        "changed",
        "moved",
        "moved",
        "changed",
        "created",
    ]


def _commit_by_hand(told: Story) -> None:
    import subprocess

    told.service.close()
    who = ["-c", "user.name=By Hand", "-c", "user.email=hand@example.org"]
    for words in (["add", "-A", "topics"], [*who, "commit", "-q", "-m", "Tidy"]):
        subprocess.run(["git", *words], cwd=told.service.root, check=True)
