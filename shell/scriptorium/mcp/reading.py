"""The tools that read."""

from typing import Any

from scriptorium_core.knowledge.assess import Assessment
from scriptorium_core.knowledge.offer import Left, Shown
from scriptorium_core.names import is_source_name
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import Kind, Query
from scriptorium_core.topics.standing import LEAST, State
from scriptorium_core.when import When, Window, parse_when

from .. import plain
from ..refused import Refused
from ..service.lines import Excerpt
from ..service.model import RecentRow, TopicShown
from . import answers
from .answers import lean, line, marked
from .schemas import answer, array, flag, fraction, number, obj, one_of, taking, text
from .tool import READS, Call, Tool

__all__ = ["READING"]

_QUERY = 10_000
_NAME = 1_000
_ROOM = 8_000  # characters of a topic: so that no answer with them is cut, whatever JSON makes of them
_DAY = "YYYY, YYYY-MM or YYYY-MM-DD"
_RECORD = obj("id text", id=text(), text=text(), topic=text(), citations=array(obj()), assessment=obj())
_ROWS = array(obj())


def _search(call: Call) -> dict[str, Any]:
    kind = call.text("kind", "record")
    query = Query(
        call.text("query"),
        (Kind.RECORD, Kind.TURN) if kind == "both" else (Kind(kind),),
        call.number("limit", 8),
        call.text("topic"),
        call.text("source"),
        call.text("speaker"),
        call.text("scope") or None,
        Window(_day(call, "since"), _day(call, "until")),
        current_required=_current(call),
        least=_least(call),
        valid_at=_day(call, "valid_at"),
        standing=tuple(State(each) for each in call.given.get("standing", ())),
    )
    return answers.found(call.service.search(query, call.progress))


def _grep(call: Call) -> dict[str, Any]:
    found = call.service.grep(
        call.text("text"),
        topic=call.text("topic"),
        ignore_case=bool(call.given.get("ignore_case", False)),
        limit=call.number("limit", 50),
        progress=call.progress,
    )
    hits = [
        lean(
            topic=hit.path,
            line=hit.line,
            text=hit.text,
            id=marked(hit.record) if hit.record else "",
            assessment=_doubt(hit.assessment),
        )
        for hit in found.hits
    ]
    return {"revision": found.revision, "hits": hits, "more": found.more}


def _get(call: Call) -> dict[str, Any]:
    name = call.text("id")
    found = call.service.show(name)
    if not isinstance(found, TopicShown):
        return answers.shown(found)
    part = call.service.excerpt(found.path, call.number("first", 1), room=_ROOM)
    rest = f"read on with first={part.last + 1}" if part.last < part.of else ""
    topic = {
        **lean(path=part.path, first=part.first, last=part.last, of=part.of, text=part.text, rest=rest),
        "records": [marked(record.id) for record in part.records],
        **lean(assessments=_doubted(found, part)),
    }
    return {"kind": "topic", "revision": part.revision, "topic": topic}


def _browse(call: Call) -> dict[str, Any]:
    service, limit, under = call.service, call.number("limit", 100), call.text("under")
    match call.text("what", "topics"):
        case "core":
            core = service.core(under)
            rows = [
                lean(id=marked(block), assessment=answers.assessment(found))
                for block, found in core.assessments.items()
            ]
            out = [_left(each) for each in core.left_out]
            counts = lean(left_out=out) | {"tokens": core.tokens, "budget": core.budget, "of": core.of}
            return {"revision": core.revision, "rows": rows, "text": core.text, **counts}
        case "recent":
            recent = service.recent(limit)
            rows = [_recent(row) for row in recent.rows if row.trusted]
            return {"revision": recent.revision, "rows": rows, "of": len(rows)}
        case "timeline":
            days = service.timeline(under)
            rows = [
                lean(
                    date=row.date,
                    id=marked(row.record),
                    topic=row.topic_path,
                    text=row.quote,
                    assessment=answers.assessment(row.assessment),
                )
                for row in days.rows
                if row.trusted
            ] or [{"date": day.date, "records": day.records} for day in days.days]
            return {"revision": days.revision, "rows": rows[:limit], "of": len(rows)}
        case _:
            topics = service.topics(under)
            rows = [{"topic": topic.path, "records": topic.records} for topic in topics]
            return {"rows": rows[:limit], "of": len(rows)}


def _context(call: Call) -> dict[str, Any]:
    service, question = call.service, call.text("question")
    # A first search brings the index up to date, which may take long, can be watched and given up.
    service.search(Query(question, limit=1), call.progress)
    budget = call.given.get("budget")
    given = service.context(
        question,
        int(budget) if budget is not None else None,
        session=call.text("session"),
        scope=call.text("scope"),
        current_required=_current(call),
        least=_least(call),
    )
    return {
        "revision": given.revision,
        "text": given.text,
        "tokens": given.tokens,
        "budget": given.budget,
        "shown": [_named(each.id) | {"as": str(each.part)} | _assessed(each) for each in given.shown],
        "left_out": [_left(each) for each in given.left_out],
    }


def _why(call: Call) -> dict[str, Any]:
    return answers.whence(call.service.why(call.text("id"), call.number("around", 2)))


def _status(call: Call) -> dict[str, Any]:
    known: dict[str, Any] = plain.plain(call.service.status())
    for name in ("home", "memory", "waiting"):  # where it lies on the disk is nobody's business here
        known.pop(name, None)
    return known


def _traces(call: Call) -> dict[str, Any]:
    rows = [
        {
            **lean(at=each.at, actor=each.actor, door=each.door, question=each.question, text=each.text),
            "tokens": each.tokens,
            "shown": [_named(it.id) for it in each.delivered],
            "left_out": [_named(it.id) | {"reason": str(it.reason)} for it in each.left_out],
        }
        for each in call.service.traces(call.number("limit", 10))
    ]
    return {"rows": rows}


def _doubted(found: TopicShown, part: Excerpt) -> dict[str, Any]:
    """The assessments of those records of a part that may not be reused as they are."""
    known = {each.id: found.assessments.get(each.id) for each in part.records}
    doubts = ((marked(name), _doubt(each)) for name, each in known.items())
    return {name: doubt for name, doubt in doubts if doubt is not None}


def _doubt(found: Assessment | None) -> dict[str, Any] | None:
    """The assessment of a record that may not be reused as it is."""
    return answers.assessment(found) if found is not None and found.is_doubted else None


def _recent(row: RecentRow) -> dict[str, Any]:
    return line(row.record) | lean(assessment=answers.assessment(row.assessment))


def _left(each: Left) -> dict[str, Any]:
    return _named(each.id) | {"reason": str(each.reason)} | _assessed(each)


def _assessed(each: Shown | Left) -> dict[str, Any]:
    return lean(assessment=answers.assessment(each.assessment))


def _named(name: str) -> dict[str, Any]:
    return {"id": name if is_source_name(name) else marked(name)}


def _current(call: Call) -> bool:
    return bool(call.given.get("current_required", False))


def _least(call: Call) -> float:
    return float(call.given.get("least", LEAST))


def _day(call: Call, name: str) -> When | None:
    given = call.text(name)
    when = parse_when(given) if given else None
    if given and when is None:
        message = f"{given[:40]!r} is not a date"
        raise Refused(Problem(Code.INVALID_ARGUMENT, message, name, remedy=f"use {_DAY}"))
    return when


_ID = text("A record `^id`, a topic path (`people/mira`), or a source id of a message.", most=_NAME)
_CURRENT = flag("The question is about the present: what can change needs a check.", default=False)
_SURE = fraction("The least confidence that needs no check.", default=LEAST)
_SCOPE = text("A project directory: only what holds there.", most=_NAME)

READING = (
    Tool(
        "memory_search",
        "Search memory",
        "Find what memory holds by what it says. Each hit has an id (`^…`), its citations (who said it, when)"
        " and its assessment. Search before answering about people, plans, preferences or earlier work.",
        taking(
            "query",
            query=text("Plain words; no sign has a special meaning.", most=_QUERY),
            limit=number("How many hits.", least=1, most=50, default=8),
            kind=one_of("What memory keeps, or what was said.", "record", "turn", "both"),
            topic=text("Only topics at or below this path (whole steps).", most=_NAME),
            source=text("Only what rests on messages at or below this id (whole steps).", most=_NAME),
            speaker=text("Only what this speaker said.", most=_NAME),
            scope=_SCOPE,
            since=text(f"Not before: {_DAY}.", most=10),
            until=text(f"Not after: {_DAY}.", most=10),
            valid_at=text(f"Only what held then: {_DAY}.", most=10),
            standing=array({"type": "string", "enum": [*State]}, "Only records that stand so."),
            current_required=_CURRENT,
            least=_SURE,
        ),
        answer("hits", revision={}, hits=array(_RECORD), nothing=text("Why nothing was found.")),
        READS,
        _search,
    ),
    Tool(
        "memory_grep",
        "Find exact text",
        "Find lines of topics that hold an exact text, letter by letter: names, numbers, paths.",
        taking(
            "text",
            text=text("The exact text, on one line.", most=_NAME),
            topic=text("Only topics whose path begins so.", most=_NAME),
            ignore_case=flag("Whether case does not matter.", default=False),
            limit=number("How many lines.", least=1, most=200, default=50),
        ),
        answer("hits more", revision={}, hits=_ROWS, more=flag("Whether there are others.")),
        READS,
        _grep,
    ),
    Tool(
        "memory_get",
        "Read a record, topic or message",
        "Read one thing in full: a record with its evidence, links and assessment; a topic by its lines; or a"
        " message as it was said.",
        taking("id", id=_ID, first=number("Of a topic: the line to begin with.", least=1, default=1)),
        answer("kind", kind=text(), revision={}, record=_RECORD, topic=obj(), message=obj()),
        READS,
        _get,
    ),
    Tool(
        "memory_browse",
        "List what there is",
        "List topics, dates, the newest records, or show the core (what every conversation begins with).",
        taking(
            what=one_of("What to list.", "topics", "timeline", "recent", "core"),
            under=text(
                f"Topics: beginning of a path. Timeline: {_DAY}. Core: a project directory.", most=_NAME
            ),
            limit=number("How many rows.", least=1, most=500, default=100),
        ),
        answer("rows of", revision={}, rows=_ROWS, of=number("How many there are."), text=text()),
        READS,
        _browse,
    ),
    Tool(
        "memory_context",
        "Context of a question",
        "What to know before answering a question: records with the turns that they cite. The answer is that"
        " text alone, within the budget of tokens. One call instead of several searches.",
        taking(
            "question",
            question=text(most=_QUERY),
            budget=number("Tokens at most, of all that is given.", least=1, most=8_000),
            session=text("The conversation that it is asked in: its newest turns come along.", most=_NAME),
            scope=_SCOPE,
            current_required=_CURRENT,
            least=_SURE,
        ),
        None,
        READS,
        _context,
        alone="text",
    ),
    Tool(
        "memory_why",
        "Where it comes from",
        "Where a record or message comes from: the conversation around each cited turn, other branches of it,"
        " and every commit that touched it.",
        taking("id", id=_ID, around=number("Turns before and after.", least=0, most=10, default=2)),
        answer("kind conversations history", kind=text(), revision={}, conversations=_ROWS, history=_ROWS),
        READS,
        _why,
    ),
    Tool(
        "memory_status",
        "How memory stands",
        "How much memory holds, what waits to be written, and whether anything is wrong. Its `revision` is"
        " the `base_revision` of an update.",
        taking(),
        answer("revision health", revision={}, health=text(), records=number(), topics=number()),
        READS,
        _status,
    ),
    Tool(
        "memory_traces",
        "What was delivered",
        "The newest deliveries of context: to whom, on which question, what was left out and why.",
        taking(limit=number("How many.", least=1, most=50, default=10)),
        answer("rows", rows=_ROWS),
        READS,
        _traces,
    ),
)
