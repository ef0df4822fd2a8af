"""What commits broke that no check saw: they stand, for HEAD is the truth, but what they took away is said.

    Lost: 6c1f02aa              a record that vanished and that nobody deleted
    Altered: chat/s1/m2         an archived message that is gone, or is not what it was
    Unfounded: 91be44d0         a standing instruction without the owner's own words

The commit that adopts them names it in these trailers, so that it is known for as long as it is so.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from attrs import frozen

from ..facts.model import Facts, SourceFact, human_of_owner
from ..facts.rows import messages_in
from ..names import BlockId, SourceId, TopicPath
from ..policy import binds, is_instruction
from ..problem import Code, Problem
from ..sources.context import branches_in
from ..sources.frame import Branch
from ..topics.parse import parse_topic
from ..topics.records import Cited, Record
from ..trailers import Trailer, id_trailers
from ..tree import Tree

__all__ = ["BREACHES", "Breach", "breach_trailers", "breaches", "stands"]

_UNSEEN = "which was made without the checks"
LOST, ALTERED, UNFOUNDED = BREACHES = ("Lost", "Altered", "Unfounded")


@frozen
class Breach:
    """Something that a commit broke: the trailer that names it, the block or source id, and what to say.

    `before` is the archived message as it was, with its context; `branches` are those that the lines beside
    its archive gave to it.
    """

    key: str
    name: str
    problem: Problem
    before: SourceFact | None = None
    branches: tuple[Branch, ...] = ()


def breaches(
    before: Tree, after: Tree, paths: Iterable[str], facts: Facts, commit: str
) -> tuple[Breach, ...]:
    """What a commit from `before` to `after`, whose files differ at `paths`, broke.

    `facts` say who said the messages that are archived by now.
    """
    differing = sorted(paths)
    topics = [TopicPath(path) for path in differing if path.startswith("topics/")]
    old, new = _records(before, topics), _records(after, topics)
    archives = sorted({_archive_of(path) for path in differing if path.startswith("sources/")})
    return (
        *(_lost(block, old[block], commit) for block in old if block not in new),
        *(each for path in archives for each in _altered(before, after, path, commit)),
        *_unfounded(old, new, facts, commit),
    )


def stands(breach: Breach, tree: Tree, facts: Facts, promoted: Collection[str] = ()) -> bool:
    """Whether it is broken still in `tree`; `promoted` are messages that the owner has let in since.

    A record is put back by restoring it, a message by the bytes that it had. Both may be forgotten
    instead: then somebody meant it.
    """
    if breach.name in facts.forgotten:
        return False
    known = facts.records.get(breach.name)
    match breach.key:
        case "Lost":
            return known is None
        case "Altered":
            now = facts.sources.get(breach.name)
            let_in = breach.name in promoted
            if now is None or breach.before is None or _said(now, let_in) != _said(breach.before, let_in):
                return True
            path = breach.before.place.partition("#")[0]
            return not _begins(_branches(tree, path).get(now.id, ()), breach.branches)
        case _:
            return known is not None and _is_unfounded(known.record, facts)


def breach_trailers(found: Iterable[Breach]) -> tuple[Trailer, ...]:
    """The trailers by which an adopting commit names what was broken."""
    ids: dict[str, list[str]] = {key: [] for key in BREACHES}
    for breach in found:
        ids[breach.key].append(breach.name)
    return tuple(line for key, names in ids.items() for line in id_trailers(key, names))


# --- Records -------------------------------------------------------------------------------------


def _records(tree: Tree, paths: Iterable[TopicPath]) -> dict[BlockId, Record]:
    found: dict[BlockId, Record] = {}
    for path in paths:
        data = tree.get(path)
        for record in parse_topic(path, data)[0].records if data is not None else ():
            found |= dict.fromkeys(record.ids, record)
    return found


def _lost(block: BlockId, record: Record, commit: str) -> Breach:
    words = " ".join(record.content.split())[:48]
    message = f"the record ^{block} ({words}) vanished in commit {commit[:10]}, {_UNSEEN}"
    back = f"`scriptorium restore ^{block} --from {commit[:10]}~1`"
    remedy = f"{back} brings it back; if it is to be gone, `scriptorium forget ^{block}`"
    return Breach(LOST, block, Problem(Code.BLOCK_LOST, message, record.path, record.lines[0], remedy))


def _unfounded(
    old: Mapping[BlockId, Record], new: Mapping[BlockId, Record], facts: Facts, commit: str
) -> Iterator[Breach]:
    for record in {record.id: record for record in new.values()}.values():
        was = old.get(record.id)
        same = was is not None and (was.path, was.content, was.evidence) == (
            record.path,
            record.content,
            record.evidence,
        )
        if not same and _is_unfounded(record, facts):
            what = f"the record ^{record.id} is an instruction that does not rest on the owner's own words"
            message = f"{what}; it came with commit {commit[:10]}, {_UNSEEN}"
            remedy = f"cite what the owner said, move the record, or `scriptorium undo {commit[:10]}`"
            where = (record.path, record.lines[0])
            yield Breach(UNFOUNDED, record.id, Problem(Code.NOT_PERMITTED, message, *where, remedy))


def _is_unfounded(record: Record, facts: Facts) -> bool:
    def owners_word(cited: Cited) -> bool:
        known = facts.places.get(cited.place)
        found = facts.sources.get(known) if known is not None else None
        return found is not None and human_of_owner(found)

    return is_instruction(record) and not binds(record, owners_word)


# --- Evidence ------------------------------------------------------------------------------------


def _altered(before: Tree, after: Tree, path: str, commit: str) -> Iterator[Breach]:
    old, new = _messages(before, path), _messages(after, path)
    stood, stand = _branches(before, path), _branches(after, path)
    for name, source in old.items():
        now = new.get(name)
        branches = stood.get(source.id, ())
        if now is None:
            what = f"the archived message {name} is gone"
        elif _said(now) != _said(source):
            what = f"the archived message {name} was changed"
        elif not _begins(stand.get(source.id, ()), branches):
            what = f"what is known of the archived message {name} was changed beside it"
        else:
            continue
        message = f"{what} in commit {commit[:10]}, {_UNSEEN}"
        back = f"`git revert {commit[:10]}` in the memory takes that commit back"
        remedy = f"{back}; if the message is to be gone, `scriptorium forget {name}`"
        problem = Problem(Code.SOURCES_CHANGED, message, path, source.line, remedy)
        yield Breach(ALTERED, name, problem, source, branches)


def _messages(tree: Tree, path: str) -> dict[str, SourceFact]:
    """The messages of an archive, with what is known of them beside it."""
    return {each.id: each for each in messages_in(path, tree.get(path), tree.get(_beside(path)))}


def _branches(tree: Tree, path: str) -> Mapping[SourceId, tuple[Branch, ...]]:
    """The branches that the lines beside an archive give to each of its messages."""
    data = tree.get(_beside(path))
    return branches_in(_beside(path), data) if data is not None else {}


def _begins(branches: tuple[Branch, ...], earlier: tuple[Branch, ...]) -> bool:
    """Whether nothing but lines were added."""
    return branches[: len(earlier)] == earlier


def _beside(path: str) -> str:
    return path.removesuffix(".md") + ".jsonl"


def _said(source: SourceFact, let_in: bool = False) -> tuple[object, ...]:
    """All that must not change of a message; the branch on which it stands may, and consent may be given."""
    context = source.context and source.context._replace(branch="unknown")
    speaker = (source.label, source.speaker_id, source.speaker_kind, source.tier)
    return source.at, source.text, speaker, source.trusted or let_in, context


def _archive_of(path: str) -> str:
    return path.removesuffix(".jsonl") + ".md" if path.endswith(".jsonl") else path
