"""The write path of somebody whom a policy does not let do everything.

What may not be read is taken out of the base first, and the edit is planned, judged and refused on what is
left: so no refusal says more than a memory without it would. Only what passes is prepared on the whole
base. If that fails, it meets something hidden, and nothing of that is told.
"""

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from ..facts.permitted import May, permitted_facts
from ..names import BlockId, SourceId, TopicPath
from ..policy import POLICY_FILE, Actor, Policy, Right, allows, anywhere, everywhere
from ..problem import Code, Problem
from ..topics.parse import parse_topic
from ..trailers import ids_of
from ..tree import Base, Tree
from .model import Edit, Prepared, Rejected, Report, Rules, Snapshot
from .prepare import prepare

__all__ = ["Gate", "concealed", "prepare_for", "reported", "seen", "seen_tree"]


@frozen
class Gate:
    """Who asks, and the policy that holds."""

    policy: Policy
    actor: Actor

    def allows(self, right: Right, path: str) -> bool:
        """Whether a file may be dealt with so."""
        return allows(self.policy, self.actor, right, path)

    def may(self, right: Right = Right.READ) -> May | None:
        """Whether the file at a path may be read (or what else); None if all of them may."""
        if everywhere(self.policy, self.actor, right):
            return None
        return lambda path: self.allows(right, path)


@frozen
class _Seen:
    """The topics and archives of a base that may be read; views hold words of all, and are not there."""

    base: Base
    may: May

    def get(self, path: str) -> bytes | None:
        return self.base.get(path) if self._is_shown(path) else None

    def under(self, prefix: str) -> Iterator[str]:
        return filter(self._is_shown, self.base.under(prefix))

    def _is_shown(self, path: str) -> bool:
        archive = path.removesuffix(".jsonl") + ".md" if path.endswith(".jsonl") else path
        return path.startswith(("topics/", "sources/")) and self.may(archive)


def seen_tree(base: Base, may: May) -> Tree:
    """A tree as it is without the files that may not be read."""
    return Tree(_Seen(base, may))


def seen(base: Snapshot, may: May | None) -> Snapshot:
    """A snapshot as somebody sees it; itself if everything may be read."""
    if may is None:
        return base
    return Snapshot(seen_tree(base.tree, may), permitted_facts(base.facts, may))


def prepare_for(gate: Gate, base: Snapshot, edit: Edit, rules: Rules) -> Prepared | Rejected:
    """`prepare` an edit that was made on the base as the asker sees it (`seen`)."""
    may = gate.may()
    shown = seen(base, may)
    problems = tuple(dict.fromkeys(_breaking(gate, shown, edit, rules)))
    if problems:
        return Rejected(problems)
    if may is not None:
        judged = prepare(shown, edit, rules)
        if isinstance(judged, Rejected):
            return judged
    whole = evolve(edit, tree=_laid(base.tree, edit.tree))
    prepared = prepare(base, whole, rules)
    if isinstance(prepared, Rejected):
        return Rejected((_hidden(),)) if may is not None else prepared
    return prepared


def concealed(problems: Iterable[Problem], may: May | None) -> tuple[Problem, ...]:
    """Problems that were found beside the edit, as far as their files may be seen, without their words."""
    if may is None:
        return tuple(problems)
    drafts = [p for p in problems if p.code is Code.DRAFT_IN_THE_WAY and p.path.startswith("topics/")]
    return tuple(problem for problem in drafts if may(problem.path)) or (_hidden(),)


def reported(report: Report, edited: Iterable[str], prepared: Tree, base: Tree, may: May | None) -> Report:
    """What a transaction did, as far as it stands in the topics that the edit itself changed."""
    if may is None:
        return report
    ids = {block for path in edited for tree in (base, prepared) for block in _ids(tree, path)}

    def own(blocks: tuple[BlockId, ...]) -> tuple[BlockId, ...]:
        return tuple(block for block in blocks if block in ids)

    return evolve(
        report,
        created=own(report.created),
        updated=own(report.updated),
        deleted=own(report.deleted),
        moved=own(report.moved),
        superseded=own(report.superseded),
        overruled=own(report.overruled),
        topics=tuple(path for path in report.topics if may(path)),
    )


def _breaking(gate: Gate, base: Snapshot, edit: Edit, rules: Rules) -> Iterator[Problem]:
    """What the policy does not let this actor do, of all that the edit does; `base` is what it sees."""
    right = Right.WRITE
    if edit.shown is not None:
        right = Right.ORGANIZE
    elif edit.kind in ("forget", "erase"):
        right = Right.FORGET
    for path in edit.tree.differences():
        needed = Right.MANAGE if path == POLICY_FILE else right
        if not gate.allows(needed, path):
            yield _refused(gate, needed, path)
    # What organizes or writes of conversations deletes within laws of its own.
    if edit.shown is None and rules.citable is None:
        yield from _forgetting(gate, base, edit)
    for name in edit.promoted:
        if not _of_source(gate, base, Right.PROMOTE, name):
            yield _refused(gate, Right.PROMOTE, name)
    if edit.frames and not anywhere(gate.policy, gate.actor, Right.WRITE):
        yield _refused(gate, Right.WRITE, "sources")


def _forgetting(gate: Gate, base: Snapshot, edit: Edit) -> Iterator[Problem]:
    for name in sorted({*edit.deleted, *ids_of(edit.trailers, "Forgotten")}):
        known = base.facts.records.get(name)
        if known is not None and not gate.allows(Right.FORGET, known.record.path):
            yield _refused(gate, Right.FORGET, known.record.path)
        elif known is None and not _of_source(gate, base, Right.FORGET, SourceId(name)):
            yield _refused(gate, Right.FORGET, name)


def _of_source(gate: Gate, base: Snapshot, right: Right, name: SourceId) -> bool:
    """Whether an archived message may be dealt with so; one that is not there is for others to name."""
    source = base.facts.sources.get(name)
    if source is None:
        return anywhere(gate.policy, gate.actor, right)
    return gate.allows(right, source.path)


def _laid(base: Tree, edited: Tree) -> Tree:
    """The edits of one tree over another."""
    for path, data in edited.differences().items():
        base = base.remove(path) if data is None else base.put(path, data)
    return base


def _ids(tree: Tree, path: str) -> tuple[BlockId, ...]:
    data = tree.get(path) if path.startswith("topics/") else None
    return parse_topic(TopicPath(path), data)[0].ids if data is not None else ()


def _refused(gate: Gate, right: Right, what: str) -> Problem:
    message = f"{gate.actor} may not {right} {what}"
    return Problem(Code.NOT_PERMITTED, message, what, remedy="ask the owner")


def _hidden() -> Problem:
    message = "the change meets something that is not for you to see"
    return Problem(Code.NOT_PERMITTED, message, remedy="ask the owner to make it")
