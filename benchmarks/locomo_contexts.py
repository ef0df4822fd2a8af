"""What goes along with a question: whether the cited evidence is in it, and how much of it is evidence."""

from collections.abc import Mapping, Sequence
from statistics import mean

from attrs import frozen
from locomo_memory import Made
from locomo_set import Question

from scriptorium_core.knowledge.offer import Part, Reason

__all__ = ["Delivered", "delivered", "summary"]


@frozen
class Delivered:
    """What `context` gave for a question at the default budget.

    `recall` is the share of the evidence that stands there as a cited turn (or in the words of its record,
    where the turn says no more than that), `cited` how many turns stand
    there, `right` how many of them are evidence, `records` how many records went along; `reachable` is the
    share of the evidence that any record of the memory cites.
    """

    recall: float
    cited: int
    right: int
    records: int
    tokens: int
    reachable: float


def delivered(made: Made, question: Question, semantic: bool) -> Delivered:
    """The context of a question, through the service."""
    made.service.by_meaning = semantic
    given = made.service.context(question.text)
    said = [each.id for each in given.left_out if each.part is Part.CITED and each.reason is Reason.DUPLICATE]
    cited = [each.id for each in given.shown if each.part is Part.CITED]
    turns = {name.rpartition("/")[2] for name in (*cited, *said)}
    right, of = question.evidence & turns, len(question.evidence) or 1
    return Delivered(
        len(right) / of,
        len(turns),
        len(right),
        sum(each.part in (Part.RECORD, Part.SUBJECT) for each in given.shown),
        given.tokens,
        len(question.evidence & made.written) / of,
    )


def summary(contexts: Sequence[Delivered]) -> Mapping[str, float]:
    """The means over questions; `evidence` is the share of all delivered turns that are evidence."""
    turns = sum(each.cited for each in contexts)
    return {
        "evidence delivered": mean(each.recall for each in contexts),
        "some evidence delivered": mean(each.right > 0 for each in contexts),
        "reachable through records": mean(each.reachable for each in contexts),
        "share of delivered turns": sum(each.right for each in contexts) / turns if turns else 0.0,
        "turns": mean(each.cited for each in contexts),
        "records": mean(each.records for each in contexts),
        "tokens": mean(each.tokens for each in contexts),
        "nothing delivered": mean(not each.records for each in contexts),
    }
