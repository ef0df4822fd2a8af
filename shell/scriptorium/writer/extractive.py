"""The writer that needs no model: what people said, verbatim and cited."""

from collections.abc import Sequence

from attrs import evolve, frozen

from scriptorium_core.changes import CreateRecord, UpdateRecord
from scriptorium_core.transaction.staging import staged
from scriptorium_core.writing.extractive import extract
from scriptorium_core.writing.organizing import tidy_up

from .proposal import Edited, NothingProposed, Proposed, Task

__all__ = ["Extractive"]


@frozen
class Extractive:
    """Keeps what a person said about preferences, rules, facts, plans and decisions."""

    name: str = "extractive"
    prompt: str = ""

    def propose(self, task: Task) -> Proposed | Edited | NothingProposed:
        """The records that the core's rules take out of a batch; to topics, what is safe without a model."""
        if task.kind == "organize":
            return _organized(task)
        with task.reading() as (_, base):
            found = extract(task.batch, base.facts)
        if not found.changes:
            return NothingProposed(f"nothing to keep: {found.left_out}")
        return Proposed(found.changes, summary=_summary(found.changes))


def _organized(task: Task) -> Edited | NothingProposed:
    with task.reading() as (_, base):
        done = tidy_up(base.tree, base.facts, task.portion)
    if not done.summary:
        return NothingProposed("nothing is said twice, and no topic is too large; more takes a model")
    return Edited(evolve(staged(base, task.caller, task.today), tree=done.tree), done.summary)


def _summary(changes: Sequence[CreateRecord | UpdateRecord]) -> str:
    made = [change for change in changes if isinstance(change, CreateRecord)]
    topics = {change.destination.topic_path for change in made}
    where = topics.pop() if len(topics) == 1 else f"{len(topics)} topics"
    parts = [f"keep {_counted(len(made))} in {where}"] if made else []
    again = len(changes) - len(made)
    parts += [f"cite {_counted(again)} again"] if again else []
    told = ", ".join(parts)
    return told[:1].upper() + told[1:]


def _counted(number: int) -> str:
    return "1 passage" if number == 1 else f"{number} passages"
