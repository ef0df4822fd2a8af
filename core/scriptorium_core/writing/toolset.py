"""The tools that a writer is offered: names, descriptions, and the JSON schemas of their arguments."""

import json
from collections.abc import Mapping
from typing import cast

from attrs import field, frozen

from .prompts import version_of

__all__ = ["TOOLS", "TOOLS_VERSION", "Tool", "changes_schema"]


@frozen
class Tool:
    """A tool: its name, what it does, and the JSON schema of its arguments."""

    name: str
    description: str
    schema: Mapping[str, object] = field(hash=False)

    @property
    def keys(self) -> tuple[str, ...]:
        """The arguments that it takes."""
        return tuple(cast("Mapping[str, object]", self.schema["properties"]))


def _object(required: str = "", **properties: object) -> Mapping[str, object]:
    """The schema of an object; `required` are names with blanks between."""
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


def _text(description: str) -> Mapping[str, object]:
    return {"type": "string", "description": description}


def _list(items: Mapping[str, object], description: str, most: int | None = None) -> Mapping[str, object]:
    bound = {} if most is None else {"maxItems": most}
    return {"type": "array", "items": items, "description": description, **bound}


def _destination() -> Mapping[str, object]:
    return _object(
        "topic_path headings position",
        topic_path=_text("topics/….md"),
        headings=_list(_text("a heading"), "The headings above the record, from the first level on."),
        position={"type": "string", "enum": ["start", "end", "before", "after"]},
        anchor_memory_id=_text("With before and after: the id of the record that is meant."),
    )


def changes_schema() -> Mapping[str, object]:
    """The schema of `memory_changes`, in plain terms that every structured output takes."""
    sources = _list(
        _object(
            "source label",
            source=_text("The ref of a message."),
            label=_text("Who said it and when, in a few plain words."),
        ),
        "The messages from which it is known.",
    )
    operation = _object(
        "op",
        op={"type": "string", "enum": ["create_record", "update_record", "delete_record", "move_records"]},
        memory_id=_text("Of an update or delete: the id of the record."),
        memory_ids=_list(_text("an id"), "Of a move: the ids of the records, in order."),
        content=_text(
            "Of a create or update: the whole final text, one paragraph without citations and ids."
        ),
        time={"type": ["string", "null"], "description": "YYYY, YYYY-MM, YYYY-MM-DD, or null."},
        sources=sources,
        supersede={"type": "boolean", "description": "Of an update: the earlier evidence stays, closed."},
        destination=_destination(),
    )
    return _list(operation, "Operations, carried out in order, all or none.", 64)


def _tools() -> tuple[Tool, ...]:
    path = _text("The path of the topic, topics/….md.")
    return (
        Tool("list", "List the topics.", _object(prefix=_text("Only paths that begin so."))),
        Tool(
            "read",
            "Read the text of a topic.",
            _object("path", path=path, first={"type": "integer", "description": "The first line, from 1."}),
        ),
        Tool(
            "search",
            "Find the lines of topics that hold a text, whatever its case.",
            _object(
                "text", text=_text("What to look for, literally."), prefix=_text("Only below this path.")
            ),
        ),
        Tool(
            "write",
            "Write the whole text of a topic, new or in place of the one that is there.",
            _object("path content", path=path, content=_text("The whole text, in the form of a topic.")),
        ),
        Tool(
            "edit",
            "Replace a passage of a topic.",
            _object(
                "path old new",
                path=path,
                old=_text("The passage as it stands there, exactly once."),
                new=_text("What comes in its place."),
            ),
        ),
        Tool(
            "move",
            "Give a topic another path; links to its records are kept.",
            _object("old new", old=path, new=_text("The new path.")),
        ),
        Tool(
            "delete_records",
            "Delete records on purpose.",
            _object(
                "ids reason",
                ids=_list(_text("an id"), "The ids of the records."),
                reason=_text("Why they are deleted; it is kept in the history."),
            ),
        ),
        Tool(
            "apply_changes",
            "Create, update, delete and move records.",
            _object("memory_changes", memory_changes=changes_schema()),
        ),
        Tool(
            "finish",
            "End the work: with a summary of what was changed, or with nothing_to_keep and a reason.",
            _object(
                summary=_text("One line that says what was changed."),
                nothing_to_keep={"type": "boolean", "description": "True if nothing had to be changed."},
                reason=_text("With nothing_to_keep: why."),
            ),
        ),
    )


TOOLS = _tools()
"""The tools, in the order in which they are offered."""

TOOLS_VERSION = version_of(
    "tools", 1, json.dumps([(tool.name, tool.description, tool.schema) for tool in TOOLS], sort_keys=True)
)
"""The version of the tool set as a whole: `tools/1-…`."""
