"""Laws of the indexes: whatever happened to a memory, those that followed answer as those made anew."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

import scriptorium.embeddings
from embedders import Meanings
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium_core.recall import Kind, Query
from scriptorium_core.sources import Trust
from trips import TRAINS, a_talk, create, written

pytest.importorskip("numpy", reason="the extra [semantic] is not installed: there is nothing to compare with")

TEXTS = (
    "The train leaves at nine.",
    "A railway museum stands by the harbour.",
    "The guest house is full.",
    "駅は東京にあります。",
    "The inn has a lantern.",
)
Step = tuple[str, str, object]
"""What is done, with which text, and where or to what."""
# Each example is a home on the disk, and to make one smaller takes many of them.
FEW = settings(
    max_examples=max(4, settings().max_examples // 6),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
TOPICS = ("topics/notes.md", "topics/trips/lima.md")
QUERIES = tuple(
    Query(text, kinds, 5, trust=tuple(Trust))
    for text in ("railway", "prefer lodging", "harbour lantern", "東京", "nothing such")
    for kinds in ((Kind.RECORD,), (Kind.TURN,), tuple(Kind))
)
STEPS = st.one_of(
    st.tuples(st.just("create"), st.sampled_from(TEXTS), st.sampled_from(TOPICS)),
    st.tuples(st.just("update"), st.sampled_from(TEXTS), st.integers(0, 9)),
    st.tuples(st.just("delete"), st.just(""), st.integers(0, 9)),
    st.tuples(st.just("forget"), st.just(""), st.integers(0, 9)),
    st.tuples(st.just("forget message"), st.just(""), st.integers(1, 6)),
    st.tuples(st.just("say"), st.sampled_from(TEXTS), st.integers(0, 3)),
    st.tuples(st.just("go back"), st.just(""), st.just(0)),
    st.tuples(st.just("search"), st.just(""), st.just(0)),
)


@contextmanager
def home() -> Iterator[Service]:
    model = Meanings()
    with (
        TemporaryDirectory() as folder,
        pytest.MonkeyPatch.context() as patch,
        written(Path(folder)) as service,
    ):
        patch.setattr(scriptorium.embeddings, "embedder_of", lambda settings, name: model)
        service.by_meaning = True
        yield service


def do(service: Service, number: int, step: Step) -> None:
    """One step; what is refused, because nothing is left to do it to, changes nothing."""
    what, text, where = step
    ids = sorted(row.record.id for row in service.recent(100).rows)
    chosen = ids[where % len(ids)] if ids and isinstance(where, int) else ""
    said = {"content": text, "time": None, "source_refs": [TRAINS]}
    try:
        match what:
            case "create":
                service.change({"memory_changes": [create(f"{text} {number}", topic=str(where))]})
            case "update":
                service.change({"memory_changes": [{"op": "update_record", "memory_id": chosen, **said}]})
            case "delete":
                service.change({"memory_changes": [{"op": "delete_record", "memory_id": chosen}]})
            case "forget":
                service.forget([chosen], unlink=True)
            case "forget message":
                service.forget([f"native/trip/m{where}"], unlink=True)
            case "say":
                line = {"id": f"n{number}", "role": "user", "text": f"I prefer this: {text}"}
                service.import_paths([a_talk(service.home, line, session=f"s{where}-{number}")])
                service.write(force=True)
            case "go back":
                service.close()
                back = ("git", "-C", str(service.root), "reset", "-q", "--hard", "HEAD~1")
                subprocess.run(back, check=False, capture_output=True)
            case _:
                service.search(Query("railway", tuple(Kind)))
    except Refused:
        service.close()


def answers(service: Service) -> list[object]:
    found = [service.search(query) for query in QUERIES]
    told = [(each.hits, each.nothing, each.indexed) for each in found]
    return [*told, service.topics(), service.recent(50)]


class TestFollowing:
    """The indexes follow by difference; made anew from HEAD they are the same."""

    @FEW
    @example([("forget message", "", 1), ("search", "", 0), ("go back", "", 0)])
    @example([("delete", "", 0), ("forget", "", 0), ("search", "", 0), ("go back", "", 0), ("search", "", 0)])
    @example([("search", "", 0), ("forget message", "", 2), ("go back", "", 0), ("search", "", 0)])
    @example([("search", "", 0), ("forget message", "", 2), ("go back", "", 0), ("delete", "", 9)])
    @given(st.lists(STEPS, min_size=1, max_size=6))
    def test_indexes_that_followed_answer_as_those_made_anew(self, steps: list[Step]) -> None:
        with home() as service:
            service.search(Query("railway"))
            for number, step in enumerate(steps):
                do(service, number, step)
            followed = answers(service)
            service.index(rebuild=True)
            assert answers(service) == followed
