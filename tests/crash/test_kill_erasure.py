"""Kill -9 at any step of an erasure: the old history or the new one, and the next opening finishes it."""

import os
import shutil
from pathlib import Path

import pytest

from crash.deaths import deaths
from crash.dying import WORK
from residue import places_with
from scriptorium.layout import locate
from small_homes import listed, service, told, unsound

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")

WORDS = "move to Porto in June"


def forgotten(home: Path) -> bool:
    """Whether the message has its tombstone; opening the home finishes what was begun."""
    with service(home) as opened, opened.memory().reading() as (_, base):
        return "chat/s1/u2b" in base.facts.forgotten


def test_an_erasure_killed_at_any_step_is_finished_by_the_next_opening(tmp_path: Path) -> None:
    home = tmp_path / "home"
    told(home)
    assert listed(home)
    assert places_with(home, WORDS)
    ended = set()
    for each in deaths("erase", home, tmp_path, 16):
        begun = (each / "memory" / ".scriptorium" / "erasing.json").exists()
        retracted = forgotten(each)
        assert list(unsound(each)) == [], each.name
        assert not locate(each / "memory").erasing.exists(), each.name
        # What was noted and never forgotten, because the process ended before its commit, is not erased.
        assert not (begun and retracted) or not places_with(each, WORDS), each.name
        WORK["erase"](each)
        assert places_with(each, WORDS) == [], each.name
        assert list(unsound(each)) == [], each.name
        ended.add((retracted, begun))
        shutil.rmtree(each)
    assert {(False, False), (True, True)} <= ended
