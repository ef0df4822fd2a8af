"""Laws of a writer that means harm: whatever it hands in, memory stays whole and the outcome has a name.

Chosen by their marker (`pytest -m hostile`) they make a thousand runs, else as many as their profile says.
"""

import shutil
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hostile_homes import Ground, broken_by, grounded, let_loose
from hostile_programs import programs
from hostile_strategies import Hostile, Trick, claims, operations, overlays, tool_calls
from hostile_words import Words

pytestmark = pytest.mark.hostile

RUNS = 200
"""Of each of the five laws, where the marker chose them."""

GOALS = st.lists(st.sampled_from((60, 10_000)), min_size=1, max_size=2)


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return grounded(tmp_path_factory.mktemp("hostile") / "home")


def withstood(
    ground: Ground, folder: Path, config: pytest.Config, tricks: st.SearchStrategy[Trick]
) -> Counter[str]:
    """Let writers of such tricks loose, each on a fresh copy of the home; how their passes ended."""
    chosen = "hostile" in config.getoption("markexpr")
    ends: Counter[str] = Counter()

    @settings(max_examples=RUNS if chosen else settings().max_examples)
    @given(st.lists(tricks, min_size=1, max_size=3), GOALS)
    def law(does: list[Trick], goals: list[int]) -> None:
        home = folder / "run"
        try:
            outcomes = let_loose(ground, home, Hostile(does, home), goals)
            assert list(broken_by(ground, home, outcomes)) == []
        finally:
            shutil.rmtree(home, ignore_errors=True)
        ends.update(type(outcome).__name__ for outcome in outcomes)
        ends["runs"] += 1

    law()
    if chosen:
        assert ends["runs"] >= RUNS
    return ends


class TestNothingBreaksMemory:
    """`verify` finds nothing, evidence and earlier records stand, messages are archived once or wait."""

    def test_any_overlay(self, ground: Ground, tmp_path: Path, pytestconfig: pytest.Config) -> None:
        withstood(ground, tmp_path, pytestconfig, overlays(Words.about(ground)))

    def test_any_calls_of_tools(self, ground: Ground, tmp_path: Path, pytestconfig: pytest.Config) -> None:
        withstood(ground, tmp_path, pytestconfig, tool_calls(Words.about(ground)))

    def test_any_operations(self, ground: Ground, tmp_path: Path, pytestconfig: pytest.Config) -> None:
        withstood(ground, tmp_path, pytestconfig, operations(Words.about(ground)))

    def test_any_directory_that_a_program_leaves(
        self, ground: Ground, tmp_path: Path, pytestconfig: pytest.Config
    ) -> None:
        withstood(ground, tmp_path, pytestconfig, programs(Words.about(ground)))

    def test_anything_by_turns(self, ground: Ground, tmp_path: Path, pytestconfig: pytest.Config) -> None:
        words = Words.about(ground)
        kinds = (overlays, tool_calls, operations, programs)
        tricks = st.one_of(claims(), *(kind(words) for kind in kinds))
        ends = withstood(ground, tmp_path, pytestconfig, tricks)
        # Much of what they do is in order: where all is refused, nothing was put to the proof.
        assert ends["Wrote"] > 0
        assert ends["Failed"] > 0
