"""What a program that edits files is given in its directory, and what it leaves there.

    INSTRUCTIONS.md   what to do, and how to end; read-only
    BATCH.md          what was said, as JSON lines under date headings; read-only
    topics/           the memory, to be edited
    sources/          the archived messages, read-only
    RESULT.json       how it ended, written by the program; it may be missing

    {"summary": "Mara moves to Lisbon in May"}
    {"nothing_to_keep": "small talk"}
    {"summary": "…", "deleted": [{"id": "x7f2a", "reason": "said twice"}]}

A program that can write no file ends its output with a line `nothing_to_keep: the reason`. Only what
differs in `topics/` is an edit; a record that is gone from there without being named in `deleted` is lost,
and the transaction refuses that.
"""

import json
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import cast

from attrs import evolve, frozen

from ..changes.reading import MOST, Faults, fields_of, items_of
from ..facts.edited import edited_facts
from ..names import BlockId, context_path
from ..problem import Code, Problem
from ..transaction.model import Snapshot
from ..transaction.staging import Stage, without_records
from ..tree import Tree
from .holding import shown
from .prompting import Kind, task_text
from .prompts import REPAIR, Template
from .prompts.program import ORGANIZE_FILES, WRITE_FILES

__all__ = [
    "BATCH",
    "GIVEN",
    "INSTRUCTIONS",
    "RESULT",
    "Declared",
    "Result",
    "decode_result",
    "edited_stage",
    "given",
    "instructions",
    "said_nothing",
    "taken",
    "versions",
]

INSTRUCTIONS, BATCH, RESULT = "INSTRUCTIONS.md", "BATCH.md", "RESULT.json"
GIVEN = (INSTRUCTIONS, BATCH, RESULT)
_TEMPLATES: Mapping[Kind, Template] = MappingProxyType({"write": WRITE_FILES, "organize": ORGANIZE_FILES})
_LONGEST = 500
_NOTHING = re.compile(r"^[\s`*>-]*nothing_to_keep:[ \t]*(\S.*)$", re.MULTILINE)
_TELL = "write it as INSTRUCTIONS.md says"


@frozen
class Declared:
    """A record that the program has deleted on purpose, and why."""

    id: str
    reason: str


@frozen
class Result:
    """How a program says that it ended; `nothing` is why nothing is kept, empty if it does not say so."""

    summary: str = ""
    nothing: str = ""
    deleted: tuple[Declared, ...] = ()


def instructions(kind: Kind, today: str, seen: str, problems: Sequence[Problem] = ()) -> str:
    """What stands in INSTRUCTIONS.md: the task with the rules, the day, and what memory holds (`seen`).

    `problems` are those for which what the program did before was refused.
    """
    return f"{_TEMPLATES[kind].text}\n{task_text((), seen, today, problems)}"


def versions(kind: Kind = "write") -> str:
    """The versions of all that a program is given to read, as they go into the commit."""
    return f"{_TEMPLATES[kind].version} {REPAIR.version}"


def given(base: Snapshot) -> Tree:
    """The tree that a program is given: nothing in it rests on words for which nobody has vouched."""
    facts, tree = base.facts, base.tree
    held = {fact.path for fact in facts.sources.values() if not fact.trusted}
    for path in held:
        tree = tree.remove(path).remove(context_path(path))
    for known in facts.newest:
        if not shown(facts, [known.record]):
            tree = tree.remove(known.record.path)
    return tree


def taken(base: Snapshot, laid: Tree, left: Tree) -> tuple[Tree, tuple[Problem, ...]]:
    """The edits between what was `laid` out and what was `left`, on the tree of the snapshot.

    A file that was not laid out cannot have been read, and is not written over.
    """
    hidden, tree = laid.differences(), base.tree
    problems: list[Problem] = []
    for path, data in left.differences().items():
        if path in hidden and data is not None:
            message = "the topic holds words that nobody has vouched for, and was not shown"
            problems.append(Problem(Code.NOT_PERMITTED, message, path, remedy="write into another topic"))
        elif path not in hidden:
            tree = tree.remove(path) if data is None else tree.put(path, data)
    return tree, tuple(problems)


def decode_result(data: bytes | None) -> tuple[Result, tuple[Problem, ...]]:
    """What RESULT.json says; what of it cannot be used is left out and named."""
    if data is None:
        return Result(), ()
    faults = Faults()
    try:
        raw = cast(object, json.loads(data))
    except (ValueError, RecursionError):
        return Result(), (Problem(Code.INVALID_ARGUMENT, "the file is not JSON", RESULT, remedy=_TELL),)
    fields = fields_of(raw, "", ("summary", "nothing_to_keep", "deleted"), faults)
    texts = {name: _text(fields.get(name), name, faults) for name in ("summary", "nothing_to_keep")}
    rows = items_of(fields.get("deleted") or [], "deleted", faults, MOST)
    deleted = [_declared(row, f"deleted[{n}]", faults) for n, row in enumerate(rows[:MOST])]
    result = Result(texts["summary"], texts["nothing_to_keep"], tuple(each for each in deleted if each))
    return result, tuple(
        fault._replace(path=f"{RESULT}: {fault.path}" if fault.path else RESULT) for fault in faults.found
    )


def said_nothing(words: str) -> str:
    """The reason for which nothing is kept, if that is what the last words of a program say, else empty."""
    found = _NOTHING.findall(words)
    return _one_line(found[-1].strip("`* ")) if found else ""


def edited_stage(stage: Stage, result: Result) -> tuple[Stage, tuple[Problem, ...]]:
    """The stage of what a program edited, with the records that it deleted on purpose.

    A declared record that still stands in a topic is taken out of it. What cannot be deleted is named.
    """
    edited = stage
    problems: list[Problem] = []
    for each in result.deleted:
        block = BlockId(each.id.strip().removeprefix("^"))
        here = block in edited_facts(stage.base.facts, edited.tree.differences()).records
        if not here and block in stage.base.facts.records:
            told = (*edited.reasons, ("Reason", f"{block}: {each.reason}"))
            edited = evolve(edited, deleted=edited.deleted | {block}, reasons=told)
            continue
        outcome = without_records(edited, [block], each.reason)
        if isinstance(outcome, Stage):
            edited = outcome
        else:
            problems += [fault._replace(path=RESULT) for fault in outcome]
    return edited, tuple(problems)


def _declared(row: object, place: str, faults: Faults) -> Declared | None:
    fields = fields_of(row, place, ("id", "reason"), faults)
    block, reason = (_text(fields.get(name), f"{place}.{name}", faults) for name in ("id", "reason"))
    if not (block and reason):
        faults.add(place, "a deletion names a record and says why", remedy='{"id": "…", "reason": "…"}')
        return None
    return Declared(block, reason)


def _text(value: object, place: str, faults: Faults) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        faults.add(place, "must be a text", remedy=_TELL)
        return ""
    return _one_line(value)


def _one_line(text: str) -> str:
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
