"""In which files each agent keeps what it runs at its events, and the servers that it knows.

| agent | hooks | MCP server |
|---|---|---|
| Claude Code | `~/.claude/settings.json`, `.claude/settings.local.json` | `~/.claude.json`, `.mcp.json` |
| Codex | `hooks.json` where there is one, else `config.toml` | `config.toml` |
| Gemini CLI | `settings.json` | `settings.json` |
| OpenCode | `plugins/scriptorium.js` | `opencode.jsonc` where there is one, else `opencode.json` |

Of a project, Claude Code keeps what holds for one person in `settings.local.json`: our lines hold paths of
one computer.
"""

from pathlib import Path

from attrs import frozen

from scriptorium_core.writing.hosts import Host

from ..layout import agent_folders

__all__ = ["Places", "places"]


@frozen
class Places:
    """The files; `others` may hold hooks of ours from before. Below `root` no link is followed."""

    root: Path
    hooks: Path
    servers: Path
    others: tuple[Path, ...] = ()


def places(host: Host, project: Path | None) -> Places:
    """The files of an agent, of a person or of a project."""
    folders = agent_folders()
    own, folder = folders[""], folders[host]
    if project is not None:
        folder = project / f".{host.removesuffix('-code')}"
        own = project
    root = own if folder.is_relative_to(own) else folder
    match host:
        case Host.CLAUDE_CODE:
            if project is not None:
                return Places(root, folder / "settings.local.json", project / ".mcp.json")
            beside = own if folder == own / ".claude" else folder
            return Places(root, folder / "settings.json", beside / ".claude.json")
        case Host.CODEX:
            table, rows = folder / "config.toml", folder / "hooks.json"
            first, second = (rows, table) if rows.exists() else (table, rows)
            return Places(root, first, table, (second,))
        case Host.GEMINI:
            return Places(root, folder / "settings.json", folder / "settings.json")
        case Host.OPENCODE:
            beside = folder if project is None else project
            known = [beside / name for name in ("opencode.jsonc", "opencode.json")]
            config = next((path for path in known if path.exists()), known[-1])
            return Places(root, folder / "plugins" / "scriptorium.js", config)
