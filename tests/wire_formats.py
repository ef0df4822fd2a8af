"""What the providers send, byte for byte as their servers do, from what a model is to say and to call."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from provider_server import Answer

__all__ = ["FORMATS", "Called", "Format", "error", "events", "said_by"]


@frozen
class Called:
    """A call of a tool; with `raw` its arguments are that text, whatever it is."""

    name: str
    arguments: Mapping[str, object] = {}
    raw: str | None = None

    @property
    def json(self) -> str:
        return json.dumps(self.arguments, ensure_ascii=False) if self.raw is None else self.raw


Say = Callable[..., Answer]


@frozen
class Format:
    """One provider: the setting, what comes after the address, and how it says things."""

    name: str
    provider: str
    path: str
    say: Say


def events(*rows: tuple[str, object]) -> tuple[bytes, ...]:
    """Server-sent events with a name, each a piece."""
    return tuple(f"event: {name}\ndata: {_json(data)}\n\n".encode() for name, data in rows)


def error(status: int, body: object, headers: Mapping[str, str] | None = None) -> Answer:
    """An error as an object."""
    return Answer((_json(body).encode(),), status, "application/json", headers or {})


def anthropic(text: str = "", *calls: Called, ending: str = "") -> Answer:
    """Anthropic's Messages: a ping, a block for the words, one for each call, its JSON in pieces."""
    usage: dict[str, object] = {
        "input_tokens": 900,
        "cache_creation_input_tokens": 60,
        "cache_read_input_tokens": 40,
    }
    message: dict[str, object] = {
        "id": "msg_01", "type": "message", "role": "assistant", "model": "claude-x", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage | {"output_tokens": 1},
    }  # fmt: skip
    rows: list[tuple[str, object]] = [("message_start", {"type": "message_start", "message": message})]
    rows.append(("ping", {"type": "ping"}))
    blocks: list[tuple[dict[str, object], list[dict[str, object]]]] = []
    if text:
        deltas: list[dict[str, object]] = [{"type": "text_delta", "text": piece} for piece in _pieces(text)]
        blocks.append(({"type": "text", "text": ""}, deltas))
    for number, call in enumerate(calls):
        tool: dict[str, object] = {
            "type": "tool_use",
            "id": f"toolu_{number:02}",
            "name": call.name,
            "input": {},
        }
        parts = ["", *_pieces(call.json)]
        blocks.append((tool, [{"type": "input_json_delta", "partial_json": part} for part in parts]))
    for index, (start, pieces) in enumerate(blocks):
        body = {"type": "content_block_start", "index": index, "content_block": start}
        rows.append(("content_block_start", body))
        for piece in pieces:
            body = {"type": "content_block_delta", "index": index, "delta": piece}
            rows.append(("content_block_delta", body))
        rows.append(("content_block_stop", {"type": "content_block_stop", "index": index}))
    reason = ending or ("tool_use" if calls else "end_turn")
    delta: dict[str, object] = {"stop_reason": reason, "stop_sequence": None}
    rows.append(("message_delta", {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 50}}))
    rows.append(("message_stop", {"type": "message_stop"}))
    return Answer(events(*rows))


def openai(text: str = "", *calls: Called, ending: str = "") -> Answer:
    """OpenAI's chat completions: the arguments of a call in pieces, tokens at the end, without choices."""
    deltas: list[dict[str, object]] = [
        {"role": "assistant", "content": "" if text else None, "refusal": None}
    ]
    deltas += [{"content": piece} for piece in _pieces(text)]
    for index, call in enumerate(calls):
        function = {"name": call.name, "arguments": ""}
        head = {"index": index, "id": f"call_{index}", "type": "function", "function": function}
        deltas.append({"tool_calls": [head]})
        for piece in _pieces(call.json):
            deltas.append({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    chunks = [_chunk([_choice(delta)]) for delta in deltas]
    chunks.append(_chunk([_choice({}, ending or ("tool_calls" if calls else "stop"))]))
    usage = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}
    chunks.append(_chunk([], usage=usage))
    return _lines(chunks)


def llamacpp(text: str = "", *calls: Called, ending: str = "") -> Answer:
    """llama.cpp: `content` is null beside calls, tokens come with the last choice, timings besides."""
    deltas: list[dict[str, object]] = [{"role": "assistant", "content": None}]
    deltas += [{"content": piece} for piece in _pieces(text)]
    for index, call in enumerate(calls):
        function = {"name": call.name, "arguments": call.json}
        head = {"index": index, "id": f"id{index}", "type": "function", "function": function}
        deltas.append({"tool_calls": [head]})
    chunks = [_chunk([_choice(delta)]) for delta in deltas]
    last = _chunk([_choice({}, ending or ("tool_calls" if calls else "stop"))])
    usage = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}
    chunks.append(last | {"usage": usage, "timings": {"prompt_n": 1000, "predicted_ms": 12.5}})
    return _lines(chunks)


def ollama(text: str = "", *calls: Called, ending: str = "") -> Answer:
    """Ollama: all calls whole in one chunk, every index 0, no count of tokens, `stop` at the end of calls."""
    heads = [
        {
            "index": 0,
            "id": f"call_o{n}",
            "type": "function",
            "function": {"name": c.name, "arguments": c.json},
        }
        for n, c in enumerate(calls)
    ]
    deltas: list[dict[str, object]] = [{"role": "assistant", "content": piece} for piece in _pieces(text)]
    deltas += [{"role": "assistant", "content": "", "tool_calls": heads}] if heads else []
    chunks = [_chunk([_choice(delta)]) for delta in deltas]
    chunks.append(_chunk([_choice({"role": "assistant", "content": ""}, ending or "stop")]))
    return _lines(chunks)


def vllm(text: str = "", *calls: Called, ending: str = "") -> Answer:
    """vLLM with a model that thinks: `reasoning_content` first, calls without an index, a usage of null."""
    deltas: list[dict[str, object]] = [{"role": "assistant", "content": "", "reasoning_content": None}]
    deltas += [{"reasoning_content": piece} for piece in _pieces("The owner prefers tea. {I keep that.}")]
    deltas += [{"content": piece, "reasoning_content": None} for piece in _pieces(text)]
    for number, call in enumerate(calls):
        head = {"id": f"chatcmpl-tool-{number}", "type": "function", "function": {"name": call.name}}
        deltas.append({"tool_calls": [head]})
        for piece in _pieces(call.json):
            deltas.append({"tool_calls": [{"function": {"arguments": piece}}]})
    chunks = [_chunk([_choice(delta)]) | {"usage": None} for delta in deltas]
    chunks.append(_chunk([_choice({}, ending or ("tool_calls" if calls else "stop"))]))
    return _lines(chunks)


FORMATS = (
    Format("anthropic", "anthropic:claude-x", "", anthropic),
    Format("openai", "openai:gpt-x", "/v1", openai),
    Format("llamacpp", "llamacpp:any", "/v1", llamacpp),
    Format("ollama", "ollama:qwen", "/v1", ollama),
    Format("vllm", "elsewhere:thinker", "/v1", vllm),
)
"""The providers, each with its own habits."""


def said_by(body: Any) -> str:
    """All the words of a request, in the form of either provider."""
    return json.dumps([body.get("system"), body["messages"]], ensure_ascii=False)


def _lines(chunks: Sequence[object]) -> Answer:
    pieces = [f"data: {_json(chunk)}\n\n".encode() for chunk in chunks]
    return Answer((*pieces, b"data: [DONE]\n\n"))


def _chunk(choices: list[object], **more: object) -> dict[str, object]:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-x"}
    return {**head, "system_fingerprint": None, "choices": choices, **more}


def _choice(delta: Mapping[str, object], ending: str | None = None) -> object:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": ending}


def _pieces(text: str) -> list[str]:
    """A text in pieces, cut in the midst of words and of escapes."""
    return [text[start : start + 7] for start in range(0, len(text), 7)]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
