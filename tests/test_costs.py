"""What writers cost: noted by pass, summed by day, month and model, counted against the day."""

import json
from pathlib import Path

import pytest
from attrs import evolve

from kept_homes import Clock, Failing, home, using
from scriptorium.cli import main
from scriptorium.service import Service
from scriptorium.service.runtime import add_cost, read_costs
from scriptorium.settings import Api, Price
from scriptorium.writer.proposal import NothingProposed, Task
from scriptorium_core.budget import estimate as count
from scriptorium_core.budget import tokens_of_sizes
from scriptorium_core.writing.costs import (
    MOST,
    Entry,
    Spent,
    by_model,
    decode_costs,
    encode_costs,
    entry_of,
    folded,
    priced,
    spent,
    spent_on,
)
from scriptorium_core.writing.estimating import estimated
from scriptorium_core.writing.outcome import NothingToKeep
from scriptorium_core.writing.status import WriterStatus, after
from scriptorium_core.writing.used import Used
from trips import a_talk

USED = Used("some:model", 1_000, 100, 3, 0.02)


class Asking:
    """A writer whose model always takes the same."""

    name, prompt = "asking", ""

    def __init__(self, used: Used = USED) -> None:
        self.used = used

    def propose(self, task: Task) -> NothingProposed:
        return NothingProposed("small talk", self.used)


def entry(at: str, model: str = "some:model", cost: float | None = 0.02) -> Entry:
    return entry_of(evolve(USED, model=model, cost=cost), at, "native/trip", 500)


def a_home(folder: Path, clock: Clock, **settings: object) -> Service:
    service = home(folder, clock, writer="api", **settings)
    service.import_paths([a_talk(folder)])
    return service


def test_lines_are_read_back_and_what_is_none_is_passed_over() -> None:
    entries = (entry("2026-04-03T10:00:00+00:00"), entry("2026-04-03T11:00:00+00:00", cost=None))
    data = encode_costs(entries)
    assert decode_costs(data) == entries
    broken = b'{"at": 3}\nnonsense\n[1]\n\xff\n' + data + b'{"at": "2026-04-03T1'
    assert decode_costs(broken) == entries
    assert decode_costs(None) == ()


def test_a_cost_that_is_unknown_is_not_none() -> None:
    total = spent([entry("2026-04-03T10:00:00"), entry("2026-04-03T11:00:00", cost=None)])
    assert total == Spent(2, 1_000, 2_000, 200, 6, 0.02, 1)


def test_days_months_and_models_are_summed() -> None:
    entries = [entry("2026-03-31T10:00:00"), entry("2026-04-02T10:00:00", "b")]
    entries.append(entry("2026-04-03T10:00:00", "a"))
    assert spent_on(entries, "2026-04-03").passes == 1
    assert spent_on(entries, "2026-04").passes == 2
    assert list(by_model([*entries, entry("2026-04-03T11:00:00", "b")])) == ["b", "a", "some:model"]


def test_days_gone_by_become_one_line_a_model_and_lose_nothing() -> None:
    entries = [entry(f"2026-04-0{day}T1{hour}:00:00") for day in (1, 2, 3) for hour in range(4)]
    short = folded(entries, "2026-04-03")
    assert [each.at[:10] for each in short] == ["2026-04-01", "2026-04-02", *["2026-04-03"] * 4]
    assert evolve(spent(short), cost=0) == evolve(spent(entries), cost=0)
    assert spent(short).cost == pytest.approx(0.24)
    assert folded(short, "2026-04-03") == short


def test_a_price_gives_a_cost_where_none_is_known() -> None:
    unknown = evolve(USED, cost=None)
    assert priced(unknown, (3.0, 15.0)).cost == pytest.approx(0.0045)
    assert priced(unknown, None).cost is None
    assert priced(USED, (3.0, 15.0)).cost == 0.02


def test_the_day_counts_what_was_used_where_that_is_more() -> None:
    now = "2026-04-03T12:00:00+00:00"
    known = after(WriterStatus(), NothingToKeep("", tokens=500, used=USED), now)
    assert known.offered_on("2026-04-03") == 1_100
    known = after(known, NothingToKeep("", tokens=500), now)
    assert known.offered_on("2026-04-03") == 1_600
    played = evolve(USED, calls=0)  # from a tape: nobody was asked
    assert after(WriterStatus(), NothingToKeep("", tokens=5, used=played), now).offered_on("2026-04-03") == 5


def test_status_shows_what_was_spent_today_and_this_month(tmp_path: Path) -> None:
    clock = Clock()
    with a_home(tmp_path, clock) as service:
        with using(Asking()):
            service.write(force=True)
        found = service.status().outlook
        assert found.offered == 1_100
        assert (found.spending.today.tokens_in, found.spending.month.cost) == (1_000, 0.02)
        assert list(found.spending.models) == ["some:model"]
        clock.now += 86_400
        found = service.status().outlook
        assert (found.spending.today.passes, found.spending.month.passes) == (0, 1)
        clock.now += 40 * 86_400
        assert service.status().outlook.spending.month == Spent()


def test_a_writer_that_asks_no_model_costs_nothing(tmp_path: Path) -> None:
    with a_home(tmp_path, Clock()) as service:
        with using(Failing()):
            service.write(force=True)
        assert read_costs(service.memory().layout) == ()


def test_prices_of_the_settings_are_used(tmp_path: Path) -> None:
    prices = {"some:model": Price(10.0, 100.0)}
    with a_home(tmp_path, Clock(), prices=prices) as service:
        with using(Asking(evolve(USED, cost=None))):
            service.write(force=True)
        (kept,) = read_costs(service.memory().layout)
        assert kept.took.cost == pytest.approx(0.02)
        assert kept.session == "native/trip"


def test_the_file_stays_small(tmp_path: Path) -> None:
    with a_home(tmp_path, Clock()) as service:
        layout = service.memory(make=True).layout
        path = layout.runtime / "costs.jsonl"
        old = [entry(f"2026-0{month}-{day:02}T10:00:00") for month in (1, 2) for day in range(1, 29)]
        path.write_bytes(encode_costs(old * (MOST // len(encode_costs(old)) + 1)))
        before = spent(decode_costs(path.read_bytes()))
        add_cost(layout, entry("2026-04-03T10:00:00"))
        assert path.stat().st_size < MOST // 4
        assert spent(read_costs(layout)).passes == before.passes + 1
        many = [entry("2026-04-03T10:00:00", f"model-{n:06}") for n in range(3_000)]
        path.write_bytes(encode_costs(many))
        add_cost(layout, entry("2026-04-03T11:00:00", "the-newest"))
        assert path.stat().st_size <= MOST
        assert read_costs(layout)[-1].model == "the-newest"


def test_what_waits_is_estimated_before_a_model_is_asked(tmp_path: Path) -> None:
    clock = Clock()
    with a_home(tmp_path, clock, api=Api("some:model"), prices={"some:model": Price(3.0, 15.0)}) as service:
        revision = service.memory().revision
        found = service.estimate(force=True)
        assert service.memory().revision == revision
        assert (found.sessions, found.batches, found.model, found.measured) == (1, 1, "some:model", 0)
        assert found.tokens_in > found.tokens > 0
        assert found.cost == pytest.approx((found.tokens_in * 3 + found.tokens_out * 15) / 1e6)
        assert service.estimate().below == 1
        assert service.estimate(["trip"], force=True, writer="extractive").model == ""
        with using(Asking()):
            (done,) = service.write(force=True)
        (outcome,) = done.outcomes
        assert isinstance(outcome, NothingToKeep)
        service.import_paths(
            [a_talk(tmp_path, {"id": "x1", "role": "user", "text": "I moved."}, session="two")]
        )
        found = service.estimate(force=True)
        assert (found.sessions, found.measured) == (1, 1)
        assert found.tokens_in == found.tokens * 1_000 // outcome.tokens


def test_an_unknown_price_is_said_to_be_unknown() -> None:
    found = estimated({"a": 20_000, "b": 10}, 16_000, True, "some:model")
    assert (found.sessions, found.batches, found.tokens, found.cost) == (2, 3, 20_010, None)
    whole = estimated({"a": 40_000, "b": 10}, 16_000, False, "some:model")
    assert (whole.sessions, whole.batches, whole.tokens, whole.below) == (1, 2, 32_000, 1)


@pytest.mark.parametrize(
    "text", ["", "plain words", "鍵は青い扉の後ろ", "mixed 青 words and more", "x" * 1_001]
)
def test_tokens_follow_from_sizes_as_from_the_text(text: str) -> None:
    assert tokens_of_sizes(len(text), len(text.encode())) == count(text)


def test_the_command_line_shows_estimates_and_what_was_spent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = str(tmp_path / "home")
    with a_home(tmp_path, Clock()) as service:
        with using(Asking()):
            service.write(force=True)
        add_cost(service.memory().layout, evolve(entry("2026-04-02T10:00:00+00:00", "other:model", None)))
    assert main(["--home", here, "--clock", "2026-04-03T13:00:00Z", "status"]) == 0
    shown = capsys.readouterr().out
    assert "spent      today 1,000 tokens in, 100 out, $0.02; this month 2,000 tokens in, 200 out" in shown
    assert "$0.02 and 1 pass of unknown cost" in shown
    assert "other:model: 1,000 tokens in, 100 out, cost unknown" in shown
    assert main(["--home", here, "write", "--force", "--estimate"]) == 0
    assert capsys.readouterr().out == "nothing waits to be written\n"
    settings = 'writer = "api"\n[api]\nmodel = "other:model"\n'
    (tmp_path / "home" / "settings.toml").write_text(settings)
    more = {"id": "x1", "role": "user", "text": "I moved."}
    assert main(["--home", here, "import", str(a_talk(tmp_path, more, session="two"))]) == 0
    capsys.readouterr()
    assert main(["--home", here, "write", "--force", "--estimate"]) == 0
    shown = capsys.readouterr().out
    assert "1 session in 1 batch" in shown
    assert "by 1 pass so far" in shown
    assert 'is unknown: give [prices."other:model"]' in shown
    assert main(["--home", here, "write", "--force", "--estimate", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cost"] is None


def test_what_is_expected_follows_what_the_model_took_before() -> None:
    before = Spent(2, 1_000, 3_000, 500, 2, 0.5)
    found = estimated({"a": 1_500, "b": 2_000, "c": 10}, 1_000, False, "m", before)
    assert (found.sessions, found.batches, found.tokens, found.below) == (2, 3, 3_000, 1)
    assert (found.tokens_in, found.tokens_out, found.cost) == (9_000, 1_500, 1.5)
    assert estimated({"a": 1_000}, 1_000, False, "m", evolve(before, unpriced=1)).cost is None
    assert estimated({"a": 1_000}, 1_000, False, "m", None, (1.0, 2.0)).cost == pytest.approx(0.0, abs=0.1)


def test_amounts_that_are_none_count_nothing() -> None:
    line = {"at": "2026-05-01T12:00:00", "model": "m", "passes": True, "tokens_in": -3, "cost": "much"}
    for cost in ("much", True, -1, 1e13, None):
        (entry,) = decode_costs(json.dumps({**line, "cost": cost}).encode() + b"\n")
        assert (entry.took.cost, entry.took.passes, entry.took.tokens_in) == (0.0, 0, 0)
