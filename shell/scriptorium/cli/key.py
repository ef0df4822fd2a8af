"""The command group of the keys that sealed libraries and secrets are opened with."""

from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from .asking import hidden
from .door import Door, Stop
from .givens import contents
from .safe import safe
from .shared import command, options

if TYPE_CHECKING:
    from scriptorium_core.problem import Problem

__all__ = ["key_command"]

_WORDS = "Read the passphrase from the first line of this file (`-`: the standard input)."


@click.group("key", context_settings={"help_option_names": ["-h", "--help"]})
def key_command() -> None:
    """Show, export, import and rotate the keys of this home.

    \b
    scriptorium key list
    scriptorium key export keys.txt
    scriptorium --home NEW key import keys.txt
    scriptorium key rotate

    They stand in keys.json in the home (mode 0600), in the file that SCRIPTORIUM_KEY_FILE names, or in the
    variable SCRIPTORIUM_KEY; never in the memory directory. What is lost with them is lost.
    """


key_command.params += options()


@command("list")
def list_command(door: Door) -> int:
    """List the versions of the keys, the newest last, and where they stand; never themselves."""
    from .. import keys

    with door.service() as service:
        versions = tuple(key.version for key in keys.available(service.home))
        found = keys.Exported(versions, str(keys.place(service.home)))
    door.say("keys", found, lambda: "\n".join([*found.versions]) or "there is no key yet")
    return 0


@command("export")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--passphrase-file", type=click.File("r"), metavar="FILE", help=_WORDS)
def export_command(door: Door, file: Path, passphrase_file: IO[str] | None) -> int:
    """Write all keys under a passphrase into FILE, which may lie anywhere.

    The passphrase is asked for, or read from a file; it is never an argument. It is made hard to guess
    (argon2id), but a short one is guessed all the same.
    """
    from .. import files, keys

    with door.service() as service:
        if file.exists():
            raise Stop((_taken(file),))
        known = keys.available(service.home)
        data = keys.export(service.home, _passphrase(passphrase_file, confirm=True))
        with files.explained(file.parent):
            files.write_durable(file.absolute(), data)
        done = keys.Exported(tuple(key.version for key in known), str(file))
    door.say("exported", done, lambda: f"{safe(done.place)}: {' '.join(done.versions)}")
    return 0


@command("import")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--passphrase-file", type=click.File("r"), metavar="FILE", help=_WORDS)
def import_command(door: Door, file: str, passphrase_file: IO[str] | None) -> int:
    """Take in the keys of an exported FILE, beside those that are here."""
    from .. import keys

    with door.service() as service:
        data = contents(file, "name a file that `scriptorium key export` wrote")
        words = _passphrase(passphrase_file, confirm=False)
        done = keys.restore(service.home, data, words, file)
    door.say("imported", done, lambda: f"{safe(done.place)}: {' '.join(done.versions)}")
    return 0


@command("rotate")
def rotate_command(door: Door) -> int:
    """Make a new key: what is new is sealed with it, and the older ones open what is old.

    `scriptorium seal LOCATION --again --prune` then seals everything anew. Export the keys again.
    """
    from .. import keys

    with door.service() as service:
        made = keys.rotate(service.home)
        done = keys.Exported((made.version,), str(keys.place(service.home)))
    door.say("rotated", done, lambda: f"new: {made.version} in {safe(done.place)}; export the keys again")
    return 0


for _each in (list_command, export_command, import_command, rotate_command):
    key_command.add_command(_each)


def _passphrase(file: IO[str] | None, confirm: bool) -> str:
    from scriptorium_core.problem import Code, Problem

    if file is not None:
        words = file.readline().rstrip("\r\n")
    else:
        words = hidden("passphrase", confirm, "give it with --passphrase-file")
    if not words:
        message, remedy = "the passphrase is empty", "give a few words that nobody guesses"
        raise Stop((Problem(Code.INVALID_ARGUMENT, message, "passphrase", remedy=remedy),))
    return words


def _taken(file: Path) -> "Problem":
    from scriptorium_core.problem import Code, Problem

    message, remedy = "something stands there already", "name a new file"
    return Problem(Code.INVALID_ARGUMENT, message, str(file), remedy=remedy)
