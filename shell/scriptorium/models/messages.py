"""Anthropic's Messages, streamed."""

from collections.abc import Iterable, Iterator
from typing import Any, cast

import anthropic
from attrs import define, evolve, field, frozen

from scriptorium_core.writing.exchange import Asked, Call, Question, Reply, Turn
from scriptorium_core.writing.faults import Fault

from . import wire
from .model import Hear
from .providers import Endpoint
from .wire import Fields, fields_of, number

__all__ = ["Messages"]

_CACHED = ("cache_creation_input_tokens", "cache_read_input_tokens")


@frozen
class Messages:
    """A model of Anthropic's; all of them know tools, and none is held to a schema but by words."""

    endpoint: Endpoint
    forms: tuple[str, ...] = ("plain",)

    def ask(self, question: Question, hear: Hear) -> Reply | Fault:
        """One answer."""
        try:
            with wire.client(self.endpoint) as way:
                library = anthropic.Anthropic(
                    api_key=self.endpoint.key or wire.NO_KEY,
                    base_url=self.endpoint.base_url,
                    max_retries=0,
                    timeout=way.timeout,
                    http_client=way,
                    open_telemetry=False,
                )
                events = library.messages.create(**_request(question, self.endpoint))
                return _answer(cast("Iterable[object]", events), hear, self.endpoint)
        except (anthropic.AnthropicError, *wire.BROKEN) as error:
            return wire.fault_of(error, self.endpoint)
        except ValueError as error:  # JSON in the stream that is none
            return wire.unreadable(str(error), self.endpoint)


def _request(question: Question, endpoint: Endpoint) -> dict[str, Any]:
    messages = [_message(turn) for turn in question.turns]
    # What was said so far is read from the provider's cache at the next turn.
    messages[-1]["content"][-1]["cache_control"] = {"type": "ephemeral"}
    system = {"type": "text", "text": question.system, "cache_control": {"type": "ephemeral"}}
    tools = [
        {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
        for tool in question.tools
    ]
    return {
        "model": endpoint.model,
        "max_tokens": endpoint.tokens,
        "system": [system],
        "messages": messages,
        "stream": True,
    } | ({"tools": tools} if tools else {})


def _message(turn: Turn) -> dict[str, Any]:
    if isinstance(turn, Asked):
        return {"role": "user", "content": [{"type": "text", "text": turn.text}]}
    if isinstance(turn, Reply):
        blocks = cast("list[dict[str, Any]] | None", turn.raw) or [{"type": "text", "text": turn.text or "…"}]
        return {"role": "assistant", "content": [dict(block) for block in blocks]}
    return {
        "role": "user",
        "content": [
            {
                "type": "tool_result",
                "tool_use_id": result.call,
                "content": result.text,
                "is_error": result.failed,
            }
            for result in turn.results
        ],
    }


@define
class _Block:
    """A part of the answer while it comes in: its fields, and the JSON of its arguments."""

    fields: dict[str, object]
    json: list[str] = field(factory=list[str])

    def take(self, delta: Fields, hear: Hear) -> None:
        for key in ("text", "thinking", "signature"):
            if isinstance(piece := delta.get(key), str):
                self.fields[key] = f"{self.fields.get(key) or ''}{piece}"
                if key == "text":
                    hear(piece)
        if isinstance(piece := delta.get("partial_json"), str):
            self.json.append(piece)

    @property
    def call(self) -> Call:
        return Call(str(self.fields.get("id")), str(self.fields.get("name")), "".join(self.json) or "{}")

    @property
    def sent_back(self) -> dict[str, object]:
        return self.fields | ({"input": self.call.fields} if self.fields.get("type") == "tool_use" else {})


def _answer(events: Iterable[object], hear: Hear, endpoint: Endpoint) -> Reply | Fault:
    blocks: dict[int, _Block] = {}
    reply, known = Reply(), False
    for fields in _fields(events):
        known = known or isinstance(fields.get("type"), str)
        match fields.get("type"):
            case "message_start":
                reply = _counted(reply, fields_of(fields_of(fields.get("message")).get("usage")))
            case "content_block_start":
                block = _Block(dict(fields_of(fields.get("content_block"))))
                blocks[number(fields.get("index"))] = block
                if isinstance(text := block.fields.get("text"), str):
                    hear(text)
            case "content_block_delta":
                if (at := blocks.get(number(fields.get("index")))) is not None:
                    at.take(fields_of(fields.get("delta")), hear)
            case "message_delta":
                ending = fields_of(fields.get("delta")).get("stop_reason")
                reply = _counted(reply, fields_of(fields.get("usage")))
                reply = evolve(reply, ending=ending if isinstance(ending, str) else reply.ending)
            case _:
                pass
    if not reply.ending:
        # A connection that is closed in the midst of an answer looks like its end.
        return (
            Fault(kind="transport", text="the answer broke off")
            if known
            else wire.unreadable("no answer", endpoint)
        )
    parts = [blocks[index] for index in sorted(blocks)]
    return evolve(
        reply,
        text="".join(
            str(part.fields.get("text") or "") for part in parts if part.fields.get("type") == "text"
        ),
        calls=tuple(part.call for part in parts if part.fields.get("type") == "tool_use"),
        raw=[part.sent_back for part in parts],
    )


def _counted(reply: Reply, usage: Fields) -> Reply:
    """With the tokens of an event; those that go in may be told at the start, at the end, or at both."""
    read = number(usage.get("input_tokens")) + sum(number(usage.get(key)) for key in _CACHED)
    return evolve(
        reply,
        tokens_in=max(read, reply.tokens_in),
        tokens_out=max(number(usage.get("output_tokens")), reply.tokens_out),
    )


def _fields(events: Iterable[object]) -> Iterator[Fields]:
    for event in events:
        if isinstance(event, anthropic.BaseModel):
            yield event.to_dict(warnings=False)
