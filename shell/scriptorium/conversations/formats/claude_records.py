"""What one record of Claude Code is: who speaks in it, and which words of it were said.

Most records of the role `user` are no person's: results of tools, text that the harness adds, commands
and what they printed, summaries of a compaction, notices of other agents. Of all of these only the place
in the tree is kept. Words that are typed while the assistant works come as an attachment.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from scriptorium_core.sources.frame import Origin

__all__ = ["CHAINED", "UNCHAINED", "is_readable", "mapping", "spoken", "string", "titled"]

CHAINED = frozenset(["user", "assistant", "system", "progress", "attachment"])
"""The types of records that stand in the tree."""

UNCHAINED = frozenset(
    [
        "agent-color", "agent-name", "agent-setting", "ai-title", "attribution-snapshot", "bridge-session",
        "content-replacement", "context-collapse", "custom-title", "file-history-delta",
        "file-history-snapshot", "history-suppression", "last-prompt", "mode", "permission-mode",
        "pr-link", "queue-operation", "result", "speculation-accept", "summary", "tag", "task-summary",
        "turn_end", "worktree-state",
    ]
)  # fmt: skip
"""The known types of records beside the tree; none of them holds talk that stands nowhere else."""

_HARNESS = (
    "<bash-input>", "<bash-stderr>", "<bash-stdout>", "<command-args>", "<command-message>",
    "<command-name>", "<ide_", "<local-command-", "<new-diagnostics>", "<post-tool-use-hook>",
    "<session-start-hook>", "<system-reminder>", "<task-notification>", "<teammate-message",
    "<user-prompt-submit-hook>", "[Request interrupted by user", "Caveat: The messages below were generated",
)  # fmt: skip
_REMINDER = ("<system-reminder>", "</system-reminder>")
_EDITOR = re.compile(r"\s*<(ide_\w+)>.*?</\1>[ \t]*\n*", re.DOTALL)
_NOTE = ("<user-memory-input>", "</user-memory-input>")
_BY_TOOLS = ("toolUseResult", "sourceToolUseID", "sourceToolAssistantUUID")
_NO_WORDS = "(no content)"


def spoken(row: Mapping[str, Any]) -> tuple[Origin, str]:
    """Who speaks in a record of the tree, and the words; empty for all that nobody said."""
    match row.get("type"):
        case "assistant":
            return _answer(row)
        case "user":
            return _prompt(row)
        case "attachment":
            return _attached(mapping(row.get("attachment")))
        case _:
            return Origin.HARNESS, ""


def is_readable(row: Mapping[str, Any]) -> bool:
    """Whether a message has the content that its type calls for."""
    if row.get("type") not in ("user", "assistant"):
        return True
    return isinstance(mapping(row.get("message")).get("content"), str | list)


def titled(row: Mapping[str, Any]) -> tuple[int, str]:
    """The title that a record gives, and its rank: a person's goes before a model's before a summary's."""
    match row:
        case {"type": "custom-title", "customTitle": str(title)}:
            return 3, title.strip()
        case {"type": "ai-title", "aiTitle": str(title)}:
            return 2, title.strip()
        case {"type": "summary", "summary": str(title)}:
            return 1, title.strip()
        case _:
            return 0, ""


def mapping(value: object) -> Mapping[str, Any]:
    """`value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def string(value: object) -> str:
    """`value` if it is text, else empty."""
    return value if isinstance(value, str) else ""


def _answer(row: Mapping[str, Any]) -> tuple[Origin, str]:
    message = mapping(row.get("message"))
    made_up = message.get("model") == "<synthetic>" or row.get("isApiErrorMessage") or row.get("apiError")
    if made_up or row.get("isMeta"):
        return Origin.HARNESS, ""
    text = "\n".join(text for text in _texts(message.get("content")) if text.strip() != _NO_WORDS)
    only_tools = not text.strip() and "tool_use" in _kinds(message.get("content"))
    return (Origin.TOOL, "") if only_tools else (Origin.ASSISTANT, text)


def _prompt(row: Mapping[str, Any]) -> tuple[Origin, str]:
    if row.get("isCompactSummary"):
        return Origin.SUMMARY, ""
    if row.get("isMeta") or row.get("isVisibleInTranscriptOnly"):
        return Origin.HARNESS, ""
    if row.get("isTeammate") or not _is_persons(row):
        return Origin.AGENT, ""
    content = mapping(row.get("message")).get("content")
    kinds, text = _kinds(content), _typed(content)
    if "tool_result" not in kinds and any(row.get(key) for key in _BY_TOOLS):
        return Origin.TOOL, ""  # what a tool has put into the conversation
    if text.strip() or "image" in kinds or "document" in kinds:
        return Origin.HUMAN, text
    return (Origin.TOOL if "tool_result" in kinds else Origin.HARNESS), ""


def _attached(attachment: Mapping[str, Any]) -> tuple[Origin, str]:
    """What came with the conversation: mostly files and notices, but also words typed meanwhile."""
    queued = attachment.get("type") == "queued_command" and not attachment.get("isMeta")
    text = _typed(attachment.get("prompt")) if queued else ""
    if not text.strip() or attachment.get("commandMode", "prompt") != "prompt":
        return Origin.HARNESS, ""
    return (Origin.HUMAN, text) if _is_persons(attachment) else (Origin.AGENT, "")


def _is_persons(row: Mapping[str, Any]) -> bool:
    """Newer logs say whether a message is a person's, another agent's or the runtime's."""
    return string(mapping(row.get("origin")).get("kind")) in ("", "human")


def _typed(content: object) -> str:
    """What a person typed: the text without what the harness has put beside it."""
    return "\n".join(text for text in map(_without_harness, _texts(content)) if text.strip())


def _without_harness(text: str) -> str:
    # What an editor shows beside the words stands before them, mostly as a block of its own.
    while shown := _EDITOR.match(text):
        text = text[shown.end() :]
    opening, closing = _REMINDER
    while (begun := text.lstrip()).startswith(opening) and closing in begun:
        text = begun[begun.index(closing) + len(closing) :].lstrip("\r\n")
    while (ended := text.rstrip()).endswith(closing) and opening in ended:
        text = ended[: ended.rindex(opening)].rstrip("\r\n")
    bare = text.strip()
    if bare.startswith(_NOTE[0]) and bare.endswith(_NOTE[1]):
        return bare[len(_NOTE[0]) : -len(_NOTE[1])]  # a note that a person typed for the memory file
    return "" if bare.startswith(_HARNESS) else text


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list) else []:
        match block:
            case str():
                yield block
            case {"type": "text", "text": str(text)}:
                yield text
            case _:
                pass


def _kinds(content: object) -> frozenset[str]:
    blocks = content if isinstance(content, list) else []
    return frozenset(string(mapping(block).get("type")) for block in blocks)
