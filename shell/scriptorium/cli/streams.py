"""The two streams: they get what they can hold, and a reader who has left does no harm."""

import os
import sys
from typing import TextIO

import click

__all__ = ["encoding", "err", "out"]


def out(text: str) -> None:
    """Write an answer, and a line end."""
    try:
        _write(text, sys.stdout)
    except OSError as error:
        _close(sys.stdout)
        raise OSError(error.errno, error.strerror, "stdout") from error


def err(text: str) -> None:
    """Write what is said beside the answer, and a line end."""
    try:
        _write(text, sys.stderr)
    except OSError:
        _close(sys.stderr)  # nobody can be told; what was done, and its exit code, stay what they are


def encoding(stream: TextIO) -> str:
    """How the characters of a stream are coded."""
    return getattr(stream, "encoding", None) or "utf-8"


def _write(text: str, stream: TextIO) -> None:
    code = encoding(stream)
    try:
        click.echo(text.encode(code, "replace").decode(code), file=stream)
    except BrokenPipeError:
        # `| head -1` is enough for its reader; what was asked for is done all the same.
        _close(stream)


def _close(stream: TextIO) -> None:
    """Let the rest of a stream go nowhere: what is left in its buffer would fail once more at the exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
