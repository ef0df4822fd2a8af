"""A small invented memory, and the way of a request through the core, for examples."""

from collections.abc import Mapping
from typing import Any

from scriptorium_core.changes import Caller, apply_changes, bring, decode_request
from scriptorium_core.facts import facts_of
from scriptorium_core.names import SourceId, TopicPath, anchor, archive_path
from scriptorium_core.problem import Problem
from scriptorium_core.sources.archive import append
from scriptorium_core.sources.frame import Frame, Provenance, Tier, Trust
from scriptorium_core.topics import Topic, parse_topic
from scriptorium_core.transaction import Edit, Prepared, Rules, Snapshot, prepare
from scriptorium_core.tree import tree_of

__all__ = [
    "KEYS",
    "MIRA",
    "ODD",
    "PENDING",
    "S1",
    "S2",
    "ask",
    "codes",
    "edited",
    "link",
    "memory",
    "snapshot",
    "topic",
    "written",
]

S1, S2, PENDING, ODD = "chat/s1/m1", "chat/s1/m2", "chat/s1/m3", "chat/s1/m 4"


def link(source: str, path: str = "topics/keys.md") -> str:
    """The target of a citation as a topic writes it."""
    return "../" * path.count("/") + f"{archive_path(source)}#{anchor(source)}"


KEYS = f"""# Keys

Mara has the key.[^e-aaaaaaaaaa] ^key1

[^e-aaaaaaaaaa]: Time: `2026-04`; Sources: [said]({link(S1)}); Status: verified 0.9

## Spare

The spare hangs by the door, see [Mara](#^key1).[^e-bbbbbbbbbb] ^old2 ^key2

[^e-bbbbbbbbbb]: Time: `undated`; Sources: [seen]({link(S2)})
"""
MIRA = f"""# Mira

Mira asked about [the key](../keys.md#^key1).[^e-cccccccccc] ^mira1

[^e-cccccccccc]: Time: `2026`; Sources: [asked]({link(S2, "topics/people/mira.md")})
"""


def memory(**topics: str) -> dict[str, bytes]:
    """An archive of four messages (the third waits for consent) and topics: `keys`, `people__mira`, …"""
    files: dict[str, bytes] = {}
    for number, source in enumerate((S1, S2, PENDING, ODD)):
        trust = Trust.PENDING if source == PENDING else Trust.TRUSTED
        made_by = Provenance("p", "owner", Tier.OWNER, trust)
        frame = Frame(SourceId(source), "user", f"Said {number}.", "", None, "Bo", made_by)
        path = archive_path(source)
        data = append(path, files.get(path), [frame])
        assert isinstance(data, bytes)
        files[path] = data
    named = topics or {"keys": KEYS, "people__mira": MIRA}
    return files | {f"topics/{name.replace('__', '/')}.md": text.encode() for name, text in named.items()}


def snapshot(files: Mapping[str, bytes], forgotten: Mapping[str, str] | None = None) -> Snapshot:
    tree = tree_of(files)
    order = {"key1": 0, "old2": 1, "key2": 2, "mira1": 3}
    return Snapshot(tree, facts_of(tree, order, forgotten or {}))


def ask(
    files: Mapping[str, bytes],
    *operations: dict[str, Any],
    sources: list[Any] | None = None,
    caller: Caller | None = None,
    forgotten: Mapping[str, str] | None = None,
) -> Prepared | tuple[Problem, ...]:
    """What becomes of a request with these operations."""
    base, who = snapshot(files, forgotten), caller or Caller()
    request, problems = decode_request({"memory_changes": list(operations), "sources": sources or []})
    brought = bring(request.sources, who)
    applied = apply_changes(base.tree, base.facts, request.changes, brought.places, "2026-11-01")
    if problems or isinstance(applied, tuple):
        return problems + (applied if isinstance(applied, tuple) else ())
    edit = Edit(applied.tree, applied.deleted, brought.frames, brought.contexts)
    outcome = prepare(base, edit, Rules(who, len))
    return outcome if isinstance(outcome, Prepared) else outcome.problems


def edited(
    files: Mapping[str, bytes],
    changes: Mapping[str, str | None],
    deleted: frozenset[Any] = frozenset(),
    rules: Rules | None = None,
    shown: int | None = None,
    forgotten: Mapping[str, str] | None = None,
) -> Prepared | tuple[Problem, ...]:
    """What becomes of whole texts that somebody wrote; None removes a file."""
    base = snapshot(files, forgotten)
    tree = base.tree
    for path, text in changes.items():
        tree = tree.remove(path) if text is None else tree.put(path, text.encode())
    outcome = prepare(base, Edit(tree, deleted, shown=shown), rules or Rules(Caller(), len))
    return outcome if isinstance(outcome, Prepared) else outcome.problems


def written(outcome: object, path: str = "topics/keys.md") -> str:
    """The text of a topic after an accepted transaction."""
    assert isinstance(outcome, Prepared), outcome
    data = outcome.tree.get(path)
    assert data is not None
    return data.decode()


def topic(outcome: object, path: str = "topics/keys.md") -> Topic:
    """The topic after an accepted transaction; it reads without problems."""
    found, problems = parse_topic(TopicPath(path), written(outcome, path).encode())
    assert problems == ()
    return found


def codes(outcome: object) -> list[tuple[str, str]]:
    """The code and the place of each problem of a refused transaction."""
    assert isinstance(outcome, tuple), outcome
    return [(problem.code.value, problem.path) for problem in outcome]
