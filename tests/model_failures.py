"""Every way in which a model itself fails a writer: refusals, cut answers, misused tools, mere claims."""

from provider_failures import Failure, of_openai
from provider_server import Answer
from scriptorium_core.problem import Code
from wire_formats import FORMATS, Called, error

__all__ = ["MISDEEDS"]

ANTHROPIC, OPENAI, LLAMACPP, OLLAMA, VLLM = FORMATS

_CLAIM = "I have saved everything that matters to memory."
_SEARCH = Called("search", {"text": "tea"})
_FENCED = '```json\n{"memory_changes": [{"op": "create_record", "content": "Mara prefers te'
_LIST = '{"memory_changes": [{"op": "invent_record"}], "summary": "x"}'

MISDEEDS = (
    # What the model will not say
    Failure(
        "a refusal of Anthropic", ANTHROPIC, [ANTHROPIC.say("", ending="refusal")], Code.MODEL_CONTENT_POLICY
    ),
    Failure(
        "a filter of OpenAI",
        OPENAI,
        [OPENAI.say("I can", ending="content_filter")],
        Code.MODEL_CONTENT_POLICY,
    ),
    Failure(
        "a refusal of OpenAI",
        OPENAI,
        [
            Answer(
                tuple(
                    piece.replace(b'"refusal": null', b'"refusal": "I cannot help."')
                    for piece in OPENAI.say("").pieces
                )
            )
        ],
        Code.MODEL_CONTENT_POLICY,
    ),
    Failure(
        "a filter before the answer",
        OPENAI,
        [
            error(
                400,
                of_openai(
                    "The response was filtered due to the content management policy", code="content_filter"
                ),
            )
        ],
        Code.MODEL_CONTENT_POLICY,
        "content management policy",
    ),
    Failure(
        "cut off again and again",
        OPENAI,
        [OPENAI.say("", Called("write", raw='{"path": "to'), ending="length")],
        Code.MODEL_TRUNCATED,
        "length",
    ),
    Failure(
        "cut off, Anthropic", ANTHROPIC, [ANTHROPIC.say("I will", ending="max_tokens")], Code.MODEL_TRUNCATED
    ),
    Failure(
        "a fence that is never closed", OLLAMA, [OLLAMA.say(_FENCED)], Code.MODEL_TRUNCATED, mode="schema"
    ),
    Failure(
        "cut off under a schema",
        OPENAI,
        [OPENAI.say(_FENCED[8:], ending="length")],
        Code.MODEL_TRUNCATED,
        mode="schema",
    ),
    Failure(
        "no JSON under a schema",
        VLLM,
        [VLLM.say("I would keep that Mara likes tea.")],
        Code.COMMIT_REJECTED,
        mode="schema",
    ),
    Failure(
        "operations that there are not", LLAMACPP, [LLAMACPP.say(_LIST)], Code.COMMIT_REJECTED, mode="schema"
    ),
    Failure("a claim", ANTHROPIC, [ANTHROPIC.say(_CLAIM)], Code.WRITER_NO_PROGRESS, "saved everything"),
    Failure(
        "a claim after a look", OLLAMA, [OLLAMA.say("", _SEARCH), OLLAMA.say(_CLAIM)], Code.WRITER_NO_PROGRESS
    ),
    Failure(
        "a tool that there is not",
        VLLM,
        [VLLM.say("", Called("shell", {"cmd": "rm -rf /"}))],
        Code.WRITER_NO_PROGRESS,
        "no tool 'shell'",
    ),
    Failure(
        "arguments that are no JSON",
        OPENAI,
        [OPENAI.say("", Called("read", raw='{"path": topics}'))],
        Code.WRITER_NO_PROGRESS,
        "not JSON",
    ),
    Failure(
        "arguments that are no JSON, Anthropic",
        ANTHROPIC,
        [ANTHROPIC.say("", Called("read", raw='{"path": topics}'))],
        Code.WRITER_NO_PROGRESS,
        "not JSON",
    ),
    Failure(
        "arguments of a wrong type",
        LLAMACPP,
        [LLAMACPP.say("", Called("read", {"path": 7, "first": "one"}))],
        Code.WRITER_NO_PROGRESS,
        "must be a text",
    ),
    Failure(
        "a loop without an end",
        ANTHROPIC,
        [ANTHROPIC.say("", _SEARCH)],
        Code.WRITER_NO_PROGRESS,
        "turns",
        max_turns=5,
    ),
    Failure(
        "an end without a change",
        OPENAI,
        [OPENAI.say("", Called("finish", {"summary": "All kept"}))],
        Code.WRITER_NO_PROGRESS,
        "nothing was changed",
    ),
)
"""One row a failure; a server goes on with its last answer."""
