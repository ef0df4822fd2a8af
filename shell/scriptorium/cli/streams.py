"""The two streams: they get what they can hold, and a reader who has left does no harm."""

import os
import sys
from typing import TextIO

import click

__all__ = ["encoding", "err", "out"]


def out(text: str) -> None:
    """Write an answer, and a line end."""
    _write(text, sys.stdout)


def err(text: str) -> None:
    """Write what is said beside the answer, and a line end."""
    _write(text, sys.stderr)


def encoding(stream: TextIO) -> str:
    """How the characters of a stream are coded."""
    return getattr(stream, "encoding", None) or "utf-8"


def _write(text: str, stream: TextIO) -> None:
    code = encoding(stream)
    try:
        click.echo(text.encode(code, "replace").decode(code), file=stream)
    except BrokenPipeError:
        # `| head -1` is enough for its reader; what was asked for is done all the same.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
