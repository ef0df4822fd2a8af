"""The commands of sealed libraries: an encrypted copy of the memory that any storage may hold."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .door import Door, said
from .lines import counted, few, mark
from .safe import one_line, safe
from .shared import command

if TYPE_CHECKING:
    from ..sealed.proving import Proof
    from ..sealed.sealing import Sealed

__all__ = ["verify_sealed"]


@command("seal")
@click.argument("location")
@click.option("--again", is_flag=True, help="Seal anew what an older key has sealed.")
@click.option("--prune", is_flag=True, help="Remove the objects that the library needs no more.")
def seal_command(door: Door, location: str, again: bool, prune: bool) -> int:
    """Write what is new of the whole memory into an encrypted library.

    LOCATION is a folder, or an address like s3://bucket/name, webdav://… or sftp://… (extra `sealed`, and the
    package for the storage): an empty place, or a library of this memory. History, drafts, settings and
    conversations go along; indexes are made anew.

    The library names nothing new before all of it is written, so a killed sealing leaves the one that was;
    seal again and it goes on. The key stands in keys.json in the home: export it (`scriptorium key export`),
    for nobody opens the library without it; where it stands is noted on this computer, so that `unseal` and
    `verify` find it from any home. After `forget --erase`, `--prune` takes the old objects away.
    """
    with door.service() as service, door.progress("sealing") as progress:
        done = service.seal(location, again=again, prune=prune, progress=progress)
    door.say("sealed", done, lambda: "\n".join(_sealed(done)))
    return 0


@command("unseal")
@click.argument("location")
@click.argument("target", type=click.Path(path_type=Path))
def unseal_command(door: Door, location: str, target: Path) -> int:
    """Make the memory of a sealed library anew in the new home TARGET.

    The same bytes, the same HEAD, the same ids. TARGET may hold nothing but keys (`scriptorium --home TARGET
    key import FILE`); without any, those of this home are used, or those with which the library was sealed on
    this computer. Every object is proved before it is believed;
    a killed unsealing goes on where it was.
    """
    with door.service() as service, door.progress("unsealing") as progress:
        done = service.unseal(location, target.expanduser().absolute(), progress=progress)

    def people() -> str:
        head = done.revision[:10] if done.revision else "nothing committed yet"
        seen = f"{counted(done.objects, 'object')}, {_unpacked(done.bytes)}"
        return f"{safe(str(done.home))}: {done.workspace} at {head} ({seen})"

    door.say("unsealed", done, people)
    return 0


@command("copy")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def copy_command(door: Door, source: str, target: str) -> int:
    """Copy a sealed library to another storage, byte for byte, each object compared; needs no key.

    TO must be empty: a copy replaces nothing. A killed copy goes on where it was.
    """
    with door.service() as service, door.progress("copying") as progress:
        done = service.copy_sealed(source, target, progress=progress)

    def people() -> str:
        new = f"{done.new_objects:,} of {counted(done.objects, 'object')} written"
        note = _one_writer() if done.one_writer else ""
        return f"{one_line(done.location)}: {new}, {_size(done.bytes)} in all as stored\n{note}"

    door.say("copied", done, people)
    return 0


def verify_sealed(door: Door, location: str) -> int:
    """Prove every object of a sealed library; the exit code."""
    with door.service() as service, door.progress("verifying") as progress:
        proof = service.prove(location, progress=progress)
    door.say("verify", proof, lambda: "\n".join(_proved(proof)), proof.faults)
    return 0 if proof.holds else 1


def _sealed(done: "Sealed") -> Iterator[str]:
    head = f" at {done.revision[:10]}" if done.revision else ""
    written = f"{counted(done.new_objects, 'new object')} ({_unpacked(done.new_bytes)})"
    new = written if done.new_objects else "nothing new"
    in_all = f"{counted(done.objects, 'object')} in all{head}, {done.key_version}"
    yield f"{one_line(done.location)}: {new}; {in_all}"
    if done.missing:
        were = "objects were" if done.missing > 1 else "object was"
        yield f"  {done.missing:,} {were} missing; what the memory still holds of it is written again"
    if done.removed:
        yield f"  {counted(done.removed, 'object')} removed that nothing named any more"
    if done.passed_over:
        yield f"  left out (links, or names that some disk does not take): {few(map(safe, done.passed_over))}"
    if done.one_writer:
        yield _one_writer()
    if done.new_key:
        yield f"  a key was made: {safe(done.new_key)}; without it nobody can open the library:"
        yield "  `scriptorium key export FILE` writes it under a passphrase, to be kept elsewhere"
    if done.unnoted:
        yield "  name this home to open it again, for where its keys stand was not noted:"
        yield f"  {safe(done.unnoted)}"


def _proved(proof: "Proof") -> Iterator[str]:
    for fault in proof.faults:
        yield f"{mark(False)} {said(fault)}"
    if proof.left:
        left = counted(len(proof.left), "object")
        yield f"{mark(True)} {left} that the library does not need (`seal --prune` removes them)"
    word = "nothing is broken" if proof.holds else "there are problems"
    head = proof.revision[:10] if proof.revision else "-"
    yield f"{word}: {counted(proof.objects, 'object')}, {_unpacked(proof.bytes)}, HEAD {head}"


def _one_writer() -> str:
    return "  one writer at a time: this storage has no conditional write; what was written was read again"


def _unpacked(size: int) -> str:
    """The bytes of contents as they were: what lies on a storage is packed, sealed and spelled out."""
    return f"{_size(size)} unpacked"


def _size(size: int) -> str:
    if size < 1024:
        return counted(size, "byte")
    return f"{size / 1024:,.0f} KiB" if size < 1024 * 1024 else f"{size / 1024 / 1024:,.1f} MiB"
