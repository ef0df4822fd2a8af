"""OpenAI's chat completions, streamed, and what other servers make of them.

Ollama, llama.cpp and vLLM differ: calls come whole in one chunk or without an index, `content` is null,
tokens are not counted, thoughts come in fields of their own. What is missing is missing; it is no fault.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

import openai
from attrs import define, evolve, field, frozen

from scriptorium_core.writing.exchange import Asked, Call, Question, Reply, Turn
from scriptorium_core.writing.faults import Fault

from . import wire
from .model import Hear
from .providers import Endpoint
from .wire import Fields, fields_of, number

__all__ = ["Completions"]


@frozen
class Completions:
    """A model that OpenAI serves, or a server that speaks as OpenAI does."""

    endpoint: Endpoint
    forms: tuple[str, ...] = ("json_schema", "json_object", "plain")

    def ask(self, question: Question, hear: Hear) -> Reply | Fault:
        """One answer."""
        try:
            with wire.client(self.endpoint) as way:
                library = openai.OpenAI(
                    api_key=self.endpoint.key or wire.NO_KEY,
                    base_url=self.endpoint.base_url,
                    max_retries=0,
                    timeout=way.timeout,
                    http_client=way,
                )
                chunks = library.chat.completions.create(**_request(question, self.endpoint))
                return _answer(cast("Iterable[object]", chunks), hear, self.endpoint)
        except (openai.OpenAIError, *wire.BROKEN) as error:
            return wire.fault_of(error, self.endpoint)
        except ValueError as error:  # JSON in the stream that is none
            return wire.unreadable(str(error), self.endpoint)


def _request(question: Question, endpoint: Endpoint) -> dict[str, Any]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": question.system}]
    for turn in question.turns:
        messages += _messages(turn)
    ours = endpoint.provider == "openai"
    request: dict[str, Any] = {
        "model": endpoint.model,
        "messages": messages,
        "stream": True,
        "stream_options": {"include_usage": True},
        # OpenAI's later models refuse the older name, most other servers know no other.
        "max_completion_tokens" if ours else "max_tokens": endpoint.tokens,
    }
    if question.tools:
        request["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.schema},
            }
            for tool in question.tools
        ]
    elif question.schema is not None and question.form != "plain":
        request["response_format"] = _form(question.schema, question.form, ours)
    return request


def _form(schema: Mapping[str, object], form: str, ours: bool) -> dict[str, Any]:
    if form == "json_schema":
        return {"type": form, "json_schema": {"name": "memory_changes", "schema": schema, "strict": False}}
    return {"type": "json_object"} | ({} if ours else {"schema": schema})


def _messages(turn: Turn) -> list[dict[str, Any]]:
    if isinstance(turn, Asked):
        return [{"role": "user", "content": turn.text}]
    if isinstance(turn, Reply):
        calls = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.fields)},
            }
            for call in turn.calls
        ]
        said = {"role": "assistant", "content": turn.text or (None if calls else "…")}
        return [said | ({"tool_calls": calls} if calls else {})]
    return [{"role": "tool", "tool_call_id": result.call, "content": result.text} for result in turn.results]


@define
class _Part:
    """A call while it comes in."""

    id: str = ""
    name: str = ""
    json: list[str] = field(factory=list[str])

    def take(self, delta: Fields) -> None:
        function = fields_of(delta.get("function"))
        if isinstance(given := delta.get("id"), str):
            self.id = self.id or given
        if isinstance(name := function.get("name"), str):
            self.name = self.name or name
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            self.json.append(arguments)
        elif arguments is not None:  # some servers give the object itself
            self.json.append(json.dumps(arguments))


@define
class _Parts:
    """The calls of an answer while they come in."""

    parts: list[_Part] = field(factory=list[_Part])
    at: dict[int, _Part] = field(factory=dict[int, _Part])

    def take(self, delta: Fields) -> None:
        """Take a piece of a call: by its index, or without one by its id, or at the end of the last."""
        index, given = delta.get("index"), delta.get("id")
        part = self.at.get(index) if isinstance(index, int) else self._last(given)
        # A server that gives every call the index 0 still gives each an id of its own.
        if part is None or (given and part.id and given != part.id):
            part = _Part()
            self.parts.append(part)
            if isinstance(index, int):
                self.at[index] = part
        part.take(delta)

    def _last(self, given: object) -> _Part | None:
        return self.parts[-1] if self.parts and not given else None

    def calls(self) -> tuple[Call, ...]:
        return tuple(
            Call(part.id or f"call-{position}", part.name, "".join(part.json) or "{}")
            for position, part in enumerate(self.parts)
        )


def _answer(chunks: Iterable[object], hear: Hear, endpoint: Endpoint) -> Reply | Fault:
    words: list[str] = []
    parts, reply, known = _Parts(), Reply(), False
    for fields in _fields(chunks):
        reply = _counted(reply, fields_of(fields.get("usage")))
        for choice in _items(fields.get("choices"))[:1]:
            known = True
            delta = fields_of(choice.get("delta") or choice.get("message"))
            if isinstance(text := delta.get("content"), str):
                words.append(text)
                hear(text)
            for call in _items(delta.get("tool_calls")):
                parts.take(call)
            if delta.get("refusal"):
                reply = evolve(reply, ending="refusal")
            elif isinstance(ending := choice.get("finish_reason"), str) and reply.ending != "refusal":
                reply = evolve(reply, ending=ending)
    if not known:
        return wire.unreadable("no answer", endpoint)
    if not reply.ending:
        # A connection that is closed in the midst of an answer looks like its end.
        return Fault(kind="transport", text="the answer broke off")
    return evolve(reply, text="".join(words), calls=parts.calls())


def _counted(reply: Reply, usage: Fields) -> Reply:
    return evolve(
        reply,
        tokens_in=max(number(usage.get("prompt_tokens")), reply.tokens_in),
        tokens_out=max(number(usage.get("completion_tokens")), reply.tokens_out),
    )


def _items(value: object) -> list[Fields]:
    return [fields_of(each) for each in value] if isinstance(value, list) else []


def _fields(chunks: Iterable[object]) -> Iterator[Fields]:
    for chunk in chunks:
        if isinstance(chunk, openai.BaseModel):
            yield chunk.to_dict(warnings=False)
