"""The context file beside an archive: where in its conversation each frame stands.

`sources/<provider>/_v2/<thread>.jsonl`, one JSON object a line, append-only, keys in this order: `id`,
`origin`, `session`, `node`, `parent`, `branch`, `scope`, `at` (format, section 6). Unknown keys are
ignored. A branch is given up, or taken up again, after its messages were archived; therefore the last line
of an id counts. Apart from `branch` it says what the first says; one that does not is a fault and not read.
"""

import json
from collections.abc import Mapping, Sequence
from typing import cast, get_args

from ..names import NodeId, SessionId, SourceId, context_path
from ..problem import Code, Problem
from .frame import Branch, Context, Origin

__all__ = ["append_context", "branches_in", "encode_context", "read_context"]

_BRANCHES: tuple[Branch, ...] = get_args(Branch)
_RESTORE = "restore the line from an earlier commit"


def encode_context(context: Context) -> str:
    """One line, its LF included."""
    fields = {
        "id": context.id,
        "origin": context.origin,
        "session": context.session,
        "node": context.node,
        "parent": context.parent,
        "branch": context.branch,
        "scope": context.scope,
        "at": context.at,
    }
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n"


def read_context(path: str, data: bytes) -> tuple[tuple[Context, ...], tuple[Problem, ...]]:
    """The contexts of a file, in order of first lines, and a problem for each line that is none."""
    contexts, problems = dict[SourceId, Context](), list[Problem]()
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        found = _parse(path, line)
        if isinstance(found, str):
            problems.append(Problem(Code.SOURCES_CHANGED, found, path, number, _RESTORE))
        elif _agrees(found, first := contexts.get(found.id, found)):
            contexts[found.id] = found
        else:
            message = f"it says more than another branch of {first.id}, which an earlier line describes"
            problems.append(Problem(Code.SOURCES_CHANGED, message, path, number, _RESTORE))
    return tuple(contexts.values()), tuple(problems)


def branches_in(path: str, data: bytes) -> Mapping[SourceId, tuple[Branch, ...]]:
    """The branches that the lines of a file give to each id, in order: they only ever grow."""
    branches = dict[SourceId, tuple[Branch, ...]]()
    for line in data.split(b"\n"):
        if line.strip() and not isinstance(found := _parse(path, line), str):
            branches[found.id] = (*branches.get(found.id, ()), found.branch)
    return branches


def append_context(path: str, data: bytes | None, contexts: Sequence[Context]) -> bytes | tuple[Problem, ...]:
    """The file with a line for each context that is new, or on another branch now; existing bytes stay."""
    before = data or b""
    known = {context.id: context for context in read_context(path, before)[0]}
    problems, lines = list[Problem](), list[bytes]()
    for context in contexts:
        last = known.get(context.id)
        if last is not None and (last == context or not _agrees(context, last)):
            continue
        known[context.id] = context
        line = encode_context(context).encode("utf-8", "surrogatepass")
        fault = _parse(path, line)
        if isinstance(fault, str):
            message, remedy = f"{context.id!r}: {fault}", "give its place in the conversation as text"
            problems.append(Problem(Code.INVALID_ARGUMENT, message, path, remedy=remedy))
        lines.append(line)
    if problems:
        return tuple(problems)
    joint = b"\n" if lines and before and not before.endswith(b"\n") else b""
    return before + joint + b"".join(lines)


def _agrees(context: Context, earlier: Context) -> bool:
    """Whether it differs in its branch at most."""
    return context._replace(branch=earlier.branch) == earlier


def _parse(path: str, line: bytes) -> Context | str:
    """The context of a line, or what is wrong with it."""
    try:
        value: object = json.loads(line.decode())
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return "not a line of JSON in UTF-8"
    if not isinstance(value, dict):
        return "not a JSON object"
    fields = cast(Mapping[str, object], value)
    faults = [key for key, fits in _shapes(path, fields) if not fits]
    return f"missing or of another kind: {', '.join(faults)}" if faults else _context(fields)


def _shapes(path: str, fields: Mapping[str, object]) -> tuple[tuple[str, bool], ...]:
    source, parent, scope = fields.get("id"), fields.get("parent"), fields.get("scope")
    return (
        ("id", isinstance(source, str) and source.count("/") >= 2 and context_path(source) == path),
        ("origin", fields.get("origin") in tuple(Origin)),
        ("session", isinstance(fields.get("session"), str)),
        ("node", isinstance(fields.get("node"), str)),
        ("parent", parent is None or isinstance(parent, str)),
        ("branch", fields.get("branch") in _BRANCHES),
        ("scope", scope is None or isinstance(scope, str)),
        ("at", isinstance(fields.get("at", ""), str)),
    )


def _context(fields: Mapping[str, object]) -> Context:
    texts = cast(Mapping[str, str], fields)
    parent = texts.get("parent")
    return Context(
        id=SourceId(texts["id"]),
        origin=Origin(texts["origin"]),
        session=SessionId(texts["session"]),
        node=NodeId(texts["node"]),
        parent=None if parent is None else NodeId(parent),
        branch=cast(Branch, texts["branch"]),
        scope=texts.get("scope"),
        at=texts.get("at", ""),
    )
