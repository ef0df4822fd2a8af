"""Taking over a directory that another hand wrote: its files as they are, its order of creation, its views.

What does not pass the checks of a topic is taken over as well and stays quarantined, so that nothing
of it is lost and the links to it still land.
"""

from collections.abc import Iterable, Mapping
from itertools import dropwhile

from attrs import evolve

from ..facts.model import Facts, Known
from ..facts.rows import contributes
from ..markdown.footnotes import render_footnote
from ..markdown.links import Link, rebase_links, relative, resolve
from ..names import CORE_TOPIC, BlockId
from ..topics.edit import replace_spans
from ..topics.model import Definition, Topic, place_of
from ..topics.render import render_topic
from ..trailers import Trailer, id_trailers
from ..tree import Tree
from ..views.core import CORE_VIEW
from ..views.derive import Limits, derive_all, is_view

__all__ = [
    "adopted_files",
    "adopted_views",
    "adoption_trailers",
    "fields_put_back",
    "is_foreign",
    "named_in_order",
]

_KIND = "Kind"


def is_foreign(trailers: Iterable[Trailer]) -> bool:
    """Whether a commit was made by another hand: ours say what kind they are."""
    return all(key != _KIND for key, _ in trailers)


def adopted_files(tree: Tree, found: Mapping[str, bytes]) -> Mapping[str, bytes | None]:
    """The changes that make the tree hold the truth that was found in a directory (path to bytes).

    A hand-written `core.md` without a master becomes `topics/core.md`, once.
    """
    wanted = {path: data for path, data in found.items() if contributes(path)}
    if CORE_TOPIC not in wanted and CORE_VIEW in found and b"<!-- core: " not in found[CORE_VIEW]:
        wanted[CORE_TOPIC] = _promoted(found[CORE_VIEW])
    known = [path for prefix in ("topics/", "sources/") for path in tree.under(prefix) if contributes(path)]
    gone: dict[str, bytes | None] = {path: None for path in known if path not in wanted}
    return {**gone, **{path: data for path, data in wanted.items() if tree.get(path) != data}}


def fields_put_back(before: Iterable[Topic], after: Iterable[Topic]) -> Mapping[str, bytes]:
    """The topics whose definitions lost their further fields to a program that does not know them, mended.

    `before` are the topics as we last wrote them, `after` as they are now. A definition gets its fields
    back where its id, date and sources are unchanged and it has none.
    """
    known = {
        (label, *_substance(topic, definition)): definition.note.fields
        for topic in before
        for label, definition in topic.definitions.items()
        if definition.note.fields
    }
    mended: dict[str, bytes] = {}
    for topic in after:
        texts: dict[int, str] = {}
        for label, definition in topic.definitions.items():
            fields = known.get((label, *_substance(topic, definition)))
            if fields and not definition.note.fields:
                ending = topic.texts[definition.span][len(topic.texts[definition.span].rstrip("\r\n")) :]
                texts[definition.span] = render_footnote(evolve(definition.note, fields=fields)) + ending
        if texts:
            mended[topic.path] = render_topic(replace_spans(topic, texts))
    return mended


def _substance(topic: Topic, definition: Definition) -> tuple[object, ...]:
    """What makes two definitions the same wherever they stand: their date, and what they cite."""
    return definition.note.when, tuple(place_of(topic.path, source) for source in definition.note.sources)


def named_in_order(facts: Facts, runtime: Mapping[str, int]) -> tuple[BlockId, ...]:
    """The ids that no commit names yet: first those of a `runtime.json` in its order, then by occurrence."""
    unnamed = [known.record for known in dropwhile(lambda known: known.order >= 0, facts.newest)]
    ids = [block for record in unnamed for block in record.ids]
    return tuple(
        sorted(ids, key=lambda block: runtime.get(block, len(runtime) + max(runtime.values(), default=0)))
    )


def adopted_views(
    facts: Facts, created: tuple[BlockId, ...], core: Topic | None, tree: Tree, limits: Limits
) -> Tree:
    """The tree with every view derived anew, and those removed that are none of ours."""
    order = {block: facts.next_order + place for place, block in enumerate(created)}
    newest = sorted(
        (Known(known.record, order.get(known.record.id, known.order)) for known in facts.newest),
        key=lambda known: -known.order,
    )
    views = derive_all(facts._replace(newest=tuple(newest)), core, limits)
    stale = [path for path in tree.under("") if is_view(path) and path not in views]
    for path in stale:
        tree = tree.remove(path)
    for path, data in views.items():
        tree = tree.put(path, data)
    return tree


def adoption_trailers(created: tuple[BlockId, ...]) -> tuple[Trailer, ...]:
    """The trailers of an adopting commit."""
    return ((_KIND, "adopt"), *id_trailers("Created", created))


def _promoted(data: bytes) -> bytes:
    """A root `core.md` with its relative links as `topics/core.md` writes them."""

    def target(link: Link) -> str | None:
        file, joint, rest = link.target.partition("#")
        resolved = resolve(CORE_VIEW, file) if link.path else None
        return relative(CORE_TOPIC, resolved) + joint + rest if resolved else None

    return rebase_links(data.decode("utf-8", "surrogateescape"), target).encode("utf-8", "surrogateescape")
