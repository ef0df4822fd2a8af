"""Kill -9 at any step of a sealing or an unsealing: the library is the old or the new one, and it goes on."""

import os
import shutil
from pathlib import Path

import pytest

from crash.deaths import deaths
from crash.dying import seal_up, unseal_there
from scriptorium.sealed import sealing
from sealed_homes import contents, filled, objects_of
from small_homes import service

pytestmark = [
    pytest.mark.sealed,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL"),
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sealing, "PIECE", 256)
    made = filled(tmp_path / "home")
    with service(made) as opened:
        opened.seal(str(made / "library"))
        for number in range(6):
            opened.remember(f"Number {number} is {os.urandom(40).hex()}.", topic="numbers")
    return made


def test_a_sealing_killed_at_any_step_leaves_a_whole_library_and_goes_on(home: Path, tmp_path: Path) -> None:
    alive = shutil.copytree(home, tmp_path / "done")
    seal_up(alive)
    wanted = len(objects_of(alive / "library"))
    new = wanted - len(objects_of(home / "library"))
    generations, resumed = list[int](), 0
    for killed in deaths("seal_up", home, tmp_path, 16):
        there = set(objects_of(killed / "library"))
        with service(killed) as opened:
            proof = opened.prove(str(killed / "library"))
            assert proof.holds, proof.faults
            generations.append(proof.generation)
            done = opened.seal(str(killed / "library"))
            resumed += bool(proof.left) and done.new_objects < new
            assert (done.generation, opened.prove(str(killed / "library")).holds) == (2, True)
            opened.unseal(str(killed / "library"), tmp_path / "new")
        # What was written before the kill is not written twice, but for what the journal had not noted yet.
        assert len(objects_of(killed / "library")) <= wanted + 5, killed.name
        assert there <= set(objects_of(killed / "library"))
        assert contents(tmp_path / "new") == contents(killed)
        shutil.rmtree(tmp_path / "new")
        shutil.rmtree(killed)
    assert generations == sorted(generations)
    assert set(generations) == {1, 2}
    assert resumed > 0


def test_an_unsealing_killed_at_any_step_goes_on(home: Path, tmp_path: Path) -> None:
    with service(home) as opened:
        opened.seal(str(home / "library"))
    unseal_there(shutil.copytree(home, tmp_path / "done"))
    wanted = contents(home)
    assert contents(tmp_path / "done" / "new") == wanted
    for killed in deaths("unseal_there", home, tmp_path, 16):
        if (killed / "new").exists() and not (killed / "new" / ".unsealing").exists():
            shutil.rmtree(killed / "new")  # it was ended, but for the last sync
        unseal_there(killed)
        assert contents(killed / "new") == wanted, killed.name
        assert not (killed / "new" / ".unsealing").exists()
        shutil.rmtree(killed)
