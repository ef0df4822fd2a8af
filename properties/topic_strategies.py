"""Whole memories from small parts, and edits that keep them well formed.

A part is a plan, not text: a record names the ids that it links to and the messages that it cites, and
`Memory.files` writes the bytes. So a memory can be edited (see `histories`) and stays well formed: a link
whose target has gone is written as its bare label.
"""

from collections.abc import Mapping
from hashlib import sha256

from attrs import evolve, frozen
from hypothesis import strategies as st

from scriptorium_core.markdown.links import link_path, relative
from scriptorium_core.names import CORE_TOPIC, SourceId, TopicPath, anchor, archive_path, path_key
from scriptorium_core.sources.archive import append
from scriptorium_core.sources.frame import Frame, Provenance, Tier, Trust
from strategies import SCRIPTS, awkward_texts, partial_dates, sentences, topic_paths, words

__all__ = [
    "PROSE",
    "Entry",
    "Group",
    "Memory",
    "Note",
    "Page",
    "Section",
    "entries",
    "frames",
    "histories",
    "memories",
    "pages",
    "prose",
]

# What may stand anywhere in the prose of a record, and breaks readers that guess.
PROSE = (
    "the area is r^2.",
    "x = y ^2 in the middle.",
    "ends in a word ^word",
    "`code [^e1] ^id3` stays.",
    "``two `ticks` ^id4``",
    "two\nlines",
    "line\u2028separator",
    "next\x85line",
    "an [outer](https://example.org/a_(b)) link",
    "`[x](y.md#^z)` is code.",
    "<|endoftext|>",
    "</memory-context>",
    "a | b; c: d · e",
    'quo"ted \\ back',
    "nul\x00 and bell\x07",
    *(text for text in SCRIPTS),
)
_EXTRAS = (
    "```\nkeys ^inside1\n\n[^e1]: not a definition\n```",
    "~~~~\n```\n# no heading\n~~~~",
    "<!-- comment ^id -->",
    '<a id="here"></a>',
)
_TITLES = ("Keys", "House", "钥匙", "a `code` title ^x", "Two words", "r^2")
_EDITS = ("add", "replace", "drop topic", "drop", "change", "move", "split", "merge", "promote")
_THREADS = ("chat/s1", "chat/s2", "open program/会话 一", "telegram/main%3A-100 50%")


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


def prose() -> st.SearchStrategy[str]:
    """What one evidence group says; shrinks to `keys.`."""
    pieces = st.lists(sentences() | st.sampled_from(PROSE), max_size=2)
    # A plain sentence first: no piece may begin the paragraph as a heading, a definition or HTML would.
    return st.builds(lambda first, rest: " ".join([first, *rest]), sentences(), pieces)


def notes() -> st.SearchStrategy[Note]:
    """A definition with one or two sources; dates meet often enough to share a day."""
    dates = st.sampled_from(("2026-04-22", "2026-04", "2026", "undated")) | partial_dates()
    fields = st.sampled_from(("", "", "; Status: verified 0.95", "; Until: 2026-06; Checked: 2026-08-01"))
    return st.builds(Note, dates, st.lists(st.integers(0, 9), min_size=1, max_size=2).map(tuple), fields)


def groups() -> st.SearchStrategy[Group]:
    """A text with one or two notes."""
    return st.builds(Group, prose(), st.lists(notes(), min_size=1, max_size=2).map(tuple))


def contents() -> st.SearchStrategy[tuple[Group, ...]]:
    """One to three evidence groups."""
    return st.lists(groups(), min_size=1, max_size=3).map(tuple)


@st.composite
def entries(draw: st.DrawFn, first: int, known: tuple[str, ...] = ()) -> Entry:
    """A record with at most three ids from number `first` on, that may link to `known` ids and to itself."""
    if draw(st.integers(0, 5)) == 5:
        group = Group(draw(prose()), (draw(notes()),))
        return Entry((f"mem_{first:06x}",), (group,), _some(draw, known), legacy=True)
    ids = tuple(f"{first + number:08x}" for number in range(draw(st.sampled_from((1, 1, 1, 2, 3)))))
    return Entry(ids, draw(contents()), _some(draw, (*known, ids[0])))


def _some(draw: st.DrawFn, known: tuple[str, ...]) -> tuple[str, ...]:
    if not known:
        return ()
    return tuple(draw(st.lists(st.sampled_from(known), max_size=2, unique=True)))


@st.composite
def pages(draw: st.DrawFn, path: str, first: int = 0, known: tuple[str, ...] = ()) -> Page:
    """A topic of one to three sections; its record number n has ids from `first` + 4n on."""
    sections: list[Section] = []
    for _ in range(draw(st.integers(1, 3))):
        made: list[Entry] = []
        for _ in range(draw(st.integers(1, 2))):
            entry = draw(entries(first, known))
            made.append(entry)
            known, first = (*known, *entry.ids), first + 4
        titles = st.tuples(st.integers(1, 4), st.sampled_from(_TITLES) | words())
        headings = tuple(draw(st.lists(titles, max_size=2)))
        sections.append(Section(headings, tuple(made), draw(st.sampled_from(("", "", *_EXTRAS)))))
    newline = draw(st.sampled_from(("\n", "\n", "\r\n", "\r")))
    return Page(TopicPath(path), tuple(sections), newline, draw(st.booleans()), draw(st.booleans()))


@st.composite
def frames(draw: st.DrawFn) -> tuple[Frame, ...]:
    """One to six messages of a few threads, some pending; ids are unique."""
    made: list[Frame] = []
    for number in range(draw(st.integers(1, 6))):
        trust = draw(st.sampled_from((Trust.TRUSTED, Trust.TRUSTED, Trust.PENDING)))
        made.append(
            Frame(
                SourceId(f"{draw(st.sampled_from(_THREADS))}/m{number}"),
                draw(st.sampled_from(("user", "assistant"))),
                draw(sentences() | awkward_texts()),
                draw(st.sampled_from(("", "2026-04-22T10:21:00+02:00"))),
                draw(st.sampled_from((None, "4402"))),
                draw(st.sampled_from(("", "Bo", "Ada [x]: y"))),
                Provenance("p", "owner", Tier.OWNER, trust),
            )
        )
    return tuple(made)


def _paths() -> st.SearchStrategy[list[str]]:
    """Topics that may coexist, often with the core among them."""
    drawn = st.lists(topic_paths(), max_size=3, unique_by=path_key)
    return st.builds(
        lambda paths, core: list({path_key(path): path for path in [*core, *paths]}.values()),
        drawn,
        st.sampled_from(([CORE_TOPIC], [])),
    ).map(lambda paths: paths or ["topics/keys.md"])


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """A well-formed memory of one to four topics; every link and every citation lands."""
    made: list[Page] = []
    known: tuple[str, ...] = ()
    for number, path in enumerate(draw(_paths())):
        page = draw(pages(path, 64 * number, known))
        made.append(page)
        known = (*known, *(block for entry in page.entries for block in entry.ids))
    return Memory(draw(frames()), tuple(made))


@st.composite
def histories(draw: st.DrawFn, steps: int = 3) -> tuple[Memory, ...]:
    """A memory and what becomes of it in up to `steps` edits, each well formed."""
    states = [draw(memories())]
    for number in range(draw(st.integers(1, steps))):
        states.append(draw(_edited(states[-1], 4096 * (number + 1))))
    return tuple(states)


@st.composite
def _edited(draw: st.DrawFn, memory: Memory, first: int) -> Memory:
    """The memory after one edit of a topic, of a record or of the trust in its sources."""
    known = tuple(memory.where)
    kind = draw(st.sampled_from(_EDITS))
    if kind == "promote":
        return evolve(memory, frames=tuple(_trusted(frame) for frame in memory.frames))
    if kind == "add" or not memory.pages:
        keys = {path_key(page.path) for page in memory.pages}
        path = draw(topic_paths().filter(lambda path: path_key(path) not in keys))
        return evolve(memory, pages=(*memory.pages, draw(pages(path, first, known))))
    page = draw(st.sampled_from(memory.pages))
    if kind == "drop topic":
        return _with(memory, page, None)
    if kind == "replace":
        return _with(memory, page, draw(pages(page.path, first, known)))
    entry = draw(st.sampled_from(page.entries))
    if kind == "change" and not entry.legacy:
        changed = evolve(entry, groups=draw(contents()), links=_some(draw, known))
        return _with(memory, page, _swap(page, entry, (changed,)))
    if kind == "split":
        parts = tuple(evolve(entry, ids=(block,), links=()) for block in entry.ids)
        return _with(memory, page, _swap(page, entry, parts))
    if kind == "merge" and len(page.entries) > 1 and not entry.legacy and not page.entries[-1].legacy:
        merged = evolve(entry, ids=tuple(dict.fromkeys((*entry.ids, *page.entries[-1].ids))))
        last = () if page.entries[-1] is not entry else (entry,)
        return _with(memory, page, _swap(_swap(page, page.entries[-1], last), entry, (merged,)))
    left = _with(memory, page, _swap(page, entry, ()))
    if kind == "move" and left.pages:
        goal = draw(st.sampled_from(left.pages))
        return _with(left, goal, evolve(goal, sections=(*goal.sections, Section((), (entry,)))))
    return left


def _with(memory: Memory, page: Page, instead: Page | None) -> Memory:
    """The memory with one topic replaced; one that has no record left goes."""
    pages_left = (instead if old is page else old for old in memory.pages)
    return evolve(memory, pages=tuple(new for new in pages_left if new is not None and new.entries))


def _swap(page: Page, entry: Entry, instead: tuple[Entry, ...]) -> Page:
    """The topic with one record replaced by some; a section without records loses its headings."""
    sections = (
        evolve(s, entries=tuple(new for old in s.entries for new in (instead if old is entry else (old,))))
        for s in page.sections
    )
    return evolve(page, sections=tuple(section for section in sections if section.entries))


def _trusted(frame: Frame) -> Frame:
    made_by = frame.provenance
    return frame if made_by is None else evolve(frame, provenance=evolve(made_by, trust=Trust.TRUSTED))
