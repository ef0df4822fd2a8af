"""First run and proof: init, status, log, verify."""

import click

from .door import Door, command, said
from .lines import day_and_time, mark
from .safe import one_line, safe

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
    with door.service() as service:
        found = service.status()

    def people() -> str:
        holds = f"{found.records:,} records in {found.topics:,} topics; {found.sources:,} archived messages"
        waits = f"{len(found.next.due)} sessions reach a batch of {found.next.batch_tokens:,} tokens"
        lines = [
            f"memory     {found.memory}  ({found.workspace})",
            f"revision   {found.revision or 'nothing is committed yet'}",
            f"holds      {holds}",
            f"sessions   {found.sessions:,}, with {found.pending:,} messages unwritten",
            f"next       `scriptorium write` uses the {found.next.writer} writer: {waits},",
            f"           {len(found.next.below)} wait below it (`--force` writes them too)",
            f"tokens     counted by {found.counter}",
        ]
        if found.untrusted:
            lines.append(f"held       {found.untrusted:,} messages of speakers whom you have not trusted")
        if found.last.failure:
            failure = found.last.failure
            again = "trying again may help" if failure.retryable else "it needs you"
            lines.append(f"failed     {failure.at}: {failure.code} ({again})")
        lines += [f"draft      {safe(path)} was edited by hand: `scriptorium adopt`" for path in found.drafts]
        lines += [f"broken     {said(problem)}" for problem in found.quarantined]
        return "\n".join(lines)

    door.notices(found.notices)
    door.say("status", found, people)
    return 0


@command("log")
@click.option(
    "-n", "--limit", default=20, show_default=True, type=click.IntRange(min=1), help="How many commits."
)
def log_command(door: Door, limit: int) -> int:
    """Show the newest commits, each with the records that it made, changed or deleted."""
    with door.service() as service:
        entries = service.log(limit)

    def people() -> str:
        lines: list[str] = []
        for entry in entries:
            lines.append(f"{entry.commit[:10]}  {day_and_time(entry.at)}  {one_line(entry.subject)}")
            lines += [
                f"            {key}: {one_line(value)}" for key, value in entry.trailers if key != "Kind"
            ]
        return "\n".join(lines) or "nothing is committed yet"

    door.say("log", entries, people)
    return 0


@command("verify")
def verify_command(door: Door) -> int:
    """Prove the whole directory: citations, links, ids, archives, views, indexes and git's own objects."""
    with door.service() as service, door.progress("verifying") as progress:
        proof = service.verify(progress)

    def people() -> str:
        lines = [f"{mark(finding.level != 'problem')} {said(finding.problem)}" for finding in proof.findings]
        counted = proof.counted
        word = "nothing is broken" if proof.holds else "there are problems"
        lines.append(
            f"{word}: {counted.records:,} records, {counted.citations:,} citations, {counted.links:,} links, "
            f"{counted.sources:,} messages, {counted.views:,} views"
        )
        return "\n".join(lines)

    door.say("verify", proof, people, ok=proof.holds)
    return 0 if proof.holds else 1
