"""The commands by name, each loaded only when it is called, and the one place where errors become exits."""

import sys
from collections.abc import Sequence
from importlib import import_module
from types import MappingProxyType

import click

from scriptorium_core import __version__

from .door import Door, Stop
from .endings import FAULT, INTERRUPTED, MEANINGS
from .shared import options
from .streams import err

__all__ = ["cli", "main"]

_GROUPS = (
    (
        "First run",
        (
            ("demo", "demo", "See it work: a recorded conversation becomes memory."),
            ("init", "first", "Make a home ready."),
            ("setup", "setup", "Choose what writes: a model, a program, or neither."),
            ("status", "first", "Show what memory holds and what is waiting."),
            ("verify", "first", "Prove that nothing is broken."),
            ("doctor", "doctor", "Verify, and mend what follows from the commits."),
            ("index", "indexing", "Bring the indexes up to date, or make them anew."),
        ),
    ),
    (
        "Conversations",
        (
            ("import", "importing", "Read conversations from files, folders and archives."),
            ("sessions", "talks", "List the conversations and what of them is unwritten."),
            ("write", "talks", "Write what is unwritten into memory."),
            ("pending", "handing", "Take the next batch, for an agent that writes it."),
            ("hand-in", "handing", "Hand in what an agent made of a batch."),
            ("replay", "talks", "Write it as a tape says."),
            ("organize", "organizing", "Put topics in order."),
            ("backfill", "organizing", "Write what is archived and cited nowhere."),
            ("keep", "keeping", "Take in what grows, and write what is due, by itself."),
            ("hook", "hooks", "Attach an agent, and answer it at once."),
        ),
    ),
    (
        "Reading",
        (
            ("search", "reading", "Find records and turns."),
            ("grep", "grepping", "Find exact text in topics."),
            ("ask", "ask", "Answer a question, and say why."),
            ("context", "contexts", "Print what goes along with a question."),
            ("traces", "contexts", "Show what was delivered, and why."),
            ("show", "reading", "Show a record, a topic or a message."),
            ("why", "why", "Show where a record comes from."),
            ("topics", "reading", "List the topics."),
            ("core", "reading", "Show the resident block."),
            ("timeline", "reading", "Show what is dated."),
            ("recent", "reading", "Show the newest records."),
            ("relations", "relations", "Show what links to what."),
            ("digest", "digest", "Say in a line what each topic is about."),
        ),
    ),
    (
        "History",
        (
            ("log", "versions", "Show the newest commits."),
            ("blame", "versions", "Show every version of a record and what was behind it."),
            ("diff", "versions", "Show what became of each record between two revisions."),
            ("at", "at", "Read as of an earlier date or commit."),
        ),
    ),
    (
        "Moving",
        (
            ("export", "export", "Take memory along as plain files."),
            ("sync", "sync", "Meet another copy of the memory, by git."),
            ("seal", "seal", "Write an encrypted copy to any storage."),
            ("unseal", "seal", "Make a memory anew from such a copy."),
            ("copy", "seal", "Copy it to another storage."),
            ("key", "key", "Export, import and rotate the keys of such copies."),
        ),
    ),
    (
        "Changing",
        (
            ("remember", "trust", "Save words on purpose."),
            ("promote", "trust", "Let in what unknown speakers said."),
            ("review", "review", "Look at what waits for you, and decide by one key each."),
            ("correct", "correct", "Put other words in the place of a record."),
            ("append", "correct", "Add words to a record."),
            ("retract", "correct", "Say that a record does not hold."),
            ("validate", "correct", "Say that a record was checked and holds."),
            ("dispute", "correct", "Say that a record is in doubt."),
            ("approve", "correct", "Let a record stand that waits for you."),
            ("discard", "correct", "Retract a record that waits for you."),
            ("change", "changing", "Carry out structured changes."),
            ("edit", "editing", "Edit a topic in your own editor."),
            ("restore", "editing", "Bring back what a record or a topic was."),
            ("undo", "editing", "Take back what a commit did."),
            ("forget", "forgetting", "Forget records and messages."),
            ("adopt", "changing", "Take in topics that were edited by hand."),
        ),
    ),
    (
        "Serving",
        (
            ("token", "token", "Make and revoke the tokens that programs come in with."),
            ("policy", "policy", "Show and set who may do what."),
            ("vault", "vault", "Keep secrets, and give one to a program unseen."),
            ("mcp", "mcp", "Serve an agent by the Model Context Protocol."),
            ("serve", "serving", "Serve programs and pages on this computer over HTTP."),
        ),
    ),
)

_MODULES = MappingProxyType({name: module for _, rows in _GROUPS for name, module, _ in rows})


class Commands(click.Group):
    """A group whose commands are imported when they are called; their list needs no import."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of a first day."""
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, None if there is none."""
        if cmd_name not in _MODULES:
            return None
        module = import_module(f".{_MODULES[cmd_name]}", __package__)
        command = getattr(module, f"{cmd_name.replace('-', '_')}_command")
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list for `--help`, from the table."""
        widest = max(map(len, _MODULES))
        for title, rows in _GROUPS:
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), line) for name, _, line in rows])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The exit codes, from their table."""
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), meaning) for code, meaning in MEANINGS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="scriptorium")
def cli() -> None:
    """Long-term memory for AI agents that a person can read, check and trust.

    Conversations are imported, written into cited Markdown records, committed, and found again with the
    turn that was said. Begin with `scriptorium demo`.
    """


cli.params[:0] = options()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    state = Door()
    try:
        code = cli.main(given, prog_name="scriptorium", standalone_mode=False, obj=state)
        return code if isinstance(code, int) else 0
    except click.ClickException as wrong:
        return _usage(state, wrong, "--json" in given)
    except (click.Abort, KeyboardInterrupt):
        state.json = state.json or "--json" in given  # the options of a command may not have been read yet
        return state.end("INTERRUPTED", "interrupted; what was committed stays", INTERRUPTED)
    except Stop as stop:
        return state.fail(stop)
    except Exception as error:
        expected = _expected(error)
        return _fault(state, error) if expected is None else state.fail(expected)


def _usage(state: Door, wrong: click.ClickException, json: bool) -> int:
    if not json:
        wrong.show()
        return wrong.exit_code
    from scriptorium_core.problem import Code, Problem

    state.json = True
    problem = Problem(Code.INVALID_ARGUMENT, wrong.format_message(), remedy="see --help")
    return state.fail(Stop((problem,), wrong.exit_code))


def _expected(error: Exception) -> Stop | None:
    """The stop that an expected failure of the shell is; None for a fault of the program."""
    from ..refused import Refused

    if isinstance(error, Refused):
        return Stop(error.problems)
    if isinstance(error, OSError):
        from pathlib import Path

        from ..files import disk_problem

        found = disk_problem(error, Path())
        nowhere = found._replace(path="", message=error.strerror or str(error))
        return Stop((found if error.filename else nowhere,))
    return None


def _fault(state: Door, error: Exception) -> int:
    import traceback

    err("".join(traceback.format_exception(error)).rstrip())
    message = f"a fault of the program, not of yours: {type(error).__name__}: {error}"
    return state.end("PROGRAM_FAULT", message, FAULT)
