"""The whole write path: from a base and an edit to a tree that may be committed, or all the reasons why not.

Every way of changing memory first makes an edited tree and then goes through `prepare`.
"""

from collections.abc import Mapping

from attrs import evolve

from ..checks import Case, check
from ..names import CORE_TOPIC
from ..policy import POLICY_FILE
from ..problem import Code, Problem
from ..topics.parse import parse_topic
from ..topics.render import render_topic
from ..tree import Tree
from ..views.derive import Change, Limits, core_due, derive
from .archiving import Archive, archived
from .model import Edit, Prepared, Rejected, Report, Rules, Snapshot, Topics
from .reporting import report_of, subject_of, trailers_of
from .touching import normalized, touched

__all__ = ["committed", "derived_views", "prepare", "read_back"]


def prepare(base: Snapshot, edit: Edit, rules: Rules) -> Prepared | Rejected:
    """Read the touched topics, normalize, check, render, read back, derive the views."""
    archive = archived(base, edit)
    before, written, unread = touched(base, edit.tree)
    topics, naming, unnamed = normalized(base, before, written, archive)
    after = {path: topic for path, topic in topics.items() if topic.records}
    case = Case(
        edited=edit.tree,
        before=before,
        after=after,
        facts=base.facts,
        caller=rules.caller,
        deleted=edit.deleted,
        archived=archive.sources,
        citable=rules.citable,
        unread=(*archive.problems, *unread, *unnamed),
        shown=edit.shown,
        promoted=edit.promoted,
    )
    problems = check(case) or read_back(after)
    if problems:
        return Rejected(tuple(dict.fromkeys(problems)))
    report = evolve(report_of(before, after, naming, archive), overruled=edit.overruled)
    tree = committed(_governed(base.tree, edit.tree), before, after, archive)
    for path, data in derived_views(base, before, after, report, archive, rules).items():
        tree = tree.remove(path) if data is None else tree.put(path, data)
    return Prepared(tree, edit.subject or subject_of(report), trailers_of(edit, report), report)


def read_back(after: Topics) -> tuple[Problem, ...]:
    """What is written must read as what was meant; otherwise nothing is written."""
    problems: list[Problem] = []
    for path, topic in after.items():
        again, faults = parse_topic(path, render_topic(topic))
        problems += faults
        if again != topic:
            message = "the topic would not read back as it was meant"
            problems.append(
                Problem(
                    Code.INVALID_TOPIC_FORMAT,
                    message,
                    path,
                    remedy="report this: it is a fault of the program",
                )
            )
    return tuple(problems)


def _governed(tree: Tree, edited: Tree) -> Tree:
    """The tree with the policy as it was edited."""
    edits = edited.differences()
    if POLICY_FILE not in edits:
        return tree
    data = edits[POLICY_FILE]
    return tree.remove(POLICY_FILE) if data is None else tree.put(POLICY_FILE, data)


def committed(tree: Tree, before: Topics, after: Topics, archive: Archive) -> Tree:
    """The tree with the touched topics and the archives as they are committed; its views are as they were."""
    for path in before.keys() - after.keys():
        tree = tree.remove(path)
    for path, topic in after.items():
        tree = tree.put(path, render_topic(topic))
    for name, data in archive.files.items():
        tree = tree.put(name, data)
    return tree


def derived_views(
    base: Snapshot, before: Topics, after: Topics, report: Report, archive: Archive, rules: Rules
) -> Mapping[str, bytes | None]:
    """The views that change with topics and archives, by path; None where one goes."""
    change = Change(base.facts, before, after, report.created, {**archive.sources, **archive.promoted})
    data = base.tree.get(CORE_TOPIC)
    if CORE_TOPIC not in change.touched and data is not None and core_due(change):
        core = {CORE_TOPIC: parse_topic(CORE_TOPIC, data)[0]}
        change = evolve(change, before={**before, **core}, after={**after, **core})
    return derive(change, Limits(rules.count, rules.core_tokens, rules.recent))
