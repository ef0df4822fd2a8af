"""Whom a sync meets: the git program, a server on this computer, and others who are faster."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch
from wsgiref.simple_server import make_server

import pytest

from scriptorium.history.remote import Remote
from scriptorium_core.problem import Code
from sync_homes import Copy, bare, git


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[Copy, Copy]]:
    remote = str(bare(tmp_path / "remote.git"))
    with Copy(tmp_path / "a", remote) as one, Copy(tmp_path / "b", remote) as two:
        one.say("The spare keys hang behind the blue door.")
        one.sync()
        two.sync()
        yield one, two


def test_git_clones_what_was_pushed_and_its_commit_is_taken_in(
    pair: tuple[Copy, Copy], tmp_path: Path
) -> None:
    one, two = pair
    place = tmp_path / "by-hand"
    git(tmp_path, "clone", "-q", one.remote, str(place))
    topic = place / "topics" / "keys.md"
    topic.write_text(topic.read_text().replace("blue", "green"))
    git(place, "commit", "-q", "-a", "-m", "Green")
    git(place, "push", "-q", "origin", "HEAD")
    assert two.sync().did == "taken"
    assert two.texts() == {"The spare keys hang behind the green door."}
    two.sync()
    one.say("Tea is at six.", "tea")
    assert one.sync().did == "united"
    two.sync()
    assert one.head == two.head
    one.sound()
    git(place, "pull", "-q", "--ff-only")
    assert git(place, "rev-parse", "HEAD") == one.head
    git(Path(one.remote), "fsck", "--full", "--strict")


def test_a_memory_that_git_cloned_and_opened_syncs_as_a_copy(pair: tuple[Copy, Copy], tmp_path: Path) -> None:
    one, _ = pair
    home = tmp_path / "c"
    home.mkdir()
    git(tmp_path, "clone", "-q", one.remote, str(home / "memory"))
    with Copy(home) as three:
        three.say("Tea is at six.", "tea")
        assert three.sync(remote="origin").pushed
        assert one.sync().did == "taken"
        assert one.head == three.head


def test_a_branch_that_git_merged_by_hand_is_taken_in(pair: tuple[Copy, Copy], tmp_path: Path) -> None:
    one, two = pair
    place = tmp_path / "by-hand"
    git(tmp_path, "clone", "-q", one.remote, str(place))
    git(place, "switch", "-q", "-c", "side")
    topic = place / "topics" / "keys.md"
    topic.write_text(topic.read_text().replace("blue", "green"))
    git(place, "commit", "-q", "-a", "-m", "Green")
    git(place, "switch", "-q", "main")
    git(place, "merge", "-q", "--no-ff", "-m", "By hand", "side")
    git(place, "push", "-q", "origin", "HEAD")
    assert two.sync().did == "taken"
    assert two.texts() == {"The spare keys hang behind the green door."}
    two.sound()


def test_whoever_was_faster_is_taken_in_before_the_push_is_tried_again(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    one.say("The gate is green.", "house")
    two.say("Tea is at six.", "tea")
    real = Remote.push
    raced: list[bool] = []

    def late(self: Remote, *arguments: Any) -> bool:
        if not raced:
            raced.append(True)
            one.sync()
        return real(self, *arguments)

    with patch.object(Remote, "push", late):
        # The push of the first is patched too, and it is no longer late.
        done = two.sync()
    assert (done.did, done.pushed) == ("united", True)
    one.sync()
    assert one.head == two.head
    one.sound()


def test_a_race_that_does_not_end_is_given_up_and_what_was_taken_in_stays(pair: tuple[Copy, Copy]) -> None:
    one, two = pair
    one.say("The gate is green.", "house")
    one.sync()
    two.say("Tea is at six.", "tea")
    with patch.object(Remote, "push", lambda self, *arguments: False):
        assert two.codes() == [Code.CONCURRENT_UPDATE]
    assert two.texts() >= {"The gate is green.", "Tea is at six."}
    assert two.sync().pushed


def test_a_server_on_this_computer_is_met_where_that_is_asked_for(pair: tuple[Copy, Copy]) -> None:
    from dulwich.repo import Repo
    from dulwich.server import DictBackend
    from dulwich.web import WSGIRequestHandlerLogger, WSGIServerLogger, make_wsgi_chain

    one, two = pair
    with Repo(one.remote) as repo:
        chain = make_wsgi_chain(DictBackend({"/memory.git": repo}))  # type: ignore[arg-type]
        server = make_server(
            "127.0.0.1", 0, chain, handler_class=WSGIRequestHandlerLogger, server_class=WSGIServerLogger
        )
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            address = f"http://127.0.0.1:{server.server_port}/memory.git"
            assert one.codes(remote=address) == [Code.INVALID_ARGUMENT]
            one.say("The gate is green.", "house")
            assert one.sync(remote=address, loopback=True).pushed
            two.say("Tea is at six.", "tea")
            assert two.sync(remote=address, loopback=True).did == "united"
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
    one.sync()
    assert one.head == two.head


def test_a_host_is_met_through_the_ssh_program(
    pair: tuple[Copy, Copy], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = pair
    program = tmp_path / "bin" / "ssh"
    program.parent.mkdir()
    # What the host would do: its shell runs the last argument.
    program.write_text('#!/bin/sh\necho "$@" >> "$0.log"\nfor last; do :; done\nexec sh -c "$last"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    git(tmp_path, "--version")
    one.say("The gate is green.", "house")
    assert one.sync(remote=f"ssh://me@example.org{one.remote}").pushed
    two.say("Tea is at six.", "tea")
    assert two.sync(remote=f"me@example.org:{one.remote}").did == "united"
    assert "me@example.org" in (program.parent / "ssh.log").read_text()
    one.sync()
    assert one.head == two.head


def test_nobody_there_is_said_and_changes_nothing(pair: tuple[Copy, Copy], tmp_path: Path) -> None:
    one, _ = pair
    before = one.head
    assert one.codes(remote=str(tmp_path / "nowhere")) == [Code.GIT_UNAVAILABLE]
    assert one.codes(remote="http://127.0.0.1:9/m.git", loopback=True) == [Code.GIT_UNAVAILABLE]
    assert one.head == before
    assert not (one.root / ".scriptorium" / "incoming").exists()
