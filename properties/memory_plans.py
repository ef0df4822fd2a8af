"""Memories as plans: what stands in topics and archives, and the bytes that it makes.

A record names the ids that it links to and the messages that it cites, and `Memory.files` writes the bytes.
So a plan can be edited and stays well formed: a link whose target has gone is written as its bare label.
"""

from collections.abc import Mapping
from hashlib import sha256

from attrs import frozen

from scriptorium_core.markdown.links import link_path, relative
from scriptorium_core.names import TopicPath, anchor, archive_path
from scriptorium_core.sources.archive import append
from scriptorium_core.sources.frame import Frame

__all__ = ["Entry", "Group", "Memory", "Note", "Page", "Section"]


@frozen
class Note:
    """A definition to be: its date as written, and which messages it cites (counted modulo all)."""

    when: str
    sources: tuple[int, ...]
    fields: str = ""


@frozen
class Group:
    """A text and the notes that carry it."""

    text: str
    notes: tuple[Note, ...]


@frozen
class Entry:
    """A record to be; of its `ids` the last is the identity. A legacy one has one `mem_` id and one group."""

    ids: tuple[str, ...]
    groups: tuple[Group, ...]
    links: tuple[str, ...] = ()
    legacy: bool = False

    def written(self, page: str, memory: "Memory") -> tuple[str, list[str]]:
        """The paragraph and its definition lines."""
        text = ""
        definitions: list[str] = []
        for number, group in enumerate(self.groups):
            text += (" " if number else "") + group.text
            text += "".join(f" {memory.link(page, block)}" for block in self.links if number == 0)
            for note in group.notes:
                name = self.ids[-1] if self.legacy else _evidence(self.ids[-1], len(definitions))
                text += f"[^{name}]"
                sources = memory.cite(page, note) + note.fields
                definitions.append(f"[^{name}]: Time: `{note.when}`; Sources: {sources}")
        return text + ("" if self.legacy else "".join(f" ^{block}" for block in self.ids)), definitions


@frozen
class Section:
    """Headings (level and title), records below them, and a fence or comment in between."""

    headings: tuple[tuple[int, str], ...]
    entries: tuple[Entry, ...]
    extra: str = ""


@frozen
class Page:
    """A topic to be: sections, line end, byte order mark, and where its definitions stand."""

    path: TopicPath
    sections: tuple[Section, ...]
    newline: str = "\n"
    bom: bool = False
    gathered: bool = False

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The records, in order."""
        return tuple(entry for section in self.sections for entry in section.entries)

    def written(self, memory: "Memory") -> bytes:
        """The file."""
        blocks: list[str] = []
        gathered: list[str] = []
        for section in self.sections:
            blocks += ["#" * level + " " + title for level, title in section.headings]
            for entry in section.entries:
                paragraph, definitions = entry.written(self.path, memory)
                blocks.append(paragraph)
                (gathered if self.gathered else blocks).append("\n".join(definitions))
            blocks += [section.extra] if section.extra and section.entries else []
        text = "\n\n".join([*blocks, *gathered]) + "\n"
        return ("\ufeff" if self.bom else "").encode() + text.replace("\n", self.newline).encode()


@frozen
class Memory:
    """Messages and topics to be."""

    frames: tuple[Frame, ...]
    pages: tuple[Page, ...]

    @property
    def where(self) -> Mapping[str, str]:
        """Block id to the topic in which it stands."""
        return {block: page.path for page in self.pages for entry in page.entries for block in entry.ids}

    @property
    def order(self) -> Mapping[str, int]:
        """Creation order: ids are numbered as they are made, whatever they stand in."""
        return {block: int(block.removeprefix("mem_"), 16) for block in self.where}

    @property
    def cited(self) -> frozenset[int]:
        """The numbers of the messages that records cite."""
        groups = (group for page in self.pages for entry in page.entries for group in entry.groups)
        notes = (note for group in groups for note in group.notes)
        return frozenset(number % len(self.frames) for note in notes for number in note.sources)

    @property
    def files(self) -> Mapping[str, bytes]:
        """Path to bytes of every topic and archive."""
        archives: dict[str, bytes] = {}
        for frame in self.frames:
            path = archive_path(frame.id)
            data = append(path, archives.get(path), [frame])
            assert isinstance(data, bytes), data
            archives[path] = data
        return {**archives, **{page.path: page.written(self) for page in self.pages if page.entries}}

    def link(self, page: str, block: str) -> str:
        """A link to a record, or its bare label if the record has gone."""
        target = self.where.get(block)
        return f"[see]({link_path(relative(page, target))}#^{block})" if target else "see"

    def cite(self, page: str, note: Note) -> str:
        """The sources of a note as links."""
        cited = dict.fromkeys(self.frames[number % len(self.frames)].id for number in note.sources)
        return ", ".join(
            f"[said {number}]({relative(page, archive_path(source))}#{anchor(source)})"
            for number, source in enumerate(cited)
        )


def _evidence(block: str, number: int) -> str:
    return "e-" + sha256(f"{block}|{number}".encode()).hexdigest()[:10]
