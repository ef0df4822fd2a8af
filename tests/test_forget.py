"""Forgetting: what is retracted is gone from the present at once, and nothing brings it back."""

from pathlib import Path

import pytest

from scriptorium.layout import locate
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.service.forgetting import Forgotten
from scriptorium.service.shown import RecordShown
from scriptorium_core.changes import Caller
from scriptorium_core.forgetting import Scope, Targets, retract, scope_of
from scriptorium_core.names import SourceId
from scriptorium_core.problem import Code
from scriptorium_core.recall import Kind, Query
from scriptorium_core.sources.frame import Tier
from scriptorium_core.transaction import Rejected
from trips import TRAINS, a_talk, ask, create, written

GUEST_HOUSE = "native/trip/m5"


def forgot(service: Service, *names: str, unlink: bool = False) -> Forgotten:
    done = service.forget(names, reason="it was a secret", unlink=unlink)
    assert isinstance(done, Forgotten), done
    return done


def refused(service: Service, *names: str) -> list[Code]:
    done = service.forget(names)
    assert isinstance(done, Rejected)
    return [problem.code for problem in done.problems]


def record_of(service: Service, source: str) -> str:
    with service.memory().reading() as (_, base):
        (block,) = base.facts.citing[base.facts.sources[source].place]
    return block


def texts(service: Service) -> str:
    """Everything of the present that a reader may get."""
    root = service.memory().layout.root
    paths = [path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts]
    shown = (
        p for p in paths if not any(n.startswith(".") or n == "sources" for n in p.relative_to(root).parts)
    )
    return "".join(path.read_text() for path in shown)


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return written(tmp_path)


def test_a_forgotten_record_leaves_topics_views_and_search_and_takes_its_message_along(
    service: Service,
) -> None:
    block = record_of(service, TRAINS)
    done = forgot(service, f"^{block}")
    assert (done.records, done.sources, done.shared) == ((block,), (TRAINS,), ())
    assert "trains" not in texts(service)
    found = service.search(Query("trains planes", (Kind.RECORD, Kind.TURN)))
    assert TRAINS not in {hit.id for hit in found.hits}
    assert block not in {hit.id for hit in found.hits}
    assert service.verify().findings == ()


def test_asking_for_it_says_that_it_was_forgotten_and_when(service: Service) -> None:
    block = record_of(service, TRAINS)
    forgot(service, block)
    for name in (block, TRAINS):
        for asked in (service.show, service.why):
            with pytest.raises(Refused) as caught:
                asked(name)
            (problem,) = caught.value.problems
            assert problem.code is Code.FORGOTTEN
            assert "2026-04-03" in problem.message


def test_asking_for_it_says_that_its_text_is_kept_until_it_is_erased(service: Service) -> None:
    block = record_of(service, TRAINS)

    def remedies() -> list[str]:
        found = []
        for name in (block, TRAINS):
            with pytest.raises(Refused) as caught:
                service.show(name)
            found += [problem.remedy for problem in caught.value.problems]
        return found

    forgot(service, block)
    for name, said in zip((block, TRAINS), remedies(), strict=True):
        assert f"in the history until `scriptorium forget --erase {name}`" in said
    assert isinstance(service.forget([block, TRAINS], erase=True), Forgotten)
    assert remedies() == ["nothing of it is kept"] * 2


def test_the_commit_names_what_was_forgotten_and_why(service: Service) -> None:
    block = record_of(service, TRAINS)
    forgot(service, block)
    newest = service.log(1)[0]
    assert newest.kind == "forget"
    assert ("Reason", "it was a secret") in newest.trailers
    assert ("Forgotten", f"{block} {TRAINS}") in newest.trailers
    assert "train" not in newest.subject


def test_the_same_session_written_again_does_not_bring_it_back(service: Service, tmp_path: Path) -> None:
    block = record_of(service, TRAINS)
    forgot(service, block)
    service.close()
    service.sessions_path.unlink()  # the marks are lost, too
    service.import_paths([a_talk(tmp_path)])
    service.write(force=True)
    assert "trains" not in texts(service)
    assert service.verify().holds


def test_an_index_from_scratch_still_knows_the_tombstones(service: Service) -> None:
    block = record_of(service, TRAINS)
    forgot(service, block)
    service.close()
    locate(service.root).facts.unlink()
    with service.memory().reading() as (_, base):
        assert dict(base.facts.forgotten.items()) == {block: "2026-04-03", TRAINS: "2026-04-03"}


def test_a_message_takes_along_what_rests_on_it_alone(service: Service) -> None:
    trip = record_of(service, TRAINS)
    sources = [{"source": TRAINS, "label": "one"}, {"source": GUEST_HOUSE, "label": "two"}]
    both = ask(service, create("Mara plans by train and stays in town.", sources=sources)).report.created[0]
    done = forgot(service, TRAINS)
    assert (done.records, done.sources, done.losing) == ((trip,), (TRAINS,), (both,))
    shown = service.show(both)
    assert isinstance(shown, RecordShown)
    turns = [cite.turn for group in shown.groups for cite in group.citations]
    assert [turn.source for turn in turns if turn] == [GUEST_HOUSE]
    assert service.verify().holds


def test_a_message_that_a_staying_record_cites_stays(service: Service) -> None:
    trip = record_of(service, TRAINS)
    ask(service, create("Mara takes the train."))
    done = forgot(service, trip)
    assert (done.records, done.sources, done.shared) == ((trip,), (), (TRAINS,))


def test_links_to_it_refuse_or_become_plain_text(service: Service) -> None:
    block = record_of(service, TRAINS)
    link = f"See [the trains](../topics/x.md#^{block}) for more."
    other = ask(service, create(link, source=GUEST_HOUSE)).report.created[0]
    assert refused(service, block) == [Code.LINK_DANGLING]
    done = forgot(service, block, unlink=True)
    assert done.unlinked == (other,)
    shown = service.show(other)
    assert isinstance(shown, RecordShown)
    assert shown.record.content == "See the trains for more."
    assert service.verify().holds


def test_a_merged_record_is_forgotten_with_all_its_ids(service: Service) -> None:
    one, two = (
        ask(service, create(text)).report.created[0] for text in ("Mara likes tea.", "Mara likes it.")
    )
    topic = service.root / "topics/notes.md"
    topic.write_text(topic.read_text().replace(f" ^{two}", f" ^{one} ^{two}").replace(f" ^{one}\n", "\n", 1))
    before = topic.read_text()
    assert before.count(f"^{one}") == 1
    paragraphs = before.split("\n\n")
    topic.write_text("\n\n".join(p for p in paragraphs if "Mara likes tea." not in p))
    adopted = service.adopt()
    assert not isinstance(adopted, Rejected), adopted
    assert set(forgot(service, one).records) == {one, two}
    assert service.verify().holds


def test_what_is_unknown_or_gone_already_is_said(service: Service) -> None:
    block = record_of(service, TRAINS)
    assert refused(service, "nothing", "also/no/such") == [Code.MEMORY_NOT_FOUND] * 2
    forgot(service, block)
    assert refused(service, block) == [Code.FORGOTTEN]
    assert refused(service, TRAINS) == [Code.FORGOTTEN]


def test_a_deleted_record_can_still_be_forgotten(service: Service) -> None:
    block = record_of(service, TRAINS)
    ask(service, {"op": "delete_record", "memory_id": block})
    done = forgot(service, block)
    assert (done.records, done.sources) == ((block,), (TRAINS,))


def test_a_dry_run_forgets_nothing(service: Service) -> None:
    block, revision = record_of(service, TRAINS), service.memory().revision
    planned = service.forget([block], dry_run=True)
    assert isinstance(planned, Forgotten)
    assert (planned.records, planned.dry_run) == ((block,), True)
    assert service.memory().revision == revision


def test_a_message_that_nothing_cites_gets_a_tombstone_of_its_own(service: Service) -> None:
    before = service.memory().revision
    done = forgot(service, "native/trip/m2")
    assert (done.records, done.sources) == ((), ("native/trip/m2",))
    assert done.revision != before
    assert service.verify().holds


def test_only_the_owner_forgets(service: Service) -> None:
    with service.memory().reading() as (_, base):
        scope = scope_of(base.facts, [TRAINS], "2026-04-03")
        assert isinstance(scope, Scope)
        done = retract(base, scope, Caller(tier=Tier.PAIRED), unlink=False)
    assert isinstance(done, Rejected)
    assert [problem.code for problem in done.problems] == [Code.NOT_PERMITTED]


def test_a_quarantined_topic_is_mended_first(service: Service) -> None:
    ask(service, create("Mara has a cat."))
    with service.memory().reading() as (_, base):
        (known,) = [each for each in base.facts.newest if each.record.content == "Mara has a cat."]
    history, layout = service.memory().history, service.memory().layout
    text = (layout.root / "topics/notes.md").read_bytes() + b"\nNo citation here.\n"
    commit = history.write(history.head(), {"topics/notes.md": text}, "x\n\nKind: edit\n", service.moment())
    assert history.move(history.head(), commit)
    assert refused(service, known.record.id) == [Code.INVALID_TOPIC_FORMAT]


def test_targets_know_older_places() -> None:
    targets = Targets(frozenset(), frozenset([SourceId("D1:2"), SourceId("chat/s/m")]))
    assert "sources/D1.md#d1-2" in targets.places
    assert {place.partition("#")[0] for place in targets.places} >= {
        "sources/chat/s.md",
        "sources/chat/_v2/s.md",
    }


def test_a_pass_leaves_a_forgotten_message_out_and_marks_it(service: Service, tmp_path: Path) -> None:
    history = service.memory().history
    message = "Theirs\n\nKind: forget\nForgotten: native/later/x1\n"
    commit = history.write(history.head(), {}, message, service.moment())
    assert history.move(history.head(), commit)
    lines = (
        {"id": "x1", "role": "user", "text": "I prefer walnuts to almonds."},
        {"id": "x2", "role": "user", "text": "I prefer pears to plums."},
    )
    service.import_paths([a_talk(tmp_path, *lines, session="later")])
    service.write(force=True)
    assert "pears" in texts(service)
    assert "walnuts" not in texts(service)
    with service.memory().reading() as (_, base):
        assert "native/later/x2" in base.facts.sources
        assert "native/later/x1" not in base.facts.sources
    assert [summary.pending for summary in service.sessions()] == [0, 0]
    assert service.verify().holds
