"""The talk of a Codex thread: messages in, turns out, with what is taken back and what is told twice."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from attrs import define, evolve

from scriptorium_core.names import NodeId, SessionId
from scriptorium_core.sessions.graph import Node
from scriptorium_core.sources.frame import Origin

from ..items import Head, Item, Key, Linked, LinkKind, Skipped, Turn
from .codex_thread import History, Thread, chained_id, digest, kin, seconds
from .codex_words import Words, same_words

__all__ = ["PROVIDER", "Talk"]

PROVIDER = "codex"
_LINKS: Mapping[str, LinkKind] = MappingProxyType({"forked_from": "forked_from", "spawned_by": "spawned_by"})
_INTERNAL = "a session that Codex ran for itself, not for a person"
_FORGOTTEN = "a session that is not to be remembered (its memory_mode is disabled)"
_PARENTS = "a sub-agent's copy of its parent's talk, which stands in the parent's own file"


@define
class Talk:
    """The talk of a file so far.

    `name` is the session of a file that names none. `history` is None where reading has gone on in
    the middle of a file; `read_again` gives it then, when it is needed.
    """

    thread: Thread
    name: str
    history: History | None
    read_again: Callable[[], History]

    def header(self, header: Mapping[str, Any], stamp: float | None, line: int) -> Iterator[Skipped]:
        """A header, before the talk or amid it; says it once when the thread is to be left out."""
        if not self.thread.spoken:
            self.thread = kin(self.thread, header, stamp)
        elif header.get("id") in self.thread.kin:  # the history can be written once more from here
            self._past().replayed.clear()
            self.thread = evolve(self.thread, replay="")
        left_out = _left_out(header, self.thread.left_out)
        if left_out and not self.thread.left_out:
            yield Skipped(left_out, line)
        if left_out != self.thread.left_out:
            self.thread = evolve(self.thread, left_out=left_out)

    def settings(self, cwd: str, model: str) -> None:
        """The folder and the model of what follows, where they are given."""
        cwd, model = cwd or self.thread.cwd, model or self.thread.model
        if (cwd, model) != (self.thread.cwd, self.thread.model):
            self.thread = evolve(self.thread, cwd=cwd, model=model)

    def titled(self, title: str, line: int) -> Iterator[Head]:
        """The thread is called by another title from now on."""
        if title and title != self.thread.title:
            self.thread = evolve(self.thread, title=title)
            if self.thread.tip and not self.thread.left_out:
                yield Head(self._key(), None, None, line)

    def message(self, form: str, role: str, said: Words, at: str, phase: str, line: int) -> Iterator[Item]:
        """A message in one of its two forms, `item` or `event`."""
        if not said or self.thread.left_out:
            return
        self._begin()
        self.thread, is_known = self.thread.paired(form, role, same_words(said.text))
        stamp = seconds(at)
        is_copy = self.thread.is_copy(stamp)
        if stamp is not None and self.thread.copying and not is_copy:
            self.thread = evolve(self.thread, copying=False)
        is_restamped = self.thread.is_restamped(stamp)
        if is_known or self._is_replayed(role, said.text, at, is_restamped):
            return
        if is_copy and self.thread.is_spawned:
            yield Skipped(_PARENTS, line)
            return
        node = self._node(role, said.text, "" if is_restamped else at, phase)
        self._go_on(node, stamp, digest(at, role, said.text))
        yield Turn(self._key(), node, line)
        yield from self._link(line)

    def back(self, turns: int, at: str, line: int) -> Iterator[Item]:
        """The last turns of the user are taken back: they stay in the file as an abandoned branch."""
        if self.thread.left_out:
            return
        past, thread = self._past(), self.thread
        if thread.replay is not None:
            back = _taken_back(past.replayed, turns, thread.replay)
            self.thread = evolve(thread, replay=None if back == thread.tip else back)
            return
        said = digest(at, "rolled back", str(turns))
        if at and said in past.said and not thread.is_restamped(seconds(at)):
            return
        past.said.add(said)
        if not thread.tip:
            return
        self.thread = evolve(thread, tip=_taken_back(past.before, turns, thread.tip))
        if self.thread.tip:
            yield Head(self._key(), NodeId(self.thread.tip), None, line)
        else:
            # Nothing is left of the talk: a place without words stands before it.
            place = Node(
                id=NodeId(chained_id(thread.root, "system", "")),
                session=SessionId(thread.session),
                provider=PROVIDER,
                parent=None,
                role="system",
                origin=Origin.HARNESS,
                text="",
                chained=True,
            )
            yield Turn(self._key(), place, line)

    def _begin(self) -> None:
        if not self.thread.spoken:
            session = self.thread.session or self.name
            self.thread = evolve(self.thread, spoken=True, session=session, root=self.thread.root or session)

    def _is_replayed(self, role: str, text: str, at: str, is_restamped: bool) -> bool:
        """Whether a message stands in the file already, because its history was written once more."""
        thread, stamp, is_known = self.thread, seconds(at), False
        # Among copies that were stamped in one moment the same words can be two messages.
        if stamp is not None and (stamp < thread.latest or (stamp == thread.latest and not is_restamped)):
            is_known = digest(at, role, text) in self._past().said
        if thread.replay is None:
            return is_known
        past, follows = self._past(), chained_id(thread.replay or thread.root, role, text)
        if _short(follows) in past.ids:
            if role == "user":
                past.replayed.append(thread.replay)
            # Where the replay has come to the end of the talk, both go on from there.
            self.thread = evolve(thread, replay=None if follows == thread.tip else follows)
            return True
        if not is_known:
            self.thread = evolve(thread, replay=None)
        return is_known

    def _node(self, role: str, text: str, at: str, phase: str) -> Node:
        thread = self.thread
        talks = Origin.AGENT if thread.is_spawned else Origin.HUMAN
        details = {"model": thread.model, "phase": phase} if role == "assistant" else {}
        return Node(
            id=NodeId(chained_id(thread.tip or thread.root, role, text)),
            session=SessionId(thread.session),
            provider=PROVIDER,
            parent=NodeId(thread.tip) if thread.tip else None,
            role=role,
            origin=talks if role == "user" else Origin.ASSISTANT,
            text=text,
            at=at,
            scope=thread.cwd or None,
            metadata={name: value for name, value in details.items() if value},
            chained=True,
        )

    def _go_on(self, node: Node, stamp: float | None, said: int) -> None:
        if self.history is not None:
            self.history.said.add(said)
            self.history.ids.add(_short(node.id))
            if node.role == "user":
                self.history.before.append(self.thread.tip)
        self.thread = evolve(self.thread, tip=node.id, latest=max(stamp or 0, self.thread.latest))

    def _link(self, line: int) -> Iterator[Item]:
        if self.thread.link and not self.thread.linked:
            kind, other = self.thread.link
            self.thread = evolve(self.thread, linked=True)
            if other:
                yield Linked(self._key(), _LINKS[kind], other, line)

    def _past(self) -> History:
        if self.history is None:
            self.history = self.read_again()
        return self.history

    def _key(self) -> Key:
        return Key(PROVIDER, self.thread.session, self.thread.title)


def _left_out(header: Mapping[str, Any], before: str) -> str:
    """Why nothing of a thread is taken after this header; the last header that has a mode says so."""
    match header.get("source"):
        case {"internal": _} | "internal" | {"subagent": "memory_consolidation"}:
            return _INTERNAL
    if before == _INTERNAL or "memory_mode" not in header:
        return before
    return _FORGOTTEN if header["memory_mode"] == "disabled" else ""


def _taken_back(before: list[str], turns: int, tip: str) -> str:
    """The message before the last `turns` turns of a user, which are taken off."""
    if not before:
        return tip
    back = before[-turns] if turns <= len(before) else before[0]
    del before[-turns:]
    return back


def _short(node: str) -> int:
    return int(node[2:18], 16)
