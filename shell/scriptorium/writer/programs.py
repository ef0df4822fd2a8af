"""The agent programs that people have, and how each is run so that it edits files here and does nothing else.

| program | what keeps it to the directory |
|---|---|
| `claude` | only the tools that read and edit files; no MCP servers, no hooks, no log; edits need no asking |
| `codex` | its sandbox: writes below the directory alone, no network, no web search, no log |
| `gemini` | edits need no asking; shell, web tools, hooks, extensions and MCP servers are taken away |
| `opencode` | every permission denied but reading and editing files in the directory |

Each takes its task from the standard input and prints JSON. Another program is run as it is named, word for
word. None is given more of the environment than its login needs.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from attrs import field, frozen

from ..settings import Command

__all__ = ["Program", "known_program", "program_of"]

_TASK = "Do what INSTRUCTIONS.md in this directory says. It comes on the standard input too."
_KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY", "GROQ_API_KEY")
_FOLDERS = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME")
_GEMINI_SETTINGS = ".gemini-settings.json"


def _plain(_: str, __: str) -> tuple[str, ...]:
    return ()


@frozen
class Program:
    """A program: what comes after its name, by the model and the id of its session.

    `provider` is how its logs are called where they are imported; `sessions` says that it takes the id of its
    session; `env` names the variables of its login, `sets` are given to it; `files` are laid beside the task.
    """

    name: str
    begin: tuple[str, ...]
    options: Callable[[str, str], tuple[str, ...]] = _plain
    provider: str = ""
    sessions: bool = False
    env: tuple[str, ...] = ()
    sets: Callable[[Path], Mapping[str, str]] = field(default=lambda _: {})
    files: Mapping[str, str] = field(factory=dict[str, str], hash=False)
    login: str = "log in with the program, then `scriptorium write --force`"

    def arguments(self, model: str, session: str) -> tuple[str, ...]:
        """What is run."""
        return (*self.begin, *self.options(model, session))


def program_of(settings: Command) -> Program:
    """The program of the settings."""
    named = settings.program
    if isinstance(named, str):
        return _PROGRAMS[named]
    return Program(Path(named[0]).name, named)


def known_program(name: str) -> Program:
    """A program by its name."""
    return _PROGRAMS[name]


def _claude(model: str, session: str) -> tuple[str, ...]:
    tools = "Read,Edit,Write,Glob,Grep"
    return (
        *("--output-format", "json", "--session-id", session, "--no-session-persistence"),
        *("--permission-mode", "acceptEdits", "--tools", tools),
        *("--disallowedTools", "Bash,WebFetch,WebSearch,Task", "--strict-mcp-config"),
        *("--settings", json.dumps({"disableAllHooks": True})),
        *(("--model", model) if model else ()),
    )


def _codex(model: str, _: str) -> tuple[str, ...]:
    settings = (
        'approval_policy="never"',
        'web_search="disabled"',
        "sandbox_workspace_write.network_access=false",
        "sandbox_workspace_write.exclude_slash_tmp=true",
        "sandbox_workspace_write.exclude_tmpdir_env_var=true",
    )
    return (
        *("--json", "--ephemeral", "--skip-git-repo-check", "--ignore-user-config", "--ignore-rules"),
        *("--sandbox", "workspace-write"),
        *(part for setting in settings for part in ("-c", setting)),
        *(("--model", model) if model else ()),
        "-",
    )


def _gemini(model: str, _: str) -> tuple[str, ...]:
    return (
        *("--output-format", "json", "--approval-mode", "auto_edit"),
        *("--extensions", "none", "--allowed-mcp-server-names", "none"),
        *(("--model", model) if model else ()),
        *("--prompt", _TASK),
    )


def _opencode(model: str, _: str) -> tuple[str, ...]:
    return ("--format", "json", *(("--model", model) if model else ()), _TASK)


_OPENCODE = json.dumps(
    {
        "autoupdate": False,
        "share": "disabled",
        "permission": {"*": "deny", **dict.fromkeys(("read", "edit", "glob", "grep", "list"), "allow")},
    }
)
_GEMINI = json.dumps(
    {
        "tools": {"exclude": ["run_shell_command", "web_fetch", "google_web_search", "save_memory"]},
        "security": {"folderTrust": {"enabled": False}},
        "hooksConfig": {"enabled": False},
        "general": {"enableAutoUpdate": False},
    }
)
_PROGRAMS: Mapping[str, Program] = MappingProxyType(
    {
        "claude": Program(
            "claude",
            ("claude", "--print"),
            _claude,
            "claude-code",
            True,
            (
                *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL"),
                *("CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR"),
                *("CLAUDE_CODE_USE_BEDROCK", "AWS_PROFILE", "AWS_REGION"),
                *("CLAUDE_CODE_USE_VERTEX", "CLOUD_ML_REGION", "ANTHROPIC_VERTEX_PROJECT_ID"),
            ),
            login="run `claude` and log in with /login, then `scriptorium write --force`",
        ),
        "codex": Program(
            "codex",
            ("codex", "exec"),
            _codex,
            "codex",
            env=("CODEX_HOME", "CODEX_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"),
            login="run `codex login`, then `scriptorium write --force`",
        ),
        "gemini": Program(
            "gemini",
            ("gemini",),
            _gemini,
            env=(
                *("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"),
                *("GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"),
            ),
            sets=lambda folder: {"GEMINI_CLI_SYSTEM_SETTINGS_PATH": str(folder / _GEMINI_SETTINGS)},
            files={_GEMINI_SETTINGS: _GEMINI},
            login="run `gemini` and log in, or set GEMINI_API_KEY, then `scriptorium write --force`",
        ),
        "opencode": Program(
            "opencode",
            ("opencode", "run"),
            _opencode,
            env=(*_KEYS, *_FOLDERS),
            sets=lambda _: {
                "OPENCODE_CONFIG_CONTENT": _OPENCODE,
                "OPENCODE_DISABLE_AUTOUPDATE": "1",
            },
            login="run `opencode auth login`, then `scriptorium write --force`",
        ),
    }
)
