"""Where things stand in and beside a memory directory, and what the shell may know of its surroundings.

H/memory/                  the memory directory, a git repository of its own
H/memory/.scriptorium/     runtime, mode 0700, never committed (`.nativemem` where that exists)
H/sessions.sqlite3         the native session store, beside the memory, never inside
"""

import contextlib
import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from scriptorium_core.names import WorkspaceId
from scriptorium_core.problem import Code, Problem

from . import files
from .clock import chance
from .naming import see_that_names_are_utf_8
from .refused import Refused

__all__ = [
    "EXCLUDED",
    "PROJECTED",
    "Layout",
    "TalkPlace",
    "adopt_workspace",
    "agent_folders",
    "create",
    "git_environment",
    "git_program",
    "home",
    "in_writer_run",
    "locate",
    "program_environment",
    "program_on_path",
    "talk_places",
    "variables_set",
    "workspace_id",
    "writer_environment",
    "writer_sessions",
]

RUNTIME = ".scriptorium"
OLDER_RUNTIME = ".nativemem"
WRITER_RUN = "SCRIPTORIUM_WRITER_RUN"
# Where agents say to the programs that they start which session is theirs.
_HOSTS = (("CLAUDE_CODE_SESSION_ID", "claude-code"), ("CODEX_THREAD_ID", "codex"))
# What any program needs: to find others, its user's folder, a language, and its way to the network.
_PROGRAM = tuple(
    "PATH HOME USER LOGNAME LANG LC_ALL LC_CTYPE TERM TZ TMPDIR SYSTEMROOT HTTP_PROXY HTTPS_PROXY NO_PROXY"
    " http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS".split()
)
EXCLUDED = (".scriptorium*", ".nativemem*")
# What a commit holds; anything else in the directory is a person's own and is left alone.
PROJECTED = (
    "topics/",
    "sources/",
    "timeline/",
    "relations/",
    "core.md",
    "recent_events.jsonl",
    "relations.json",
    "policy.toml",
)


class Layout(NamedTuple):
    """The paths of one memory directory; `root` is absolute and free of links."""

    root: Path
    runtime: Path

    @property
    def git(self) -> Path:
        """The git directory."""
        return self.root / ".git"

    @property
    def lock(self) -> Path:
        """The file whose lock a writer holds."""
        return self.runtime / "write.lock"

    @property
    def repack_lock(self) -> Path:
        """The file whose lock a running consolidation of packs holds."""
        return self.runtime / "repack.lock"

    @property
    def projected(self) -> Path:
        """The marker: the commit that the working tree and git's index stand for."""
        return self.runtime / "projected"

    @property
    def staging(self) -> Path:
        """Where things are prepared that take their place by a rename or a link."""
        return self.runtime / "staging"

    @property
    def facts(self) -> Path:
        """The SQLite index of facts."""
        return self.runtime / "index.sqlite3"

    @property
    def fulltext(self) -> Path:
        """The folder of the full text index."""
        return self.runtime / "fulltext"

    @property
    def traces(self) -> Path:
        """What was delivered to whom, a line each, and why."""
        return self.runtime / "traces.jsonl"

    @property
    def vectors(self) -> Path:
        """The SQLite file with the vectors of the texts."""
        return self.runtime / "vectors.sqlite3"

    @property
    def sessions(self) -> Path:
        """The native session store, beside the memory."""
        return self.root.parent / "sessions.sqlite3"

    @property
    def erasing(self) -> Path:
        """What is being erased: an erasure that a killed process began is finished from it."""
        return self.runtime / "erasing.json"

    @property
    def identity(self) -> Path:
        """The file with the workspace id."""
        return self.runtime / "workspace-id"


class TalkPlace(NamedTuple):
    """A file, or a folder of logs; of the files in it those with one of `suffixes`, all if there is none."""

    path: Path
    program: str = ""
    suffixes: tuple[str, ...] = ()


def talk_places() -> tuple[TalkPlace, ...]:
    """Where programs keep the logs of their conversations, as far as they are there."""
    own = Path.home()
    codex = Path(os.environ.get("CODEX_HOME") or own / ".codex")
    lines, packed = (".jsonl",), (".jsonl", ".jsonl.zst")
    known = (
        TalkPlace(own / ".claude" / "projects", "Claude Code", lines),
        TalkPlace(own / ".config" / "claude" / "projects", "Claude Code", lines),
        TalkPlace(codex / "sessions", "Codex", packed),
        TalkPlace(codex / "archived_sessions", "Codex", packed),
        # The names of the sessions, which come after them.
        TalkPlace(codex / "session_index.jsonl", "Codex"),
        TalkPlace(agent_folders()["gemini"] / "tmp", "Gemini CLI", lines),
        TalkPlace(own / ".pi" / "agent" / "sessions", "Pi", lines),
        TalkPlace(own / ".openclaw" / "agents", "OpenClaw", (*lines, ".sqlite")),
    )
    return tuple(place for place in known if place.path.exists())


def agent_folders() -> Mapping[str, Path]:
    """Where each agent keeps a person's settings, and their own folder under the empty name."""
    own = Path.home()
    config = Path(os.environ.get("XDG_CONFIG_HOME") or own / ".config")
    return {
        "": own,
        "claude-code": Path(os.environ.get("CLAUDE_CONFIG_DIR") or own / ".claude"),
        "codex": Path(os.environ.get("CODEX_HOME") or own / ".codex"),
        "gemini": Path(os.environ.get("GEMINI_CLI_HOME") or own) / ".gemini",
        "opencode": Path(os.environ.get("OPENCODE_CONFIG_DIR") or config / "opencode"),
    }


def writer_sessions() -> tuple[tuple[str, str], ...]:
    """The agent sessions (provider, id) around this process that a writer of ours has begun.

    Without the mark of `writer_environment` they are a person's own, and so is the one that stood around it.
    """
    around = os.environ.get(WRITER_RUN)
    if around is None:
        return ()
    return tuple(session for session in _sessions_around() if "/".join(session) not in around.split())


def in_writer_run(session: str) -> bool:
    """Whether an agent's session of this id, in which this process was begun, is one of a writer of ours.

    Also of an agent that does not say its session to the programs that it starts.
    """
    around = os.environ.get(WRITER_RUN)
    return around is not None and all(name.partition("/")[2] != session for name in around.split())


def writer_environment() -> Mapping[str, str]:
    """What a program that writes memory is given, so that its own sessions are known by their ids."""
    return {WRITER_RUN: " ".join("/".join(session) for session in _sessions_around()) or "-"}


def program_environment(names: Collection[str] = ()) -> Mapping[str, str]:
    """All that another program is told of our surroundings: what any needs, and the variables of `names`."""
    wanted = (*_PROGRAM, *(name for name in names if not name.startswith("SCRIPTORIUM_")))
    return {name: os.environ[name] for name in wanted if name in os.environ}


def program_on_path(name: str) -> str | None:
    """Where a program is installed, None if it is not."""
    from shutil import which

    return which(name)


def variables_set(names: Collection[str]) -> tuple[str, ...]:
    """Those of the variables that hold something; what they hold is not looked at."""
    return tuple(name for name in names if os.environ.get(name))


def _sessions_around() -> tuple[tuple[str, str], ...]:
    found = ((provider, os.environ.get(name, "")) for name, provider in _HOSTS)
    return tuple((provider, session) for provider, session in found if session)


def home(folder: Path) -> Path:
    """The memory directory of a home `H`: `H/memory`."""
    return folder / "memory"


def locate(root: Path) -> Layout:
    """The layout of an existing memory directory; changes nothing.

    Raises Refused with MEMORY_NOT_FOUND or INVALID_ARGUMENT where there is none.
    """
    see_that_names_are_utf_8()
    if not os.path.lexists(root):
        raise Refused(
            _problem(Code.MEMORY_NOT_FOUND, root, "there is no memory directory", "run `scriptorium init`")
        )
    if not root.is_dir():
        raise Refused(
            _problem(Code.INVALID_ARGUMENT, root, "this is not a directory", "name a memory directory")
        )
    layout = _layout(root)
    if not _looks_like_memory(layout.root):
        raise Refused(_not_one(root))
    return layout


def create(root: Path) -> Layout:
    """The layout of a memory directory, made where it is missing: folders 0700, files 0600.

    An existing memory directory, of this program or the other one, keeps its runtime folder and its
    id. Raises Refused where something else stands at `root`.
    """
    see_that_names_are_utf_8()
    try:
        if os.path.lexists(root) and not (root.is_dir() and _is_vacant(root)):
            layout = locate(root)
        else:
            files.ensure_folder(root)
            layout = _layout(root)
        for folder in (layout.runtime, layout.staging, layout.root / "topics", layout.root / "sources"):
            files.ensure_folder(folder, root=layout.root)
        _hide(layout)
        workspace_id(layout)
    except OSError as error:
        raise Refused(files.disk_problem(error, root)) from error
    return layout


def _hide(layout: Layout) -> None:
    """See that git leaves the runtime folder out, in a repository that was begun anew by hand too."""
    ignoring = layout.runtime / ".gitignore"
    if files.read(ignoring, layout.root) is None:
        files.write_durable(ignoring, b"*\n", root=layout.root)


def workspace_id(layout: Layout) -> WorkspaceId:
    """The id of the memory: `w-` and 8 hex digits, drawn once and kept inside the directory."""
    known = files.read(layout.identity, layout.root)
    if known is not None and (text := known.decode("utf-8", "replace").strip()):
        return WorkspaceId(text)
    if known is not None:  # blank: a disk that lost its bytes
        files.remove(layout.identity, layout.root)
    temporary = files.write_temporary(layout.runtime, f"w-{chance(4)}\n".encode())
    # Another process may be faster, and its id counts; it may even have cleared up already.
    with contextlib.suppress(FileExistsError, FileNotFoundError):
        files.sync(temporary)
        files.link(temporary, layout.identity)
    with contextlib.suppress(FileNotFoundError):
        files.unlink(temporary)
    files.sync_folder(layout.runtime)
    return workspace_id(layout)


def adopt_workspace(layout: Layout, identity: str) -> None:
    """Let a memory that holds nothing yet be the one of that id: it becomes a copy of it."""
    if re.fullmatch(r"w-[0-9a-f]{8}", identity):
        files.write_durable(layout.identity, f"{identity}\n".encode(), root=layout.root)


def git_program() -> str | None:
    """Where the git program is installed, None if it is not."""
    return program_on_path("git")


def git_environment(layout: Layout) -> Mapping[str, str]:
    """Everything that a git child sees: this repository, and nothing of the person's settings."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TMPDIR") if name in os.environ}
    return kept | {
        "GIT_DIR": str(layout.git),
        "GIT_WORK_TREE": str(layout.root),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }


def _layout(root: Path) -> Layout:
    resolved = root.resolve()
    older = resolved / OLDER_RUNTIME
    return Layout(resolved, older if older.is_dir() else resolved / RUNTIME)


def _looks_like_memory(root: Path) -> bool:
    """Whether a runtime folder says so, or, as in a fresh clone, nothing but memory stands there."""
    if root == Path.home().resolve() or (root / ".git").is_file():
        return False
    if any((root / name).is_dir() for name in (RUNTIME, OLDER_RUNTIME)):
        return True
    folders = {entry.name for entry in os.scandir(root) if entry.is_dir() and not entry.name.startswith(".")}
    return bool(folders & {"topics", "sources"}) and folders <= {"topics", "sources", "timeline", "relations"}


def _is_vacant(root: Path) -> bool:
    return root.resolve() != Path.home().resolve() and not any(os.scandir(root))


def _not_one(root: Path) -> Problem:
    message = "this directory is not a memory: other things than `topics` and `sources` stand in it"
    remedy = f"name an empty directory or a memory; if this is one, make an empty folder {RUNTIME} in it"
    return _problem(Code.INVALID_ARGUMENT, root, message, remedy)


def _problem(code: Code, root: Path, message: str, remedy: str) -> Problem:
    return Problem(code, message, str(root), remedy=remedy)
