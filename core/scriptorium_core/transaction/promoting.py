"""The owner's consent to held messages: of their archives one line each changes, and nothing else."""

from collections.abc import Iterable, Mapping

from attrs import frozen

from ..facts.model import SourceFact
from ..names import SourceId
from ..problem import Code, Problem
from ..sources.promoting import promote
from .model import Snapshot

__all__ = ["Consented", "consented"]


@frozen
class Consented:
    """The archives with the consent in them, and the messages that it lets in, by place."""

    files: Mapping[str, bytes]
    sources: Mapping[str, SourceFact]


def consented(
    base: Snapshot, wanted: Iterable[SourceId], written: Mapping[str, bytes]
) -> tuple[Consented, tuple[Problem, ...]]:
    """Let some messages in; those that are in already are passed over.

    `written` are archives as the same transaction has changed them already.
    """
    waiting: dict[str, list[SourceFact]] = {}
    problems: list[Problem] = []
    for name in dict.fromkeys(wanted):
        known = base.facts.sources.get(name)
        if name in base.facts.forgotten:
            day = base.facts.forgotten[name]
            message, remedy = f"the source {name} was forgotten on {day}", "leave it out"
            problems.append(Problem(Code.FORGOTTEN, message, name, remedy=remedy))
        elif known is None:
            remedy = "`scriptorium promote --list` names what is held"
            problems.append(
                Problem(Code.MISSING_SOURCE, f"no source {name!r} is archived", name, remedy=remedy)
            )
        elif not known.trusted:
            waiting.setdefault(known.path, []).append(known)
    files: dict[str, bytes] = {}
    sources: dict[str, SourceFact] = {}
    for path, held in waiting.items():
        data = written.get(path) or base.tree.get(path) or b""
        result = promote(path, data, [known.id for known in held])
        if isinstance(result, tuple):
            problems += result
        else:
            files[path] = result
            sources |= {known.place: known._replace(trusted=True) for known in held}
    return Consented(files, sources), tuple(problems)
