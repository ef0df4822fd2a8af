"""Editing a topic in a draft: a file outside the working tree that is adopted through the checks, or kept.

drafts/mira-1f0c….md      in the runtime folder, mode 0600: the text of the topic as it is edited
drafts/mira-1f0c….json    the topic, and the revision on which the draft stands
"""

from __future__ import annotations

import json
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from scriptorium_core.names import BlockId, TopicPath, path_key, topic_named
from scriptorium_core.problem import Code, Problem
from scriptorium_core.topics import Topic, parse_topic, render_topic
from scriptorium_core.topics.merge import merge
from scriptorium_core.transaction import Edit, Rejected
from scriptorium_core.tree import Tree

from .. import files
from ..refused import Refused
from ..workspace.permitted import Permitted
from .healing import asked_again, renewed
from .shaping import lines_of

if TYPE_CHECKING:
    from scriptorium_core.changes import Caller
    from scriptorium_core.transaction import Snapshot

    from ..layout import Layout
    from ..workspace import Committed, Memory
    from .shown import RecordLine

__all__ = ["Draft", "Editing", "begin"]

_FOLDER = "drafts"


@frozen
class Draft:
    """A draft: the file, its topic, and the revision on which it stands.

    `taken_up` says that an earlier edit left it; `merged` that what was committed meanwhile is in it now;
    `aside` is where an earlier draft went that was not taken up.
    """

    path: Path
    topic: TopicPath
    base: str | None
    taken_up: bool = False
    merged: bool = False
    aside: Path | None = None


@asked_again("vanished finish")
class Editing:
    """One edit of a topic: whoever holds it changes the file `draft.path`, then calls `finish`."""

    def __init__(self, memory: Memory, draft: Draft, caller: Caller) -> None:
        self.draft = draft
        self._memory, self._caller = memory, caller

    def heal(self, error: Exception) -> bool:
        """Make the index of facts anew if `error` says that it is damaged; whether it was."""
        return renewed(self._memory, self._memory.layout.root, error)

    def vanished(self) -> tuple[RecordLine, ...]:
        """The records that the draft does not hold any more, as far as they stand in the topic now."""
        with self._memory.reading() as (_, base):
            return lines_of(base.facts, self._lost(base))

    def finish(self, delete: bool = False) -> Committed | Rejected:
        """Commit the draft; `delete` declares deleted what vanished. A draft that is rejected stays."""
        draft, layout = self.draft, self._memory.layout
        data = files.read(draft.path) or b""
        seen = _committed(self._memory, draft.base, draft.topic)

        def plan(base: Snapshot) -> Edit | Rejected:
            if base.tree.get(draft.topic) != seen:
                return Rejected((_overtaken(draft, self._memory.index.commit),))
            deleted = frozenset(self._lost(base)) if delete else frozenset[BlockId]()
            tree = base.tree.put(draft.topic, data) if data.strip() else base.tree.remove(draft.topic)
            return Edit(tree, deleted, subject=f"Edit {draft.topic}")

        result = self._memory.commit(plan, self._memory.rules(self._caller))
        if isinstance(result, Rejected):
            return Rejected((*result.problems, _kept(draft)))
        for path in (draft.path, _beside(draft.path)):
            files.remove(path, layout.root)
        return result

    def _lost(self, base: Snapshot) -> tuple[BlockId, ...]:
        now = _topic(self.draft.topic, base.tree.get(self.draft.topic))
        kept = set(_topic(self.draft.topic, files.read(self.draft.path)).ids)
        return tuple(block for block in now.ids if block not in kept)


def begin(memory: Memory, name: str, fresh: bool, caller: Caller) -> Editing:
    """The draft of a topic: one that an earlier edit left, unless `fresh`, else the topic as committed.

    What was committed since goes into a draft that is taken up, where the two do not meet. Raises Refused
    where the name can be no topic.
    """
    with memory.reading() as (revision, base):
        topic = _named(base, name)
        data = base.tree.get(topic)
    if isinstance(memory, Permitted) and not memory.may(topic):
        raise Refused(_not_yours(topic))
    path = _place(memory.layout, topic)
    known = None if fresh else _left(path, topic)
    with files.explained(memory.layout.root):
        if known is not None:
            return Editing(memory, _taken_up(memory, known, revision, data), caller)
        aside = _put_aside(memory.layout, path)
        _write(memory.layout, path, topic, revision, _heading(topic) if data is None else data)
    return Editing(memory, Draft(path, topic, revision, aside=aside), caller)


def _named(base: Snapshot, name: str) -> TopicPath:
    """The topic that a name means, there or not yet; `topics/` and `.md` may be left out."""
    bare = name.strip().removesuffix(".md")
    path = f"{bare if bare.startswith('topics/') else f'topics/{bare}'}.md"
    known = base.facts.topics.get(path_key(path))
    made = known.path if known is not None else topic_named(name)
    if isinstance(made, Problem):
        raise Refused(made)
    return made


def _taken_up(memory: Memory, draft: Draft, revision: str | None, data: bytes | None) -> Draft:
    seen = _committed(memory, draft.base, draft.topic)
    if data == seen:
        return draft
    mine = files.read(draft.path)
    merged = merge(*(_topic(draft.topic, each) for each in (seen, mine, data)))
    if not isinstance(merged, Topic):
        return draft  # `finish` says so; the text is the person's own
    _write(memory.layout, draft.path, draft.topic, revision, render_topic(merged))
    return Draft(draft.path, draft.topic, revision, taken_up=True, merged=True)


def _committed(memory: Memory, revision: str | None, topic: TopicPath) -> bytes | None:
    try:
        return Tree(memory.history.base(revision)).get(topic)
    except KeyError:
        return None  # a history that was rewritten since


def _left(path: Path, topic: TopicPath) -> Draft | None:
    """The draft that an earlier edit left, None if there is none that can be taken up."""
    if files.read(path) is None:
        return None
    try:
        known = json.loads(files.read(_beside(path)) or b"{}")
        return Draft(path, topic, known["base"], taken_up=True) if known["topic"] == topic else None
    except (ValueError, KeyError, TypeError):
        return None


def _put_aside(layout: Layout, path: Path) -> Path | None:
    """A draft that is not taken up stays beside the new one, and so does each that was put there before."""
    earlier = files.read(path)
    if earlier is None:
        return None
    names = (path.with_suffix(f".earlier{number or ''}.md") for number in count())
    aside = next(name for name in names if files.read(name) in (None, earlier))
    files.write_durable(aside, earlier, root=layout.root)
    return aside


def _write(layout: Layout, path: Path, topic: TopicPath, revision: str | None, data: bytes) -> None:
    about = json.dumps({"topic": topic, "base": revision}, ensure_ascii=False).encode()
    files.write_many({_beside(path): about, path: data}, root=layout.root)


def _place(layout: Layout, topic: TopicPath) -> Path:
    stem = topic.rpartition("/")[2].removesuffix(".md")[:40]
    return layout.runtime / _FOLDER / f"{stem}-{sha256(topic.encode()).hexdigest()[:12]}.md"


def _beside(path: Path) -> Path:
    return path.with_suffix(".json")


def _topic(path: TopicPath, data: bytes | None) -> Topic:
    return parse_topic(path, data)[0] if data else Topic(path, (), (), {})


def _heading(topic: TopicPath) -> bytes:
    title = topic.rpartition("/")[2].removesuffix(".md")
    return f"# {title[:1].upper()}{title[1:]}\n\n".encode()


def _not_yours(topic: TopicPath) -> Problem:
    message = f"you may not edit {topic}"
    return Problem(Code.NOT_PERMITTED, message, topic, remedy="ask the owner")


def _overtaken(draft: Draft, head: str | None) -> Problem:
    message = f"the topic changed between {draft.base} and {head}, while it was edited"
    remedy = "edit it again: what does not meet your changes is taken in"
    return Problem(Code.CONCURRENT_UPDATE, message, draft.topic, remedy=remedy)


def _kept(draft: Draft) -> Problem:
    message = f"nothing is lost: the draft of {draft.topic} is kept"
    remedy = "`scriptorium edit` takes it up again; --fresh begins with what is committed"
    return Problem(Code.DRAFT_IN_THE_WAY, message, str(draft.path), remedy=remedy)
