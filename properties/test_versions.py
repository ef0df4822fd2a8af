"""Laws of the history by record: words, steps, and what is withheld."""

import re
from collections.abc import Iterable, Mapping

from hypothesis import event, given
from hypothesis import strategies as st

from memory_plans import Memory
from scriptorium_core.facts import facts_of
from scriptorium_core.forgetting import targets_of
from scriptorium_core.knowledge.versions import Deed, said, steps
from scriptorium_core.knowledge.withholding import hides, shown
from scriptorium_core.knowledge.words import Side, after_of, before_of, patch, word_changes
from scriptorium_core.names import TopicPath
from scriptorium_core.topics import parse_topic
from scriptorium_core.topics.model import Record
from scriptorium_core.tree import tree_of
from strategies import awkward_texts, sentences
from topic_strategies import memories

texts = st.one_of(sentences(), awkward_texts(), st.text("ab \n.é钥", max_size=40))


def _records(files: Mapping[str, bytes]) -> list[Record]:
    paths = [TopicPath(path) for path in sorted(files) if path.startswith("topics/")]
    return [record for path in paths for record in parse_topic(path, files[path])[0].records]


def _applied(text: str, body: str) -> str:
    """What becomes of a text by the hunks of a patch, read as `patch(1)` reads them."""
    old, new, at = text.split("\n"), list[str](), 0
    for hunk in re.split(r"(?m)^@@ -", body)[1:]:
        head, *lines = hunk.removesuffix("\n").split("\n")
        match = re.match(r"(\d+)(?:,(\d+))? ", head)
        assert match is not None
        start = int(match[1]) - (match[2] != "0")
        new += old[at:start]
        at = start
        for line in lines:
            if line.startswith((" ", "-")):
                assert old[at] == line[1:]
                at += 1
            new += [line[1:]] if line.startswith((" ", "+")) else []
    return "\n".join(new + old[at:])


def _ids(records: Iterable[Record | None]) -> set[str]:
    return {block for record in records if record is not None for block in record.ids}


class TestWords:
    """The way from one text to another leads away from the one and to the other, whatever they hold."""

    @given(texts, texts)
    def test_the_pieces_are_both_texts(self, before: str, after: str) -> None:
        pieces = word_changes(before, after)
        assert (before_of(pieces), after_of(pieces)) == (before, after)
        assert all(piece.text for piece in pieces)

    @given(texts)
    def test_between_equal_texts_nothing_changes(self, text: str) -> None:
        assert {piece.side for piece in word_changes(text, text)} <= {Side.SAME}

    @given(texts, texts)
    def test_a_patch_leads_from_the_one_file_to_the_other(self, before: str, after: str) -> None:
        one, other = f"{before}\n", f"{after}\n"
        assert _applied(one, patch("a", one, other)) == other


class TestSteps:
    """Ids after = ids before − deleted ∪ created, and each step says how its record was and is."""

    @given(memories(), memories())
    def test_the_steps_lead_from_one_state_to_the_other(self, one: Memory, other: Memory) -> None:
        before, after = _records(one.files), _records(other.files)
        found = steps(before, after)
        event(f"steps: {len(found) > 0}")
        old, new = _ids(before), _ids(after)
        gone = {
            block for each in found if each.before and Deed.DELETED in each.deeds for block in each.before.ids
        }
        made = {
            block for each in found if each.after and Deed.CREATED in each.deeds for block in each.after.ids
        }
        assert old - new <= gone
        assert new - old <= made
        assert {each.id for each in found} <= old | new
        for each in found:
            assert before_of(each.words) == (said(each.before) if each.before else "")
            assert after_of(each.words) == (said(each.after) if each.after else "")

    @given(memories())
    def test_no_step_leads_from_a_state_to_itself(self, memory: Memory) -> None:
        records = _records(memory.files)
        assert steps(records, records) == ()


class TestWithholding:
    """What was forgotten is in no file that is shown; all else stays, and stays readable."""

    @given(memories(), st.data())
    def test_exactly_the_forgotten_goes(self, memory: Memory, data: st.DataObject) -> None:
        files = memory.files
        facts = facts_of(tree_of(files))
        names = sorted({*facts.records, *facts.sources})
        forgotten = data.draw(st.sets(st.sampled_from(names), max_size=3)) if names else set[str]()
        targets = targets_of(forgotten)
        left = {
            path: found for path, old in files.items() if (found := shown(path, old, targets)) is not None
        }
        after = facts_of(tree_of(left))
        assert not forgotten & after.records.keys()
        assert not forgotten & after.sources.keys()
        assert after.sources.keys() == facts.sources.keys() - forgotten
        stay = {known.record.id for known in facts.newest if not hides(known.record, targets)}
        assert stay <= after.records.keys()
        assert all(shown(path, found, targets) == found for path, found in left.items())
