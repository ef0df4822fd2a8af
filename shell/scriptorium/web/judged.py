"""The bodies of requests about one record, and about one item of the review."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["Correct", "Decide", "Judge", "Retract"]

_TARGET = "An id, an exact title, or words that find it"


class _Request(BaseModel):
    """An object without further keys."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Correct(_Request):
    """Words for a record."""

    target: Annotated[str, Field(min_length=1, max_length=1_000, description=_TARGET)]
    text: str


class Retract(_Request):
    """A record that does not hold."""

    target: Annotated[str, Field(min_length=1, max_length=1_000, description=_TARGET)]


class Judge(_Request):
    """What is decided about a record (id), and the key of the text that was seen."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    verdict: Literal["validate", "dispute", "approve", "discard"]
    seen: Annotated[str, Field(min_length=1, max_length=64)]


class Decide(_Request):
    """An item of the review, and the key that was pressed."""

    item: Annotated[str, Field(min_length=1, max_length=40)]
    key: Annotated[str, Field(min_length=1, max_length=1)]
