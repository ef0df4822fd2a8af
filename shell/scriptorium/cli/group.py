"""The commands by name, each loaded only when it is called, and the one place where errors become exits."""

import sys
from collections.abc import Sequence
from importlib import import_module
from types import MappingProxyType

import click

from scriptorium_core import __version__
from scriptorium_core.problem import Code, Problem

from .door import Door, Stop, shared
from .exits import INTERRUPTED, MEANINGS

__all__ = ["cli", "main"]

_COMMANDS = MappingProxyType(
    {
        "demo": ("demo", "See it work: a recorded conversation becomes memory."),
        "init": ("first", "Make a home ready."),
        "import": ("talks", "Read conversations from files."),
        "sessions": ("talks", "List the conversations and what of them is unwritten."),
        "write": ("talks", "Write what is unwritten into memory."),
        "replay": ("talks", "Write again what a tape recorded."),
        "search": ("reading", "Find records and turns."),
        "show": ("reading", "Show a record, a topic or a message."),
        "topics": ("reading", "List the topics."),
        "core": ("reading", "Show the resident block."),
        "timeline": ("reading", "Show what is dated."),
        "recent": ("reading", "Show the newest records."),
        "why": ("why", "Show where a record comes from."),
        "change": ("changing", "Carry out structured changes."),
        "adopt": ("changing", "Take in topics that were edited by hand."),
        "log": ("first", "Show the newest commits."),
        "status": ("first", "Show how memory stands and what is waiting."),
        "verify": ("first", "Prove that nothing is broken."),
    }
)

_EPILOG = "Exit codes: " + "; ".join(f"{code} {meaning}" for code, meaning in MEANINGS.items()) + "."


class Commands(click.Group):
    """A group whose commands are imported when they are called; their list needs no import."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of a first day."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, None if there is none."""
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f".{_COMMANDS[cmd_name][0]}", __package__)
        command = getattr(module, f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list for `--help`, from the table."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])


@click.group(cls=Commands, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@shared
@click.version_option(__version__, prog_name="scriptorium")
def cli() -> None:
    """Long-term memory for AI agents that a person can read, check and trust.

    Conversations are imported, written into cited Markdown records, committed, and found again with the
    turn that was said. Begin with `scriptorium demo`.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    state = Door()
    try:
        code = cli.main(given, prog_name="scriptorium", standalone_mode=False, obj=state)
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as exit_now:
        return exit_now.exit_code
    except click.ClickException as wrong:
        return _usage(state, wrong, "--json" in given)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted; what was committed stays", err=True)
        return INTERRUPTED
    except Stop as stop:
        return state.fail(stop)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as error:
        expected = _expected(error)
        if expected is None:
            raise
        return state.fail(expected)


def _usage(state: Door, wrong: click.ClickException, json: bool) -> int:
    if not json:
        wrong.show()
        return wrong.exit_code
    state.json = True
    problem = Problem(Code.INVALID_ARGUMENT, wrong.format_message(), remedy="see --help")
    state.fail(Stop((problem,)))
    return wrong.exit_code


def _expected(error: Exception) -> Stop | None:
    """The stop that an expected failure of the shell is; None for a fault of the program."""
    from ..refused import Refused

    if isinstance(error, Refused):
        return Stop(error.problems)
    if isinstance(error, OSError):
        message = error.strerror or str(error)
        place = str(error.filename or "")
        remedy = "see that the disk is not full and that you may write there"
        return Stop((Problem(Code.GIT_COMMIT_FAILED, message, place, remedy=remedy),))
    return None
