"""The commands of the vault: named secrets that programs are given and nobody is shown."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from .asking import hidden
from .door import Door, Stop
from .givens import contents
from .lines import counted
from .safe import safe
from .shared import command, options

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem
    from scriptorium_core.sealing.secretname import Kept

    from ..vault.uses import Use

__all__ = ["vault_command"]

_FILE = "Read the secret from this file (`-`: the standard input)."
_DESCRIPTOR = "Read the secret from this open file descriptor."
_ENV = "The variable that holds the secret (default: the name in capitals, with `_` for `-`)."
_MOST = 64 * 1024 + 3  # bytes of a secret, and a line end; one more is too many


@click.group("vault", context_settings={"help_option_names": ["-h", "--help"]})
def vault_command() -> None:
    """Keep named secrets, and give one to a program without showing it.

    \b
    scriptorium vault put mail-password
    scriptorium vault put deploy-token --file token.txt
    scriptorium vault list
    scriptorium vault run deploy-token -- ./deploy.sh
    scriptorium vault uses
    scriptorium vault delete deploy-token

    They stand encrypted in vault.json in the home, under the key of `scriptorium key`; never in the memory.
    No command prints one, and agents, models and writers have no way to them.
    """


vault_command.params += options()


@command("put")
@click.argument("name")
@click.argument("more", nargs=-1, metavar="")
@click.option("--file", type=click.Path(allow_dash=True), metavar="FILE", help=_FILE)
@click.option("--fd", type=click.IntRange(0), metavar="N", help=_DESCRIPTOR)
def put_command(door: Door, name: str, more: tuple[str, ...], file: str | None, fd: int | None) -> int:
    """Keep a secret under NAME: from a prompt, a file or a descriptor, never from an argument.

    Another value of the same name replaces the one that was. A single line loses its line end; of more lines
    every byte is kept.
    """
    from ..service.secrets import Secrets

    if more:
        raise Stop(
            (_wrong("a secret is no argument: the shell would remember it", "leave it out, and type it"),)
        )
    if file is not None and fd is not None:
        raise Stop((_wrong("--file and --fd are two places", "give one of them"),))
    with door.service() as service:
        kept = Secrets(service).put(name, _read(file, fd))
    door.say("kept", kept, lambda: f"kept {_line(kept)}")
    return 0


@command("list")
def list_command(door: Door) -> int:
    """List the secrets: their names, types and dates, never themselves."""
    from ..service.secrets import Secrets

    with door.service() as service:
        found = Secrets(service).listed()
    door.say("secrets", found, lambda: "\n".join(map(_line, found)) or "there is no secret")
    return 0


@command("delete")
@click.argument("name")
def delete_command(door: Door, name: str) -> int:
    """Take a secret out of the vault."""
    from ..service.secrets import Secrets

    with door.service() as service:
        vault = Secrets(service)
        gone, left = vault.delete(name), len(vault.listed())
    door.say("deleted", gone, lambda: f"deleted {_line(gone)}; {counted(left, 'secret')} left")
    return 0


@command("run")
@click.argument("name")
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- COMMAND")
@click.option("--env", default="", metavar="VAR", help=_ENV)
def run_command(door: Door, name: str, words: tuple[str, ...], env: str) -> int:
    """Run COMMAND with the secret NAME in one variable of its environment; its exit code.

    The use is traced first. Where the output is no terminal, the secret is masked in it: an agent that runs
    this does not read it. A program that means to give it away can: give secrets to programs that you trust.
    """
    from ..service.secrets import Secrets

    with door.service() as service:
        return Secrets(service).run(name, words, os.environ, env)


@command("uses")
@click.option("-n", "--limit", default=50, type=click.IntRange(1), help="How many at most.")
def uses_command(door: Door, limit: int) -> int:
    """Show the newest uses of secrets: who, when, which, for what."""
    from ..service.secrets import Secrets

    with door.service() as service:
        found = Secrets(service).uses(limit)
    door.say("uses", found, lambda: "\n".join(map(_use, found)) or "no secret was used")
    return 0


for _each in (put_command, list_command, delete_command, run_command, uses_command):
    vault_command.add_command(_each)


def _read(file: str | None, fd: int | None) -> bytes:
    """The secret that is given, not more of it than is kept."""
    if file is not None:
        return contents(file, most=_MOST)
    if fd is None:
        typed = hidden("secret", True, "give it with --file or --fd")
        return typed.encode("utf-8", "surrogateescape")
    try:
        with open(fd, "rb", closefd=False) as given:
            return given.read(_MOST)
    except OSError:
        raise Stop((_wrong(f"descriptor {fd} cannot be read", "open it: --fd 3 3<FILE"),)) from None


def _line(kept: Kept) -> str:
    changed = f", changed {kept.changed[:10]}" if kept.changed != kept.made else ""
    return f"{safe(kept.name)}  {safe(kept.type)}  {safe(kept.made[:10])}{safe(changed)}"


def _use(use: Use) -> str:
    denied = "" if use.allowed else "  not permitted"
    return f"{safe(use.at)}  {safe(use.actor)}  {safe(use.name)}  {safe(use.purpose)}{denied}"


def _wrong(message: str, remedy: str) -> Problem:
    from scriptorium_core.problem import Code, Problem

    return Problem(Code.INVALID_ARGUMENT, message, "secret", remedy=remedy)
