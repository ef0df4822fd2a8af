"""What could go along with a question, and what became of it."""

from enum import StrEnum
from typing import NamedTuple

from .assess import Assessment

__all__ = ["Left", "Offer", "Part", "Reason", "Shown"]


class Part(StrEnum):
    """As what a thing goes along: a turn of this conversation, a record, one on the subject, a cited turn."""

    TURN = "turn"
    RECORD = "record"
    SUBJECT = "subject"
    CITED = "cited"


class Reason(StrEnum):
    """Why something that was considered is left out."""

    BUDGET = "budget"
    DUPLICATE = "duplicate"
    BELOW_THRESHOLD = "below-threshold"
    STALE = "stale"
    DISPUTED = "disputed"
    PENDING = "pending"
    NOT_PERMITTED = "not-permitted"


class Offer(NamedTuple):
    """A turn or a record that could go along.

    `id` is a source id or a block id; `head` the line above the text: who, when, where, how sound. `score`
    orders records, `similarity` (0 to 1) says how much of the question it holds. `subject` is a record below
    headings or in a topic that the question names. `held` says why it must stay out whatever it says.
    `cited` is the turn that a record rests on, of a superseded record also `former`, that which held before.
    `beside` are the ids of records that must not be shown apart from it: other versions, alternatives.
    `voices` are the labels of those on whose words it rests, `twins` the ids of what says the same in all.
    `assessment` says how far a record may be relied on; of a turn it is None. `more` says that the text is
    only the beginning of what there is.
    """

    id: str
    text: str
    head: str
    score: float = 0.0
    similarity: float = 1.0
    subject: bool = False
    held: Reason | None = None
    cited: "Offer | None" = None
    former: "Offer | None" = None
    beside: tuple[str, ...] = ()
    assessment: Assessment | None = None
    voices: frozenset[str] = frozenset()
    twins: tuple[str, ...] = ()
    more: bool = False

    @property
    def cites(self) -> tuple["Offer", ...]:
        """The turns that go along with it, the one that counts first."""
        return tuple(each for each in (self.cited, self.former) if each is not None)


class Shown(NamedTuple):
    """What went along: as which part, its id, and whether only the beginning did.

    `assessment` says how far a record could be relied on when it was delivered; no trace keeps it.
    """

    part: Part
    id: str
    score: float
    shortened: bool = False
    assessment: Assessment | None = None


class Left(NamedTuple):
    """What was considered and did not go along, and why; `assessment` is as in `Shown`."""

    part: Part
    id: str
    score: float
    reason: Reason
    assessment: Assessment | None = None
