"""Laws of what commits by another hand broke: nothing is overlooked, and nothing is blamed that stands."""

from collections.abc import Mapping

from hypothesis import event, given

from memory_plans import Memory
from scriptorium_core.facts import facts_of
from scriptorium_core.names import TopicPath
from scriptorium_core.topics import parse_topic
from scriptorium_core.transaction.breaches import breach_trailers, breaches, stands
from scriptorium_core.tree import tree_of
from topic_strategies import histories

Files = Mapping[str, bytes]
COMMIT = "c" * 40


def ids(files: Files) -> set[str]:
    topics = (parse_topic(TopicPath(path), files[path])[0] for path in files if path.startswith("topics/"))
    return {block for topic in topics for record in topic.records for block in record.ids}


class TestBreaches:
    """HEAD is the truth; what a commit that no check saw took away is said."""

    @given(histories(steps=2))
    def test_every_id_that_is_gone_is_named_and_no_other(self, memories: tuple[Memory, ...]) -> None:
        old, new = memories[0].files, memories[-1].files
        paths = sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))
        facts = facts_of(tree_of(new))
        found = breaches(tree_of(old), tree_of(new), paths, facts, COMMIT)
        lost = {each.name for each in found if each.key == "Lost"}
        event(f"lost {bool(lost)}")
        assert lost == ids(old) - ids(new)
        assert all(each.problem.remedy and each.problem.path for each in found)
        # It stands as long as it is so, and the trailers name each.
        assert {
            each.name for each in found if each.key == "Lost" and stands(each, tree_of(new), facts)
        } == lost
        again = facts_of(tree_of(old))
        assert not [each for each in found if each.key != "Unfounded" and stands(each, tree_of(old), again)]
        assert sum(len(value.split()) for _, value in breach_trailers(found)) == len(found)

    @given(histories(steps=1))
    def test_a_commit_that_changes_nothing_breaks_nothing(self, memories: tuple[Memory, ...]) -> None:
        files = memories[-1].files
        tree = tree_of(files)
        assert breaches(tree, tree, files, facts_of(tree), COMMIT) == ()
