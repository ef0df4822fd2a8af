"""The server: the official SDK's, with handlers that ask the pool of services for whoever asks."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from scriptorium_core import __version__
from scriptorium_core.policy import OWNER
from scriptorium_core.problem import Code, Problem
from scriptorium_core.sessions.wrapper import NOTE, inert, wrapped

from ..clock import monotonic
from ..refused import Refused
from ..service import Service
from ..serving import Services
from . import errors, resources
from .asking import ASKING
from .capping import capped
from .checking import faults
from .identity import Identity
from .judging import JUDGING
from .prompt import INSTRUCTIONS, NAME, TITLE, prompt
from .reading import READING
from .schemas import KEY
from .tool import Call, Tool
from .writing import WRITING

__all__ = ["DETAILS", "TOOLS", "server_over"]

TOOLS: tuple[Tool, ...] = (*READING, *ASKING, *WRITING, *JUDGING)
DETAILS = "scriptorium/details"
"""The name of what goes along with a text for programs (`_meta`)."""

T = TypeVar("T")
_PAGE = 100
_STEP = 0.2  # seconds between two words on progress
_LOG = logging.getLogger(__name__)


class _GivenUp(Exception):
    """Nobody waits for the answer any more."""


def server_over(services: Services, identity: Identity) -> Server[Any]:
    """A server of the memory that the pool serves."""
    door = _Door(services, identity)
    return Server(
        "scriptorium",
        version=__version__,
        title="Scriptorium memory",
        instructions=INSTRUCTIONS,
        on_list_tools=door.tools,
        on_call_tool=door.call,
        on_list_resources=door.resources,
        on_list_resource_templates=door.templates,
        on_read_resource=door.read,
        on_list_prompts=door.prompts,
        on_get_prompt=door.prompt,
    )


class _Door:
    """The handlers, one a method of the protocol."""

    def __init__(self, services: Services, identity: Identity) -> None:
        self._services, self._identity = services, identity
        self._tools = {tool.name: tool for tool in TOOLS}

    async def tools(self, context: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[*map(_listed, TOOLS)])

    async def call(self, context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {params.name[:100]!r}")
        try:
            answer = await self._answer(context, tool, params.arguments or {})
        except Exception as error:
            return _result(tool, _failed(tool.name, error))
        return _result(tool, {"ok": True, **answer})

    async def resources(
        self, context: Any, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        first = _first(params.cursor if params is not None else None)
        try:
            found, more = await self._asked(context, lambda it: resources.listed(it, first, _PAGE))
        except Refused:
            found, more = (resources.CORE,), False  # a list is no place to complain: reading it says why
        rest = str(first + _PAGE) if more else None
        return types.ListResourcesResult(resources=[*found], next_cursor=rest)

    async def templates(self, context: Any, params: Any) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=[*resources.TEMPLATES])

    async def read(self, context: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        try:
            text = await self._asked(context, lambda it: resources.read(it, params.uri))
        except (Refused, OSError) as error:
            raise errors.protocol_error(errors.problems_of(error)) from error
        content = types.TextResourceContents(uri=params.uri, text=text, mime_type="text/markdown")
        return types.ReadResourceResult(contents=[content])

    async def prompts(self, context: Any, params: Any) -> types.ListPromptsResult:
        task = types.PromptArgument(name="task", description="What you are about to do.", required=False)
        about = "How to search, cite, correct and write the memory."
        listed = types.Prompt(name=NAME, title=TITLE, description=about, arguments=[task])
        return types.ListPromptsResult(prompts=[listed])

    async def prompt(self, context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != NAME:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {params.name[:100]!r}")
        text = prompt((params.arguments or {}).get("task", "")[:4_000])
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=TITLE, messages=[message])

    async def _answer(self, context: Any, tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
        """What a tool answers; whoever gives up waiting stops it where it tells of its progress."""
        if wrong := faults(tool, given):
            raise Refused(*wrong)
        stop = threading.Event()
        progress = _progress(context, stop)
        try:
            return await self._asked(context, lambda service: _run(service, tool, given, progress))
        except asyncio.CancelledError:
            stop.set()
            raise

    async def _asked(self, context: Any, work: Callable[[Service], T]) -> T:
        return await self._services.call(await self._identity(context), lambda it: work(_ready(it)))


def _run(
    service: Service, tool: Tool, given: Mapping[str, Any], progress: Callable[[int, int], None]
) -> dict[str, Any]:
    """What a tool answers; of a request with a key that came before, what it answered then."""
    rest = {name: value for name, value in given.items() if name != KEY or not tool.keyed}
    key = str(given.get(KEY, "")) if tool.keyed else ""
    with service.once(key, [tool.name, rest]):
        return tool.run(Call(service, rest, progress))


def _ready(service: Service) -> Service:
    """The service, its memory made on first use: who adds it to an agent's settings wants one."""
    if service.actor == OWNER and not service.root.exists():
        service.init()
    return service


def _progress(context: ServerRequestContext[Any, Any], stop: threading.Event) -> Callable[[int, int], None]:
    """What a worker thread tells its progress to; raises where nobody waits any more."""
    loop, told = asyncio.get_running_loop(), [0.0, -1.0]

    def progress(done: int, total: int) -> None:
        if stop.is_set():
            raise _GivenUp
        now = monotonic()
        if done > told[1] and (now - told[0] >= _STEP or done == total):
            told[:] = [now, done]
            asyncio.run_coroutine_threadsafe(context.session.report_progress(done, total), loop)

    return progress


def _listed(tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=tool.hints.reads,
        destructive_hint=tool.hints.destroys,
        idempotent_hint=tool.hints.repeats,
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.about,
        input_schema=dict(tool.takes),
        output_schema=dict(tool.gives) if tool.gives is not None else None,
        annotations=hints,
    )


def _failed(name: str, error: Exception) -> dict[str, Any]:
    if isinstance(error, MCPError):
        raise error
    if problems := errors.problems_of(error):
        return errors.error_of(problems)
    _LOG.error("%s failed", name, exc_info=error)
    return errors.fault(error)


def _result(tool: Tool, answer: Mapping[str, Any]) -> types.CallToolResult:
    """The answer in both forms: structured, and as text in a wrapper that no data in it can leave."""
    if tool.alone and answer["ok"]:
        return _alone(tool, answer)
    ours = {name: answer[name] for name in tool.ours if name in answer}
    data = capped({name: _inert(value) for name, value in answer.items() if name not in ours}, tool.most)
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    revision = str(answer.get("revision") or "")[:12]
    texts = [*map(str, ours.values()), wrapped(tool.name, revision, body)]
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text) for text in texts],
        structured_content={**data, **ours, "note": NOTE},
        is_error=not answer["ok"],
    )


def _alone(tool: Tool, answer: Mapping[str, Any]) -> types.CallToolResult:
    """The answer of a tool whose text is all of it, to the letter; where it is empty, nothing is given."""
    text = str(answer[tool.alone])
    rest = {name: _inert(value) for name, value in answer.items() if name != tool.alone}
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)] if text else [],
        _meta={DETAILS: capped(rest, tool.most)},
    )


def _inert(value: Any) -> Any:
    """The value, its texts without brackets that would begin a wrapper."""
    match value:
        case str():
            return inert(value)
        case Mapping():
            return {inert(str(name)): _inert(item) for name, item in value.items()}
        case list() | tuple():
            return [*map(_inert, value)]
        case _:
            return value


def _first(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 9:
        problem = Problem(Code.INVALID_ARGUMENT, "this cursor is none of ours", "cursor", remedy="begin anew")
        raise errors.protocol_error((problem,))
    return int(cursor)
