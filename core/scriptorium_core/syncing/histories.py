"""Two histories of one memory become one: records by record, evidence by message, views derived anew.

Who of the two is the first follows from the commits alone, so that whoever unites them commits the same.
Nothing that either side holds is lost, except what the other deleted or forgot.
"""

from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve, field, frozen

from ..checks import Case, laws
from ..facts import Facts
from ..forgetting import targets_of
from ..forgetting.topic import lessened
from ..names import BlockId, TopicPath
from ..problem import Code, Problem
from ..topics.model import Topic
from ..topics.parse import parse_topic
from ..topics.render import render_topic
from ..trailers import Trailer, id_trailers
from ..transaction import Prepared, Rejected, Report, Rules, Snapshot
from ..transaction.archiving import Archive
from ..transaction.prepare import committed, derived_views, read_back
from ..transaction.reporting import report_of
from ..transaction.touching import normalized, touched
from ..tree import Tree
from ..views.derive import is_view
from .assembling import assembled
from .evidence import Evidence, united_evidence
from .records import Clash, Decided, decided, stands_in
from .texts import drafted_topic, is_topic, without_leftovers
from .tidings import ERASED, Tidings

__all__ = ["KIND", "Side", "United", "united"]

KIND = "sync"
_LAWS = (
    laws.names_kept_apart,
    laws.format_kept,
    laws.blocks_kept,
    laws.ids_unique,
    laws.links_land,
    laws.speakers_entitled,
    laws.forgotten_stays_away,
)


@frozen
class Side:
    """One of two histories: its tree, the files that it changed since both were one, and what it says."""

    tree: Tree
    paths: frozenset[str]
    tidings: Tidings = field(factory=Tidings)


@frozen
class United:
    """What may be committed; `alternatives` are the pairs of records that are two texts of one.

    `kept` are files that are neither topic nor evidence, and that both sides changed: the first's stand.
    """

    prepared: Prepared
    alternatives: tuple[tuple[BlockId, BlockId], ...] = ()
    kept: tuple[str, ...] = field(default=())


def united(base: Tree, facts: Facts, first: Side, second: Side, rules: Rules) -> United | Rejected:
    """The tree of both sides, over that of the first, whose facts are `facts`; or all that is in the way.

    `base` is the tree that both began with.
    """
    forgotten = _forgotten(first, second)
    facts = facts._replace(forgotten={**dict.fromkeys(forgotten, ""), **facts.forgotten})
    start = Snapshot(first.tree, facts)
    evidence = united_evidence(
        base,
        first.tree,
        second.tree,
        facts,
        (path for path in second.paths if path.startswith("sources/")),
        {*first.tidings.promoted, *second.tidings.promoted},
    )
    found = _topics(base, start, first, second, forgotten)
    if isinstance(found, tuple) or evidence.problems:
        return Rejected((*evidence.problems, *(found if isinstance(found, tuple) else ())))
    return _prepared(base, start, first, second, found, evidence, rules)


@frozen
class _Topics:
    """The tree with its topics as decided, the plan that they follow, and all that was forgotten."""

    tree: Tree
    plan: Decided
    forgotten: frozenset[str]


# --- Topics --------------------------------------------------------------------------------------


def _topics(
    base: Tree, start: Snapshot, first: Side, second: Side, forgotten: frozenset[str]
) -> _Topics | tuple[Problem, ...]:
    paths = [TopicPath(path) for path in sorted(first.paths | second.paths) if is_topic(path)]
    drafts: dict[TopicPath, bytes | None] = {}
    problems: list[Problem] = []
    for path in paths:
        draft = drafted_topic(path, base.get(path), first.tree.get(path), second.tree.get(path))
        if isinstance(draft, tuple):
            problems += draft
        else:
            drafts[path] = draft
    if problems:
        return tuple(problems)
    plan = _plan(base, first, second, paths, forgotten)
    work = assembled(first.tree, start.facts, drafts, plan)
    if isinstance(work, tuple):
        return work
    tree, lost = _lessened(work.result(), start.facts, forgotten)
    tree = _tidied(tree, first.tree, second.tree)
    return _Topics(tree, plan, frozenset({*forgotten, *lost}))


def _plan(
    base: Tree, first: Side, second: Side, paths: list[TopicPath], forgotten: frozenset[str]
) -> Decided:
    """What becomes of the records; one that was deleted stays where another links to it."""
    was, one, two = (stands_in(_read(tree, paths)) for tree in (base, first.tree, second.tree))
    deleted = (frozenset(first.tidings.deleted), frozenset(second.tidings.deleted))
    spared: frozenset[BlockId] = frozenset()
    while True:
        plan = decided(was, one, two, deleted, forgotten, spared)
        linked = {link for each, _ in plan.wanted for link in each.record.links}
        linked |= {link for clash in plan.clashes for link in clash.other.record.links}
        more = frozenset(link for link in linked & plan.gone if link not in forgotten) - spared
        if not more:
            return plan
        spared |= more


def _read(tree: Tree, paths: Iterable[TopicPath]) -> Iterator[Topic]:
    for path in paths:
        if (data := tree.get(path)) is not None:
            yield parse_topic(path, data)[0]


def _tidied(tree: Tree, first: Tree, second: Tree) -> Tree:
    """Without what is left over where topics were put together."""
    for path in map(TopicPath, filter(is_topic, tree.differences())):
        data = tree.get(path)
        if data is None or data in (first.get(path), second.get(path)):
            continue
        own = parse_topic(path, first.get(path) or b"")[0]
        topic = without_leftovers(parse_topic(path, data)[0], own)
        tree = tree.put(path, render_topic(topic)) if topic.spans else tree.remove(path)
    return tree


def _lessened(tree: Tree, facts: Facts, forgotten: frozenset[str]) -> tuple[Tree, frozenset[BlockId]]:
    """Without what either side forgot, and the ids that went with it.

    What links to it or cites it is looked for everywhere.
    """
    targets = targets_of(forgotten)
    blocks: list[str] = [known for name in forgotten for known in facts.backlinks.get(name, ())]
    blocks += [block for place in targets.places for block in facts.citing.get(place, ())]
    blocks += forgotten
    paths = {k.record.path for block in blocks if (k := facts.records.get(block)) is not None}
    paths |= {TopicPath(path) for path in tree.differences() if is_topic(path)}
    lost: set[BlockId] = set()
    for path in sorted(paths) if forgotten else ():
        data = tree.get(path)
        if data is not None and targets.names(data):
            topic = parse_topic(path, data)[0]
            left = lessened(topic, targets).topic
            lost |= {*topic.ids} - {*(left.ids if left is not None else ())}
            tree = tree.remove(path) if left is None else tree.put(path, render_topic(left))
    return tree, frozenset(lost)


def _forgotten(first: Side, second: Side) -> frozenset[str]:
    return frozenset((*first.tidings.forgotten, *second.tidings.forgotten))


# --- The commit ----------------------------------------------------------------------------------


def _prepared(
    base: Tree, start: Snapshot, first: Side, second: Side, found: _Topics, evidence: Evidence, rules: Rules
) -> United | Rejected:
    archive = Archive(evidence.files, evidence.sources, (), evidence.promoted)
    before, written, unread = touched(start, found.tree)
    topics, naming, unnamed = normalized(start, before, written, archive)
    after = {path: topic for path, topic in topics.items() if topic.records}
    case = Case(
        edited=found.tree,
        before=before,
        after=after,
        facts=start.facts,
        caller=rules.caller,
        deleted=found.plan.gone | {*map(BlockId, found.forgotten)},
        archived={**archive.sources, **archive.promoted},
        unread=(*unread, *unnamed),
    )
    problems = tuple(dict.fromkeys((*(p for law in _LAWS for p in law(case)), *_unfounded(case))))
    if problems := problems or read_back(after):
        return Rejected(problems)
    report = _in_order(report_of(before, after, naming, archive), second.tidings)
    tree, kept = _others(base, committed(start.tree, before, after, archive), first, second)
    for path, data in derived_views(start, before, after, report, archive, rules).items():
        tree = tree.remove(path) if data is None else tree.put(path, data)
    pairs = _pairs(found.plan, after)
    new = tuple(name for name in sorted(found.forgotten) if not start.facts.forgotten.get(name))
    trailers = _trailers(report, new, second.tidings, pairs)
    return United(Prepared(tree, _subject(report), trailers, report), pairs, kept)


def _unfounded(case: Case) -> Iterator[Problem]:
    """Every record cites what is archived on one of the two sides."""
    known = {place for topic in case.before.values() for r in topic.records for place in _cited(r.sources)}
    for topic in case.after.values():
        for record in topic.records:
            for source in record.sources:
                if source.place and source.place not in known and case.source(source.place) is None:
                    message = f"the source {source.target} is not archived on either side"
                    remedy = "mend the record on the side that it comes from"
                    where = (topic.path, record.lines[0])
                    yield Problem(Code.MISSING_SOURCE, message, *where, remedy)


def _cited(sources: Iterable[object]) -> Iterator[str]:
    return (getattr(source, "place", "") for source in sources)


def _in_order(report: Report, tidings: Tidings) -> Report:
    """The new ids in the order in which their own side made them, then those that no commit names."""
    made = {block: place for place, block in enumerate(tidings.created)}
    return evolve(report, created=tuple(sorted(report.created, key=lambda b: made.get(b, len(made)))))


def _others(base: Tree, tree: Tree, first: Side, second: Side) -> tuple[Tree, tuple[str, ...]]:
    """Files that are neither topic nor evidence nor view, as the side has them that changed them."""
    kept: list[str] = []
    for path in sorted(second.paths):
        if is_topic(path) or path.startswith("sources/") or is_view(path):
            continue
        own, other = first.tree.get(path), second.tree.get(path)
        if own == base.get(path):
            tree = tree.remove(path) if other is None else tree.put(path, other)
        elif own != other:
            kept.append(path)
    return tree, tuple(kept)


def _pairs(plan: Decided, after: Mapping[TopicPath, Topic]) -> tuple[tuple[BlockId, BlockId], ...]:
    """The records that were kept, each with the one that came to stand right after it."""
    return tuple(pair for clash in plan.clashes for pair in _pair(clash, after))


def _pair(clash: Clash, after: Mapping[TopicPath, Topic]) -> Iterator[tuple[BlockId, BlockId]]:
    other = clash.other.record
    for topic in after.values():
        ids = [record.id for record in topic.records]
        if clash.kept.record.id in ids:
            place = ids.index(clash.kept.record.id)
            behind = topic.records[place + 1 :]
            found = next((r for r in behind if r.content == other.content), None)
            yield from [(clash.kept.record.id, found.id)] if found is not None else ()


def _subject(report: Report) -> str:
    counts = {"new": report.created, "changed": report.updated, "gone": report.deleted}
    told = [f"{len(ids)} {word}" for word, ids in counts.items() if ids]
    told += [f"{len(report.archived)} archived"] if report.archived else []
    return "Unite two histories" + (f": {', '.join(told)}" if told else "")


def _trailers(
    report: Report, forgotten: tuple[str, ...], tidings: Tidings, pairs: Iterable[tuple[BlockId, BlockId]]
) -> tuple[Trailer, ...]:
    """What the commit says: all that was done on the second side, as if it were done here."""
    listed: Mapping[str, Iterable[str]] = {
        "Created": report.created,
        "Deleted": report.deleted,
        "Superseded": report.superseded,
        "Moved": report.moved,
        "Promoted": report.promoted,
        "Forgotten": forgotten,
        ERASED: [name for name in tidings.erased if name in forgotten],
        "Alternatives": [block for pair in pairs for block in pair],
    }
    named = tuple(line for key, ids in listed.items() for line in id_trailers(key, ids))
    return (("Kind", KIND), *tidings.requests, *named)
