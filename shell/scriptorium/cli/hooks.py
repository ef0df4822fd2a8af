"""Hooks: bringing them into the settings of an agent, taking them out, and answering them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import click

from scriptorium_core.writing.calls import Event
from scriptorium_core.writing.hosts import Host

from .door import Door
from .safe import one_line, safe
from .shared import command, options

if TYPE_CHECKING:
    from ..agents import Change, Plan, Wish

__all__ = ["attached", "hook_command"]

_SAYS = MappingProxyType(
    {
        Event.SESSION_START: "Print the core memory for a session that begins.",
        Event.PROMPT: "Print what bears on a prompt.",
        Event.TURN: "Begin a pass in the background after a turn.",
        Event.PRE_COMPACT: "Begin one before a conversation is compacted.",
        Event.SESSION_END: "Begin one at the end, with nothing left waiting.",
    }
)


@click.group("hook", context_settings={"help_option_names": ["-h", "--help"]})
def hook_command() -> None:
    """Attach an agent, and answer it at once.

    \b
    scriptorium hook install claude-code
    scriptorium hook remove claude-code

    `install` writes the lines into the settings of an agent that call the events below. An event reads the
    host's JSON object (session_id, transcript_path, cwd, prompt, …) from the standard input; the exit code is
    always 0, and what went wrong is shown by `status`. With --json the answer is one object with `ok`, the
    `text` for the conversation (empty where there is nothing to add), and `error`.

    A host that keeps no log hands over `messages` instead of transcript_path, the oldest first: each with
    `role` (user or assistant), `text` or `content`, and `id` and `at` where it has them. Without ids it hands
    over the whole conversation each time.
    """


hook_command.params += options()


def _event(event: Event) -> click.Command:
    @click.option("--agent", default="", help="Answer in the form that this agent takes.")
    def answered(door: Door, agent: str) -> int:
        from .hooked import Called, answer

        return answer(Called(event, str(door.home or ""), str(door.memory or ""), agent, door.json))

    answered.__doc__ = _SAYS[event]
    return command(event)(answered)


for _each in Event:
    hook_command.add_command(_event(_each))


def _about_an_agent(name: str) -> Callable[[Callable[..., int]], click.Command]:
    """A command on the settings of an agent, with the options that both have."""

    def made(function: Callable[..., int]) -> click.Command:
        project = click.Path(path_type=Path, file_okay=False, exists=True)
        for option in (
            click.option("--dry-run", is_flag=True, help="Show what would be written, and write nothing."),
            click.option("--project", type=project, help="In this project alone."),
            click.argument("agent", type=click.Choice([host.value for host in Host])),
        ):
            function = option(function)
        return command(name)(function)

    return made


@_about_an_agent("install")
@click.option("--mcp", is_flag=True, help="Enter the server of `scriptorium mcp` too.")
def install_command(door: Door, agent: str, dry_run: bool, project: Path | None, mcp: bool) -> int:
    """Write into the settings of AGENT what calls this program: claude-code, codex, gemini or opencode.

    Core memory is given at the start of a session, recall with a prompt; a turn, a compaction and the end of
    a session are written. All else in the settings stays as it is; a second time changes nothing. The file
    from before is kept beside the new one.
    """
    from ..agents import installation
    from ..service.opening import see_it_is_on

    with door.service() as service:
        see_it_is_on(service)
        words = (*_program(), *_place(door, service.home, service.root))
    return _changed(door, _wish(agent, words, project, mcp), installation, dry_run)


@_about_an_agent("remove")
def remove_command(door: Door, agent: str, dry_run: bool, project: Path | None) -> int:
    """Take all that is ours out of the settings of AGENT, hooks and server, and nothing else."""
    from ..agents import removal

    return _changed(door, _wish(agent, (), project, False), removal, dry_run)


hook_command.add_command(install_command)
hook_command.add_command(remove_command)


def attached(door: Door, home: Path, memory: Path) -> tuple[str, ...]:
    """The agents whose own settings call this memory; settings that cannot be read call nobody."""
    from ..agents import Wish, installation
    from ..refused import Refused

    words, found = (*_program(), *_place(door, home, memory)), list[str]()
    for host in Host:
        with suppress(Refused):
            found += [] if installation(Wish(host, words)).changes else [host.value]
    return tuple(found)


def _wish(agent: str, words: tuple[str, ...], project: Path | None, mcp: bool) -> Wish:
    from ..agents import Wish

    return Wish(Host(agent), words, project.absolute() if project else None, mcp)


def _changed(door: Door, wish: Wish, planned: Callable[[Wish], Plan], dry_run: bool) -> int:
    from ..agents import carry_out

    plan = planned(wish)
    if not dry_run:
        carry_out(plan)
    rows = [_row(change) for change in plan.changes]
    answer: dict[str, Any] = {"agent": wish.host, "written": not dry_run, "changes": rows}
    door.say("hook", {**answer, "notes": plan.notes}, lambda: "\n".join(_lines(plan, dry_run)))
    return 0


def _row(change: Change) -> dict[str, str]:
    backup = str(change.backup) if change.backup else ""
    return {"path": str(change.path), "backup": backup, "diff": change.diff}


def _lines(plan: Plan, dry_run: bool) -> Iterator[str]:
    for change in plan.changes:
        if dry_run:
            yield "\n".join(safe(line) for line in change.diff.splitlines())
            continue
        verb = "removed" if change.after is None else "changed" if change.before is not None else "made"
        kept = f" (before: {safe(str(change.backup))})" if change.backup else ""
        yield f"{verb}: {safe(str(change.path))}{kept}"
    if not plan.changes:
        yield f"nothing to change: the settings of {plan.host} are so already"
    if not dry_run or plan.changes:
        yield from (f"note: {one_line(note)}" for note in plan.notes)


def _program() -> tuple[str, ...]:
    """The words that run this program from anywhere: the script beside the interpreter, else the module."""
    called, beside = Path(sys.argv[0]), Path(sys.executable).with_name("scriptorium")
    for script in (called, beside):
        if script.name == "scriptorium" and script.is_file() and script.is_absolute():
            return (str(script),)
    return (sys.executable, "-m", "scriptorium")


def _place(door: Door, home: Path, memory: Path) -> tuple[str, ...]:
    """The options that lead to this memory, whatever the surroundings of the agent are."""
    folder = ("--home", str(home.absolute())) if door.home or not door.memory else ()
    return (*folder, *(("--memory", str(memory.absolute())) if door.memory else ()))
