"""The tools for one record and a person's word on it, for what waits for them, and what there is at all."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import plain
from ..refused import Refused
from .answers import assessment, committed, lean, line, marked
from .schemas import answer, array, flag, keyed, number, obj, one_of, taking, text
from .tool import CHANGES, READS, Call, Tool

if TYPE_CHECKING:
    from ..service.correcting import Corrected, Seen

__all__ = ["JUDGING"]

_ROWS = array(obj())
_DEEDS = ("correct", "append", "retract", "validate", "dispute", "approve", "discard")


def _correct(call: Call) -> dict[str, Any]:
    service, target, words = call.service, call.text("target"), call.text("text")
    deeds: dict[str, Callable[[], Any]] = {
        "correct": lambda: service.correct(target, words),
        "append": lambda: service.append(target, words),
        "retract": lambda: service.retract(target),
        "validate": lambda: service.validate(target, call.text("seen")),
        "dispute": lambda: service.dispute(target, call.text("seen")),
        "approve": lambda: service.approve(target, call.text("seen")),
        "discard": lambda: service.discard(target, call.text("seen")),
    }
    return _changed(deeds[call.text("do")]())


def _changed(result: Any) -> dict[str, Any]:
    found: Corrected = _sure(result)
    if found.committed is None:
        return {"changed": False, "candidates": [_seen(each) for each in found.candidates]}
    record = _seen(found.target) if found.target else None
    return {**committed(found.committed), **lean(record=record, replaced=found.replaced)}


def _seen(found: "Seen") -> dict[str, Any]:
    return {**line(found.record), "seen": found.seen}


def _review(call: Call) -> dict[str, Any]:
    if not call.text("item"):
        return _waiting(call)
    done = _sure(call.service.decide(call.text("item"), call.text("key")))
    return {**committed(done.committed), "records": [_seen(each) for each in done.records]}


def _waiting(call: Call) -> dict[str, Any]:
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


def _overview(call: Call) -> dict[str, Any]:
    if call.text("of", "topics") == "topics":
        return {"topics": plain.plain(call.service.digest(call.text("prefix")))}
    rows = [
        lean(
            session=f"{each.session.provider}/{each.session.id}",
            title=each.session.title,
            messages=each.messages,
            unwritten=each.pending,
            begun=each.begun_at,
            last=each.said_at,
            gave=[*map(marked, each.gave)],
        )
        for each in call.service.sessions()
    ]
    return {"conversations": rows}


def _sure(result: Any) -> Any:
    from scriptorium_core.transaction import Rejected

    if isinstance(result, Rejected):
        raise Refused(*result.problems)
    return result


JUDGING = (
    Tool(
        "memory_correct",
        "Correct one record",
        "The person's own word on a record: correct, append, retract (`target`: id, exact title or words; if"
        " unclear, nothing is written and candidates are named: ask which), or their verdict on a text that"
        " they saw (`target`: id; `seen`).",
        keyed(
            taking(
                "target do",
                target=text(most=1_000),
                do={"type": "string", "enum": [*_DEEDS]},
                text=text("Their words, to correct or append.", most=16_000),
                seen=text("Of a verdict: the record's `seen`.", most=64),
            )
        ),
        answer("changed", changed=flag(), record=obj(), replaced=text(), candidates=_ROWS),
        CHANGES,
        _correct,
    ),
    Tool(
        "memory_review",
        "What waits for the person",
        "What is disputed, contradictory, colliding, nearly the same, pending or stale. With `item` and one"
        " of its `keys`, only at the person's word: v validate, d dispute, a approve, x it does not hold, 1"
        " or 2 keep that one, b keep both.",
        keyed(taking(limit=number(least=1, most=50, default=10), item=text(most=40), key=text(most=1))),
        answer(items=_ROWS, records=_ROWS),
        CHANGES,
        _review,
    ),
    Tool(
        "memory_overview",
        "What there is",
        "A line on each topic (no evidence: cite records), or the conversations with the records that cite"
        " each.",
        taking(of=one_of("", "topics", "conversations"), prefix=text("topics/<folder>", most=1_000)),
        answer(topics=_ROWS, conversations=_ROWS),
        READS,
        _overview,
    ),
)
