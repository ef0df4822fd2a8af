"""Laws of context files: an id has its first line, and the branch of its last."""

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.sources import Branch, Context, append_context, read_context
from source_strategies import CONTEXTS, contexts

BRANCHES: tuple[Branch, ...] = ("live", "abandoned", "unknown")


class TestStanding:
    """The last line with an id counts; apart from `branch` it says what the first one says."""

    @given(contexts(), st.lists(st.sampled_from(BRANCHES), max_size=6))
    def test_the_last_branch_counts_and_each_change_costs_one_line(
        self, first: Context, branches: list[Branch]
    ) -> None:
        data = append_context(CONTEXTS, None, [first])
        last, changes = first.branch, 0
        for branch in branches:
            assert isinstance(data, bytes)
            grown = append_context(CONTEXTS, data, [first._replace(branch=branch)])
            assert isinstance(grown, bytes)
            assert grown.startswith(data)
            changes += branch != last
            data, last = grown, branch
        assert isinstance(data, bytes)
        assert data.count(b"\n") == 1 + changes
        assert read_context(CONTEXTS, data) == ((first._replace(branch=last),), ())

    @given(contexts(), contexts())
    def test_nothing_but_the_branch_is_ever_told_anew(self, first: Context, other: Context) -> None:
        named = other._replace(id=first.id)
        data = append_context(CONTEXTS, None, [first])
        assert isinstance(data, bytes)
        grown = append_context(CONTEXTS, data, [named])
        assert isinstance(grown, bytes)
        (found,) = read_context(CONTEXTS, grown)[0]
        assert found._replace(branch=first.branch) == first
