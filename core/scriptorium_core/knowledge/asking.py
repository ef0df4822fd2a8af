"""What an answer may be made of: an exact question, one that is alike, a subject, a context; nothing else.

In this order, and the first that holds anything decides:

| what is there | decision |
|---|---|
| records that carry the very question | reuse, revalidate, reject |
| records that carry one alike, at 0.78 or more, none of them rejected | reuse, revalidate |
| records on the subject of a broad question | reuse, revalidate, reject |
| anything that bears on it | provider-required; generated where a model answers out of it |
| nothing | miss |

What decides never depends on how far a record may be relied on, but for its rejection, which no threshold
moves: so a higher threshold never adds a reuse. Questions that are alike at 0.55 or more only widen what goes
along as context. Two records on one question that say different things are both named and neither is used.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum

from attrs import frozen

from ..names import BlockId
from ..writing.faithful import foreign, negated
from .assess import Assessment, Doubt
from .assess import Decision as Advice
from .likeness import nearly_same
from .wording import replaced

__all__ = [
    "DIRECT",
    "DISCOVERY",
    "Candidate",
    "Decision",
    "Gathered",
    "Ground",
    "Settled",
    "Way",
    "generated",
    "likened",
    "settle",
    "unanswered",
    "widening",
]

DIRECT = 0.78
"""The likeness of two questions from which on the answer to one is that to the other."""

DISCOVERY = 0.55
"""The likeness from which on it is worth a look."""

_SAME_WORD = 0.8
"""The likeness of two words from which on one stands for the other. By the default model: of words that mean
the same 0.83 to 0.96 (and some less), of such as `buy` and `sell` up to 0.79."""


class Decision(StrEnum):
    """What came of a question."""

    REUSE = "reuse"
    REVALIDATE = "revalidate"
    REJECT = "reject"
    MISS = "miss"
    GENERATED = "generated"
    PROVIDER_REQUIRED = "provider-required"


class Way(StrEnum):
    """How it was come to."""

    EXACT = "exact-question"
    SIMILAR = "similar-question"
    SUBJECT = "broad-subject"
    CONTEXT = "context"
    NONE = "none"


class Ground(StrEnum):
    """A reason that is none of a single record's standing."""

    COLLISION = "several-answers"
    NOT_CURRENT = "not-current"
    NOTHING_KNOWN = "nothing-known"
    NO_MODEL = "no-model"
    NOT_ASKED = "model-not-asked"
    MODEL_FAILED = "model-failed"
    NOT_IN_MEMORY = "not-in-memory"
    CHANGED = "changed-meanwhile"


Reasons = tuple[Doubt | Ground, ...]


@frozen
class Candidate:
    """A record that could answer: how like its question is (1.0: the same), and whether it holds now.

    `key` is that of its question; `current` is false for a former value and what stands on an abandoned
    branch.
    """

    record: BlockId
    text: str
    assessment: Assessment
    key: str = ""
    likeness: float = 1.0
    current: bool = True

    @property
    def usable(self) -> bool:
        """Whether it may be given as it is."""
        return self.current and self.assessment.decision is Advice.REUSE

    @property
    def rejected(self) -> bool:
        """Whether it may not be given at all, whatever threshold is asked for."""
        return self.assessment.decision is Advice.REJECT

    @property
    def reasons(self) -> Reasons:
        """What stands against it."""
        return (*self.assessment.reasons, *(() if self.current else (Ground.NOT_CURRENT,)))


@frozen
class Gathered:
    """What was found for a question; `context` are the records that bear on it, best first."""

    exact: tuple[Candidate, ...] = ()
    similar: tuple[Candidate, ...] = ()
    subject: tuple[Candidate, ...] = ()
    context: tuple[BlockId, ...] = ()


@frozen
class Settled:
    """A decision with its reasons and the cited records; `rivals` are several records on one question."""

    decision: Decision
    way: Way
    reasons: Reasons
    records: tuple[BlockId, ...] = ()
    rivals: tuple[BlockId, ...] = ()


def likened(asked: str, other: str, cosine: float, words: Callable[[str, str], float]) -> float:
    """How like two questions are, whose cosine is known; `words` gives that of two words.

    They are not the same where one has a name, number or "not" that the other lacks, and where they differ
    in more than words that mean the same.
    """
    if foreign(asked, other) or foreign(other, asked) or negated(asked) != negated(other):
        return min(cosine, DISCOVERY)
    if cosine < DIRECT:
        return cosine
    pairs = replaced(asked, other)
    same = pairs is not None and all(words(*pair) >= _SAME_WORD for pair in pairs)
    return min(cosine, 1.0 if same else DISCOVERY)


def settle(found: Gathered) -> Settled:
    """What memory itself says to a question; total."""
    if found.exact:
        return _of_question(Way.EXACT, found.exact)
    direct = [each for each in found.similar if each.likeness >= DIRECT and not each.rejected]
    if direct:
        nearest = min(direct, key=lambda each: (-each.likeness, each.key))
        return _of_question(Way.SIMILAR, [each for each in direct if each.key == nearest.key])
    if found.subject:
        return _of_subject(found.subject)
    if found.context:
        return Settled(Decision.PROVIDER_REQUIRED, Way.CONTEXT, (Ground.NO_MODEL,), found.context)
    return Settled(Decision.MISS, Way.NONE, (Ground.NOTHING_KNOWN,))


def widening(similar: Iterable[Candidate]) -> tuple[BlockId, ...]:
    """The records whose questions are near enough to go along as context, the nearest first."""
    near = [each for each in similar if each.likeness >= DISCOVERY and not each.rejected]
    ordered = sorted(near, key=lambda each: (-each.likeness, each.record))
    return tuple(dict.fromkeys(each.record for each in ordered))


def generated(asked: Settled, cited: Sequence[BlockId]) -> Settled:
    """The decision where a model answered out of the context, and cites these records of it."""
    return Settled(Decision.GENERATED, asked.way, (Doubt.VALIDATION_INSUFFICIENT,), tuple(cited))


def unanswered(asked: Settled, why: Ground) -> Settled:
    """The decision where no model answered; one that found nothing in the context says that it is a miss."""
    missed = why is Ground.NOT_IN_MEMORY
    decision = Decision.MISS if missed else Decision.PROVIDER_REQUIRED
    return Settled(decision, asked.way, (why,), asked.records)


def _of_question(way: Way, found: Sequence[Candidate]) -> Settled:
    """The decision over the records that carry one question."""
    open_ones = [each for each in found if not each.rejected]
    standing = [each for each in open_ones if each.current] or open_ones
    rivals = tuple(each.record for each in found) if len(found) > 1 else ()
    if not standing:
        return Settled(Decision.REJECT, way, _reasons(found), _names(found), rivals)
    first, *others = standing
    if any(not nearly_same(first.text, other.text) for other in others):
        reasons = (Ground.COLLISION, *_reasons(standing))
        return Settled(Decision.REVALIDATE, way, reasons, _names(standing), rivals)
    usable = [each for each in standing if each.usable]
    if usable:
        return Settled(Decision.REUSE, way, (), _names(usable), rivals)
    return Settled(Decision.REVALIDATE, way, _reasons(standing), _names(standing), rivals)


def _of_subject(found: Sequence[Candidate]) -> Settled:
    """The decision over a list: what may be used is given, the rest goes along marked, or is only named."""
    usable = [each for each in found if each.usable]
    standing = [each for each in found if not each.rejected]
    if usable:
        return Settled(Decision.REUSE, Way.SUBJECT, (), _names(usable))
    if standing:
        return Settled(Decision.REVALIDATE, Way.SUBJECT, _reasons(standing), _names(standing))
    return Settled(Decision.REJECT, Way.SUBJECT, _reasons(found), _names(found))


def _names(found: Iterable[Candidate]) -> tuple[BlockId, ...]:
    return tuple(dict.fromkeys(each.record for each in found))


def _reasons(found: Iterable[Candidate]) -> Reasons:
    return tuple(dict.fromkeys(reason for each in found for reason in each.reasons))
