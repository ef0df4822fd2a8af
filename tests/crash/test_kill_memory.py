"""Kill -9 at any step of an update or an opening leaves the state before or after; the next one ends it."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from crash.deaths import deaths, run
from crash.dying import WORK
from memory_example import memory as files_of_another_hand
from scriptorium.layout import locate, workspace_id
from small_homes import committed, create, git, opened, request, unsound, written

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")


def revision(home: Path) -> str | None:
    with opened(home / "memory") as memory:
        return memory.revision


def checked(work: str, homes: Iterator[Path], before: str | None, after: str) -> list[bool]:
    """Whether the commit of each stands; all of them are sound, and doing the work again ends in the same."""
    stands = []
    for home in homes:
        found = revision(home)
        assert found in (before, after), home.name
        assert list(unsound(home)) == [], home.name
        if found == before:
            WORK[work](home)
            assert revision(home) == after, home.name
            assert list(unsound(home)) == [], home.name
        stands.append(found == after)
        shutil.rmtree(home)
    return stands


def divided(stands: list[bool]) -> bool:
    """Whether one step divides before from after, and lies inside."""
    return stands == sorted(stands) and len(set(stands)) == 2


def done(work: str, home: Path, folder: Path) -> str:
    """The revision that the work ends in when nobody dies."""
    copy = shutil.copytree(home, folder / "done")
    WORK[work](copy)
    found = revision(copy)
    assert found is not None
    assert list(unsound(copy)) == []
    return found


def test_an_update_killed_at_any_step_is_there_or_not(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with opened(home / "memory") as memory:
        written(memory, "The first key.", "The second key.", "The third key.")
        before = memory.revision
    after = done("update", home, tmp_path)
    assert divided(checked("update", deaths("update", home, tmp_path), before, after))


def test_a_first_commit_killed_at_any_step_is_there_or_not(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    after = done("begin", home, tmp_path)
    assert divided(checked("begin", deaths("begin", home, tmp_path), None, after))


@pytest.fixture(params=["without a history", "with one"])
def foreign(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A directory of another hand: topics, evidence, a hand-written core, views, a runtime folder."""
    root = tmp_path / "home" / "memory"
    views = {"core.md": b"# Core\n", "relations.json": b"{}\n", ".nativemem/runtime.json": b"{}"}
    for path, data in (files_of_another_hand() | views).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    if request.param == "with one":
        if git(root, "init", "-q", "-b", "main") == "" and shutil.which("git") is None:
            pytest.skip("the git program is not installed")
        git(root, "add", "topics/keys.md", "sources", "relations.json")
        git(root, "commit", "-q", "-m", "Theirs")
    return root.parent


def test_a_take_over_killed_at_any_step_loses_nothing(foreign: Path, tmp_path: Path) -> None:
    after = done("take_over", foreign, tmp_path)
    wanted = [path for path in files_of_another_hand() if path.startswith(("topics/", "sources/"))]
    for home in deaths("take_over", foreign, tmp_path, 8):
        with opened(home / "memory") as memory:
            assert memory.revision == after, home.name
            assert {path: committed(memory)[path] for path in wanted} == files_of_another_hand()
            assert workspace_id(locate(home / "memory")) == memory.workspace
        assert list(unsound(home)) == [], home.name
        shutil.rmtree(home)


@pytest.mark.parametrize("number", [20, 45, 60])
def test_a_process_that_was_there_before_goes_on_after_the_death_of_another(
    number: int, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    with opened(home / "memory") as memory:
        written(memory, "The first key.", "The second key.", "The third key.")
        assert run("update", f"{number}={home}") == ["killed"]
        assert memory.update(request(create("One more."))).projected  # type: ignore[union-attr]
    assert list(unsound(home)) == []
