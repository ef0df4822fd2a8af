"""Memories of any size for the benchmarks, written as files and taken over by the program itself."""

from collections.abc import Callable, Iterator
from pathlib import Path

from scriptorium.workspace import Memory
from scriptorium_core.names import SourceId, anchor, archive_path
from scriptorium_core.sources.archive import append
from scriptorium_core.sources.frame import Frame, Provenance, Tier

__all__ = ["RECORDS_A_TOPIC", "Say", "memory_of", "sentence", "source_of"]

RECORDS_A_TOPIC = 50
_MESSAGES_A_THREAD = 200
_WORDS = (
    "greenhouse heater kettle circuit larch deck oak oil inspection budget workshop florist key door garden "
    "ferry harbour violin rehearsal recipe saffron bicycle chain winter coat passport visa dentist invoice "
    "server backup release branch review test coverage index query latency cache release train ticket"
).split()
Say = Callable[[int], str]
_OWNER = Provenance("owner/local", "owner", Tier.OWNER)


def sentence(number: int) -> str:
    """What record `number` says, in English words that come again and a number that does not."""
    words = [_WORDS[(number * 7 + place * place * 13) % len(_WORDS)] for place in range(9)]
    return f"The {' '.join(words)} number {number} is settled."


def memory_of(records: int, root: Path, say: Say = sentence) -> Memory:
    """A memory with that many records in topics of 50, each citing a message, over two thousand days."""
    for path, data in _files(records, say):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return Memory.open(root)


def source_of(number: int) -> SourceId:
    """The source id of the message behind record `number`."""
    return SourceId(f"bench/thread-{number // _MESSAGES_A_THREAD:05}/m{number}")


def _files(records: int, say: Say) -> Iterator[tuple[str, bytes]]:
    for start in range(0, records, _MESSAGES_A_THREAD):
        numbers = range(start, min(start + _MESSAGES_A_THREAD, records))
        path = archive_path(source_of(start))
        archive = append(path, None, [_frame(number, say) for number in numbers])
        assert isinstance(archive, bytes), archive
        yield path, archive
    for start in range(0, records, RECORDS_A_TOPIC):
        topic = start // RECORDS_A_TOPIC
        numbers = range(start, min(start + RECORDS_A_TOPIC, records))
        text = f"# Subject {topic}\n\n" + "\n".join(_paragraph(number, say) for number in numbers)
        yield f"topics/area-{topic // 40:03}/subject-{topic:05}.md", text.encode()


def _frame(number: int, say: Say) -> Frame:
    at = f"{_day(number)}T10:00:00"
    return Frame(source_of(number), "user", say(number), at, "owner/local", "Owner", _OWNER)


def _paragraph(number: int, say: Say) -> str:
    source = source_of(number)
    target = f"../../{archive_path(source)}#{anchor(source)}"
    return (
        f"{say(number)}[^e-{number:010x}] ^b{number:07x}\n\n"
        f"[^e-{number:010x}]: Time: `{_day(number)}`; Sources: [message {number}]({target})\n"
    )


def _day(number: int) -> str:
    day = number % 2000
    return f"{2020 + day // 360}-{day % 360 // 30 + 1:02}-{day % 28 + 1:02}"
