"""The tools for one record and a person's word on it, for what waits for them, and what there is at all."""

from typing import TYPE_CHECKING, Any

from .. import plain
from ..refused import Refused
from .answers import assessment, committed, lean, line
from .schemas import answer, array, flag, keyed, number, obj, taking, text
from .tool import CHANGES, READS, Call, Tool

if TYPE_CHECKING:
    from ..service.correcting import Corrected, Seen

__all__ = ["JUDGING"]

_ROWS = array(obj())
_NAME = text("`^id`", most=200)


def _correct(call: Call) -> dict[str, Any]:
    deed, target, words = call.text("do"), call.text("target"), call.text("text")
    match deed:
        case "correct":
            return _changed(call.service.correct(target, words))
        case "append":
            return _changed(call.service.append(target, words))
        case _:
            return _changed(call.service.retract(target))


def _judge(call: Call) -> dict[str, Any]:
    deeds = {
        "validate": call.service.validate,
        "dispute": call.service.dispute,
        "approve": call.service.approve,
        "discard": call.service.discard,
    }
    return _changed(deeds[call.text("verdict")](call.text("id"), call.text("seen")))


def _changed(result: Any) -> dict[str, Any]:
    found: Corrected = _sure(result)
    if found.committed is None:
        return {"changed": False, "candidates": [_seen(each) for each in found.candidates]}
    return {**committed(found.committed), **lean(record=_seen(found.target) if found.target else None)}


def _seen(found: "Seen") -> dict[str, Any]:
    return {**line(found.record), "seen": found.seen}


def _review(call: Call) -> dict[str, Any]:
    found = call.service.review(call.number("limit", 10))
    items = [
        {
            "item": each.item,
            "kind": str(each.kind),
            "keys": [*each.keys],
            **lean(question=each.question),
            "records": [
                {**_seen(record.shown), "assessment": assessment(record.assessment)}
                for record in each.records
            ],
        }
        for each in found.items
    ]
    return {"revision": found.revision, "items": items, "of": found.of}


def _decide(call: Call) -> dict[str, Any]:
    done = _sure(call.service.decide(call.text("item"), call.text("key")))
    return {**committed(done.committed), "records": [_seen(each) for each in done.records]}


def _digest(call: Call) -> dict[str, Any]:
    return {"topics": plain.plain(call.service.digest(call.text("prefix")))}


def _sessions(call: Call) -> dict[str, Any]:
    found = call.service.sessions()
    rows = [
        lean(
            session=f"{each.session.provider}/{each.session.id}",
            title=each.session.title,
            messages=each.messages,
            unwritten=each.pending,
            begun=each.begun_at,
            last=each.said_at,
            gave=[f"^{block}" for block in each.gave],
        )
        for each in found[-call.number("limit", 50) :]
    ]
    return {"conversations": rows, "of": len(found)}


def _sure(result: Any) -> Any:
    from scriptorium_core.transaction import Rejected

    if isinstance(result, Rejected):
        raise Refused(*result.problems)
    return result


JUDGING = (
    Tool(
        "memory_correct",
        "Correct one record",
        "The person's own words on a record: instead of it, added to it, or that it does not hold. `target`"
        " is an id, exact title or words; if unclear, nothing is written and candidates are named: ask which.",
        keyed(
            taking(
                "target do",
                target=text(most=1_000),
                do={"type": "string", "enum": ["correct", "append", "retract"]},
                text=text("Their words; not for retract.", most=16_000),
            )
        ),
        answer("changed", changed=flag(), revision={}, record=obj(), candidates=_ROWS),
        CHANGES,
        _correct,
    ),
    Tool(
        "memory_judge",
        "Decide about one record",
        "What the person decided about a record whose text they saw (`seen`). Only at their word.",
        keyed(
            taking(
                "id verdict seen",
                id=_NAME,
                verdict={"type": "string", "enum": ["validate", "dispute", "approve", "discard"]},
                seen=text("The `seen` of the record.", most=64),
            )
        ),
        answer("changed", changed=flag(), revision={}, record=obj()),
        CHANGES,
        _judge,
    ),
    Tool(
        "memory_review",
        "What waits for the person",
        "What is disputed, contradictory, nearly the same, pending or stale, each with its `keys`.",
        taking(limit=number("", least=1, most=50, default=10)),
        answer("items of", revision={}, items=_ROWS, of=number()),
        READS,
        _review,
    ),
    Tool(
        "memory_decide",
        "Decide an item of the review",
        "v validate, d dispute, a approve, x it does not hold, 1 or 2 keep that one, b keep both. Only at the"
        " person's word.",
        keyed(taking("item key", item=text(most=40), key=text(most=1))),
        answer("changed", changed=flag(), revision={}, records=_ROWS),
        CHANGES,
        _decide,
    ),
    Tool(
        "memory_digest",
        "What topics are about",
        "A line a topic, to choose where to look. It is no evidence: cite records.",
        taking(prefix=text("topics/<folder>", most=1_000)),
        answer("topics", topics=_ROWS),
        READS,
        _digest,
    ),
    Tool(
        "memory_sessions",
        "The conversations",
        "The newest conversations: title, messages, times, and the records that cite each.",
        taking(limit=number("", least=1, most=200, default=50)),
        answer("conversations of", conversations=_ROWS, of=number()),
        READS,
        _sessions,
    ),
)
