"""At every step of a commit somebody else does something: reads, saves a topic, or commits by hand.

Each case is one interleaving: a home is copied, an update runs, and before its step of a number the
other hand acts. Laws draw pairs of steps and hands; a deep run draws thousands.
"""

import itertools
import os
import shutil
import subprocess
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scriptorium import files
from scriptorium.history import gitindex
from scriptorium.layout import git_program
from scriptorium.refused import Refused
from scriptorium.workspace import Committed, Memory
from small_homes import create, opened, request, unsound, written

KEYS, OTHER = "topics/keys.md", "topics/other.md"
STEPS = ((files, "read", *files.STEPS), (gitindex, "start"))
FURTHEST = 120  # an update takes fewer steps: the last cases are those in which nobody meets
PARAGRAPH = "\n{0} {1}.[^e{1}]\n\n[^e{1}]: Time: `2026`; Sources: [me](../{2})\n"


def _read(home: Path) -> None:
    """A reader sees a commit as a whole."""
    with Memory.open(home / "memory", make=False) as memory, memory.reading() as (_, base):
        texts = [base.tree.get(path) or b"" for path in base.tree.under("topics/")]
        assert sum(text.count(b" ^") for text in texts) == len(base.facts.records)
        assert 2 <= len(base.facts.records) <= 3 + len(SAVED) * 3


def _save(home: Path, path: str = OTHER, words: str = "By hand") -> None:
    """A person adds a paragraph to another topic and saves it."""
    archive = min((home / "memory/sources").rglob("*.md"))
    place = f"{archive.relative_to(home / 'memory').as_posix()}#{_anchor(archive)}"
    topic = home / "memory" / path
    text = topic.read_text()
    topic.write_text(text + PARAGRAPH.format(words, text.count(words) + 1, place))


def _save_same(home: Path) -> None:
    """A person adds a paragraph to the topic that is being changed, and saves it."""
    _save(home, KEYS, "Also by hand")


def _git(home: Path, *arguments: str) -> None:
    """A person calls the git program; what it refuses it says, and they try again later."""
    command = ["git", "-C", str(home / "memory"), "-c", "user.name=P", "-c", "user.email=p@x", *arguments]
    environment = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert done.returncode == 0 or "lock" in done.stderr, done.stderr


def _commit(home: Path) -> None:
    """A person commits what the index holds, whatever that is."""
    _git(home, "commit", "--allow-empty", "-q", "-m", "By hand")


def _commit_all(home: Path) -> None:
    """A person commits what the files hold."""
    _git(home, "commit", "--allow-empty", "-q", "-a", "-m", "By hand")


def _check_out(home: Path) -> None:
    """A person puts a file back as the index has it."""
    _git(home, "checkout", "-q", "--", KEYS)


def _anchor(archive: Path) -> str:
    return archive.read_text().split('<a id="', 1)[1].split('"', 1)[0]


HANDS: Mapping[str, Callable[[Path], None]] = MappingProxyType(
    {
        "read": _read,
        "save": _save,
        "save the same topic": _save_same,
        "git commit": _commit,
        "git commit -a": _commit_all,
        "git checkout": _check_out,
    }
)
SAVED = MappingProxyType({"save": "By hand", "save the same topic": "Also by hand"})
GIT = tuple(hand for hand in HANDS if hand.startswith("git "))


class Meeting:
    """Lets other hands act before the steps of given numbers; what they meet is kept for the end."""

    def __init__(self, patch: pytest.MonkeyPatch, home: Path, plan: Mapping[int, str]) -> None:
        self.home, self.plan = home, plan
        self.met: list[str] = []
        self.failed: list[BaseException] = []
        self._numbers = itertools.count(1)
        self._acting = threading.RLock()
        for module, *names in STEPS:
            for name in names:
                patch.setattr(module, name, self._wrapped(getattr(module, name)))

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
    times = Counter(meeting.met)
    by_hand = [f"{words} {n + 1}." for hand, words in SAVED.items() for n in range(times[hand])]
    assert said == sorted(["One.", "Other.", "Two.", *by_hand]), (plan, meeting.met)
    assert list(unsound(home)) == [], plan
    shutil.rmtree(home)
    return meeting.met


@pytest.mark.parametrize("hand", HANDS)
def test_somebody_acts_at_each_step_of_a_commit(begun: Path, tmp_path: Path, hand: str) -> None:
    if hand in GIT and git_program() is None:
        pytest.skip("the git program is not installed")
    met = 0
    for number in range(1, FURTHEST):
        if not interleaved(begun, tmp_path / str(number), {number: hand}):
            break
        met += 1
    assert 30 < met < FURTHEST - 1


@pytest.mark.skipif(git_program() is None, reason="git is not installed")
def test_somebody_commits_by_hand_where_the_engine_does_without_git(
    begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scriptorium.history.program.git_program", lambda: None)
    for number in range(1, FURTHEST):
        if not interleaved(begun, tmp_path / str(number), {number: "git commit"}):
            break
    assert 30 < number < FURTHEST - 1


@pytest.mark.skipif(git_program() is None, reason="git is not installed")
@pytest.mark.parametrize("first", range(6, 12))
def test_a_save_is_taken_in_where_somebody_also_commits_by_hand(
    begun: Path, tmp_path: Path, first: int
) -> None:
    interleaved(begun, tmp_path / "home", {first: "git commit", 15: "save the same topic"})


class TestInterleavings:
    """Readers see whole commits, a person's text is never lost, and every record is there once."""

    @given(st.dictionaries(st.integers(1, FURTHEST), st.sampled_from([*HANDS]), min_size=2, max_size=3))
    def test_several_hands_act_while_a_commit_is_made(
        self, begun: Path, tmp_path_factory: pytest.TempPathFactory, plan: dict[int, str]
    ) -> None:
        hands = set(plan.values())
        # Who checks out their own draft wants it gone; who commits it past the checks gets it as it is.
        assume(not hands & set(SAVED) or not hands & {"git checkout", "git commit -a"})
        assume(git_program() is not None or not hands & set(GIT))
        interleaved(begun, tmp_path_factory.mktemp("met") / "home", plan)
