"""A branch that is given up after it was archived takes its evidence with it, and brings it back."""

import json
from collections.abc import Mapping
from pathlib import Path

from scriptorium.service import Service
from scriptorium.service.model import RecordShown
from scriptorium_core.recall import Query
from scriptorium_core.writing.outcome import NothingDue, NothingToKeep, Wrote
from trips import TALK, a_talk, written

GUEST_HOUSE = "native/trip/m5"
CONTEXTS = "memory/sources/native/_v2/trip.jsonl"
AGAIN = {"id": "m7", "parent": "m2", "role": "user", "text": "I prefer a cabin by the lake.", "at": ""}


def more(
    service: Service, folder: Path, *lines: Mapping[str, object], session: str = "trip"
) -> tuple[object, ...]:
    service.import_paths([a_talk(folder, *TALK, *lines, session=session)])
    return tuple(outcome for each in service.write(force=True) for outcome in each.outcomes)


def states(folder: Path, node: str) -> list[str]:
    lines = map(json.loads, (folder / "home" / CONTEXTS).read_text().splitlines())
    return [line["branch"] for line in lines if line["node"] == node]


def guest_house(service: Service) -> tuple[str, bool]:
    """The branch of the record, and whether its evidence says that it was given up."""
    (hit, *_) = service.search(Query("guest house", limit=1)).hits
    shown = service.show("^" + hit.id)
    assert isinstance(shown, RecordShown)
    assert shown.record.content == "I prefer a small guest house in the old town."
    return hit.branch, ("Branch", "trip@m5") in shown.groups[0].fields


def test_a_message_that_is_given_up_later_no_longer_poses_as_current(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        assert guest_house(service) == ("live", False)
        before = len(service.log(None))
        noted, wrote, *_ = more(service, tmp_path, AGAIN)
        assert isinstance(noted, Wrote)
        assert isinstance(wrote, Wrote)
        assert (len(noted.updated), len(wrote.created)) == (1, 1)
        assert guest_house(service) == ("abandoned", True)
        assert states(tmp_path, "m5") == states(tmp_path, "m6") == ["live", "abandoned"]
        assert states(tmp_path, "m3") == ["abandoned"]
        noting = service.log(None)[1]
        assert (noting.commit, noting.subject) == (noted.commit, "Note the branch of 2 messages of trip")
        assert len(service.log(None)) == before + 2
        assert not [found for found in service.verify().findings if found.level == "problem"]


def test_a_branch_that_is_taken_up_again_is_current_again(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        more(service, tmp_path, AGAIN)
        outcomes = more(service, tmp_path, AGAIN, {"head": "m6"})
        assert [type(outcome) for outcome in outcomes] == [Wrote, NothingDue]
        assert guest_house(service) == ("live", False)
        assert states(tmp_path, "m5") == ["live", "abandoned", "live"]
        assert states(tmp_path, "m7") == ["live", "abandoned"]


def test_a_pass_that_finds_nothing_turned_commits_nothing(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        more(service, tmp_path, AGAIN)
        revision = service.status().revision
        assert [type(outcome) for outcome in more(service, tmp_path, AGAIN)] == [NothingDue]
        assert service.status().revision == revision


def test_where_no_record_rests_on_it_the_archive_alone_says_so(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        outcomes = more(service, tmp_path, {"head": "m5"})
        assert [type(outcome) for outcome in outcomes] == [NothingToKeep, NothingDue]
        assert states(tmp_path, "m6") == ["live", "abandoned"]
        assert states(tmp_path, "m5") == ["live"]


def test_a_message_that_another_session_goes_on_with_stays_current(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        more(service, tmp_path, session="fork")
        more(service, tmp_path, AGAIN)
        assert guest_house(service) == ("live", False)
        assert states(tmp_path, "m5") == ["live"]


def test_an_index_that_is_made_anew_says_the_same(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        more(service, tmp_path, AGAIN)
    (tmp_path / "home/memory/.scriptorium/index.sqlite3").unlink()
    with Service(tmp_path / "home") as service:
        assert guest_house(service) == ("abandoned", True)
