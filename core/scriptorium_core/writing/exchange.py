"""What is said between a writer and a model, in the words of no provider.

A `Question` holds the whole exchange so far, for models remember nothing: it ends in something asked or in
the results of calls. What came back is a `Reply`, or a `Fault` (`faults`).
"""

import json
from collections.abc import Mapping
from typing import cast

from attrs import field, frozen

from .toolset import Tool

__all__ = ["Asked", "Call", "Question", "Reply", "Result", "Results", "Turn"]


@frozen
class Call:
    """A call of a tool as the model wrote it: `arguments` are its JSON, whole or not."""

    id: str
    name: str
    arguments: str

    @property
    def fields(self) -> Mapping[str, object]:
        """The arguments as an object, empty where they are none: no server takes broken ones back."""
        try:
            value = cast(object, json.loads(self.arguments))
        except (ValueError, RecursionError):
            return {}
        return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


@frozen
class Asked:
    """What is said to the model."""

    text: str


@frozen
class Reply:
    """What the model answered: words, calls, the provider's word for why it ended, and tokens in and out.

    Tokens are 0 where the server does not count. `raw` is the answer in the form of its provider, for the one
    that wants it back word for word.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    ending: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    raw: object = field(default=None, eq=False, repr=False)


@frozen
class Result:
    """What a call gave; `failed` where it was refused."""

    call: str
    text: str
    failed: bool = False


@frozen
class Results:
    """What the calls of a reply gave, in their order."""

    results: tuple[Result, ...]


Turn = Asked | Reply | Results


@frozen
class Question:
    """The rules for the model, the exchange so far, and what the answer may be made of.

    With `schema` (a JSON schema) and no tools the answer is one JSON object; `form` is how that is asked for:
    `json_schema`, `json_object`, or `plain` where only the words say it.
    """

    system: str
    turns: tuple[Turn, ...]
    tools: tuple[Tool, ...] = ()
    schema: Mapping[str, object] | None = None
    form: str = "json_schema"
