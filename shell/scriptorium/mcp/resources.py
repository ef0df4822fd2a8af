"""The resources: the core, topics and dates, each by an address that leads into memory and nowhere else.

An address is decoded once and then looked up among the names that memory knows: it is never a path of the
disk, so that no spelling of `..` leads out of it.
"""

from collections.abc import Iterator
from urllib.parse import quote, unquote

from mcp_types import Resource, ResourceTemplate

from scriptorium_core.knowledge.gate import marks
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sessions.wrapper import wrapped

from ..refused import Refused
from ..service import Service
from ..service.model import Row
from ..service.shown import TopicShown
from .capping import MOST

__all__ = ["CORE", "TEMPLATES", "address_of", "listed", "read"]

CORE = Resource(
    uri="memory://core",
    name="core",
    title="Core memory",
    description="What every conversation begins with, under its budget of tokens.",
    mime_type="text/markdown",
)
TEMPLATES = (
    ResourceTemplate(
        uri_template="memory://topics/{+path}",
        name="topic",
        title="A topic",
        description="A topic by its path: memory://topics/people/mira.md",
        mime_type="text/markdown",
    ),
    ResourceTemplate(
        uri_template="memory://timeline/{date}",
        name="timeline",
        title="A date",
        description="What is dated so: memory://timeline/2026-04 (a year, a month or a day)",
        mime_type="text/markdown",
    ),
)

_SCHEME = "memory://"
_LONGEST = 2_000


def address_of(topic: str) -> str:
    """The address of a topic (`topics/people/mira.md`)."""
    return _SCHEME + quote(topic, safe="/")


def listed(service: Service, first: int, most: int) -> tuple[tuple[Resource, ...], bool]:
    """The resources from the `first` on, and whether there are more: the core, then the topics by path."""
    topics = service.topics()
    known = [
        CORE,
        *(
            Resource(
                uri=address_of(topic.path),
                name=topic.path.removeprefix("topics/"),
                description=f"{topic.records} record{'' if topic.records == 1 else 's'}",
                mime_type="text/markdown",
            )
            for topic in topics
            if topic.records and not topic.problems
        ),
    ]
    return tuple(known[first : first + most]), len(known) > first + most


def read(service: Service, address: str) -> str:
    """What an address leads to, wrapped as reference data. Raises Refused where it leads to nothing."""
    kind, _, name = address.removeprefix(_SCHEME).partition("/")
    if not address.startswith(_SCHEME) or len(address) > _LONGEST:
        raise Refused(_unknown(address))
    match kind:
        case "core" if not name:
            return _core(service)
        case "topics" if name:
            return _topic(service, f"topics/{unquote(name)}")
        case "timeline" if name:
            return _timeline(service, unquote(name))
        case _:
            raise Refused(_unknown(address))


def _core(service: Service) -> str:
    core = service.core()
    return wrapped("core", core.revision or "", core.text or "The core is empty.")


def _topic(service: Service, path: str) -> str:
    part = service.excerpt(path, room=MOST)
    rest = (
        f"\n[lines {part.first} to {part.last} of {part.of}; read on with memory_get, first={part.last + 1}]"
    )
    held = service.show(part.path)
    known = held.assessments if isinstance(held, TopicShown) else {}
    told = ((record.id, known.get(record.id)) for record in part.records)
    doubted = ((name, found) for name, found in told if found is not None and found.is_doubted)
    doubts = [f"\n[^{name}; {'; '.join(marks(found))}]" for name, found in doubted]
    text = "".join((part.text, *doubts, rest if part.last < part.of else ""))
    return wrapped("topic", part.revision or "", text)


def _timeline(service: Service, date: str) -> str:
    found = service.timeline(date)
    lines = [
        f"- {row.date} ^{row.record} {row.topic_path}: {' '.join(row.quote.split())}{_doubted(row)}"
        for row in found.rows
        if row.trusted
    ]
    return wrapped("timeline", found.revision or "", "\n".join(_within(lines)) or f"nothing is dated {date}")


def _doubted(row: Row) -> str:
    """What is said beside a row whose record may not be reused as it is."""
    found = row.assessment
    return f" [{'; '.join(marks(found))}]" if found is not None and found.is_doubted else ""


def _within(lines: list[str]) -> Iterator[str]:
    """As many lines as fit, and how many do not."""
    room = MOST
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            yield f"[{len(lines) - number} more; name a month or a day]"
            return
        yield line


def _unknown(address: str) -> Problem:
    known = ", ".join(["memory://core", *(each.uri_template for each in TEMPLATES)])
    message = f"there is no resource {address[:200]!r}"
    return Problem(Code.MEMORY_NOT_FOUND, message, "uri", remedy=f"known: {known}")
