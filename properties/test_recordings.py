"""Laws of recordings: what a writer with tools did is played to the very same commits, and breaks nothing."""

import shutil
from collections.abc import Sequence

from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from scriptorium.writer import Answer, Edited, NothingProposed, Task, Used
from scriptorium.writer.recorded import Player, Recorder, read_tape
from scriptorium_core.sessions.graph import Node
from scriptorium_core.writing.outcome import Failed
from scriptorium_core.writing.tools import call, desk_for
from session_strategies import logs
from small_homes import listed, opened, told, unsound
from strategies import AWKWARD
from test_crash import archived, fresh, history, mortal, talk
from written_homes import Scripted, kept

FEW = settings(max_examples=max(4, settings().max_examples // 6))
"""Real folders and real git: an example costs a second."""

PROMPT = "write/1-00000000"
PATHS = ("topics/a.md", "topics/b/c.md", "topics/core.md")
WORDS = (*(text for text in AWKWARD if text.strip()), "Tea\u2028now", "^182d5cb8 stays")


@frozen
class Drawn:
    """A writer that calls tools as they are drawn, and now and then keeps nothing or says too much."""

    data: st.DataObject
    name: str = "drawn"
    prompt: str = PROMPT

    def propose(self, task: Task) -> Answer:
        """What some calls make of an overlay."""
        draw = self.data.draw
        used = Used("drawn-1", draw(st.integers(0, 9)), draw(st.integers(0, 9)), 1)
        if draw(st.sampled_from((False, False, True))):
            return NothingProposed("small talk", used)
        with task.reading() as (_, base):
            desk = desk_for(base, task.caller, task.today, task.batch)
            for _ in range(draw(st.integers(1, 4))):
                name, arguments = draw(self._calls(task, sorted(base.facts.records)))
                desk, _ = call(desk, name, arguments)
        return Edited(desk.stage, draw(st.sampled_from(("", "Keep it", "All\nis done"))), used)

    def _calls(self, task: Task, ids: Sequence[str]) -> st.SearchStrategy[tuple[str, dict[str, object]]]:
        paths, words = st.sampled_from(PATHS), st.sampled_from(WORDS)
        refs = st.sampled_from([str(item.source) for item in task.batch] or ["chat/s1/none"])
        blocks = st.sampled_from(ids or ["nosuch"])
        text = st.builds(
            lambda said, ref: f"# Topic\n\n{said}[^e1]\n\n[^e1]: Time: undated; Sources: [said]({ref})\n",
            words,
            refs,
        )
        create = st.builds(
            lambda path, said, ref: {
                "op": "create_record",
                "content": said,
                "time": None,
                "sources": [{"source": ref, "label": "said"}],
                "destination": {"topic_path": path, "headings": ["Topic"], "position": "end"},
            },
            paths,
            words,
            refs,
        )
        return st.one_of(
            st.builds(lambda change: ("apply_changes", {"memory_changes": [change]}), create),
            st.builds(lambda path, content: ("write", {"path": path, "content": content}), paths, text),
            st.builds(lambda old, new: ("move", {"old": old, "new": new}), paths, paths),
            st.builds(lambda block: ("delete_records", {"ids": [block], "reason": "old"}), blocks),
        )


class TestEditsAreWrittenExactlyOnce:
    """Wherever a process ends while edits are committed, each message gets in once, and nothing is broken."""

    @FEW
    @given(logs(), st.data())
    def test_whatever_is_cut_off(self, turns: Sequence[Node], data: st.DataObject) -> None:
        with fresh() as home:
            told(home, turns)
            for _ in range(data.draw(st.integers(1, 2))):
                with mortal(data.draw(st.integers(1, 250))):
                    listed(home, data.draw(st.sampled_from((1, 10_000))), Scripted([kept]))
            outcomes = listed(home, 20, Scripted([kept]))
            assert not [outcome for outcome in outcomes if isinstance(outcome, Failed)]
            assert sorted(archived(home)) == sorted(talk(home))
            with opened(home / "memory") as memory, memory.reading() as (_, base):
                cited = [source.place for known in base.facts.newest for source in known.record.sources]
                assert len(cited) == len(set(cited)) == len(talk(home))
            assert list(unsound(home)) == []


class TestWhatWasRecordedIsPlayed:
    """The same home, tape and clock give the same commits; what was refused left no trace."""

    @FEW
    @given(logs(), st.sampled_from((1, 20, 10_000)), st.data())
    def test_a_copy_of_the_home_plays_the_tape_to_the_commits_of_the_recording(
        self, turns: Sequence[Node], goal: int, data: st.DataObject
    ) -> None:
        with fresh() as home:
            told(home / "one", turns)
            with opened(home / "one" / "memory"):
                pass
            shutil.copytree(home / "one", home / "two")
            tape = home / "tape.jsonl"
            outcomes = listed(home / "one", goal, Drawn(data), record=Recorder(tape, "drawn", PROMPT))
            assert list(unsound(home / "one")) == []
            assert len(archived(home / "one")) == len(set(archived(home / "one")))
            if not tape.exists():
                return  # nothing was said, or the very first batch was refused
            played = listed(home / "two", goal, Player(read_tape(tape)))
            assert history(home / "two") == history(home / "one")
            assert isinstance(played[-1], Failed) == isinstance(outcomes[-1], Failed)
            assert archived(home / "two") == archived(home / "one")
