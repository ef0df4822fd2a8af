"""The tools that change memory, and the pair by which a connected agent writes what is unwritten."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from scriptorium_core.problem import Code, Problem

from .. import plain
from ..refused import Refused
from .answers import committed, lean, line
from .schemas import Schema, answer, array, flag, keyed, number, obj, taking, text
from .tool import ADDS, CHANGES, Call, Hints, Tool

if TYPE_CHECKING:
    from ..service.leased import HandedIn

__all__ = ["WRITING"]


def _update(call: Call) -> dict[str, Any]:
    given = dict(call.given)
    if given.get("base_revision") in (None, ""):
        given.pop("base_revision", None)
        _see_it_is_the_first(call)
    return committed(_done(call.service.change(given)))


def _see_it_is_the_first(call: Call) -> None:
    """Only a memory without a commit has no revision that somebody could have seen."""
    if not call.service.root.is_dir() or call.service.memory().revision is None:
        return
    remedy = "give the `revision` of your last answer, or of memory_status"
    message = "base_revision is missing: nothing is overwritten that you have not seen"
    raise Refused(Problem(Code.INVALID_ARGUMENT, message, "base_revision", remedy=remedy))


def _remember(call: Call) -> dict[str, Any]:
    saved = _done(
        call.service.remember(
            call.text("text"),
            topic=call.text("topic"),
            asks=[str(question) for question in call.given.get("asks", ())],
            organize=bool(call.given.get("organize", False)),
        )
    )
    records = [line(record) for record in saved.records]
    organized = lean(organized=plain.plain(saved.organized))
    told = {"source": saved.source, "records": records, "known": saved.known}
    return {**committed(saved.committed), **told, **organized}


def _promote(call: Call) -> dict[str, Any]:
    return committed(_done(call.service.promote([str(name) for name in call.given["names"]])))


def _pending(call: Call) -> dict[str, Any]:
    from ..service.leased import Offered

    tokens = call.given.get("tokens")
    found = call.service.pending(call.text("session"), tokens=int(tokens) if tokens is not None else None)
    if not isinstance(found, Offered):
        return {"batch": "", **lean(why=str(found.why), tokens=found.tokens, until=found.until)}
    known: dict[str, Any] = plain.plain(found)
    return known


def _write(call: Call) -> dict[str, Any]:
    given = dict(call.given)
    unknown = [name for name in given if name not in _HAND_IN]
    batch = given.pop("batch", "")
    if unknown or not isinstance(batch, str) or not batch:
        raise Refused(*_unfit(unknown, batch))
    return _handed(call.service.hand_in(batch, **given))


def _handed(done: "HandedIn") -> dict[str, Any]:
    from scriptorium_core.writing.outcome import Failed

    if isinstance(done.outcome, Failed):
        failed = done.outcome
        left = f"attempts left: {done.attempts}" if done.attempts else "this batch is not handed in again"
        problems = failed.problems or (Problem(failed.code, failed.message, "batch", remedy=left),)
        raise Refused(Problem(failed.code, f"{failed.message}; {left}", "batch", remedy=left), *problems)
    outcome = plain.plain(done.outcome)
    kept = ("outcome", "created", "updated", "deleted", "topics", "reason", "summary", "frames", "redacted")
    return {
        "batch": done.batch,
        "session": done.session,
        "already": done.already,
        "outcome": outcome["outcome"],
        **lean(commit=done.commit, **{name: outcome.get(name) for name in kept if name != "outcome"}),
    }


def _unfit(unknown: list[str], batch: object) -> list[Problem]:
    known = ", ".join(_HAND_IN)
    problems = [
        Problem(
            Code.INVALID_ARGUMENT, f"{name[:60]!r} is not a known key", name[:60], remedy=f"known: {known}"
        )
        for name in unknown
    ]
    if not isinstance(batch, str) or not batch:
        remedy = "give the `batch` that memory_pending named"
        problems.append(Problem(Code.INVALID_ARGUMENT, "the batch is missing", "batch", remedy=remedy))
    return problems


def _done(result: Any) -> Any:
    """What was done; Refused with all problems where it was rejected."""
    from scriptorium_core.transaction import Rejected

    if isinstance(result, Rejected):
        raise Refused(*result.problems)
    return result


_DESTINATION: Schema = obj(
    "topic_path headings position",
    topic_path=text("topics/<name>.md"),
    headings=array(text(), "The heading chain, made where it is missing."),
    position={"type": "string", "enum": ["start", "end", "before", "after"]},
    anchor_memory_id=text("The record beside which it goes, for before and after."),
)
_CITED = array(
    obj("source label", source=text("A source id, or a label of `sources`."), label=text("Who said it.")),
    "What it rests on.",
)
_OPERATION = obj(
    "op",
    op={"type": "string", "enum": ["create_record", "update_record", "delete_record", "move_records"]},
    memory_id=text("Of update and delete: the record's id."),
    memory_ids=array(text(), "Of move: ids in order."),
    content=text("Of create and update: one paragraph, whole and final; no headings, ids or citations."),
    time={"type": ["string", "null"], "description": "YYYY, YYYY-MM, YYYY-MM-DD, or undated."},
    sources=_CITED,
    destination=_DESTINATION,
    supersede=flag("Of update: the earlier evidence stays, closed by this one."),
    add=flag("Of update: the earlier evidence stays; the same was said again."),
)
_FORMS: Mapping[str, Schema] = MappingProxyType(
    {
        "memory_changes": array(_OPERATION, "Up to 64 operations. Prefer them.", maxItems=64),
        "changes": array(obj(), 'Whole topics instead: {"path", "action": "write" or "delete", "content"}.'),
        "patch": text("A unified diff over topics instead."),
        "deleted": array(text(), "With changes or patch: ids of records that go on purpose."),
    }
)
_NEW_SOURCES = array(
    obj(
        "label role content",
        label=text("new-source-<letters, digits, ->"),
        role={"type": "string", "enum": ["user", "assistant", "system", "tool"]},
        content=text("What was said, verbatim."),
        observed_at=text("ISO 8601."),
    ),
    "What was said that memory has not archived yet.",
    maxItems=64,
)
_REVISION: Schema = MappingProxyType(
    {"type": ["string", "null"], "description": "The `revision` you read; null only for an empty memory."}
)
_IDS = array(text())
_COMMIT: Mapping[str, Schema] = MappingProxyType(
    {"revision": {}, "changed": flag(), "created": _IDS, "updated": _IDS, "deleted": _IDS, "moved": _IDS}
)
_HAND_IN = ("batch", *_FORMS, "nothing_to_keep", "summary", "base_revision")

WRITING = (
    Tool(
        "memory_update",
        "Change memory",
        "Create, correct, delete or move records, all or nothing, as one commit. Search first; correct the"
        " record that there is rather than adding a second. Exactly one of memory_changes, changes, patch."
        " A rejection lists every problem with its remedy.",
        keyed(
            taking(
                "base_revision",
                base_revision=_REVISION,
                **_FORMS,
                sources=_NEW_SOURCES,
                commit_message=text("One line."),
            )
        ),
        answer("revision changed", **_COMMIT),
        CHANGES,
        _update,
        checked=False,
    ),
    Tool(
        "memory_remember",
        "Remember words",
        "Save words of the person, verbatim, because they asked for it. The same text again changes nothing.",
        keyed(
            taking(
                "text",
                text=text("Their words.", most=64_000),
                topic=text(
                    "Where to (default: notes); `core` is what every conversation begins with.", most=1_000
                ),
                asks=array(text(most=1_000), "Questions that the words answer.", maxItems=16),
                organize=flag(
                    "Whether a model proposes place and wording; what it adds is refused.", default=False
                ),
            )
        ),
        answer("revision records known", **_COMMIT, records=array(obj()), known=flag()),
        ADDS,
        _remember,
    ),
    Tool(
        "memory_promote",
        "Let held words in",
        "Let in what an unknown speaker said. Only when the person asks for exactly this.",
        keyed(
            taking(
                "names",
                names=array(
                    text(most=1_000),
                    "Source ids, or records (`^id`) that cite them.",
                    minItems=1,
                    maxItems=64,
                ),
            )
        ),
        answer("revision changed", **_COMMIT),
        ADDS,
        _promote,
    ),
    Tool(
        "memory_pending",
        "Take the next batch to write",
        "The next part of a conversation that memory has not written: what was said, its refs, an outline of"
        " memory, and the rules. It is yours until `until`; hand it in with memory_write.",
        taking(
            session=text("Only of this conversation.", most=1_000),
            tokens=number("About how many tokens at most.", least=100, most=32_000),
        ),
        answer("batch", batch=text("Empty: there is none now, and `why`."), messages=text(), outline=text()),
        Hints(repeats=True),
        _pending,
        ours=("rules",),
        most=400_000,
    ),
    Tool(
        "memory_write",
        "Hand in a batch",
        "Hand in what you made of a batch: one of memory_changes, changes, patch, or nothing_to_keep."
        " If it is rejected, mend all problems and hand in the whole again, once.",
        taking(
            "batch",
            batch=text("The key that memory_pending gave."),
            **{**_FORMS, "memory_changes": array(obj(), "Operations as memory_update takes them.")},
            nothing_to_keep=text("Why nothing is worth keeping."),
            summary=text("One line: what was kept."),
            base_revision=text("The commit you read, if later than that of the batch."),
        ),
        answer("batch outcome", batch=text(), outcome=text(), created=_IDS, updated=_IDS, deleted=_IDS),
        CHANGES,
        _write,
        checked=False,
    ),
)
