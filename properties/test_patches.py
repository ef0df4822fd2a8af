"""Laws of patches: a patch says the same as the whole text, and applies nowhere else."""

from collections.abc import Iterable
from difflib import SequenceMatcher

from hypothesis import assume, given
from hypothesis import strategies as st

from scriptorium_core.changes.files import write_files
from scriptorium_core.changes.model import WriteTopic
from scriptorium_core.changes.patch import decode_patch
from scriptorium_core.names import TopicPath
from scriptorium_core.problem import Code
from scriptorium_core.tree import Tree, tree_of

PATH = TopicPath("topics/café & co.md")
LINES = st.sampled_from(
    ("a", "b", "", "--- a/x", "+++ b/x", "@@ -1 +1 @@", "-", "+", " ", "\\ x", "\u2028", "\r")
)
TEXTS = st.builds(
    lambda lines, end: "\n".join(lines) + end, st.lists(LINES, max_size=8), st.sampled_from(("", "\n"))
)


def diff(old: str, new: str, context: int = 1) -> str:
    """The unified diff of two texts, as git writes it."""
    before, after = lines(old), lines(new)
    head = f"--- {'a/' + PATH if old else '/dev/null'}\n+++ {'b/' + PATH if new else '/dev/null'}\n"
    groups = SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(context)
    return head + "".join(hunk(before, after, group) for group in groups)


def hunk(before: list[str], after: list[str], group: list[tuple[str, int, int, int, int]]) -> str:
    (_, i, _, j, _), (_, _, k, _, m) = group[0], group[-1]
    body = ""
    for tag, i1, i2, j1, j2 in group:
        if tag == "equal":
            body += marked(" ", before[i1:i2])
        else:
            body += marked("-", before[i1:i2]) + marked("+", after[j1:j2])
    return f"@@ -{i + (k > i)},{k - i} +{j + (m > j)},{m - j} @@\n{body}"


def marked(sign: str, chosen: Iterable[str]) -> str:
    return "".join(
        sign + line + ("" if line.endswith("\n") else "\n\\ No newline at end of file\n") for line in chosen
    )


def lines(text: str) -> list[str]:
    return [line for line in text.replace("\n", "\n\0").split("\0") if line]


def base(text: str) -> Tree:
    return tree_of({PATH: text.encode()} if text else {})


class TestPatches:
    """A unified diff over topics is applied strictly, no fuzz."""

    @given(TEXTS, TEXTS, st.integers(0, 3))
    def test_the_patch_of_a_difference_is_the_change_of_the_whole_text(
        self, old: str, new: str, context: int
    ) -> None:
        assume(old != new)
        changes, problems = decode_patch(diff(old, new, context))
        assert not problems
        patched = write_files(base(old), changes, {})
        whole = write_files(base(old), (WriteTopic(PATH, new),), {})
        assert isinstance(patched, Tree)
        assert isinstance(whole, Tree)
        assert patched.get(PATH) == (whole.get(PATH) or None)

    @given(TEXTS, TEXTS, TEXTS)
    def test_a_patch_leaves_a_text_alone_that_is_not_what_it_says(
        self, old: str, new: str, other: str
    ) -> None:
        assume(old != new and (not old or lines(other)[: len(lines(old))] != lines(old)))
        assume(old or other)
        changes, problems = decode_patch(diff(old, new, context=9))
        assert not problems
        outcome = write_files(base(other), changes, {})
        assert isinstance(outcome, tuple)
        assert {problem.code for problem in outcome} == {Code.PATCH_CONFLICT}

    @given(st.lists(LINES | st.text(max_size=5), max_size=9).map("\n".join))
    def test_any_text_is_read_or_refused(self, text: str) -> None:
        changes, problems = decode_patch(text)
        assert bool(changes) != bool(problems)
        assert all(problem.path == "patch" for problem in problems)
