"""An edit of whole topics as it stands on a tape, and what an answer cost.

    "changes": [{"path": "topics/keys.md", "was": "9f86d081884c7d65", "content": "# Keys\\n…"},
                {"path": "topics/old.md", "was": "60303ae22b998861", "content": null}]

`was` is the first 16 hex digits of SHA-256 of the text over which it was written, empty where there was no
topic; `content` is null where the topic was removed. So an edit is never played over a text that its writer
has not seen.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import cast

from attrs import evolve, frozen

from ..changes.reading import Faults, Fields, each, fields_of, is_text, items_of
from ..names import BlockId, TopicPath, topic_path
from ..problem import Code, Problem
from ..transaction.staging import Stage
from .used import NOTHING_USED, Used

__all__ = [
    "Taped",
    "TopicText",
    "decode_taped",
    "decode_used",
    "encode_taped",
    "encode_used",
    "laid_on",
    "taped",
]

_REASON = "Reason"


@frozen
class TopicText:
    """A topic after the edit (None: it is gone), and the digest of what stood there before."""

    path: TopicPath
    was: str
    content: str | None


@frozen
class Taped:
    """An edit: its topics, the ids that it declares deleted, and the reasons that go into the commit."""

    topics: tuple[TopicText, ...]
    deleted: tuple[BlockId, ...] = ()
    reasons: tuple[str, ...] = ()


def taped(stage: Stage) -> Taped:
    """What was done on a stage, as far as it concerns topics."""
    return Taped(
        tuple(
            TopicText(
                TopicPath(path), _digest(stage.base.tree.get(path)), None if data is None else _text(data)
            )
            for path, data in stage.tree.differences().items()
            if path.startswith("topics/")
        ),
        tuple(sorted(stage.deleted)),
        tuple(value for key, value in stage.reasons if key == _REASON),
    )


def laid_on(stage: Stage, edit: Taped) -> Stage | tuple[Problem, ...]:
    """The stage with a recorded edit, if the topics stand there as its writer saw them."""
    problems: list[Problem] = []
    tree = stage.tree
    for topic in edit.topics:
        if _digest(stage.base.tree.get(topic.path)) != topic.was:
            message = f"{topic.path} is not the text over which the tape was recorded"
            problems.append(
                Problem(
                    Code.WRITER_PRECONDITION_FAILED,
                    message,
                    topic.path,
                    remedy="play the tape on the memory of which it was recorded, or record it again",
                )
            )
        data = topic.content
        tree = tree.remove(topic.path) if data is None else tree.put(topic.path, data.encode("utf-8"))
    if problems:
        return tuple(problems)
    reasons = tuple((_REASON, reason) for reason in edit.reasons)
    return evolve(stage, tree=tree, deleted=frozenset(edit.deleted), reasons=reasons)


def encode_taped(edit: Taped) -> Mapping[str, object]:
    """The keys of a line for an edit."""
    rows = [{"path": each.path, "was": each.was, "content": each.content} for each in edit.topics]
    deleted: Mapping[str, object] = {"deleted": list(edit.deleted)} if edit.deleted else {}
    reasons: Mapping[str, object] = {"reasons": list(edit.reasons)} if edit.reasons else {}
    return {"changes": rows, **deleted, **reasons}


def decode_taped(fields: Fields, faults: Faults) -> Taped:
    """The edit in the fields of a line."""
    items = items_of(fields["changes"], "changes", faults)
    if not items:
        faults.add("changes", "there is no topic in it")
    topics = each(items, "changes", lambda item, place: _topic(item, place, faults))
    deleted = _texts(fields, "deleted", faults)
    return Taped(tuple(topics), tuple(map(BlockId, deleted)), tuple(_texts(fields, "reasons", faults)))


def encode_used(used: Used) -> Mapping[str, object]:
    """The key `used` of a line; nothing where no model was asked. A tape holds no price."""
    if (used.model, used.tokens_in, used.tokens_out) == ("", 0, 0):
        return {}
    return {"used": {"model": used.model, "tokens_in": used.tokens_in, "tokens_out": used.tokens_out}}


def decode_used(raw: object, faults: Faults) -> Used:
    """What an answer cost when it was recorded; played, it calls no model."""
    fields = fields_of(raw, "used", ("model", "tokens_in", "tokens_out"), faults)
    model = fields.get("model", "")
    tokens = [fields.get(key, 0) for key in ("tokens_in", "tokens_out")]
    whole = [each for each in tokens if isinstance(each, int) and not isinstance(each, bool) and each >= 0]
    if not is_text(model):
        faults.add("used.model", "must be a text")
    if len(whole) != 2:
        faults.add("used", "tokens must be whole numbers from 0 on")
    return NOTHING_USED if faults.found else Used(str(model), *whole)


def _topic(raw: object, place: str, faults: Faults) -> TopicText | None:
    before = len(faults.found)
    fields = fields_of(raw, place, ("path", "was", "content"), faults)
    path, was, content = (fields.get(key) for key in ("path", "was", "content"))
    known = topic_path(path) if is_text(path) else None
    if known is None or isinstance(known, Problem):
        faults.add(f"{place}.path", "must be the path of a topic")
    if not isinstance(was, str):
        faults.add(f"{place}.was", "must be the digest of the earlier text, or empty")
    if "content" not in fields or not (content is None or is_text(content)):
        faults.add(f"{place}.content", "must be the whole text of the topic, or null")
    if len(faults.found) > before:
        return None
    return TopicText(cast(TopicPath, known), str(was), None if content is None else str(content))


def _texts(fields: Fields, key: str, faults: Faults) -> list[str]:
    items = items_of(fields.get(key, []), key, faults)
    return list(_checked(items, key, faults))


def _checked(items: list[object], key: str, faults: Faults) -> Iterator[str]:
    for number, item in enumerate(items):
        if is_text(item):
            yield item
        else:
            faults.add(f"{key}[{number}]", "must be a text")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _digest(data: bytes | None) -> str:
    return "" if data is None else sha256(data).hexdigest()[:16]
