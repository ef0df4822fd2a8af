"""The context of a question: what goes along with it, traced."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from scriptorium_core import recall
from scriptorium_core.knowledge.assess import LEAST
from scriptorium_core.knowledge.choosing import CONSIDERED
from scriptorium_core.knowledge.context import Context, pack
from scriptorium_core.knowledge.offer import Left, Offer, Shown
from scriptorium_core.knowledge.offering import Asked, known_of, pending_offer, record_offers, talk_offer
from scriptorium_core.knowledge.trace import Trace
from scriptorium_core.names import NodeId, archive_path
from scriptorium_core.policy.actor import OWNER
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import Kind, Nothing, Query
from scriptorium_core.sessions.talk import said, talks
from scriptorium_core.sources import Trust

from .. import tokens
from ..refused import Refused
from .assessing import day_of
from .counting import counting
from .searching import Ready, ready
from .tracing import redacting, traced

if TYPE_CHECKING:
    from scriptorium_core.budget import Count
    from scriptorium_core.sessions.graph import Node

    from ..conversations.store import Session
    from .place import Place

__all__ = ["Given", "Wish", "asking", "considered", "context", "delivered", "packed", "trace_of"]

_WIDE = 6 * CONSIDERED  # hits that are looked at: of some, nothing goes along
_TURNS = 12


class Wish(NamedTuple):
    """Where a context is to hold (a project directory), and what it is to be worth, as in a `Query`."""

    scope: str = ""
    current_required: bool = False
    least: float = LEAST


class Given(NamedTuple):
    """A context as it was delivered, character for character; `counter` says what counted the tokens.

    `shown` and `left_out` are all that was considered, with the reasons.
    """

    revision: str | None
    text: str
    tokens: int
    budget: int
    counter: str
    shown: tuple[Shown, ...]
    left_out: tuple[Left, ...]
    notices: tuple[Problem, ...] = ()


def context(service: Place, question: str, budget: int | None, session: str, wish: Wish) -> Given:
    """What goes along with a question, at most `budget` tokens of it."""
    said_last = _talk(service, session) if session else ()
    with ready(service, action="inject") as found:
        return delivered(service, found, question, budget, wish, said_last, session)


def delivered(
    service: Place,
    found: Ready,
    question: str,
    budget: int | None,
    wish: Wish,
    said_last: Sequence[Node] = (),
    session: str = "",
) -> Given:
    """The context of a question at the commit that `found` stands for, traced."""
    limit = service.settings.context_tokens if budget is None else budget
    with counting(found.layout) as count:
        made = packed(service, found, question, limit, count, said_last, wish)
    counter = tokens.counter_name() if made.counted else tokens.ESTIMATE
    trace = trace_of(made, "context", question, found.revision, session)
    traced(service, found.layout, trace._replace(counter=counter))
    return Given(
        found.revision, made.text, made.tokens, limit, counter, made.shown, made.left_out, found.notices
    )


def packed(
    service: Place,
    found: Ready,
    question: str,
    limit: int,
    count: Count,
    said_last: Sequence[Node] = (),
    wish: Wish | None = None,
) -> Context:
    """The context of a question; nothing is traced yet."""
    wish = wish or Wish()
    records = considered(service, found, question, wish)
    asked, words = asking(service, found, question, wish), redacting(service)
    shown = said_last and _not_forgotten(found, said_last)
    turns = [talk_offer(node, words(said(node.text)), asked) for node in shown]
    return pack(turns, records, count, limit, found.revision or "")


def asking(service: Place, found: Ready, question: str, wish: Wish) -> Asked:
    """A question as offers are weighed by it."""
    query = Query(question)
    wanted = recall.wanted(query)
    terms = () if isinstance(wanted, Nothing) else wanted
    numbers = found.fulltext.statistics(query, terms)[0] if found.fulltext is not None else {}
    asked = Asked.of(terms, numbers.get(Kind.RECORD), day_of(service), wish.scope)
    return asked._replace(current_required=wish.current_required, least=wish.least)


def considered(service: Place, found: Ready, question: str, wish: Wish) -> tuple[Offer, ...]:
    """The records that could go along with a question, and that something waits for consent."""
    query, index = Query(question, limit=_WIDE), found.fulltext
    if index is None:
        return ()
    asked = asking(service, found, question, wish)
    hits = index.search(query, lambda document: known_of(found.facts, document, asked))
    waiting = index.search(query._replace(trust=(Trust.PENDING,), limit=CONSIDERED))
    return (
        *record_offers(found.facts, () if isinstance(hits, Nothing) else hits, asked),
        *map(pending_offer, () if isinstance(waiting, Nothing) else waiting),
    )


def trace_of(made: Context, door: str, question: str, revision: str | None, session: str = "") -> Trace:
    """The trace of a context, as a door gives it."""
    return Trace(
        door=door,
        text=made.text,
        tokens=made.tokens,
        budget=made.budget,
        question=question,
        revision=revision or "",
        session=session,
        delivered=made.shown,
        left_out=made.left_out,
    )


def _not_forgotten(found: Ready, nodes: Sequence[Node]) -> Sequence[Node]:
    from scriptorium_core.sessions.evidence import source_of

    return [node for node in nodes if source_of(node) not in found.facts.forgotten]


def _talk(service: Place, name: str) -> tuple[Node, ...]:
    """The newest messages of a conversation on the branch that it is on, oldest first."""
    from scriptorium_core.sessions.graph import walk

    from ..conversations.store import open_store

    if not service.sessions_path.is_file():
        raise Refused(_unknown(name))
    with open_store(service.sessions_path) as store:
        found = [each for each in store.find(name) if _may_be_given(service, each)]
        if not found:
            raise Refused(_unknown(name))
        if len(found) > 1:
            names = ", ".join(f"{each.provider}/{each.id}" for each in found)
            message = f"several sessions are called {name!r}"
            raise Refused(Problem(Code.INVALID_ARGUMENT, message, name, remedy=f"name one of {names}"))
        get = store.lookup(found[0])
        head = found[0].head or next(reversed(store.tips(found[0])), None)
        last = get(NodeId(head)) if head else None
        spoken = (node for node in walk(last, get) if talks(node.origin, node.text)) if last else iter(())
        return tuple(islice(spoken, _TURNS))[::-1]


def _may_be_given(service: Place, session: Session) -> bool:
    """Whether the actor may be given what is said in a conversation, archived or not yet."""
    if service.actor == OWNER:
        return True
    from scriptorium_core.policy import Right

    from .permitted import sight

    may = sight(service, Right.INJECT)
    return may is None or may(archive_path(f"{session.provider}/{session.id}/-"))


def _unknown(name: str) -> Problem:
    message = f"there is no session {name!r}"
    remedy = "import its log first, or name one that `scriptorium sessions` lists"
    return Problem(Code.SESSION_NODES_UNAVAILABLE, message, name, remedy=remedy)
