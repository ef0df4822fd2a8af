"""The command that forgets: out of the present memory, or out of its whole history."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from .asking import confirmed, unanswered
from .door import Door, Stop
from .lines import counted, few
from .safe import one_line, safe
from .shared import command
from .streams import err

if TYPE_CHECKING:
    from ..service.forgetting import Forgotten

__all__: list[str] = []

_INSTEAD = "look at what would go with --dry-run, then say --yes"


@command("forget")
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@click.option("--erase", is_flag=True, help="Take it out of every earlier commit too. This cannot be undone.")
@click.option("--unlink", is_flag=True, help="Turn the links of other records to it into plain text.")
@click.option("--reason", default="", help="Why; it stands in the commit.")
@click.option("--dry-run", is_flag=True, help="Say what would be forgotten, and forget nothing.")
@click.option("--yes", is_flag=True, help="Do not ask before erasing.")
def forget_command(
    door: Door, names: tuple[str, ...], erase: bool, unlink: bool, reason: str, dry_run: bool, yes: bool
) -> int:
    """Forget records (by ^id) and messages (by source id).

    A record takes along the messages that only it cites, a message the records that cite nothing else.
    They leave every view and every search at once, and nothing brings them back, not even importing the
    same conversation again. Earlier commits and the session store keep their words until you --erase: that
    shows what will be gone and asks, and where nobody answers, as with --json, it needs --yes.
    """
    with door.service() as service:
        if erase and not (yes or dry_run):
            planned = service.forget(names, erase=True, unlink=unlink, reason=reason, dry_run=True)
            _ask(door, _accepted(planned))
        with door.progress("erasing" if erase else "forgetting") as progress:
            done = service.forget(
                names, erase=erase, unlink=unlink, reason=reason, dry_run=dry_run, progress=progress
            )
    found = _accepted(done)
    door.say("forgotten", found, lambda: "\n".join(_lines(found, erase)))
    return 0


def _accepted(result: "object") -> "Forgotten":
    from scriptorium_core.transaction import Rejected

    from ..service.forgetting import Forgotten

    if isinstance(result, Rejected):
        raise Stop(result.problems)
    assert isinstance(result, Forgotten)
    return result


def _ask(door: Door, planned: "Forgotten") -> None:
    """Show what will be gone, and go on only after a yes: what is erased, nobody brings back."""
    question = "Erase this from the whole history? It cannot be undone."
    if door.json:
        raise Stop((unanswered(question, _INSTEAD),))
    err("\n".join(_lines(planned, True)))
    if not confirmed(question, _INSTEAD):
        raise click.Abort


def _lines(found: "Forgotten", erase: bool) -> Iterator[str]:
    verb = ("would erase" if erase else "would forget") if found.dry_run else "erased" if erase else "forgot"
    ids = [f"^{safe(block)}" for block in found.records]
    at = "" if found.dry_run or not found.revision else f" ({found.revision[:10]})"
    yield f"{verb} {counted(len(ids), 'id')} and {counted(len(found.sources), 'message')}{at}"
    for words in (ids, list(map(safe, found.sources))):
        if words:
            yield f"  {few(words, 20)}"
    if found.shared:
        yield f"  kept, because other records cite them: {few(map(safe, found.shared), 20)}"
    if found.losing:
        yield f"  records that lose a citation: {few((f'^{safe(block)}' for block in found.losing), 20)}"
    if found.unlinked:
        yield f"  records whose links become plain text: {few((f'^{safe(b)}' for b in found.unlinked), 20)}"
    if found.kept_in_sessions and not found.dry_run:
        yield "  earlier commits keep the words, and so does the session store; --erase takes them out"
    if found.erased is not None:
        yield from _erased(found)


def _erased(found: "Forgotten") -> Iterator[str]:
    done = found.erased
    assert done is not None
    yield f"  {counted(done.commits, 'commit')} written anew, {counted(done.objects, 'object')} kept"
    yield f"  {counted(done.turns, 'message')} emptied in the session store"
    if done.dropped:
        yield f"  what was known of other repositories is gone: {few(map(safe, done.dropped), 10)}"
    for path in done.remaining:
        yield f"  still holds some of the words: {one_line(path)}"
    for line in done.copies:
        yield f"  {one_line(line)}"
