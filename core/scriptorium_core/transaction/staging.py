"""Staged edits: file tools over a snapshot, each giving the next stage, that end in one edit.

Nothing is installed before `edit_of` has gone through the checks of a transaction. What a tool cannot do
comes back as problems, and the stage stays as it was.
"""

from collections.abc import Mapping, Sequence

from attrs import evolve, field, frozen

from ..changes import Caller, DeleteRecord, bring, carry_out, decode_request
from ..changes.apply import apply_changes
from ..changes.asked import still_asked
from ..changes.evidence import rebased
from ..changes.model import CreateRecord, UpdateRecord
from ..changes.moving import moved_target
from ..changes.working import Working
from ..facts.edited import edited_facts
from ..facts.model import Facts
from ..markdown.footnotes import Footnote, parse_footnote, render_footnote
from ..markdown.links import rebase_links
from ..markdown.spans import Span, SpanKind
from ..names import BlockId, TopicPath, topic_path
from ..problem import Code, Problem
from ..sources.frame import Context, Frame
from ..topics.parse import parse_topic
from ..trailers import Trailer
from ..tree import Tree
from .model import Edit, Snapshot

__all__ = [
    "Stage",
    "applied",
    "edit_of",
    "edited",
    "moved",
    "onto",
    "staged",
    "without_records",
    "written",
]

Problems = tuple[Problem, ...]


@frozen
class Stage:
    """A snapshot and what was done to it so far.

    `places` are those of messages that the commit of the edit archives itself, by source id.
    """

    base: Snapshot
    caller: Caller
    today: str
    tree: Tree
    deleted: frozenset[BlockId] = frozenset()
    reasons: tuple[Trailer, ...] = ()
    frames: tuple[Frame, ...] = ()
    contexts: tuple[Context, ...] = ()
    labelled: int = 0
    places: Mapping[str, str] = field(factory=dict[str, str], hash=False)


def staged(base: Snapshot, caller: Caller, today: str, places: Mapping[str, str] | None = None) -> Stage:
    """The stage before anything was done; `today` is `YYYY-MM-DD`."""
    return Stage(base, caller, today, base.tree, places=places or {})


def onto(stage: Stage, base: Snapshot) -> Stage | Problems:
    """The stage on a later snapshot, if all that it changed stands there as it stood in its own."""
    edits = stage.tree.differences()
    overtaken = [path for path in edits if stage.base.tree.get(path) != base.tree.get(path)]
    if overtaken:
        remedy = "read it again, and make the change anew"
        return tuple(
            Problem(Code.CONCURRENT_UPDATE, f"{path} was changed meanwhile", path, remedy=remedy)
            for path in overtaken
        )
    tree = base.tree
    for path, data in edits.items():
        tree = tree.remove(path) if data is None else tree.put(path, data)
    return evolve(stage, base=base, tree=tree)


def edit_of(stage: Stage, kind: str, subject: str = "", shown: int | None = None) -> Edit:
    """All that was done, as one edit; `shown` is how many records an organizing pass was shown."""
    topics = (TopicPath(path) for path in stage.tree.differences() if path.startswith("topics/"))
    tree = still_asked(stage.tree, stage.base.facts, topics)
    return Edit(tree, stage.deleted, stage.frames, stage.contexts, kind, subject, stage.reasons, shown)


# --- Writing ---------------------------------------------------------------------------------------


def written(stage: Stage, path: str, text: str) -> Stage | Problems:
    """With the whole text of a topic."""
    topic = topic_path(path)
    return (
        (topic,) if isinstance(topic, Problem) else evolve(stage, tree=stage.tree.put(topic, text.encode()))
    )


def edited(stage: Stage, path: str, old: str, new: str) -> Stage | Problems:
    """With a passage of a topic replaced, which must stand there exactly once."""
    data = stage.tree.get(path)
    if data is None:
        return (_nothing(path),)
    text = data.decode("utf-8", "replace")
    count = text.count(old) if old else 0
    if count != 1:
        message = f"the passage stands there {count} times, not once"
        remedy = "read the topic again" if count == 0 else "give more of the text around it"
        return (Problem(Code.PATCH_CONFLICT, message, path, remedy=remedy),)
    return written(stage, path, text.replace(old, new))


def moved(stage: Stage, old: str, new: str) -> Stage | Problems:
    """With a whole topic under another path, its links and citations kept whole."""
    data, path, target = stage.tree.get(old), topic_path(old), topic_path(new)
    if isinstance(path, Problem) or isinstance(target, Problem):
        return tuple(fault for fault in (path, target) if isinstance(fault, Problem))
    if data is None:
        return (_nothing(old),)
    if stage.tree.get(new) is not None:
        message = f"{new} is there already"
        return (
            Problem(Code.PATCH_CONFLICT, message, new, remedy="move its records, or choose another path"),
        )
    spans = parse_topic(path, data)[0].spans
    text = "".join(_moved(stage, span, path, target) for span in spans)
    return evolve(stage, tree=stage.tree.remove(old).put(new, text.encode()))


def without_records(stage: Stage, ids: Sequence[str], reason: str) -> Stage | Problems:
    """With records deleted on purpose; the reason goes into the commit."""
    if not reason.strip():
        return (Problem(Code.INVALID_ARGUMENT, "a deletion needs a reason", "reason", remedy="say why"),)
    changes = tuple(
        DeleteRecord(BlockId(block.strip().removeprefix("^")), f"ids[{index}]")
        for index, block in enumerate(ids)
    )
    outcome = apply_changes(stage.tree, _facts(stage), changes, {}, stage.today)
    if isinstance(outcome, tuple):
        return outcome
    gone = " ".join(sorted(outcome.deleted))
    return evolve(
        stage,
        tree=outcome.tree,
        deleted=stage.deleted | outcome.deleted,
        reasons=(*stage.reasons, ("Reason", f"{gone}: {reason}")),
    )


def applied(stage: Stage, request: object) -> Stage | Problems:
    """With a request of any form carried out; what it brings is archived with the edit."""
    decoded, problems = decode_request(request)
    if problems:
        return problems
    brought = bring(decoded.sources, stage.caller)
    facts, places = _facts(stage), {**stage.places, **brought.places}
    outcome = carry_out(stage.tree, facts, decoded, places, stage.today, stage.labelled)
    if isinstance(outcome, tuple):
        return outcome
    used = sum(isinstance(change, CreateRecord | UpdateRecord) for change in decoded.changes)
    return evolve(
        stage,
        tree=outcome.tree,
        deleted=stage.deleted | outcome.deleted,
        frames=(*stage.frames, *brought.frames),
        contexts=(*stage.contexts, *brought.contexts),
        labelled=stage.labelled + used,
    )


def _facts(stage: Stage) -> Facts:
    return edited_facts(stage.base.facts, stage.tree.differences())


def _moved(stage: Stage, span: Span, old: TopicPath, new: TopicPath) -> str:
    if span.kind is SpanKind.PARAGRAPH:
        return rebase_links(span.text, lambda link: moved_target(link, old, new))
    note = parse_footnote(span.text) if span.kind is SpanKind.DEFINITION else ""
    if not isinstance(note, Footnote):
        return span.text
    work = Working(stage.tree, stage.base.facts, {}, stage.today)
    ending = span.text[len(span.text.rstrip("\r\n")) :]
    return render_footnote(rebased(work, note, old, new)) + ending


def _nothing(path: str) -> Problem:
    return Problem(Code.MEMORY_NOT_FOUND, f"there is no file {path}", path, remedy="list the files")
