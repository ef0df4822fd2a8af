"""A writer that means harm, as strategies: everything that a model, a tool or a program could hand in.

What is drawn are tricks. Each makes an answer of the task that it is given; half of what they do is nearly
right, for what is plainly wrong is refused at once and shows nothing.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen
from hypothesis import strategies as st

from hostile_homes import BATCH
from hostile_words import LIES, NEW, TIMES, Words, paragraphs
from scriptorium.refused import Refused
from scriptorium.writer import Answer, Edited, NothingProposed, Proposed, Task, Unable, Used
from scriptorium_core.changes import NewSource
from scriptorium_core.changes.sources import bring
from scriptorium_core.names import BlockId
from scriptorium_core.problem import Code, Problem
from scriptorium_core.transaction.staging import staged
from scriptorium_core.tree import Tree
from scriptorium_core.writing.agent import Nothing
from scriptorium_core.writing.outcome import fail
from scriptorium_core.writing.structured import Changes, decode_answer
from scriptorium_core.writing.tools import call, desk_for
from test_tools import KEYS, NAMES, rubbish

__all__ = [
    "LIES",
    "Hostile",
    "Trick",
    "claims",
    "operations",
    "overlays",
    "tool_calls",
]

Trick = Callable[[Task, Path], Answer]
"""What is answered to a task, in a home."""

_USED = Used("hostile-1\nForgotten: chat/s1/u1", 10, -1, 1, float("nan"))


@frozen
class Hostile:
    """A writer that answers each task by the next of its tricks, the last one again and again."""

    does: Sequence[Trick]
    home: Path
    asked: list[int] = field(factory=list)
    name: str = "hostile"
    prompt: str = ""

    def propose(self, task: Task) -> Answer:
        """What the trick makes of it."""
        self.asked.append(len(task.problems))
        return self.does[min(len(self.asked), len(self.does)) - 1](task, self.home)


# --- Overlays ------------------------------------------------------------------------------------

Step = Callable[[Tree], Tree]


def _steps(words: Words) -> st.SearchStrategy[Step]:
    """One thing done to a tree, by whoever need not ask a tool."""
    topics = words.ground.topics
    anything = st.sampled_from((*words.ground.files, *topics, *topics))
    raw = words.topics.map(lambda text: text.encode("utf-8", "surrogatepass")) | st.sampled_from(
        (b"", b"\xff\xfe", b"\x00" * 9, b"x" * 4_000_001, b"# x\n\n" + b"word " * 20_000)
    )

    def put(path: str, data: bytes) -> Step:
        return lambda tree: tree.put(path, data)

    def remove(path: str) -> Step:
        return lambda tree: tree.remove(path)

    def change(path: str, old: str, new: str) -> Step:
        def step(tree: Tree) -> Tree:
            data = tree.get(path) or b""
            return tree.put(path, data.replace(old.encode(), new.encode("utf-8", "surrogatepass"), 1))

        return step

    def copy(path: str, other: str, gone: bool) -> Step:
        def step(tree: Tree) -> Tree:
            data = tree.get(path) or b""
            return (tree.remove(path) if gone else tree).put(other, data)

        return step

    def append(path: str, text: str) -> Step:
        return lambda tree: tree.put(path, (tree.get(path) or b"") + b"\n" + text.encode())

    records = paragraphs(words.ids, words.sources, words.prose)
    known = (*(f" ^{block}" for block in words.ground.records), "[^e", "Sources", "keys", "Mara", "\n\n", "`")
    return st.one_of(
        st.builds(put, words.paths, raw),
        st.builds(append, anything, words.topics),
        st.builds(append, st.sampled_from((*topics, *NEW)), records),
        st.builds(append, st.sampled_from((*topics, *NEW)), records),
        st.builds(
            change, anything, st.sampled_from(known), words.prose | words.ids.map(lambda each: f" ^{each}")
        ),
        st.builds(remove, anything),
        st.builds(copy, anything, words.paths, st.booleans()),
    )


def overlays(words: Words) -> st.SearchStrategy[Trick]:
    """Stages that no tool would give: any file, ids declared deleted, evidence and reasons of its own."""

    def trick(steps: list[Step], gone: list[str], reason: str, bring_own: bool, summary: str) -> Trick:
        def answer(task: Task, home: Path) -> Answer:
            with task.reading() as (_, base):
                stage = staged(base, task.caller, task.today)
            tree = stage.tree
            for step in steps:
                tree = step(tree)
            stage = evolve(
                stage, tree=tree, deleted=frozenset(map(BlockId, gone)), reasons=(("Reason", reason),)
            )
            if bring_own:
                own = bring((NewSource("new-source-1", "user", "The owner likes rules."),), task.caller)
                stage = evolve(stage, frames=own.frames, contexts=own.contexts)
            return Edited(stage, summary, _USED)

        return answer

    deleted = st.just(list[str]()) | st.lists(words.ids, max_size=2)
    seldom = st.integers(0, 9).map(lambda number: number == 9)
    steps = st.lists(_steps(words), min_size=1, max_size=3)
    return st.builds(trick, steps, deleted, LIES, seldom, LIES)


# --- Tools ---------------------------------------------------------------------------------------


def _changes(words: Words) -> st.SearchStrategy[dict[str, Any]]:
    """An operation as a model writes it."""
    given = st.fixed_dictionaries({"source": st.sampled_from(BATCH), "label": st.just("said")})
    uses = st.fixed_dictionaries({"source": words.sources, "label": st.sampled_from(("said", "] [x"))})
    right = st.sampled_from((None, *TIMES[:2]))
    times = right | right | right | st.sampled_from(TIMES)
    own = given.map(lambda use: [use])
    body = {"content": words.prose, "time": times, "sources": own | own | own | st.lists(uses, max_size=2)}
    ends = st.sampled_from(("end", "start"))
    destination = st.fixed_dictionaries(
        {
            "topic_path": words.paths,
            "headings": st.sampled_from((["Keys"], ["Keys"], [], ["two\nlines"], ["x ^6c1f02aa"])),
            "position": ends | ends | ends | st.sampled_from(("before", "after", "x")),
        },
    )
    near = st.builds(lambda goal, block: {**goal, "anchor_memory_id": block}, destination, words.ids)
    goals = destination | destination | near
    moved, flags = st.lists(words.ids, min_size=1, max_size=3), st.booleans()
    return st.one_of(
        st.fixed_dictionaries({"op": st.just("create_record"), **body, "destination": goals}),
        st.fixed_dictionaries(
            {"op": st.just("update_record"), "memory_id": words.ids, **body}, optional={"supersede": flags}
        ),
        st.fixed_dictionaries({"op": st.just("delete_record"), "memory_id": words.ids}),
        st.fixed_dictionaries({"op": st.just("move_records"), "memory_ids": moved, "destination": goals}),
    )


def _calls(words: Words) -> st.SearchStrategy[tuple[str, Any]]:
    """A call of a tool, meant or rubbish."""
    paths, texts, ids, change = words.paths, words.topics, words.ids, _changes(words)
    forms: dict[str, st.SearchStrategy[Any]] = {
        "write": st.fixed_dictionaries({"path": paths, "content": texts}),
        "edit": st.sampled_from(words.ground.topics).flatmap(
            lambda path: st.fixed_dictionaries(
                {
                    "path": st.just(path) | paths,
                    "old": st.sampled_from(words.ground.files[path].decode().split("\n\n")),
                    "new": texts | ids.map("Mara swims. ^{}".format),
                }
            )
        ),
        "move": st.fixed_dictionaries(
            {"old": paths, "new": paths | st.sampled_from(("topics/n/m.md", "topics/o.md"))}
        ),
        "delete_records": st.fixed_dictionaries({"ids": st.lists(ids, max_size=2), "reason": LIES}),
        "apply_changes": st.fixed_dictionaries({"memory_changes": st.lists(change, min_size=1, max_size=3)}),
        "finish": st.fixed_dictionaries({}, optional={"summary": LIES, "nothing_to_keep": st.booleans()}),
    }
    meant = st.one_of(*(st.tuples(st.just(name), form) for name, form in forms.items()))
    wild = st.dictionaries(st.sampled_from(KEYS), rubbish(), max_size=3) | rubbish()
    return meant | meant | meant | st.tuples(st.sampled_from((*NAMES, "fly")), wild)


def tool_calls(words: Words) -> st.SearchStrategy[Trick]:
    """What is left on the desk after any calls of tools, whatever they said."""

    def trick(calls: list[tuple[str, Any]], summary: str) -> Trick:
        def answer(task: Task, home: Path) -> Answer:
            with task.reading() as (_, base):
                desk = desk_for(base, task.caller, task.today, task.batch)
                for name, arguments in calls:
                    desk, _ = call(desk, name, arguments)
            if desk.done is not None and desk.done.nothing:
                return NothingProposed(desk.done.nothing, _USED)
            return Edited(desk.stage, summary, _USED)

        return answer

    return st.builds(trick, st.lists(_calls(words), min_size=1, max_size=4), LIES)


# --- Operations ----------------------------------------------------------------------------------


def operations(words: Words) -> st.SearchStrategy[Trick]:
    """Answers under a schema: operations as JSON, among other words, cut short or of another form."""

    def trick(changes: Any, summary: str, more: dict[str, Any], before: str, cut: int) -> Trick:
        text = json.dumps({"memory_changes": changes, "summary": summary, **more})
        read = decode_answer(before + (text[:-cut] if cut else text))

        def answer(task: Task, home: Path) -> Answer:
            match read:
                case Changes():
                    return Proposed(read.changes, summary=read.summary, used=_USED)
                case Nothing():
                    return NothingProposed(read.reason, _USED)
                case _:
                    return Unable(fail(Code.MODEL_TRUNCATED, "the answer cannot be read"), _USED)

        return answer

    change = _changes(words)
    sound = st.lists(change.filter(_is_read), min_size=1, max_size=3)
    meant = sound | sound | st.lists(change, min_size=1, max_size=3)
    wild = st.lists(st.dictionaries(st.sampled_from(KEYS), st.text() | st.none() | st.integers()), max_size=2)
    further = st.dictionaries(st.sampled_from(("nothing_to_keep", "sources", "patch")), LIES, max_size=1)
    more = st.integers(0, 9).flatmap(lambda number: further if number == 9 else st.just(dict[str, str]()))
    before = st.sampled_from(("", "", "", "```json\n", '{"memory_changes": []} or rather '))
    cut = st.sampled_from((*(0,) * 12, 1, 9))
    return st.builds(trick, meant | meant | meant | wild, LIES, more, before, cut)


def _is_read(change: dict[str, Any]) -> bool:
    return isinstance(decode_answer(json.dumps({"memory_changes": [change]})), Changes)


# --- Claims --------------------------------------------------------------------------------------

_FAULTS = (
    ValueError("bad \x1b[31m value"),
    RecursionError(),
    KeyError("x"),
    UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no"),
    OSError(28, "No space left on device", "/somewhere"),
    AssertionError(),
    Refused(Problem(Code.MODEL_TIMEOUT, "it took too long", remedy="try again")),
)


def claims() -> st.SearchStrategy[Trick]:
    """Answers that claim what was not done, failures, and writers that break."""

    def raises(error: Exception) -> Trick:
        def answer(task: Task, home: Path) -> Answer:
            raise error

        return answer

    def untouched(task: Task, home: Path) -> Answer:
        with task.reading() as (_, base):
            return Edited(staged(base, task.caller, task.today), "I wrote everything down", _USED)

    def fails(code: Code) -> Trick:
        return lambda task, home: Unable(fail(code, "it failed"), _USED)

    def nothing(reason: str) -> Trick:
        return lambda task, home: NothingProposed(reason, _USED)

    return st.one_of(
        st.builds(raises, st.sampled_from(_FAULTS)),
        st.just(untouched),
        st.builds(fails, st.sampled_from(Code)),
        st.builds(nothing, LIES),
    )
