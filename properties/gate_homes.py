"""Homes whose records have any standing, and what each way out of them says of each record."""

import json
import tempfile
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, redirect_stdout
from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path
from typing import Any

from attrs import define, frozen
from hypothesis import strategies as st

from scriptorium.cli import main
from scriptorium.clock import Moment
from scriptorium.mcp.asking import ASKING
from scriptorium.mcp.reading import READING
from scriptorium.mcp.tool import Call
from scriptorium.plain import plain
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium.web.answers import rendered
from scriptorium_core.names import NodeId, SessionId, SourceId, anchor
from scriptorium_core.recall import Query
from scriptorium_core.sources import Context, Frame, Origin, append, append_context
from scriptorium_core.topics.standing import render_noted
from scriptorium_core.when import When, render_when
from standing_strategies import noted, whens

__all__ = ["Clock", "Home", "Kept", "doors", "gate_home", "kept"]

ARCHIVE = "sources/chat/_v2/s1.md"
SAYINGS = (
    "The lamp in the hall is green.",
    "Ines repaired a lamp for her neighbour on the third floor.",
    "A lamp costs forty euros at the market, said the plumber.",
    "Nobody may carry the old lamp down into the cellar.",
    "Where the lamp stood there is a bookcase by now.",
)
Said = dict[str, dict[str, Any]]


@frozen
class Kept:
    """A record: the fields of its definition, its date, who said it (None: its archive does not know)."""

    fields: tuple[tuple[str, str], ...]
    when: When | None
    origin: Origin | None


@st.composite
def kept(draw: st.DrawFn) -> tuple[Kept, ...]:
    """Some records, the first two of which stand in the core."""
    one = st.builds(
        Kept,
        noted().map(render_noted),
        st.none() | whens,
        st.sampled_from([None, Origin.HUMAN, Origin.ASSISTANT]),
    )
    return tuple(draw(st.lists(one, min_size=2, max_size=len(SAYINGS))))


@define
class Clock:
    """A clock that can be set to the noon of a day."""

    day: date

    def __call__(self) -> Moment:
        return Moment(int(datetime(self.day.year, self.day.month, self.day.day, 12, tzinfo=UTC).timestamp()))


@frozen
class Home:
    """A home that stays open, its clock and the files of its memory."""

    service: Service
    clock: Clock
    files: Mapping[str, bytes]


@contextmanager
def gate_home(records: Iterable[Kept], day: date) -> Generator[Home]:
    """A home with these records, taken over as one commit."""
    clock, files = Clock(day), _files(tuple(records))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "home" / "memory"
        for path, data in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
        (root / ".scriptorium").mkdir(parents=True)
        with Service(root.parent, settings=Settings(timezone="UTC"), moment=clock) as service:
            service.memory(make=True)
            yield Home(service, clock, files)


def doors(home: Home, ids: Iterable[str]) -> Mapping[str, Said]:
    """What every way out says of the records, by the way out and then by id: as the JSON of an assessment."""
    service = home.service
    found = service.search(Query("lamp"))
    context, core = service.context("Where is the lamp?", 4_000), service.core()
    asked = service.ask("Where is it, the lamp?", 4_000)
    subject = service.ask("What do you know about a lamp?")
    days = {row.record: row for day in service.timeline().days for row in service.timeline(day.date).rows}
    said: dict[str, Said] = {
        "search": {hit.id: _json(hit.assessment) for hit in found.hits},
        "explain": {hit.id: _json(hit.assessment) for hit in service.explain(Query("lamp")).found.hits},
        "show": {each: _json(service.show(each).assessment) for each in ids},  # type: ignore[union-attr]
        "why": {each: _json(service.why(each).shown.assessment) for each in ids},  # type: ignore[union-attr]
        "at": {each: _json(service.at("HEAD").show(each).assessment) for each in ids},  # type: ignore[union-attr]
        "topic": {
            block: _json(found)
            for path in ("core", "lamps")
            if f"topics/{path}.md" in home.files
            for block, found in service.show(path).assessments.items()  # type: ignore[union-attr]
        },
        "grep": {line.record: _json(line.assessment) for line in service.grep("lamp").hits if line.record},
        "recent": {row.record.id: _json(row.assessment) for row in service.recent().rows},
        "relations": {
            end.record.id: _json(end.assessment)
            for each in ids
            for related in service.relations(each).records
            for end in (related.line, *related.links, *related.backlinks)
        },
        "timeline": {block: _json(row.assessment) for block, row in days.items()},
        "context": {each.id: _json(each.assessment) for each in _records(context)},
        "core": {
            **{block: _json(each) for block, each in core.assessments.items()},
            **{each.id: _json(each.assessment) for each in core.left_out},
        },
        "ask": {each.id: _json(each.assessment) for each in (*asked.records, *_records(asked))},
        "subject": {each.id: _json(each.assessment) for each in subject.records},
        "REST": _hits(json.loads(rendered(plain(service.search(Query("lamp")))))),
        "REST context": _hits({"hits": _both(json.loads(rendered(plain(context))), "shown", "left_out")}),
        "command line": _hits(_command(home, "search", "lamp")),
        "command line, context": _hits(
            {"hits": _both(_command(home, "context", "lamp", "--budget", 4_000), "shown", "left_out")}
        ),
    }
    return {**said, **_agents(service, ids)}


def _agents(service: Service, ids: Iterable[str]) -> Mapping[str, Said]:
    """The same as agents are told it: what is empty is left out there."""
    tools = {tool.name: tool for tool in (*READING, *ASKING)}

    def told(name: str, **given: Any) -> dict[str, Any]:
        return tools[f"memory_{name}"].run(Call(service, given, lambda done, total: None))

    context = told("context", question="Where is the lamp?", budget=4_000)
    asked = told("ask", question="What do you know about a lamp?", budget=4_000)
    core = told("browse", what="core")
    return {
        "memory_ask": _hits({"hits": asked["records"]}),
        "memory_search": _hits(told("search", query="lamp")),
        "memory_get": _hits({"hits": [told("get", id=f"^{each}")["record"] for each in ids]}),
        "memory_why": _hits({"hits": [told("why", id=f"^{each}")["record"] for each in ids]}),
        "memory_browse": _hits({"hits": told("browse", what="recent")["rows"]}),
        "memory_context": _hits({"hits": _both(context, "shown", "left_out")}),
        "memory_browse, core": _hits({"hits": [*core["rows"], *core.get("left_out", [])]}),
    }


def _records(context: Any) -> list[Any]:
    return [each for each in (*context.shown, *context.left_out) if "/" not in each.id]


def _both(answer: Mapping[str, list[Any]], *names: str) -> list[Any]:
    return [each for name in names for each in answer[name]]


def _hits(answer: Mapping[str, Any]) -> Said:
    rows = [row for row in answer["hits"] if "/" not in row["id"]]
    return {row["id"].removeprefix("^"): _full(row["assessment"]) for row in rows}


def _json(found: Any) -> dict[str, Any]:
    return _full(plain(found))


def _full(found: Mapping[str, Any]) -> dict[str, Any]:
    """An assessment with what is empty in it."""
    return {"reasons": [], "days": None, "checked": None, "evident": None, **found}


def _command(home: Home, *words: object) -> Any:
    at = datetime.combine(home.clock.day, datetime.min.time(), UTC).isoformat()
    out = StringIO()
    with redirect_stdout(out):
        assert main(["--home", str(home.service.home), "--clock", at, *map(str, words), "--json"]) == 0
    return json.loads(out.getvalue())


def _files(records: tuple[Kept, ...]) -> dict[str, bytes]:
    frames: list[Frame] = []
    contexts: list[Context] = []
    topics = {"topics/core.md": ["# Core"], "topics/lamps.md": ["# Lamps"]}
    for number, record in enumerate(records):
        name = SourceId(f"chat/s1/m{number}")
        frames.append(Frame(name, "user", SAYINGS[number], f"202{number}-05-0{number + 1}T10:00:00+00:00"))
        if record.origin is not None:
            contexts.append(Context(name, record.origin, SessionId("s1"), NodeId(f"m{number}")))
        fields = "".join(f"; {field}: {value}" for field, value in record.fields)
        link = f"[said](../{ARCHIVE}#{anchor(name)})"
        definition = f"[^e{number}]: Time: `{render_when(record.when)}`; Sources: {link}{fields}"
        path = "topics/core.md" if number < 2 else "topics/lamps.md"
        topics[path] += [f"{SAYINGS[number]}[^e{number}] ^a{number}", definition]
    archive, beside = append(ARCHIVE, None, frames), append_context(f"{ARCHIVE[:-3]}.jsonl", None, contexts)
    assert isinstance(archive, bytes)
    assert isinstance(beside, bytes)
    written = {path: "\n\n".join([*lines, ""]).encode() for path, lines in topics.items() if len(lines) > 1}
    return {**written, ARCHIVE: archive, **({f"{ARCHIVE[:-3]}.jsonl": beside} if contexts else {})}
