"""Laws of times: the day on which one falls, and the order of times of every kind."""

from datetime import UTC, datetime, timedelta, timezone, tzinfo

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.when import When, day_of, is_assumed, local_time, parse_when, render_when, time_order
from scriptorium_core.writing.days import named_day
from strategies import awkward_texts

_MINUTES = st.integers(-14 * 60, 14 * 60)


def zones() -> st.SearchStrategy[tzinfo]:
    """Zones as far from UTC as there are any."""
    return _MINUTES.map(lambda minutes: timezone(timedelta(minutes=minutes)))


def aware() -> st.SearchStrategy[str]:
    """Points in time with an offset, from the first year to the last."""
    return st.datetimes(timezones=zones()).map(lambda found: found.isoformat())


def times() -> st.SearchStrategy[str]:
    """Whatever may stand where a time belongs."""
    naive = st.datetimes().map(lambda found: found.isoformat())
    return aware() | naive | st.dates().map(lambda day: day.isoformat()) | awkward_texts()


class TestDays:
    """A time with an offset falls on the workspace's day; a date is that day, wherever one is."""

    @given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=zones()), zones(), zones())
    def test_a_point_in_time_has_one_day_in_a_zone_however_it_is_spelled(
        self, point: datetime, other: tzinfo, zone: tzinfo
    ) -> None:
        spelled = point.astimezone(other).isoformat()
        day = point.astimezone(zone).date()
        assert day_of(point.isoformat(), zone) == day_of(spelled, zone) == When(day.year, day.month, day.day)

    @given(st.dates(), zones())
    def test_a_date_and_a_time_without_a_zone_stay_on_their_day(self, day: datetime, zone: tzinfo) -> None:
        text = day.isoformat()
        assert render_when(day_of(text, zone)) == render_when(day_of(f"{text}T23:59:59", zone)) == text
        assert not is_assumed(text)
        assert is_assumed(f"{text}T23:59:59")

    @given(times(), zones())
    def test_no_time_is_refused(self, text: str, zone: tzinfo) -> None:
        day = day_of(text, zone)
        assert day is None or parse_when(render_when(day)) == day
        assert (day is None) == (day_of(text) is None)
        shown = local_time(text, zone)
        assert shown is None or shown.tzinfo is zone


class TestOrder:
    """All times are ordered by one rule, whatever their precision and zone."""

    @given(st.lists(times(), max_size=6), zones())
    def test_every_list_of_times_can_be_sorted_and_what_is_unknown_is_last(
        self, listed: list[str], zone: tzinfo
    ) -> None:
        ordered = sorted(listed, key=lambda text: time_order(text, zone))
        unknown = [time_order(text, zone)[0] for text in ordered]
        assert unknown == sorted(unknown)

    @given(st.datetimes(timezones=zones()), st.datetimes(timezones=zones()), zones())
    def test_points_in_time_are_ordered_as_they_were(
        self, one: datetime, other: datetime, zone: tzinfo
    ) -> None:
        first, second = (time_order(point.isoformat(), zone) for point in (one, other))
        assert (first < second) == (one < other)

    @given(st.datetimes(), zones())
    def test_a_date_stands_before_the_times_of_its_day_and_behind_those_of_the_day_before(
        self, point: datetime, zone: tzinfo
    ) -> None:
        day = time_order(point.date().isoformat(), zone)
        assert day < time_order(point.isoformat(timespec="microseconds"), zone)
        if point.date() > point.date().min:
            before = (point - timedelta(days=1)).date()
            assert time_order(f"{before.isoformat()}T23:59:59", zone) < day

    @given(st.datetimes())
    def test_without_a_zone_a_time_is_read_in_utc(self, point: datetime) -> None:
        text = point.isoformat(timespec="microseconds")
        assert time_order(text) == time_order(point.replace(tzinfo=UTC).isoformat(timespec="microseconds"))


class TestNamedDays:
    """`Yesterday` belongs to the date of the message."""

    @given(awkward_texts(), st.dates())
    def test_a_day_is_named_by_words_alone_and_is_a_real_date(self, text: str, day: datetime) -> None:
        said = When(day.year, day.month, day.day)
        named = named_day(text, said)
        assert named is None or parse_when(render_when(named)) == named
        assert named_day(text, None) is None

    @given(st.dates(min_value=datetime(1, 1, 2).date()))
    def test_yesterday_is_the_day_before(self, day: datetime) -> None:
        before = day - timedelta(days=1)
        said = When(day.year, day.month, day.day)
        assert named_day("Yesterday I went.", said) == When(before.year, before.month, before.day)
