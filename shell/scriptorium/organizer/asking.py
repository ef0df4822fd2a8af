"""A task of a writer that has no conversation behind it: asked, committed, asked once more where refused."""

from collections.abc import Callable

from attrs import evolve, field, frozen

from scriptorium_core.budget import Count
from scriptorium_core.changes import Caller
from scriptorium_core.names import SourceId
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sources.redact import totalled
from scriptorium_core.trailers import Trailer
from scriptorium_core.transaction import Edit, Prepared, Rejected, Snapshot, prepare
from scriptorium_core.writing.branches import with_branches
from scriptorium_core.writing.outcome import Failed, NothingToKeep, Outcome, Wrote, fail, rejection
from scriptorium_core.writing.used import NOTHING_USED, together, used_trailers

from ..workspace import Committed, Memory
from ..writer import Edited, NothingProposed, Task, Unable, Writer
from ..writer.answers import Kept, cleaned_answer, edit_from, overtaken_by
from ..writer.proposal import quiet

__all__ = ["Asking", "Terms", "failed", "rehearsed", "tried"]

_LONGEST_SUBJECT = 200


@frozen
class Asking:
    """With what a writer is asked; portions and batches have about `goal` tokens."""

    memory: Memory
    writer: Writer
    count: Count
    goal: int = 16_000
    caller: Caller = field(factory=Caller)
    progress: Callable[[str], None] = quiet


@frozen
class Terms:
    """On what terms an answer is committed: the kind of commit, what may be cited, its trailers.

    `shown` is how many records an organizer is shown, None for a writer; `tokens` go to it.
    """

    kind: str
    subject: str
    citable: frozenset[SourceId]
    trailers: tuple[Trailer, ...] = ()
    shown: int | None = None
    tokens: int = 0


def tried(made: Asking, task: Task, terms: Terms) -> Outcome:
    """Ask, and commit the answer; the writer is told once why it was refused, if it can mend that."""
    used = NOTHING_USED
    for last in (False, True):
        with made.memory.reading() as (seen, _):
            pass
        answer = made.writer.propose(task)
        used = together(used, answer.used)
        if isinstance(answer, Unable):
            return evolve(answer.outcome, tokens=terms.tokens, used=used)
        kept, found = cleaned_answer(made.memory, answer)
        if isinstance(kept, NothingProposed):
            return NothingToKeep(kept.reason, tokens=terms.tokens, redacted=totalled((found,)), used=used)
        signed = (("Writer", made.writer.name), ("Prompt", made.writer.prompt), *used_trailers(used))
        whole = evolve(terms, trailers=(*terms.trailers, *signed))
        result = made.memory.commit(
            lambda base, kept=kept, seen=seen, whole=whole: _plan(made, kept, seen, whole, base),  # type: ignore[misc]
            made.memory.rules(made.caller, terms.citable),
        )
        if isinstance(result, Committed):
            return evolve(_wrote(result, kept, terms.tokens), redacted=totalled((found,)), used=used)
        if last or rejection(result.problems) is not Code.COMMIT_REJECTED:
            break
        made.progress(f"refused for {len(result.problems)} reasons; asked once more")
        task = evolve(task, problems=result.problems)
    return evolve(failed(made.writer.name, result.problems), tokens=terms.tokens, used=used)


def rehearsed(made: Asking, task: Task, terms: Terms) -> Prepared | Rejected | NothingToKeep | Failed:
    """What would be committed; nothing is."""
    answer = made.writer.propose(task)
    if isinstance(answer, Unable):
        return evolve(answer.outcome, tokens=terms.tokens, used=answer.used)
    kept, _ = cleaned_answer(made.memory, answer)
    if isinstance(kept, NothingProposed):
        return NothingToKeep(kept.reason, tokens=terms.tokens, used=answer.used)
    with made.memory.reading() as (seen, base):
        edit = _plan(made, kept, seen, terms, base)
        if isinstance(edit, Rejected):
            return edit
        return prepare(base, edit, made.memory.rules(made.caller, terms.citable))


def failed(writer: str, problems: tuple[Problem, ...]) -> Failed:
    """The failure that a rejection is: by its own code where that alone says what it is."""
    code = rejection(problems)
    alone = {problem.code for problem in problems}
    if alone == {Code.TOO_MANY_DELETIONS} or alone == {Code.WRITER_NO_PROGRESS}:
        code = problems[0].code
    if code is Code.COMMIT_REJECTED:
        return fail(code, f"the changes of the {writer} writer were rejected", problems=problems)
    return fail(code, problems[0].message, problems=problems)


def _plan(made: Asking, answer: Kept, seen: str | None, terms: Terms, base: Snapshot) -> Edit | Rejected:
    moved = overtaken_by(made.memory, answer, seen, base)
    edit = (
        Rejected(moved)
        if moved
        else edit_from(answer, base, (), made.memory.today(), terms.kind, terms.shown)
    )
    if isinstance(edit, Rejected):
        return edit
    summary = "" if isinstance(answer, NothingProposed) else answer.summary[:_LONGEST_SUBJECT]
    return evolve(
        edit,
        tree=with_branches(edit.tree, (), base.facts),
        subject=summary or terms.subject,
        trailers=(*terms.trailers, *edit.trailers),
    )


def _wrote(result: Committed, answer: Kept, tokens: int) -> Wrote:
    report = result.report
    return Wrote(
        result.revision,
        report.created,
        report.updated,
        report.deleted,
        report.topics,
        tokens=tokens,
        summary="" if isinstance(answer, NothingProposed) else answer.summary,
        projected=result.projected,
        dropped=answer.dropped if isinstance(answer, Edited) else (),
    )
