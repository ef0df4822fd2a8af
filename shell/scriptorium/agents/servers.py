"""The entry of the MCP server in an agent's settings, of which each agent has a form of its own."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from scriptorium_core.writing.hosts import Host

from .commands import SERVER, serves_us
from .edits import Drop, Edit, Misshapen, Put, applied, value_at

__all__ = ["entered", "taken_out"]

_TABLES: Mapping[Host, tuple[tuple[str, ...], ...]] = MappingProxyType(
    {
        Host.CLAUDE_CODE: (("mcpServers",),),
        Host.CODEX: (("mcp_servers",),),
        Host.GEMINI: (("mcpServers",),),
        Host.OPENCODE: (("mcp", "servers"), ("mcp",)),
    }
)
"""Where servers stand; of OpenCode since version 2, and before it."""


def entered(value: object, host: Host, words: Sequence[str]) -> tuple[Edit, ...]:
    """What enters the server. Raises Misshapen where another one has its name."""
    table = _table(value, host)
    place = (*table, SERVER)
    there, entry = value_at(value, place), _entry(host, table, (*words, "mcp"))
    if there is not None and not serves_us(there):
        raise Misshapen(f"another server is called {SERVER!r}")
    return () if there == entry else (Put(place, entry),)


def taken_out(value: object, host: Host) -> tuple[Edit, ...]:
    """What takes our server out, with the tables that this leaves empty."""
    for table in _TABLES[host]:
        if serves_us(value_at(value, (*table, SERVER))):
            path = (*table, SERVER)
            while path[:-1] and value_at(applied(value, [Drop(path)]), path[:-1]) == {}:
                path = path[:-1]
            return (Drop(path),)
    return ()


def _table(value: object, host: Host) -> tuple[str, ...]:
    newer, *older = _TABLES[host]
    for path in _TABLES[host]:
        for end in range(1, len(path) + 1):
            if not isinstance(value_at(value, path[:end]) or {}, Mapping):
                raise Misshapen(f"`{'.'.join(path[:end])}` is not an object")
    if older and value_at(value, newer) is None and _is_older(value):
        return older[0]
    return newer


def _is_older(value: object) -> bool:
    """Whether a configuration of OpenCode is one of version 1: servers, or plugins, as it has them."""
    servers = value_at(value, ("mcp",))
    named = isinstance(servers, Mapping) and any(
        isinstance(each, Mapping) and "type" in each for each in servers.values()
    )
    return named or value_at(value, ("plugin",)) is not None


def _entry(host: Host, table: tuple[str, ...], words: Sequence[str]) -> Mapping[str, object]:
    if host is Host.OPENCODE:
        enabled = {"enabled": True} if table == ("mcp",) else {}
        return {"type": "local", "command": [*words], **enabled}
    kind = {"type": "stdio"} if host is Host.CLAUDE_CODE else {}
    return {**kind, "command": words[0], "args": [*words[1:]]}
