"""Laws of rewriting a history: each commit becomes what erasing from its files makes of it."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dulwich.index import commit_tree
from dulwich.object_store import DiskObjectStore, MemoryObjectStore, iter_tree_contents
from dulwich.objects import Blob, Commit, ObjectID, ShaFile
from dulwich.repo import Repo
from hypothesis import given

from erasure_plans import State, erased, linked_plans, played
from scriptorium.history.rewrite import Rewriting
from scriptorium.layout import Layout
from scriptorium_core.forgetting import Targets

_WHO = b"Bo <bo@example.org>"


def kept(folder: Path, states: Sequence[State]) -> tuple[Layout, bytes]:
    """A repository in which each state is a commit on top of the one before, and the newest of them."""
    Repo.init(str(folder)).close()
    made: list[ShaFile] = []
    parents: list[ObjectID] = []
    trees = MemoryObjectStore()
    for state in states:
        blobs = {path.encode(): Blob.from_string(data) for path, data in state.items()}
        for blob in blobs.values():
            trees.add_object(blob)
        tree = commit_tree(trees, [(path, blob.id, 0o100644) for path, blob in blobs.items()])
        commit = Commit()
        commit.tree, commit.parents, commit.message = tree, parents, b"Kind: write\n"
        commit.author = commit.committer = _WHO
        commit.author_time = commit.commit_time = 1_772_323_200
        commit.author_timezone = commit.commit_timezone = 0
        made.append(commit)
        parents = [commit.id]
    layout = Layout(folder, folder / ".scriptorium")
    store = DiskObjectStore(layout.git / "objects")
    store.add_objects([(each, None) for each in (*made, *(trees[name] for name in trees))])
    store.close()
    return layout, made[-1].id


def rewritten(layout: Layout, head: bytes, targets: Targets) -> tuple[list[bytes], int]:
    """What takes the places of the commits that lead to `head`, oldest first; how many are others now."""
    rewriting = Rewriting(layout, targets, lambda done, total: None)
    try:
        commits = rewriting.survey([head.decode()])
        others = rewriting.write(commits)
        return [rewriting.ids[commit] for commit in commits], others
    finally:
        rewriting.close()


def files_of(layout: Layout, commits: Sequence[bytes]) -> list[dict[str, bytes]]:
    """The files of each commit."""
    store = DiskObjectStore(layout.git / "objects")
    try:
        trees = [store.get_raw(ObjectID(commit))[1][5:45] for commit in commits]
        return [
            {
                entry.path.decode(): store.get_raw(entry.sha)[1]
                for entry in iter_tree_contents(store, ObjectID(tree))
            }
            for tree in trees
        ]
    finally:
        store.close()


class TestAHistoryIsRewrittenStateByState:
    """Whatever is remembered on the way, a commit holds what follows from its own files and the targets."""

    @given(linked_plans())
    def test_each_commit_holds_what_erasing_leaves_of_its_files(self, plan: Sequence[Any]) -> None:
        memory = played(plan)
        for scope in memory.scopes[-1:]:
            with TemporaryDirectory() as folder:
                layout, head = kept(Path(folder), memory.states)
                commits, others = rewritten(layout, head, scope.targets)
                wanted = [
                    {path: data for path, data in left.items() if data is not None}
                    for left in erased(memory.states, scope.targets)
                ]
                assert files_of(layout, commits) == wanted
                assert (others > 0) == (wanted != memory.states)
                assert rewritten(layout, commits[-1], scope.targets) == (commits, 0)
