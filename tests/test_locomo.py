"""The format `locomo`, and times as logs spell them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scriptorium.conversations.importing import import_path
from scriptorium.conversations.moments import moment, spoken_moment
from scriptorium.conversations.store import Session, Store, open_store
from scriptorium_core.names import NodeId
from scriptorium_core.sessions.evidence import provenance, source_of
from scriptorium_core.sessions.graph import Node

LOCOMO = Path(__file__).parents[2] / "shared" / "data" / "locomo10.json"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def only(store: Store) -> tuple[Session, list[Node]]:
    (session,) = store.sessions()
    return session, list(store.nodes(session))


DATES = [
    {
        "sample_id": "conv-1",
        "qa": [],
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Bo",
            "session_10_date_time": "12:05 am on 1 January, 2024",
            "session_10": [{"speaker": "Bo", "dia_id": "D10:1", "text": "Happy new year!"}],
            "session_2_date_time": "1:56 pm on 8 May, 2023",
            "session_2": [
                {
                    "speaker": "Ada",
                    "dia_id": "D2:1",
                    "text": "Look.",
                    "blip_caption": "a beach",
                    "img_url": ["u", "v"],
                },
                {"speaker": "Bo", "text": "no id"},
            ],
            "session_3_date_time": "no turns",
        },
    },
    {"sample_id": "conv-2"},
]


def test_a_locomo_conversation_is_a_session_with_speakers_and_dates(store: Store, log: Path) -> None:
    log.write_text(json.dumps(DATES))
    report = import_path(store, log)
    assert (report.format, report.sessions, report.turns_new) == ("locomo", ("locomo/conv-1",), 2)
    assert report.skipped == {
        "a turn without dia_id or text": 1,
        "not a conversation with a sample_id": 1,
    }
    session, (first, second) = only(store)
    assert (session.title, session.head) == ("Ada and Bo", "D10:1")
    assert (first.at, second.at, second.parent) == ("2023-05-08T13:56", "2024-01-01T00:05", "D2:1")
    assert (first.text, first.speaker_name) == ("Look.", "Ada")
    assert first.metadata == {"speaker_kind": "human", "blip_caption": "a beach", "img_url": "u v"}
    assert source_of(first) == "locomo/conv-1/D2:1"
    assert provenance(first, "owner").tier is None


def test_one_conversation_alone_is_read_too_and_half_a_file_in_part(store: Store, log: Path) -> None:
    log.write_text(json.dumps(DATES[0], indent=1))
    assert import_path(store, log, dry_run=True).turns_new == 2
    log.write_text(json.dumps([DATES[0], DATES[0]])[:-40])
    report = import_path(store, log)
    assert (report.format, report.turns_new, report.torn) == ("locomo", 2, 1)
    log.write_text(json.dumps([DATES[0]])[:-40])
    assert import_path(store, log, again=True).torn == 1


@pytest.mark.skipif(not LOCOMO.exists(), reason="the LoCoMo file is not beside this checkout")
def test_the_whole_locomo_file_is_ten_sessions_with_5882_turns(store: Store) -> None:
    report = import_path(store, LOCOMO)
    assert (len(report.sessions), report.turns_new, report.skipped, report.gaps) == (10, 5882, {}, 0)
    assert import_path(store, LOCOMO).turns_new == 0
    assert import_path(store, LOCOMO, again=True).turns_known == 5882
    session = store.get("locomo", "conv-26")
    assert session is not None
    found = store.lookup(session)(NodeId("D1:3"))
    assert found is not None
    assert found.text == "I went to a LGBTQ support group yesterday and it was so powerful."
    assert (found.speaker_name, found.at) == ("Caroline", "2023-05-08T13:56")
    assert all(turn.at for held in store.sessions() for turn in store.nodes(held))


# --- times --------------------------------------------------------------------------------------

NO_TIMES: tuple[object, ...] = (None, True, "yesterday", "", 1e300, float("nan"), [], "2026-04-22T10:21\n")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2026-04-22T10:21:00+02:00", "2026-04-22T10:21:00+02:00"),
        ("2026-04-22T10:21:00.5Z", "2026-04-22T10:21:00.5Z"),
        ("2026-04-22", "2026-04-22"),
        (1767225600, "2026-01-01T00:00:00+00:00"),
        (1767225600.25, "2026-01-01T00:00:00.250+00:00"),
        (1767225600000, "2026-01-01T00:00:00+00:00"),
        *((bad, "") for bad in NO_TIMES),
    ],
)
def test_a_time_is_kept_as_given_or_is_unknown(given: object, expected: str) -> None:
    assert moment(given) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56"),
        ("12:00 pm on 29 February, 2024", "2024-02-29T12:00"),
        ("12:09 am on 13 September, 2023", "2023-09-13T00:09"),
        *(
            (bad, "")
            for bad in (
                None,
                "",
                "1:56 pm on 31 June, 2023",
                "1:56 pm on 8 Maytime, 202",
                "1:56 pm on 8 Foo, 2023",
            )
        ),
    ],
)
def test_a_spoken_time_is_local_and_has_no_zone(given: object, expected: str) -> None:
    assert spoken_moment(given) == expected
