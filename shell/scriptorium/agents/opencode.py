"""The plugin through which OpenCode calls: one file of ours, with the command and nothing else put in."""

import json
from collections.abc import Sequence
from pathlib import Path

from scriptorium_core.problem import Code, Problem

from ..refused import Refused

__all__ = ["is_ours", "plugin"]

_MARK = "// Written by `scriptorium hook install opencode`"
_COMMAND = "__COMMAND__"


def plugin(path: Path, there: bytes | None, words: Sequence[str]) -> str:
    """The text of the plugin. Raises Refused where a file of somebody else has its name."""
    if there is not None and not is_ours(there):
        message = f"{path} is a plugin of somebody else; nothing is written"
        raise Refused(Problem(Code.INVALID_ARGUMENT, message, str(path), remedy="rename or remove that file"))
    template = Path(__file__).with_name("opencode.js").read_text("utf-8")
    return template.replace(_COMMAND, json.dumps([*words], ensure_ascii=False))


def is_ours(data: bytes | None) -> bool:
    """Whether a file is a plugin that was written here."""
    return data is not None and data.startswith(_MARK.encode())
