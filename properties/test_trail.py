"""Laws of blame: following a record through the commits finds what looking at every commit would find."""

from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import sha1
from itertools import pairwise
from typing import cast

from attrs import frozen
from hypothesis import event, given
from hypothesis import strategies as st

from memory_plans import Memory
from scriptorium.clock import Moment
from scriptorium.history import Entry, History
from scriptorium.history.touching import looking
from scriptorium.index import Mention
from scriptorium.service.trail import trail
from scriptorium_core.knowledge.versions import Step, said, step
from scriptorium_core.knowledge.words import after_of
from scriptorium_core.names import BlockId, TopicPath
from scriptorium_core.topics import parse_topic
from scriptorium_core.topics.model import Record
from topic_strategies import memories

Files = Mapping[str, bytes]


@frozen
class Change:
    """A path that differs, and the names of its two contents."""

    path: str
    old: str | None
    new: str | None


@frozen
class Plays:
    """A history in dictionaries: state after state, the commit of each named by its number."""

    states: tuple[Files, ...]

    def entry(self, commit: str) -> Entry:
        parents = (str(int(commit) - 1),) if commit != "0" else ()
        return Entry(commit, parents, Moment(0), "", "", ())

    def files(self, commit: str | None) -> Files:
        return {} if commit is None else self.states[int(commit)]

    def tree_id(self, commit: str | None, path: str) -> str | None:
        return _name(self.files(commit).get(path))

    def changes(self, old: str | None, new: str | None) -> Iterator[Change]:
        before, after = self.files(old), self.files(new)
        for path in sorted(before.keys() | after.keys()):
            if before.get(path) != after.get(path):
                yield Change(path, _name(before.get(path)), _name(after.get(path)))

    def blob(self, identifier: str) -> bytes:
        return next(data for files in self.states for data in files.values() if _name(data) == identifier)

    def record(self, number: int, block: str) -> Record | None:
        """The record with this id in a state, looked for everywhere."""
        for path, data in sorted(self.files(str(number)).items()) if number >= 0 else ():
            if path.startswith("topics/"):
                for record in parse_topic(TopicPath(path), data)[0].records:
                    if block in record.ids:
                        return record
        return None

    def every_step(self, block: str) -> list[tuple[str, Step]]:
        """What each commit made of a record, newest first, found by looking at all of them."""
        numbers = reversed(range(len(self.states)))
        pairs = ((n, step(BlockId(block), self.record(n - 1, block), self.record(n, block))) for n in numbers)
        return [(str(n), made) for n, made in pairs if made is not None]


def _name(data: bytes | None) -> str | None:
    return None if data is None else sha1(data, usedforsecurity=False).hexdigest()


def _mentions(steps: list[tuple[str, Step]]) -> tuple[Mention, ...]:
    """What the trailers of our own commits would say, oldest first."""
    names = {"created": "Created", "deleted": "Deleted", "moved": "Moved"}
    return tuple(
        Mention(names[deed], commit)
        for commit, made in reversed(steps)
        for deed in made.deeds
        if deed in names
    )


class TestTrail:
    """The newest version is the record that is shown, each version begins where the one before it ends, and
    the words of all of them, one after the other, make the present text."""

    @given(st.lists(memories(), min_size=1, max_size=5), st.data())
    def test_it_finds_what_looking_everywhere_finds(self, plans: list[Memory], data: st.DataObject) -> None:
        plays = Plays(tuple(plan.files for plan in plans))
        ids = sorted({block for plan in plans for block in plan.where})
        if not ids:
            return
        block = data.draw(st.sampled_from(ids))
        every = plays.every_step(block)
        present = plays.record(len(plans) - 1, block)
        history, head = cast(History, plays), str(len(plans) - 1)
        path, by = present.path if present else None, partial(looking, history)
        found = [
            (entry.commit, made) for entry, made in trail(history, by, block, head, path, _mentions(every))
        ]
        event(f"versions: {len(found)}")
        assert found == every
        assert found[0][1].after == present
        for (_, newer), (_, older) in pairwise(found):
            assert newer.before == older.after
        text = ""
        for _, made in reversed(found):
            assert text == (said(made.before) if made.before else "")
            text = after_of(made.words)
        assert text == (said(present) if present else "")
