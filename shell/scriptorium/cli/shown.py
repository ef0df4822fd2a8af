"""Records, topics, messages and hits as a person reads them."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, assert_never

from .door import said
from .lines import prose, record_lines, turn_lines
from .safe import one_line, safe

if TYPE_CHECKING:
    from scriptorium_core.knowledge.assess import Assessment

    from ..service.model import Alternative, FoundItem, Group, RecordShown, Shown, SourceShown, TopicShown

__all__ = ["assessment_notes", "brief", "hit", "record", "shown", "source"]

_LONG = 4_000  # characters


def hit(item: "FoundItem") -> str:
    """A hit: what it says, where it stands, and the turns that it rests on."""
    if item.turn is not None:
        cited = f"\n    cited by {', '.join(f'^{block}' for block in item.cited_by)}" if item.cited_by else ""
        return f"{turn_lines(item.turn, '')}{cited}"
    where = " > ".join(map(one_line, (item.path, *item.headings)))
    dates = f"  {', '.join(item.dates)}" if item.dates else ""
    notes = [*assessment_notes(item.assessment)]
    notes += ["abandoned branch: not current"] if item.is_abandoned else []
    notes += [*_live(item.branches), *_scopes(item.scopes)]
    words = prose(brief(item.content, item.id))
    head = f"{words}\n  ^{item.id}{dates}  {where}" + "".join(f"  [{each}]" for each in notes)
    turns = [turn_lines(each.turn) for each in item.citations if each.turn is not None]
    return "\n".join([head, *turns, *_alternatives(item.alternatives)])


def brief(content: str, name: str) -> str:
    """What a record says; the beginning of one that is too long for a list, and how to see the rest."""
    if len(content) <= _LONG:
        return content
    return f"{content[:_LONG]} … ({len(content):,} characters: `scriptorium show ^{name}` shows all of them)"


def assessment_notes(found: "Assessment | None") -> Iterator[str]:
    """How far something may be relied on, and why no further."""
    from scriptorium_core.knowledge.gate import marks

    if found is not None:
        yield "; ".join(marks(found))


def _live(branches: Iterable[str]) -> Iterator[str]:
    """That something stands on one of several live branches."""
    names = ", ".join(map(one_line, branches))
    if names:
        yield f"on branch {names}"


def _scopes(scopes: Iterable[str]) -> Iterator[str]:
    """In which projects something was said, and holds."""
    names = ", ".join(map(one_line, scopes))
    if names:
        yield f"in {names}"


def _alternatives(others: "Iterable[Alternative]") -> Iterator[str]:
    """What stands on other live branches, or came from another copy, beside what it is an alternative to."""
    for each in others:
        dates = f"  {', '.join(each.dates)}" if each.dates else ""
        branches = f" on branch {', '.join(map(one_line, each.branches))}" if each.branches else ""
        yield f"    alternative{branches or ', written in another copy at the same time'}:"
        yield f"{prose(each.content, '      ')}\n      ^{each.id}{dates}"


def shown(found: "Shown") -> str:
    """Whatever `show` was asked for."""
    from ..service.model import RecordShown, SourceShown, TopicShown

    match found:
        case RecordShown():
            return record(found, (_evidence(group) for group in found.groups))
        case TopicShown():
            return _topic(found)
        case SourceShown():
            return source(found)
    assert_never(found)


def record(found: "RecordShown", evidence: Iterable[str]) -> str:
    """A record, its evidence in the words of the caller, and the records around it."""
    notes = [*([] if found.trusted else ["pending"]), *assessment_notes(found.assessment)]
    notes += ["abandoned branch: not current"] if found.branch == "abandoned" else []
    notes += [*_live(found.branches), *_scopes(found.scopes)]
    lines = [record_lines(found.record, "") + "".join(f"  [{note}]" for note in notes)]
    if found.aliases:
        lines.append(f"also ^{', ^'.join(found.aliases)}")
    lines += _alternatives(found.alternatives)
    lines += ["", "evidence", *evidence]
    for title, records in (("links to", found.links), ("linked from", found.backlinks)):
        if records:
            lines += ["", title, *map(record_lines, records)]
    return "\n".join([*lines, *(f"broken: {said(problem)}" for problem in found.problems)])


def source(found: "SourceShown") -> str:
    """A message, and the records that cite it."""
    lines = [turn_lines(found.turn, "")]
    lines += (
        ["no zone is given with the time: that of the workspace is assumed"] if found.turn.assumed else []
    )
    lines += [f"said in {safe(found.turn.scope)}"] if found.turn.scope else []
    if found.cited_by:
        lines += ["", "cited by", *map(record_lines, found.cited_by)]
    return "\n".join(lines)


def _evidence(group: "Group") -> str:
    """One evidence group: its date and fields, and the turns."""
    fields = "".join(f"; {name}: {safe(value)}" for name, value in group.fields)
    lines = [f"  {group.date or 'undated'}{fields}"]
    for each in group.citations:
        lines.append(turn_lines(each.turn) if each.turn else f"    {safe(each.target)} is not archived")
    return "\n".join(lines)


def _topic(found: "TopicShown") -> str:
    broken = [f"broken: {said(problem)}" for problem in found.problems]
    return "\n".join([safe(found.text.removeprefix("\ufeff")).rstrip(), *broken])
