"""Examples of permissions, standing instructions, appending, and the quota of unknown speakers."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory_example import KEYS, S1, link
from scriptorium_core.names import CORE_TOPIC, TopicPath
from scriptorium_core.policy import (
    Action,
    Held,
    Quota,
    binds,
    is_instruction,
    overdrawn,
    overwritten,
    permits,
    usage,
    withheld,
)
from scriptorium_core.problem import Code
from scriptorium_core.sources.frame import Tier
from scriptorium_core.topics import Record, Topic, parse_topic

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SMALL = Quota(messages=3, seconds=3600, each=10, total=25)


def read(text: str, path: str = "topics/keys.md") -> Topic:
    return parse_topic(TopicPath(path), text.encode())[0]


def record(fields: str = "", path: str = "topics/keys.md", *more: str) -> Record:
    """A record with a definition that has some fields, and further definitions."""
    notes = [
        f"[^e-{n}]: Time: `2026`; Sources: [s{n}]({link(S1)}){each}" for n, each in enumerate((fields, *more))
    ]
    cites = "".join(f"[^e-{n}]" for n in range(len(notes)))
    (found,) = read("Do it." + cites + " ^a\n\n" + "\n".join(notes) + "\n", path).records
    return found


@pytest.mark.parametrize("action", Action)
def test_the_owner_may_do_everything_and_all_others_only_add(action: Action) -> None:
    assert permits(Tier.OWNER, action)
    assert withheld(Tier.OWNER, action) == ()
    for tier in (Tier.PAIRED, None):
        assert permits(tier, action) is (action is Action.APPEND)
        assert [problem.code for problem in withheld(tier, action)] == [Code.NOT_PERMITTED] * (
            action is not Action.APPEND
        )


def test_a_record_of_the_core_or_of_the_kind_rule_is_a_standing_instruction() -> None:
    assert not is_instruction(record())
    assert not is_instruction(record("; Kind: fact"))
    assert is_instruction(record("; Kind:  RULE"))
    assert is_instruction(record("", CORE_TOPIC))


def test_an_instruction_rests_on_evidence_that_still_holds() -> None:
    def first(cited: object) -> bool:
        return getattr(cited, "label", "") == "s0"

    assert binds(record("", CORE_TOPIC), first)
    assert not binds(record("; Until: 2026-06", CORE_TOPIC, ""), first)
    assert binds(record("; Until: 2026-06", CORE_TOPIC, "; Until: 2026-07"), first)
    assert binds(record("; Kind: rule", "topics/keys.md", ""), first)
    assert not binds(record("", "topics/keys.md", "; Kind: rule"), first)


@pytest.mark.parametrize(
    "text",
    [
        KEYS,
        KEYS + "\nmore\n",
        "new\n\n" + KEYS,
        KEYS.replace("## Spare", "## Else\n\n## Spare"),
        KEYS.replace("## Spare\n", "new\n\n## Spare\n\nnew\n"),
        KEYS.replace("\n", "\r\n").replace("\r\n", "\n"),
        KEYS.rstrip("\n"),
    ],
)
def test_what_only_adds_overwrites_nothing(text: str) -> None:
    assert overwritten(read(KEYS), read(text)) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Mara has", "Mara  has"),
        ("## Spare", "### Spare"),
        ("## Spare", "## Spares"),
        ("[said]", "[sworn]"),
        ("Status: verified 0.9", "Status: verified 0.8"),
        ("# Keys\n\n", ""),
    ],
)
def test_whatever_else_is_done_to_a_topic_is_named_by_its_line(old: str, new: str) -> None:
    found = overwritten(read(KEYS), read(KEYS.replace(old, new, 1)))
    assert found is not None
    assert old.split("\n", maxsplit=1)[0] in found.text


def test_a_topic_that_goes_and_records_that_change_their_order_are_no_appending() -> None:
    assert overwritten(read(KEYS), None) is not None
    first, second = "one[^e1] ^a\n", "two[^e1] ^b\n"
    assert overwritten(read(f"{first}\n{second}"), read(f"{second}\n{first}")) is not None


def test_a_fence_that_nobody_closed_may_be_closed_by_what_comes_after_it() -> None:
    fence = "# A\n\n```\ncode"
    assert overwritten(read(fence), read(fence + "\n```\n\nnew\n")) is None
    assert overwritten(read(fence), read(fence + "\nmore\n```\n\nnew\n")) is not None


def held(*minutes: int, size: int = 1) -> list[Held]:
    return [Held((NOW - timedelta(minutes=m)).isoformat(), size) for m in minutes]


def test_only_the_messages_of_the_last_hour_count_and_all_bytes() -> None:
    used = usage([*held(0, 59, 60, 61, -5), Held("", 7), Held("not a time", 1)], NOW, SMALL)
    assert [NOW - time for time in used.times] == [timedelta(minutes=m) for m in (59, 0, -5)]
    assert used.size == 13


def test_a_time_without_a_zone_is_that_of_utc() -> None:
    assert usage([Held("2026-05-01T11:30:00", 1)], NOW, SMALL).times == (NOW - timedelta(minutes=30),)


def said(
    minutes: tuple[int, ...], sizes: tuple[int, ...], written: int = 0, size: int = 1
) -> list[tuple[str, str]]:
    found = overdrawn(usage(held(*minutes, size=size), NOW, SMALL), sizes, written, NOW, SMALL)
    assert {(problem.code, problem.path) for problem in found} <= {(Code.NOT_PERMITTED, "sources")}
    return [(problem.message, problem.remedy) for problem in found]


def test_what_fits_is_taken() -> None:
    assert said((5, 70), (10, 1), written=20) == []


def test_of_the_messages_of_an_hour_it_is_said_how_many_are_left_and_when_there_is_room() -> None:
    ((message, remedy),) = said((50, 20, 70), (1, 1))
    assert "3 messages may come in an hour; 1 are left, 2 were brought" in message
    assert remedy.endswith("2026-05-01T12:10:00+00:00")
    ((_, later),) = said((50, 20, 1), (1, 1))
    assert later.endswith("2026-05-01T12:40:00+00:00")
    ((_, never),) = said((), (1, 1, 1, 1))
    assert never == "bring fewer at a time"


def test_the_time_is_said_in_the_zone_of_the_caller() -> None:
    here = NOW.astimezone(timezone(timedelta(hours=2)))
    found = overdrawn(usage(held(50, 50, 50), here, SMALL), (1,), 0, here, SMALL)
    assert found[0].remedy.endswith("2026-05-01T14:10:00+02:00")


def test_a_message_has_a_size_and_so_has_what_is_written_of_it() -> None:
    ((message, _),) = said((), (11,))
    assert "10 bytes; this one has 11" in message
    ((message, _),) = said((), (5, 5), written=21)
    assert "20 bytes in all; these have 21" in message


def test_all_that_waits_has_a_size() -> None:
    ((message, remedy),) = said((70, 80), (6,), size=10)
    assert "25 bytes may wait for the owner; 5 are left" in message
    assert "promoted" in remedy


def test_every_fault_of_a_request_is_named_at_once() -> None:
    assert len(said((1, 2, 3), (30,), written=31, size=8)) == 4


def test_the_quota_of_the_page_is_the_default() -> None:
    assert Quota() == Quota(600, 3600, 65_536, 67_108_864)
