"""At every step of a commit somebody else does something: reads, or saves a topic.

Each case is one interleaving: a home is copied, an update runs, and before its step of a number the
other hand acts. Laws draw pairs of steps and hands; a deep run draws thousands.
"""

import itertools
import shutil
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scriptorium import files
from scriptorium.refused import Refused
from scriptorium.workspace import Committed, Memory
from small_homes import create, opened, request, unsound, written

OTHER = "topics/other.md"
STEPS = (*files.STEPS, "read")
FURTHEST = 80  # an update takes fewer steps: the last cases are those in which nobody meets
PARAGRAPH = "\n{}[^e1]\n\n[^e1]: Time: `2026`; Sources: [me](../{})\n"


def _read(home: Path) -> None:
    """A reader sees a commit as a whole."""
    with Memory.open(home / "memory", make=False) as memory, memory.reading() as (_, base):
        texts = [base.tree.get(path) or b"" for path in base.tree.under("topics/")]
        assert sum(text.count(b" ^") for text in texts) == len(base.facts.records)
        assert len(base.facts.records) in (2, 3, 4)


def _save(home: Path) -> None:
    """A person adds a paragraph to another topic and saves it."""
    archive = min((home / "memory/sources").rglob("*.md"))
    place = f"{archive.relative_to(home / 'memory').as_posix()}#{_anchor(archive)}"
    topic = home / "memory" / OTHER
    topic.write_text(topic.read_text() + PARAGRAPH.format("By hand.", place))


def _anchor(archive: Path) -> str:
    return archive.read_text().split('<a id="', 1)[1].split('"', 1)[0]


HANDS: Mapping[str, Callable[[Path], None]] = MappingProxyType({"read": _read, "save": _save})


class Meeting:
    """Lets other hands act before the steps of given numbers; what they meet is kept for the end."""

    def __init__(self, patch: pytest.MonkeyPatch, home: Path, plan: Mapping[int, str]) -> None:
        self.home, self.plan = home, plan
        self.met: list[str] = []
        self.failed: list[BaseException] = []
        self._numbers = itertools.count(1)
        self._acting = threading.RLock()
        for name in STEPS:
            patch.setattr(files, name, self._wrapped(getattr(files, name)))

    def _wrapped(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*arguments: Any, **more: Any) -> Any:
            if threading.current_thread().name != "other":
                hand = self.plan.get(next(self._numbers))
                if hand is not None:
                    self._act(hand)
            return real(*arguments, **more)

        return step

    def _act(self, hand: str) -> None:
        with self._acting:
            other = threading.Thread(target=self._run, args=(hand,), name="other")
            other.start()
            other.join()
            self.met.append(hand)

    def _run(self, hand: str) -> None:
        try:
            HANDS[hand](self.home)
        except Refused:
            pass  # said in words: the other hand tries again later
        except BaseException as error:
            self.failed.append(error)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with two records in two topics, on one message."""
    home = tmp_path_factory.mktemp("begun")
    with opened(home / "memory") as memory:
        written(memory, "One.")
        memory.update(request(create("Other.", OTHER)))
    return home


def interleaved(begun: Path, home: Path, plan: Mapping[int, str]) -> list[str]:
    """Who met whom; asserts that nothing of anybody is lost, and that the memory is sound afterwards."""
    shutil.copytree(begun, home)
    with pytest.MonkeyPatch.context() as patch, opened(home / "memory") as memory:
        meeting = Meeting(patch, home, plan)
        done = memory.update(request(create("Two."), says="Two."))
        patch.undo()
        assert not meeting.failed, meeting.failed
        assert isinstance(done, Committed), done
        adopted = memory.adopt()
        assert isinstance(adopted, Committed), adopted
        with memory.reading() as (_, base):
            said = sorted(known.record.content for known in base.facts.newest)
    by_hand = ["By hand."] if "save" in meeting.met else []
    assert said == sorted(["One.", "Other.", "Two.", *by_hand]), (plan, meeting.met)
    assert list(unsound(home)) == [], plan
    shutil.rmtree(home)
    return meeting.met


@pytest.mark.parametrize("hand", HANDS)
def test_somebody_acts_at_each_step_of_a_commit(begun: Path, tmp_path: Path, hand: str) -> None:
    met = 0
    for number in range(1, FURTHEST, 3):
        if not interleaved(begun, tmp_path / str(number), {number: hand}):
            break
        met += 1
    assert met > 5


class TestInterleavings:
    """Readers see whole commits, a person's text is never lost, and every record is there once."""

    @given(st.dictionaries(st.integers(1, FURTHEST), st.sampled_from([*HANDS]), min_size=2, max_size=2))
    def test_two_hands_act_while_a_commit_is_made(
        self, begun: Path, tmp_path_factory: pytest.TempPathFactory, plan: dict[int, str]
    ) -> None:
        if [*plan.values()].count("save") < 2:
            interleaved(begun, tmp_path_factory.mktemp("met") / "home", plan)
