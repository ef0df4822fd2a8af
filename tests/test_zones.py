"""Examples of time zones: the day of a message, of a record and of a search is that of the workspace."""

import json
from pathlib import Path

import pytest

from scriptorium import clock
from scriptorium.cli.shown import source
from scriptorium.clock import Moment
from scriptorium.conversations.moments import moment
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.service.model import SourceShown
from scriptorium.settings import Settings, load
from scriptorium_core.recall import Kind, Query
from scriptorium_core.when import Window, parse_when

NIGHT = "2026-07-25T02:00:00Z"  # four in the morning in Berlin, the evening before in Los Angeles


def written(home: Path, text: str, at: object, timezone: str) -> Service:
    """A home in this zone, in which one message was said and written."""
    log = home / "log.jsonl"
    home.mkdir(parents=True)
    row = {"session": "s1", "id": "m1", "role": "user", "text": text, "at": at}
    log.write_text(json.dumps(row) + "\n")
    service = Service(home, settings=Settings(timezone=timezone), moment=lambda: Moment(1_790_000_000))
    service.import_paths([log])
    service.write(force=True)
    return service


def date_of_the_record(service: Service) -> str:
    (found,) = service.search(Query("lease")).hits
    return found.dates[0]


@pytest.mark.parametrize(
    ("timezone", "said", "yesterday"),
    [
        ("Europe/Berlin", "2026-07-25", "2026-07-24"),
        ("America/Los_Angeles", "2026-07-24", "2026-07-23"),
        ("", "2026-07-25", "2026-07-24"),
    ],
)
def test_yesterday_is_the_day_before_in_the_zone_of_the_workspace(
    tmp_path: Path, timezone: str, said: str, yesterday: str
) -> None:
    """bc-033: seen from the message, not from the import; the time in the source stays as it was given."""
    with written(tmp_path / "a", "Yesterday I signed the lease.", NIGHT, timezone) as service:
        assert date_of_the_record(service) == yesterday
        assert [day.date for day in service.timeline().days] == [yesterday]
        (turn,) = service.search(Query("lease", (Kind.TURN,))).hits
        assert turn.dates == (said,)
        archive = (service.root / "sources" / "native" / "_v2" / "s1.md").read_text()
        assert f"[{NIGHT}] user: Yesterday I signed the lease." in archive
    with written(tmp_path / "b", "I signed the lease.", NIGHT, timezone) as service:
        assert date_of_the_record(service) == said


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-03-01T23:30:00", "2026-03-01"),
        ("2026-03-01", "2026-03-01"),
        ("2026-03-01T10:00:00+09:00", "2026-03-01"),
        (1772355600, "2026-03-01"),
        (1772355600000, "2026-03-01"),
        ("2026-03-01T20:00:00-05:00", "2026-03-02"),
        ("", "undated"),
        ("yesterday", "undated"),
    ],
)
def test_times_of_every_kind_count_on_their_day(tmp_path: Path, at: object, day: str) -> None:
    """bc-032: a date never becomes midnight of another day, and an unknown time is never now."""
    with written(tmp_path / "home", "I signed the lease.", at, "Europe/Berlin") as service:
        (found,) = service.search(Query("lease")).hits
        assert (found.dates or ("undated",)) == (day,)


def test_seconds_and_milliseconds_are_the_same_time() -> None:
    """bc-032."""
    assert moment(1772355600) == moment(1772355600000) == "2026-03-01T09:00:00+00:00"


@pytest.mark.parametrize(("timezone", "found"), [("Europe/Berlin", 1), ("America/Los_Angeles", 0)])
def test_a_window_holds_the_days_of_the_workspace(tmp_path: Path, timezone: str, found: int) -> None:
    since = Window(parse_when("2026-07-25"), None)
    with written(tmp_path / "home", "I signed the lease.", NIGHT, timezone) as service:
        for kind in Kind:
            assert len(service.search(Query("lease", (kind,), window=since)).hits) == found


def test_another_zone_makes_the_full_text_anew(tmp_path: Path) -> None:
    query = Query("lease", (Kind.TURN,))
    with written(tmp_path / "home", "I signed the lease.", NIGHT, "Europe/Berlin") as service:
        assert service.search(query).hits[0].dates == ("2026-07-25",)
    with Service(tmp_path / "home", settings=Settings(timezone="America/Los_Angeles")) as service:
        assert service.search(query).hits[0].dates == ("2026-07-24",)
        with service.at("HEAD") as past:
            assert past.search(query).hits[0].dates == ("2026-07-24",)
        assert service.verify().holds


def test_today_is_the_day_of_the_workspace(tmp_path: Path) -> None:
    moment = Moment(1_784_943_000)  # 2026-07-25T01:30Z
    days = {"Europe/Berlin": "2026-07-25", "America/Los_Angeles": "2026-07-24", "": "2026-07-25"}
    for number, (timezone, day) in enumerate(days.items()):
        settings = Settings(timezone=timezone)
        with Service(tmp_path / str(number), settings=settings, moment=lambda: moment) as service:
            assert service.memory(make=True).today() == day
            service.remember("The keys hang in the hall.")
            assert service.recent().rows[0].record.dates == (day,)


def test_the_zone_of_the_computer_is_decided_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scriptorium.service.opening.system_zone", lambda: "Europe/Berlin")
    (tmp_path / "settings.toml").write_text('owner = "Mara"\n')
    with Service(tmp_path) as service:
        service.init()
        assert service.settings.timezone == "Europe/Berlin"
    assert load(tmp_path).owner == "Mara"
    monkeypatch.setattr("scriptorium.service.opening.system_zone", lambda: "Asia/Tokyo")
    with Service(tmp_path) as service:
        service.init()
        assert str(service.memory().zone) == "Europe/Berlin"
    assert (tmp_path / "settings.toml").read_text().count("timezone") == 1


def test_first_use_decides_the_zone_and_an_older_home_keeps_its_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scriptorium.service.opening.system_zone", lambda: "Europe/Berlin")
    with Service(tmp_path / "new") as service:
        service.remember("The keys hang in the hall.")
        assert str(service.memory().zone) == load(tmp_path / "new").timezone == "Europe/Berlin"
    with Service(tmp_path / "old", settings=Settings()) as service:
        service.remember("The keys hang in the hall.")
    with Service(tmp_path / "old") as service:
        service.remember("The lamp is green.")
        assert service.memory().zone is None
    assert not (tmp_path / "old" / "settings.toml").exists()


def test_a_name_that_is_no_zone_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('timezone = "Europe/Berln"\n')
    with pytest.raises(Refused) as caught:
        load(tmp_path)
    (problem,) = caught.value.problems
    assert "Europe/Berln" in problem.message
    assert "Europe/Berlin" in problem.remedy
    for name in ("../zones", "Europe"):
        with pytest.raises(KeyError):
            clock.zone_named(name)


def test_the_zone_of_this_computer_has_a_name_that_is_one() -> None:
    assert clock.zone_named(clock.system_zone()) is not None


def test_people_see_that_a_zone_is_assumed(tmp_path: Path) -> None:
    times = [(NIGHT, False), ("2026-07-25T02:00:00", True), ("2026-07-25", False)]
    for number, (at, assumed) in enumerate(times):
        with written(tmp_path / str(number), "I signed the lease.", at, "Europe/Berlin") as service:
            shown = service.show("native/s1/m1")
            assert isinstance(shown, SourceShown)
            assert shown.turn.assumed == assumed
            assert ("that of the workspace is assumed" in source(shown)) == assumed
