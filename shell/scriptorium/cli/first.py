"""First run and proof: init, status, verify."""

from typing import TYPE_CHECKING

import click

from .ahead import ahead_lines
from .door import Door, said
from .lines import counted, mark
from .safe import safe
from .shared import command

if TYPE_CHECKING:
    from ..service.model import Next

__all__: list[str] = []


@command("init")
def init_command(door: Door) -> int:
    """Make a home ready: the memory directory, its history and its id.

    Not needed before other commands; a memory is made on first use. A directory with topics of another
    program is taken over as it is.
    """
    with door.service() as service:
        made = service.init()
    door.notices(made.notices)
    word = "made" if made.created else "ready"
    door.say(
        "init", made, lambda: f"{word}: {made.memory}\nid: {made.workspace}\nrevision: {made.revision or '-'}"
    )
    return 0


@command("status")
def status_command(door: Door) -> int:
    """Show what memory holds, what waits to be written, what is broken, and what would run next."""
    from .hooks import attached

    with door.service() as service:
        found = service.status()
        never = found.outlook.injected is None and not door.json
        agents = attached(door, service.home, service.root) if never else ()

    def people() -> str:
        holds = f"{counted(found.records, 'record')} in {counted(found.topics, 'topic')}"
        sources = counted(found.sources, "archived message")
        lines = [
            f"memory     {found.memory}  ({found.workspace})",
            f"revision   {found.revision or 'nothing is committed yet'}",
            f"holds      {holds}; {sources}",
            f"sessions   {found.sessions:,}, with {counted(found.pending, 'message')} unwritten",
            f"next       {_next(found.next)}",
            f"tokens     counted by {found.counter}",
        ]
        if not found.redacts:
            lines.append("secrets    are archived as they are said (redact = false in settings.toml)")
        if found.untrusted:
            lines.append(f"held       {found.untrusted:,} messages of speakers whom you have not trusted")
        lines += ahead_lines(found, agents)
        lines += [f"draft      {safe(path)} was edited by hand: `scriptorium adopt`" for path in found.drafts]
        wrong = (*found.unsound, *found.quarantined, *found.broken)
        lines += [f"broken     {said(problem)}" for problem in wrong]
        return "\n".join(lines)

    door.notices(found.notices)
    door.say("status", found, people)
    return 0


def _next(found: "Next") -> str:
    """What `write` would do now."""
    writer = f"the {found.writer} writer"
    if not found.due and not found.below:
        return f"nothing waits for {writer}"
    due = f"{counted(len(found.due), 'session')} with a batch of {found.batch_tokens:,} tokens"
    return f"`write` gives {writer} {due}; {len(found.below):,} with less wait for `--force`"


@command("verify")
@click.argument("location", default="")
def verify_command(door: Door, location: str) -> int:
    """Prove the whole directory: citations, links, ids, archives, secrets, views, indexes and git.

    With the LOCATION of a sealed library (see `scriptorium seal`), prove every object of that library.
    """
    if location:
        from .seal import verify_sealed

        return verify_sealed(door, location)
    with door.service() as service, door.progress("verifying") as progress:
        proof = service.verify(progress)

    def people() -> str:
        lines = [f"{mark(finding.level != 'problem')} {said(finding.problem)}" for finding in proof.findings]
        seen = proof.counted
        names = ("record", "citation", "link", "message", "view")
        sums = zip((seen.records, seen.citations, seen.links, seen.sources, seen.views), names, strict=True)
        word = "nothing is broken" if proof.holds else "there are problems"
        return "\n".join([*lines, f"{word}: {', '.join(counted(*each) for each in sums)}"])

    door.say("verify", proof, people, [each.problem for each in proof.findings if each.level == "problem"])
    return 0 if proof.holds else 1
