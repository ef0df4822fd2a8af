"""The bodies of requests: what the OpenAPI description says of them, and how they are read."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from scriptorium_core.problem import Code, Problem
from scriptorium_core.topics.standing import LEAST
from scriptorium_core.writing.toolset import changes_schema

from ..refused import Refused

__all__ = [
    "Changes",
    "Forget",
    "Promote",
    "Question",
    "Remember",
    "Restore",
    "Topic",
    "Undo",
    "faults",
    "read",
    "requested",
]

B = TypeVar("B", bound=BaseModel)
Objects = list[dict[str, Any]]
_WHOLE = "Whole topics: path, action (write or delete), content"

Sources = Annotated[
    Objects,
    Field(
        default_factory=list,
        description="What was said, to be archived and cited by its label: label, role, content, observed_at",
    ),
]
Deleted = Annotated[
    list[str], Field(default_factory=list, description="The records that are left out on purpose")
]
Message = Annotated[str, Field(description="One line for the commit")]
Names = Annotated[list[str], Field(min_length=1, max_length=200)]


class _Request(BaseModel):
    """An object without further keys."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Changes(_Request):
    """Exactly one of memory_changes, changes and patch; one commit, or none of it."""

    memory_changes: Annotated[Objects, Field(default_factory=list, json_schema_extra=dict(changes_schema()))]
    changes: Annotated[Objects, Field(default_factory=list, description=_WHOLE)]
    patch: Annotated[str, Field(description="A unified diff over topics")] = ""
    deleted: Deleted
    sources: Sources
    base_revision: Annotated[str, Field(description="The revision that was read")] = ""
    commit_message: Message = ""


class Topic(_Request):
    """The whole text of a topic."""

    content: str
    deleted: Deleted
    sources: Sources
    commit_message: Message = ""


class Remember(_Request):
    """Words to be saved as they are."""

    text: str
    topic: Annotated[str, Field(description="A path, `core` for the core, empty for the notes")] = ""
    asks: Annotated[
        list[str], Field(default_factory=list, description="Questions that they answer", max_length=64)
    ]
    organize: Annotated[bool, Field(description="A model proposes place and wording; it is checked")] = False


class Question(_Request):
    """A question to memory."""

    question: Annotated[str, Field(min_length=1, max_length=20_000)]
    budget: Annotated[int | None, Field(ge=1, le=100_000, description="Tokens at most")] = None
    scope: Annotated[str, Field(description="A project directory: only what holds there")] = ""
    current_required: Annotated[bool, Field(description="Only what was just checked will do")] = False
    least: Annotated[float, Field(ge=0, le=1, description="The least confidence that needs no check")] = LEAST
    keep: Annotated[bool, Field(description="A generated answer becomes an unverified record")] = False
    model: Annotated[bool, Field(description="The model of the settings may answer")] = True


class Promote(_Request):
    """Held messages, by source id or by a record that cites them."""

    names: Names


class Forget(_Request):
    """Records (by id) and messages (by source id) that never come back."""

    names: Names
    unlink: Annotated[bool, Field(description="Links of other records become plain text")] = False
    reason: Annotated[str, Field(description="Why; it stands in the commit")] = ""
    dry_run: Annotated[bool, Field(description="Say what would be forgotten, and forget nothing")] = False


class Restore(_Request):
    """Records (by id), or one topic, as of a revision or a date."""

    names: Names
    since: Annotated[str, Field(min_length=1, description="HEAD~2, a commit, or a date")]
    delete: Annotated[bool, Field(description="Drop what the topic got later")] = False


class Undo(_Request):
    """A commit whose changes of topics are taken back."""

    commit: Annotated[str, Field(min_length=1)]


def requested(model: type[BaseModel]) -> dict[str, Any]:
    """What a route says of its body."""
    schema = model.model_json_schema()
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def read(model: type[B], body: Mapping[str, Any]) -> B:
    """The body as its model. Raises Refused with all that is wrong in it."""
    try:
        return model.model_validate(body)
    except ValidationError as error:
        raise Refused(*faults(error.errors())) from error


def faults(errors: Any) -> tuple[Problem, ...]:
    """What pydantic found, as problems: `query.limit`, `names[2]`."""
    return tuple(
        Problem(Code.INVALID_ARGUMENT, each["msg"], _place(each["loc"]), remedy="see the OpenAPI description")
        for each in errors
    )


def _place(steps: tuple[str | int, ...]) -> str:
    written = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return written.removeprefix(".")
