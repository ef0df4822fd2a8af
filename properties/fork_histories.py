"""Two histories of one memory as commits: each state prepared on the one before, and what it says."""

from collections.abc import Iterable, Mapping, Sequence

from attrs import evolve, frozen
from hypothesis import assume
from hypothesis import strategies as st

from memory_plans import Memory
from scriptorium_core.changes import Caller
from scriptorium_core.facts import Facts, chronicle, facts_of
from scriptorium_core.names import BlockId, SourceId, TopicPath
from scriptorium_core.sources.frame import Frame, Provenance, Tier
from scriptorium_core.syncing import Side, United, tidings_of, united
from scriptorium_core.topics import Record, parse_topic
from scriptorium_core.trailers import Trailer
from scriptorium_core.transaction import Edit, Rejected, Rules, Snapshot, prepare
from scriptorium_core.tree import Tree, tree_of
from topic_strategies import consented, forks

__all__ = ["RULES", "Branch", "Files", "Fork", "all_facts", "forked", "frames_of", "made_one", "records_of"]

Files = Mapping[str, bytes]
Told = tuple[tuple[str, Sequence[Trailer]], ...]
RULES = Rules(Caller(), len)


@frozen
class Branch:
    """What stands at the end of a history, and what each of its commits says, the oldest first."""

    files: Files
    told: Told = ()


@frozen
class Fork:
    """What two histories have in common, and each of them from there on."""

    base: Branch
    one: Branch
    two: Branch

    def side(self, branch: Branch) -> Side:
        """A history as it is united with another."""
        paths = self.base.files.keys() | branch.files.keys()
        differing = frozenset(path for path in paths if self.base.files.get(path) != branch.files.get(path))
        new = [each for each in branch.told if each not in self.base.told]
        return Side(tree_of(branch.files), differing, tidings_of([trailers for _, trailers in new]))


def all_facts(branch: Branch) -> Facts:
    """All that is known of the end of a history, from scratch."""
    said = chronicle(branch.told)
    return facts_of(tree_of(branch.files), said.order, said.forgotten)


def made_one(fork: Fork, first: Branch, second: Branch) -> Branch | Rejected:
    """The history that comes of uniting the two."""
    outcome = united(tree_of(fork.base.files), all_facts(first), fork.side(first), fork.side(second), RULES)
    return (
        _after(first, outcome.prepared.tree, outcome.prepared.trailers)
        if isinstance(outcome, United)
        else outcome
    )


def records_of(files: Files) -> Mapping[BlockId, Record]:
    """Every record by each of its ids."""
    topics = (
        parse_topic(TopicPath(path), data)[0] for path, data in files.items() if path.startswith("topics/")
    )
    return {block: record for topic in topics for record in topic.records for block in record.ids}


def frames_of(files: Files) -> Mapping[SourceId, str]:
    """What each archived message says."""
    return {source.id: source.text for source in facts_of(tree_of(files)).sources.values()}


@st.composite
def forked(draw: st.DrawFn, steps: int = 2) -> Fork:
    """Two histories with a common beginning; both archive messages, some of them the same."""
    one, two = (tuple(map(consented, states)) for states in draw(forks(steps)))
    base = _to(one[0], Branch({}))
    numbers = st.lists(st.integers(0, 5), max_size=3, unique=True)
    return Fork(base, _along(base, one[1:], draw(numbers)), _along(base, two[1:], draw(numbers)))


def _along(base: Branch, states: Iterable[Memory], messages: Iterable[int]) -> Branch:
    branch = base
    frames = tuple(_message(number) for number in messages)
    if frames:
        branch = _committed(branch, Edit(tree_of(branch.files), frames=frames, kind="import"))
    for memory in states:
        branch = _to(memory, branch)
    return branch


def _message(number: int) -> Frame:
    name = SourceId(f"chat/s{number % 2 + 1}/later{number}")
    return Frame(name, "user", f"message {number}", "", "4402", "Bo", Provenance("p", "owner", Tier.OWNER))


def _to(memory: Memory, branch: Branch) -> Branch:
    """The next state of a plan as a commit; its messages are archived with the first one."""
    wanted, files = memory.files, dict(branch.files)
    if not files:
        files |= {path: data for path, data in wanted.items() if path.startswith("sources/")}
    promoted = tuple(
        frame.id
        for frame in memory.frames
        if branch.files
        and not _trusted(branch.files, frame)
        and frame.provenance
        and frame.provenance.trust == "trusted"
    )
    tree = tree_of(files)
    for path in (*files, *wanted):
        if path.startswith("topics/"):
            tree = tree.put(path, wanted[path]) if path in wanted else tree.remove(path)
    gone = frozenset(records_of(files)) - frozenset(records_of(wanted))
    start = evolve(branch, files=files)
    return _committed(start, Edit(tree, gone, promoted=promoted))


def _trusted(files: Files, frame: Frame) -> bool:
    found = facts_of(tree_of(files)).sources.get(frame.id)
    return found is None or found.trusted


def _committed(branch: Branch, edit: Edit) -> Branch:
    base = Snapshot(tree_of(branch.files), all_facts(branch))
    outcome = prepare(base, evolve(edit, tree=evolve(edit.tree, base=base.tree.base)), RULES)
    assume(not isinstance(outcome, Rejected))
    assert not isinstance(outcome, Rejected)
    return _after(branch, outcome.tree, outcome.trailers)


def _after(branch: Branch, tree: Tree, trailers: Sequence[Trailer]) -> Branch:
    found = {path: data for path in tree.under("") if (data := tree.get(path)) is not None}
    return Branch(found, (*branch.told, (f"2026-05-{len(branch.told) + 1:02d}", trailers)))
