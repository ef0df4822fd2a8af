"""The tool that answers a question."""

from typing import Any

from scriptorium_core.topics.standing import LEAST

from .. import plain
from ..service.asked import AskedRecord
from . import answers
from .answers import lean, marked
from .schemas import answer, array, flag, fraction, keyed, number, obj, taking, text
from .tool import ADDS, Call, Tool

__all__ = ["ASKING"]


def _ask(call: Call) -> dict[str, Any]:
    budget = call.given.get("budget")
    found = call.service.ask(
        call.text("question"),
        int(budget) if budget is not None else None,
        scope=call.text("scope"),
        current_required=bool(call.given.get("current_required", False)),
        least=float(call.given.get("least", LEAST)),
        keep=bool(call.given.get("keep", False)),
        model=bool(call.given.get("model", False)),
    )
    return {
        "revision": found.revision,
        "decision": str(found.decision),
        "reasons": [*found.reasons],
        "records": [_record(each) for each in found.records],
        "text": found.text,
        "tokens": found.tokens,
        **lean(
            way=str(found.way),
            answer=found.answer,
            rivals=[*map(marked, found.rivals)],
            kept=marked(found.kept) if found.kept else "",
            failure=plain.plain(found.failure),
            notices=plain.plain(found.notices),
        ),
    }


def _record(record: AskedRecord) -> dict[str, Any]:
    return {
        "id": marked(record.id),
        "text": record.content,
        **lean(
            topic=record.path,
            dates=[*record.dates],
            question=record.question,
            likeness=round(record.likeness, 3),
            assessment=answers.assessment(record.assessment),
            citations=[answers.citation(each) for each in record.citations],
        ),
        **({} if record.current else {"current": False}),
    }


ASKING = (
    Tool(
        "memory_ask",
        "Ask memory",
        "Ask memory a question. `decision` says what may be done: reuse (`answer` may be given as it is),"
        " revalidate (check before you rely on it), reject (do not use it), provider-required (answer from"
        " `text` yourself), generated (a model did), miss. `reasons` say why, `records` what it rests on.",
        keyed(
            taking(
                "question",
                question=text(most=10_000),
                budget=number("Tokens at most.", least=1, most=8_000),
                scope=text("A project directory: only what holds there.", most=1_000),
                current_required=flag("Whether only what was just checked will do.", default=False),
                least=fraction("The least confidence that needs no check.", default=LEAST),
                model=flag("Whether the memory's own model may answer; you are one yourself.", default=False),
                keep=flag("Whether its answer becomes an unverified record.", default=False),
            )
        ),
        answer(
            "decision reasons records text",
            revision={},
            decision=text(),
            reasons=array(text()),
            answer=text(),
            records=array(obj()),
            text=text(),
            tokens=number(),
        ),
        ADDS,
        _ask,
        most=60_000,
    ),
)
