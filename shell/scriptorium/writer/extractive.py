"""The writer that needs no model: what people said, verbatim and cited."""

from attrs import frozen

from scriptorium_core.writing.extractive import extract

from .proposal import NothingProposed, Proposed, Task

__all__ = ["Extractive"]


@frozen
class Extractive:
    """Keeps what a person said about preferences, rules, facts, plans and decisions."""

    name: str = "extractive"
    prompt: str = ""

    def propose(self, task: Task) -> Proposed | NothingProposed:
        """The records that the core's rules take out of the batch."""
        with task.reading() as (_, base):
            found = extract(task.batch, base.facts)
        if not found.changes:
            return NothingProposed(f"nothing to keep: {found.left_out}")
        topics = {change.destination.topic_path for change in found.changes}
        where = topics.pop() if len(topics) == 1 else f"{len(topics)} topics"
        passages = "1 passage" if len(found.changes) == 1 else f"{len(found.changes)} passages"
        return Proposed(found.changes, summary=f"Keep {passages} in {where}")
