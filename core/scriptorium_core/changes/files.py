"""Changes of whole topics: read from a request, and carried out on the texts that are there."""

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from attrs import evolve

from ..markdown.footnotes import Footnote, parse_footnote, render_footnote
from ..markdown.spans import Span, SpanKind, spans
from ..names import BlockId, TopicPath, path_key, topic_path
from ..problem import Code, Problem
from ..tree import Tree
from .model import DeleteTopic, FileChange, PatchTopic, WriteTopic
from .patch import decode_patch, patched
from .reading import MOST, Faults, Fields, control_in, each, fields_of, is_text, items_of

__all__ = ["decode_deleted", "decode_files", "write_files"]

_NO_CONTROL = "leave it out, or write its name"


def decode_files(fields: Fields, faults: Faults) -> tuple[FileChange, ...]:
    """The changes of whole topics in a request: of its `changes`, or of its `patch`."""
    if "patch" in fields:
        text = fields["patch"]
        if not is_text(text):
            faults.add("patch", "must be a text")
            return ()
        if control := control_in(text):
            faults.add("patch", f"holds the control character {control}", remedy=_NO_CONTROL)
            return ()
        found, problems = decode_patch(text)
        faults.found.extend(problems)
        return found
    items = items_of(fields.get("changes", []), "changes", faults, MOST)
    changes: list[WriteTopic | DeleteTopic] = each(
        items, "changes", lambda item, place: _change(item, place, faults)
    )
    for change in _repeated(changes):
        faults.add(f"{change.place}.path", f"{change.path} is changed twice")
    if not items and "changes" in fields and not faults.found:
        faults.add("changes", "there is no change in it")
    return tuple(changes)


def decode_deleted(fields: Fields, faults: Faults) -> frozenset[BlockId]:
    """The ids that a request with changes of whole topics declares deleted."""
    if "deleted" in fields and "memory_changes" in fields:
        faults.add("deleted", "goes with changes or patch", remedy="use delete_record")
    items = items_of(fields.get("deleted", []), "deleted", faults)
    ids = [item.strip().removeprefix("^") if isinstance(item, str) else "" for item in items]
    for index, block in enumerate(ids):
        if not block:
            faults.add(f"deleted[{index}]", "must be the id of a record")
    return frozenset(map(BlockId, ids))


def write_files(
    tree: Tree, changes: Sequence[FileChange], named: Mapping[str, str]
) -> Tree | tuple[Problem, ...]:
    """The directory with the topics written, or all that is in the way.

    `named` gives the source id for the label of each source that the request brings.
    """
    problems: list[Problem] = []
    for change in changes:
        match change:
            case WriteTopic():
                tree = tree.put(change.path, _labelled(change.content, named).encode())
            case DeleteTopic():
                if tree.get(change.path) is None:
                    problems.append(_nothing_there(change))
                tree = tree.remove(change.path)
            case PatchTopic():
                text = patched(tree.get(change.path), change)
                if isinstance(text, tuple):
                    problems += text
                else:
                    tree = _put(tree, change, _labelled(text, named))
            case _:
                assert_never(change)
    return tuple(problems) if problems else tree


def _labelled(text: str, named: Mapping[str, str]) -> str:
    """The text of a topic with the labels of new sources replaced by their ids, in definitions only."""
    if not any(label in text for label in named):
        return text
    return "".join(_relabelled(span, named) for span in spans(text))


def _relabelled(span: Span, named: Mapping[str, str]) -> str:
    note = parse_footnote(span.text) if span.kind is SpanKind.DEFINITION else ""
    if not isinstance(note, Footnote) or not any(source.target in named for source in note.sources):
        return span.text
    sources = tuple(evolve(source, target=named.get(source.target, source.target)) for source in note.sources)
    ending = span.text[len(span.text.rstrip("\r\n")) :]
    return render_footnote(evolve(note, sources=sources)) + ending


def _put(tree: Tree, change: PatchTopic, text: str) -> Tree:
    return (
        tree.remove(change.path)
        if change.removed
        else tree.put(change.path, text.encode("utf-8", "surrogateescape"))
    )


def _change(raw: object, place: str, faults: Faults) -> WriteTopic | DeleteTopic | None:
    before = len(faults.found)
    fields = fields_of(raw, place, ("path", "action", "content"), faults)
    path, action = _path(fields, place, faults), fields.get("action")
    if action not in ("write", "delete"):
        faults.add(f"{place}.action", "must be write or delete")
    content = fields.get("content")
    if action == "write" and not is_text(content):
        faults.add(f"{place}.content", "the whole text of the topic is missing or no text")
    elif isinstance(content, str) and (control := control_in(content)):
        faults.add(f"{place}.content", f"holds the control character {control}", remedy=_NO_CONTROL)
    if action == "delete" and "content" in fields:
        faults.add(f"{place}.content", "goes with write only")
    if path is None or len(faults.found) > before:
        return None
    return DeleteTopic(path, place) if action == "delete" else WriteTopic(path, str(content), place)


def _path(fields: Fields, place: str, faults: Faults) -> TopicPath | None:
    raw = fields.get("path")
    path = topic_path(raw) if isinstance(raw, str) else None
    if path is None:
        faults.add(f"{place}.path", "the path of the topic is missing or not a text")
    elif isinstance(path, Problem):
        faults.add(f"{place}.path", path.message, path.code, path.remedy)
        return None
    return path


def _repeated(
    changes: Sequence[WriteTopic | DeleteTopic],
) -> Iterator[WriteTopic | DeleteTopic]:
    seen: set[str] = set()
    for change in changes:
        if path_key(change.path) in seen:
            yield change
        seen.add(path_key(change.path))


def _nothing_there(change: DeleteTopic) -> Problem:
    message = f"there is no topic {change.path} to delete"
    return Problem(Code.PATCH_CONFLICT, message, f"{change.place}.path", remedy="read the topics again")
