"""What the service answers, as an agent reads it: `^id`s, each record with its citations and assessment.

What is empty is left out, so that an answer says no more than there is to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .. import plain

if TYPE_CHECKING:
    from scriptorium_core.knowledge.assess import Assessment

    from ..service.cited import Alternative, Citation, Turn
    from ..service.found import Found, FoundItem
    from ..service.shown import Conversation, Linked, RecordLine, RecordShown, Shown, SourceShown, Why
    from ..workspace import Committed

__all__ = ["assessment", "citation", "committed", "found", "lean", "line", "marked", "shown", "whence"]


def marked(block: str) -> str:
    """A block id as `memory_get` takes it."""
    return f"^{block}"


def lean(**fields: Any) -> dict[str, Any]:
    """The fields that say something."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {}, ())}


def found(answer: Found) -> dict[str, Any]:
    """What a search found."""
    nothing = answer.nothing.message if answer.nothing is not None else ""
    return {
        "revision": answer.revision,
        "hits": [_hit(item) for item in answer.hits],
        **lean(nothing=nothing, notices=_messages(answer.notices)),
    }


def shown(answer: Shown) -> dict[str, Any]:
    """A record or a message in full; a topic is shown by its lines."""
    from ..service.shown import RecordShown, SourceShown

    if isinstance(answer, RecordShown):
        return {"kind": "record", "revision": answer.revision, "record": _record(answer)}
    assert isinstance(answer, SourceShown)
    return {"kind": "message", "revision": answer.revision, "message": _message(answer)}


def whence(answer: Why) -> dict[str, Any]:
    """Where a record or a message comes from."""
    return {
        **shown(answer.shown),
        "conversations": [_conversation(each) for each in answer.conversations],
        "history": [
            lean(did=each.name, commit=each.commit, at=each.at, subject=each.subject, session=each.session)
            for each in answer.history
        ],
    }


def assessment(found: Assessment | None) -> dict[str, Any] | None:
    """How far a record may be relied on at the time of the answer; of what is no record, None."""
    return None if found is None else lean(**plain.plain(found))


def line(record: RecordLine) -> dict[str, Any]:
    """A record in a list."""
    return lean(
        id=marked(record.id),
        text=record.content,
        topic=record.topic_path,
        headings=[*record.headings],
        dates=[*record.dates],
    )


def committed(answer: Committed) -> dict[str, Any]:
    """What a commit did."""
    report = answer.report
    names = ("created", "updated", "deleted", "moved", "superseded", "overruled")
    return {
        "revision": answer.revision,
        "changed": not answer.unchanged,
        **lean(**{name: [*map(marked, getattr(report, name))] for name in names}),
        **lean(
            archived=[*report.archived],
            promoted=[*report.promoted],
            topics=[*report.topics],
            redacted={str(kind): number for kind, number in answer.redacted.items()},
            projected=None if answer.projected else False,
            problems=plain.plain(answer.problems),
        ),
    }


def _hit(item: FoundItem) -> dict[str, Any]:
    is_record = item.assessment is not None
    return {
        "id": marked(item.id) if is_record else item.id,
        "kind": str(item.kind),
        "text": item.content,
        **lean(
            topic=item.path if is_record else "",
            headings=[*item.headings],
            dates=[*item.dates],
            assessment=assessment(item.assessment),
            branch=item.branch if is_record else "",
            citations=[citation(each) for each in item.citations],
            turn=_turn(item.turn, brief=True) if item.turn is not None else None,
            cited_by=[*map(marked, item.cited_by)],
            alternatives=[_alternative(each) for each in item.alternatives],
            scopes=[*item.scopes],
            reasons=[*map(str, item.reasons)],
            score=round(item.score, 3),
        ),
    }


def _record(answer: RecordShown) -> dict[str, Any]:
    return {
        **line(answer.record),
        "assessment": assessment(answer.assessment),
        "seen": answer.seen,
        "branch": answer.branch,
        "trusted": answer.trusted,
        "evidence": [
            {
                **lean(
                    id=group.evidence,
                    text=group.quote if group.quote != answer.record.content else "",
                    date=group.date,
                    notes=dict(group.fields),
                ),
                "citations": [citation(each) for each in group.citations],
            }
            for group in answer.groups
        ],
        **lean(
            aliases=[*map(marked, answer.aliases)],
            links=[*map(line, answer.links)],
            linked_from=[*map(line, answer.backlinks)],
            alternatives=[_alternative(each) for each in answer.alternatives],
            scopes=[*answer.scopes],
            problems=_messages(answer.problems),
        ),
    }


def _message(answer: SourceShown) -> dict[str, Any]:
    return {**_turn(answer.turn), "cited_by": [*map(line, answer.cited_by)]}


def _conversation(answer: Conversation) -> dict[str, Any]:
    return {
        "turn": _turn(answer.turn, brief=True),
        **lean(
            title=answer.title,
            before=[_turn(each, brief=True) for each in answer.before],
            after=[_turn(each, brief=True) for each in answer.after],
            other_branches=[
                lean(branch=each.branch, at=each.at, speaker=each.speaker, text=each.text)
                for each in answer.siblings
            ],
            sessions=[*map(_linked, answer.links)],
        ),
    }


def _linked(link: Linked) -> str:
    return f"{link.session} {link.kind} this one" if link.comes else f"{link.kind} {link.session}"


def citation(cited: Citation) -> dict[str, Any]:
    """What a record cites: the message behind it, or that it is not archived."""
    turn = cited.turn
    if turn is None:
        return {**lean(source=cited.target, label=cited.label), "archived": False}
    return lean(label=cited.label) | _turn(turn, brief=True)


def _turn(turn: Turn, brief: bool = False) -> dict[str, Any]:
    """A message; one that waits for the owner's consent is not `trusted`."""
    return {
        **lean(source=turn.source, speaker=turn.speaker, at=turn.at, origin=turn.origin),
        "text": turn.text,
        **lean(
            longer=turn.length if turn.is_cut else None,
            session="" if brief else turn.session,
            branch=turn.branch if turn.branch == "abandoned" else "",
        ),
        **({} if turn.trusted else {"trusted": False}),
    }


def _alternative(answer: Alternative) -> dict[str, Any]:
    return lean(id=marked(answer.id), text=answer.content, dates=[*answer.dates])


def _messages(problems: Iterable[Any]) -> list[Mapping[str, Any]]:
    return [lean(code=str(each.code), message=each.message, path=each.path) for each in problems]
