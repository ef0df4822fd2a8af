"""Whole memories from small parts, and edits that keep them well formed.

What is drawn are plans (`memory_plans`), not text; `Memory.files` gives the bytes.
"""

from attrs import evolve
from hypothesis import strategies as st

from memory_plans import Entry, Group, Memory, Note, Page, Section
from scriptorium_core.names import CORE_TOPIC, SourceId, TopicPath, path_key
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
    "consented",
    "entries",
    "forks",
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
_PLAIN = ("keys.", "The door is blue.", "Mara meets Bo on Sundays.", "钥匙 42.", "In Lisbon, café.")
_TITLES = ("Keys", "House", "钥匙", "a `code` title ^x", "Two words", "r^2")
_EDITS = ("add", "replace", "drop topic", "drop", "change", "move", "split", "merge", "promote")
_THREADS = ("chat/s1", "chat/s2", "open program/会话 一", "telegram/main%3A-100 50%")


def prose() -> st.SearchStrategy[str]:
    """What one evidence group says; shrinks to `keys.`."""
    # A plain sentence first: no piece may begin the paragraph as a heading, a definition or HTML would.
    first = st.sampled_from(_PLAIN) | sentences(3)
    pieces = st.lists(st.sampled_from((*_PLAIN, *PROSE)), max_size=2)
    return st.builds(lambda start, rest: " ".join([start, *rest]), first, pieces)


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


# Built once: a strategy that is made anew in every draw is checked anew in every draw.
_PROSE = prose()
_NOTES = notes()
_CONTENTS = contents()
_HEADINGS = st.lists(st.tuples(st.integers(1, 4), st.sampled_from(_TITLES) | words()), max_size=2).map(tuple)
_NEWLINES = st.sampled_from(("\n", "\n", "\r\n", "\r"))
_MESSAGES = st.builds(
    Frame,
    st.sampled_from(_THREADS).map(SourceId),
    st.sampled_from(("user", "assistant")),
    st.sampled_from(_PLAIN) | awkward_texts(),
    st.sampled_from(("", "2026-04-22T10:21:00+02:00")),
    st.sampled_from((None, "4402")),
    st.sampled_from(("", "Bo", "Ada [x]: y")),
    st.sampled_from((Trust.TRUSTED, Trust.TRUSTED, Trust.PENDING)).map(
        lambda trust: Provenance("p", "owner", Tier.OWNER, trust)
    ),
)


@st.composite
def entries(draw: st.DrawFn, first: int, known: tuple[str, ...] = ()) -> Entry:
    """A record with at most three ids from number `first` on, that may link to `known` ids and to itself."""
    if draw(st.integers(0, 5)) == 5:
        group = Group(draw(_PROSE), (draw(_NOTES),))
        return Entry((f"mem_{first:06x}",), (group,), _some(draw, known), legacy=True)
    ids = tuple(f"{first + number:08x}" for number in range(draw(st.sampled_from((1, 1, 1, 2, 3)))))
    return Entry(ids, draw(_CONTENTS), _some(draw, (*known, ids[0])))


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
        sections.append(Section(draw(_HEADINGS), tuple(made), draw(st.sampled_from(("", "", *_EXTRAS)))))
    return Page(TopicPath(path), tuple(sections), draw(_NEWLINES), draw(st.booleans()), draw(st.booleans()))


def frames() -> st.SearchStrategy[tuple[Frame, ...]]:
    """One to six messages of a few threads, some pending; ids are unique."""
    return st.lists(_MESSAGES, min_size=1, max_size=6).map(
        lambda made: tuple(frame._replace(id=SourceId(f"{frame.id}/m{n}")) for n, frame in enumerate(made))
    )


def _paths() -> st.SearchStrategy[list[str]]:
    """Topics that may coexist, often with the core among them."""
    drawn = st.lists(topic_paths(), max_size=3, unique_by=path_key)
    return st.builds(
        lambda paths, core: list({path_key(path): path for path in [*core, *paths]}.values()),
        drawn,
        st.sampled_from(([CORE_TOPIC], [])),
    ).map(lambda paths: paths or ["topics/keys.md"])


_PATHS = _paths()


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    """A well-formed memory of one to four topics; every link and every citation lands."""
    made: list[Page] = []
    known: tuple[str, ...] = ()
    for number, path in enumerate(draw(_PATHS)):
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
def forks(draw: st.DrawFn, steps: int = 2) -> tuple[tuple[Memory, ...], tuple[Memory, ...]]:
    """Two histories that begin with the same memory; what either makes anew has numbers of its own."""
    start = draw(memories())
    sides: list[tuple[Memory, ...]] = []
    for side in (1, 2):
        states = [start]
        for number in range(draw(st.integers(0, steps))):
            states.append(draw(_edited(states[-1], 0x100000 * side + 4096 * number)))
        sides.append(tuple(states))
    return sides[0], sides[1]


def consented(memory: Memory) -> Memory:
    """The memory with its owner's consent to all that it cites: without that it could not be committed."""
    cited = memory.cited
    frames = (_trusted(frame) if number in cited else frame for number, frame in enumerate(memory.frames))
    return evolve(memory, frames=tuple(frames))


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
        changed = evolve(entry, groups=draw(_CONTENTS), links=_some(draw, known))
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
    return frame if made_by is None else frame._replace(provenance=made_by._replace(trust=Trust.TRUSTED))
