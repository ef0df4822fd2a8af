"""Searching through the service: the index follows the commit, and every hit brings its evidence."""

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from scriptorium.lock import held
from scriptorium.service import Service
from scriptorium.service.found import Found
from scriptorium.settings import Settings
from scriptorium_core.names import SourceId, anchor, archive_path
from scriptorium_core.problem import Code
from scriptorium_core.recall import Kind, Query, Why
from scriptorium_core.sources import Frame, Provenance, Tier, Trust, append, promote
from scriptorium_core.when import Window, parse_when
from trips import TRAINS, a_talk, ask, at_noon, create, written

BOTH = (Kind.RECORD, Kind.TURN)
SAID, HELD = SourceId("chat/s1/m1"), SourceId("chat/s1/m2")


def _texts(found: Found) -> list[str]:
    return [hit.content for hit in found.hits]


def _archive() -> bytes:
    trust = {SAID: Trust.TRUSTED, HELD: Trust.PENDING}
    frames = [
        Frame(
            name, "user", f"A lantern, says {name}.", provenance=Provenance("me", "owner", Tier.OWNER, state)
        )
        for name, state in trust.items()
    ]
    data = append(archive_path(SAID), None, frames)
    assert isinstance(data, bytes)
    return data


def _topic(*records: tuple[str, str, str]) -> bytes:
    """A topic with records of `(id, content, source)`."""
    lines = ["# Notes"]
    for block, content, source in records:
        lines += ["", f"{content}[^e-{block}] ^{block}", ""]
        target = f"../{archive_path(source)}#{anchor(source)}"
        lines.append(f"[^e-{block}]: Time: `2026-03`; Sources: [said]({target})")
    return ("\n".join(lines) + "\n").encode()


def _by_hand(folder: Path, files: Mapping[str, bytes]) -> Service:
    """A home whose memory was written as files, and is taken over."""
    for path, data in files.items():
        target = folder / "home" / "memory" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return Service(folder / "home", settings=Settings(), moment=at_noon)


def test_a_record_comes_with_the_turn_that_it_cites(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        found = service.search(Query("trains"))
        (hit,) = found.hits
        (citation,) = hit.citations
        assert found.indexed == found.revision == service.memory().revision
        assert citation.turn is not None
        assert (citation.turn.source, citation.turn.session) == (TRAINS, "native/trip")
        assert (hit.path, hit.headings[0], hit.dates) == ("topics/people/owner.md", "Owner", ("2026-03-01",))
        assert hit.score > 0
        assert hit.turn is None


def test_a_turn_comes_with_its_speaker_date_session_and_branch(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        hits = service.search(Query("guest house", kinds=(Kind.TURN,))).hits
        assert hits[0].turn is not None
        assert (hits[0].id, hits[0].dates, hits[0].branch) == ("native/trip/m5", ("2026-03-01",), "live")
        assert (hits[0].turn.speaker, hits[0].turn.session) == ("user", "native/trip")
        assert len(hits[0].cited_by) == 1


def test_what_stands_only_on_an_abandoned_branch_never_poses_as_current(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        states = {hit.content: hit.is_abandoned for hit in service.search(Query("prefer")).hits}
        assert states == {
            "I prefer trains to planes, always.": False,
            "I prefer a small guest house in the old town.": False,
            "I prefer a hotel by the harbour.": True,
        }


def test_a_record_that_also_rests_on_a_live_branch_is_live(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        more = [{"source": name, "label": "said"} for name in ("native/trip/m3", TRAINS)]
        ask(service, create("A harbour with trains.", sources=more))
        (hit,) = service.search(Query("harbour trains", limit=1)).hits
        assert (hit.content, hit.branch) == ("A harbour with trains.", "live")


def test_a_long_turn_is_cut_and_says_so(tmp_path: Path) -> None:
    text = "I prefer lanterns. " + "And so on. " * 400
    with Service(tmp_path / "home", settings=Settings()) as service:
        service.import_paths([a_talk(tmp_path, {"id": "m1", "role": "user", "text": text})])
        service.write(force=True)
        (hit,) = service.search(Query("lanterns", kinds=(Kind.TURN,))).hits
        assert hit.turn is not None
        assert hit.turn.is_cut
        assert hit.turn.length == len(text) > len(hit.content)


def test_a_change_is_found_by_the_next_search(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        assert service.search(Query("lantern")).nothing is not None
        done = ask(service, create("The lantern hangs in the hall."))
        assert _texts(service.search(Query("lantern"))) == ["The lantern hangs in the hall."]
        ask(service, {"op": "delete_record", "memory_id": done.report.created[0]})
        assert _texts(service.search(Query("lantern"))) == []


def test_a_change_by_another_process_is_found(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        service.search(Query("lantern"))
        with Service(service.home, settings=Settings()) as other:
            ask(other, create("The lantern hangs in the hall."))
        assert len(service.search(Query("lantern")).hits) == 1


def test_while_another_process_writes_the_index_the_old_state_answers_and_says_so(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        first = service.search(Query("trains"))
        (gone,) = (hit.id for hit in first.hits)
        layout = service.memory().layout
        ask(service, create("More trains."), {"op": "delete_record", "memory_id": gone})
        with held(layout.fulltext.with_name("fulltext.lock")):
            found = service.search(Query("trains"))
        assert found.indexed == first.revision != found.revision
        assert [problem.code for problem in found.notices] == [Code.CONCURRENT_UPDATE]
        # What was deleted is not shown, though the index still knows it.
        assert found.hits == ()
        assert found.nothing is not None
        assert _texts(service.search(Query("trains"))) == ["More trains."]


def test_without_an_index_it_is_built(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    with written(tmp_path) as service:
        service.search(Query("trains"))
        shutil.rmtree(service.memory().layout.fulltext)
        assert len(service.search(Query("trains"), lambda done, total: steps.append((done, total))).hits) == 1
        assert steps[-1] == (9, 9)


def test_a_history_that_was_rewritten_is_indexed_anew(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        ask(service, create("The lantern hangs in the hall."))
        service.search(Query("lantern"))
        index = service.memory().layout.fulltext
        service.close()
        shutil.rmtree(service.root / ".git")
        shutil.rmtree(service.root / "topics")
        (service.root / ".scriptorium" / "projected").unlink()
        assert index.is_dir()
        assert service.search(Query("lantern", kinds=(Kind.RECORD,))).hits == ()
        assert len(service.search(Query("trains", kinds=(Kind.TURN,))).hits) > 0


def test_what_is_not_trusted_is_left_out_until_it_is_promoted(tmp_path: Path) -> None:
    topic = _topic(("aa", "A lantern of old.", SAID), ("bb", "A lantern of late.", HELD))
    with _by_hand(tmp_path, {"topics/notes.md": topic, archive_path(SAID): _archive()}) as service:
        assert _texts(service.search(Query("lantern"))) == ["A lantern of old."]
        assert [hit.id for hit in service.search(Query("lantern", kinds=(Kind.TURN,))).hits] == [SAID]
        every = service.search(Query("lantern", kinds=BOTH, trust=tuple(Trust)))
        assert {hit.id for hit in every.hits} == {"aa", "bb", SAID, HELD}

        memory = service.memory()
        trusted = promote(archive_path(SAID), _archive(), [HELD])
        assert isinstance(trusted, bytes)
        message = "Promote\n\nKind: promote\n"
        commit = memory.history.write(memory.revision, {archive_path(SAID): trusted}, message, at_noon())
        assert memory.history.move(memory.revision, commit)
        assert {hit.id for hit in service.search(Query("lantern", kinds=BOTH)).hits} == {
            "aa",
            "bb",
            SAID,
            HELD,
        }


def test_a_quarantined_topic_is_left_out_and_the_others_fill_its_place(tmp_path: Path) -> None:
    broken = _topic(*((f"b{n}", f"A lantern, number {n}.", SAID) for n in range(9))) + b"\nNo source.\n"
    files = {
        "topics/good.md": _topic(("aa", "The lantern of the hall, said at length and in many words.", SAID)),
        "topics/broken.md": broken,
        archive_path(SAID): _archive(),
    }
    with _by_hand(tmp_path, files) as service:
        assert [hit.id for hit in service.search(Query("lantern", limit=2)).hits] == ["aa"]


def test_a_topic_that_another_one_quarantined_is_found_when_that_is_mended(tmp_path: Path) -> None:
    files = {
        "topics/a.md": _topic(("aa", "A lantern.", SAID)),
        "topics/b.md": _topic(("aa", "Another candle.", SAID), ("cc", "A third torch.", SAID)),
        archive_path(SAID): _archive(),
    }
    with _by_hand(tmp_path, files) as service:
        assert service.search(Query("torch")).hits == ()
        memory = service.memory()
        message = "Mend\n\nKind: edit\n"
        commit = memory.history.write(
            memory.revision, {"topics/a.md": _topic(("dd", "A lantern.", SAID))}, message, at_noon()
        )
        assert memory.history.move(memory.revision, commit)
        assert [hit.id for hit in service.search(Query("torch")).hits] == ["cc"]


@pytest.mark.parametrize(
    ("text", "why"),
    [("", Why.NO_WORDS), ("the and of", Why.ONLY_COMMON_WORDS), ("zeppelin", Why.NO_MATCH)],
)
def test_an_empty_answer_has_its_reason(tmp_path: Path, text: str, why: Why) -> None:
    with written(tmp_path) as service:
        for _ in range(2):  # the second time, the index is there already
            found = service.search(Query(text, kinds=BOTH))
            assert found.hits == ()
            assert found.nothing is not None
            assert found.nothing.why is why


def test_an_empty_memory_says_that_it_is_empty(tmp_path: Path) -> None:
    with Service(tmp_path / "home", settings=Settings()) as service:
        service.init()
        found = service.search(Query("trains"))
        assert (found.revision, found.hits) == (None, ())
        assert found.nothing is not None


@pytest.mark.parametrize(
    ("filters", "wanted"),
    [
        ({"topic": "people"}, 3),
        ({"topic": "notes"}, 1),
        ({"topic": "peop"}, 0),
        ({"source": "native/trip/m5"}, 1),
        ({"source": "native"}, 4),
        ({"speaker": "nobody"}, 0),
        ({"speaker": "USER"}, 4),
        ({"window": Window(start=parse_when("2026-04"))}, 1),
        ({"window": Window(end=parse_when("2026-03"))}, 3),
        ({"limit": 2}, 2),
    ],
)
def test_filters_narrow_and_the_limit_holds(tmp_path: Path, filters: dict[str, object], wanted: int) -> None:
    with written(tmp_path) as service:
        ask(service, create("They prefer the early one."))
        found = service.search(Query("prefer", **filters))  # type: ignore[arg-type]
        assert len(found.hits) == wanted
        assert (found.nothing is None) == (wanted > 0)


def test_a_name_that_imitates_an_id_is_not_found_by_that_id(tmp_path: Path) -> None:
    lines = (
        {"id": "m1", "role": "user", "speaker": "Bo (4402)", "text": "I prefer lanterns."},
        {"id": "m2", "role": "user", "speaker": "Bo", "speaker_id": "4402", "text": "I prefer candles."},
    )
    with Service(tmp_path / "home", settings=Settings()) as service:
        service.import_paths([a_talk(tmp_path, *lines)])
        service.write(force=True)
        found = service.search(Query("prefer", kinds=(Kind.TURN,), speaker="4402"))
        assert [hit.id for hit in found.hits] == ["native/trip/m2"]


def test_a_search_in_a_new_process_loads_nothing_that_writes(tmp_path: Path) -> None:
    with written(tmp_path) as service:
        service.search(Query("trains"))
        home = service.home
    code = (
        "import sys; from pathlib import Path; from scriptorium.service import Service\n"
        "from scriptorium_core.recall import Query\n"
        f"found = Service(Path({str(home)!r})).search(Query('trains'))\n"
        "heavy = {'dulwich', 'scriptorium.workspace'}\n"
        "print(len(found.hits), sorted(heavy & sys.modules.keys()))"
    )
    root = Path(__file__).resolve().parents[1]
    env = {"PYTHONPATH": f"{root / 'core'}:{root / 'shell'}"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert done.stdout.strip() == "1 []"
