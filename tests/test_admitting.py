"""What of a writer's answer may come near a commit."""

from attrs import evolve

from memory_example import KEYS, S1, S2, link, memory, snapshot
from scriptorium.redaction import redact
from scriptorium_core.changes import Caller
from scriptorium_core.problem import Code
from scriptorium_core.transaction.staging import Stage, onto, staged
from scriptorium_core.writing.admitting import (
    brings_nothing,
    cited_in,
    clean_stage,
    progress_fault,
    size_faults,
)
from secret_examples import TOKEN

KEYS_PATH = "topics/keys.md"


def stage(**edits: bytes | None) -> Stage:
    """The example with topics written or, where there are no bytes, removed."""
    made = staged(snapshot(memory()), Caller(), "2026-11-01")
    for name, data in edits.items():
        path = f"topics/{name.replace('__', '/')}.md"
        tree = made.tree.remove(path) if data is None else made.tree.put(path, data)
        made = evolve(made, tree=tree)
    return made


def test_secrets_are_taken_out_of_new_paragraphs_and_out_of_nothing_else() -> None:
    note = f"[^e-dddddddddd]: Time: `2026`; Sources: [s]({link(S1)})"
    old = f"{KEYS}\nThe old token is {TOKEN}.[^e-dddddddddd] ^key9\n\n{note}\n"
    base = snapshot(memory(keys=old))
    new = f"{old}\nThe token {TOKEN} is new.\n\n```\n{TOKEN}\n```\n"
    made = staged(base, Caller(), "2026-11-01")
    clean, found = clean_stage(evolve(made, tree=made.tree.put(KEYS_PATH, new.encode())), redact)
    assert found == {"github-token": 1}
    text = (clean.tree.get(KEYS_PATH) or b"").decode()
    assert text == new.replace(f"The token {TOKEN}", "The token [secret:github-token]")


def test_an_edit_without_secrets_stays_as_it_is() -> None:
    made = stage(new=b"Nothing to hide.\n")
    assert clean_stage(made, redact) == (made, {})


def test_what_is_no_text_is_left_to_the_checks() -> None:
    made = stage(a=b"\xff" + TOKEN.encode(), keys=None)
    assert clean_stage(made, redact) == (made, {})


def test_an_edit_without_a_difference_in_records_is_no_progress() -> None:
    for made in (stage(), stage(keys=KEYS.encode()), stage(new=b"# Heading\n"), stage(new=None)):
        (fault,) = progress_fault(made.base, made.tree)
        assert fault.code is Code.WRITER_NO_PROGRESS
        assert fault.remedy


def test_an_edit_that_does_something_right_or_wrong_is_progress() -> None:
    changed = KEYS.replace("Mara has", "Bo has").encode()
    for made in (stage(keys=changed), stage(keys=None), stage(new=b"Uncited.\n")):
        assert progress_fault(made.base, made.tree) == ()
    outside = evolve(stage(), tree=stage().tree.put("core.md", b"x"))
    assert progress_fault(outside.base, outside.tree) == ()


def test_a_file_that_is_too_large_for_a_topic_is_named() -> None:
    (fault,) = size_faults(stage(a=b"x" * 4_000_001, b=b"x" * 4_000_000).tree)
    assert (fault.code, fault.path) == (Code.INVALID_TOPIC_FORMAT, "topics/a.md")


def test_evidence_that_a_writer_brings_is_named() -> None:
    assert [fault.code for fault in brings_nothing(["local/a/b"])] == [Code.NOT_PERMITTED]
    assert brings_nothing([]) == ()


def test_what_topics_cite_is_found_by_its_source() -> None:
    base = snapshot(memory())
    assert cited_in(base, [KEYS_PATH, "topics/none.md"]) == {S1, S2}
    assert cited_in(base, ["topics/people/mira.md"]) == {S2}


def test_an_edit_is_put_onto_a_later_memory_where_its_topics_stand_as_they_stood() -> None:
    made = stage(new=b"x\n", people__mira=None)
    later = snapshot(memory(keys=KEYS.replace("Mara has", "Bo has"), people__mira=_mira()))
    moved = onto(made, later)
    assert isinstance(moved, Stage)
    assert moved.base == later
    assert moved.tree.differences() == {"topics/new.md": b"x\n", "topics/people/mira.md": None}
    overtaken = onto(stage(keys=b"x\n"), later)
    assert isinstance(overtaken, tuple)
    assert [(each.code, each.path) for each in overtaken] == [(Code.CONCURRENT_UPDATE, KEYS_PATH)]


def _mira() -> str:
    return (memory()["topics/people/mira.md"]).decode()


def test_a_text_that_is_no_utf_8_is_left_to_the_checks() -> None:
    made = stage(keys=b"\xff\xfe", new=f"The token {TOKEN} is new.\n".encode(), people__mira=None)
    clean, found = clean_stage(made, redact)
    assert clean.tree.get(KEYS_PATH) == b"\xff\xfe"
    assert clean.tree.get("topics/new.md") == b"The token [secret:github-token] is new.\n"
    assert found == {"github-token": 1}
