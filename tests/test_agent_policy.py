"""What a policy lets an agent write: what is denied is not outlined, not written over, and not told of."""

from pathlib import Path

from agent_homes import agent, failed, keep, offered, talks, topic, wrote
from kept_homes import Clock
from scriptorium_core.problem import Code
from small_homes import committed, create, git, opened, request

POLICY = """\
version = 1

[actors.secretary]
like = "agent"

[[rules]]
actors = ["agent"]
allow = ["read", "search", "inject", "write"]

[[rules]]
actors = ["secretary"]
deny = ["read"]
paths = ["topics/private/**"]
"""
PRIVATE = "topics/private/health.md"


def filled(home: Path) -> str:
    """A home with a private record, whose id is given, and a conversation that would match it."""
    talks(home, s1=["My knee aches when it rains."])
    with agent(home, Clock(), "owner") as owner:
        owner.change(request(create("The knee aches.", PRIVATE)))
        owner.change(request(create("The knee bends.", "topics/open.md")))
        block = next(row.record.id for row in owner.recent().rows if row.record.topic_path == PRIVATE)
    root = home / "memory"
    (root / "policy.toml").write_text(POLICY)
    git(root, "add", "policy.toml")
    git(root, "commit", "-q", "-m", "A policy", "--", "policy.toml")
    return block


def test_a_secretary_writes_what_it_may_and_hears_nothing_of_the_rest(tmp_path: Path) -> None:
    block = filled(tmp_path)
    with agent(tmp_path, Clock(), "secretary") as service:
        given = offered(service)
        assert "The knee bends." in given.outline
        assert "private" not in given.outline
        assert "aches" not in given.outline
        gone = {"op": "delete_record", "memory_id": block}
        first = failed(service.hand_in(given.batch, [gone]), Code.COMMIT_REJECTED, attempts=1)
        assert "private" not in repr(first)
        assert [problem.code for problem in first.problems] == [Code.MEMORY_NOT_FOUND]
        done = wrote(service.hand_in(given.batch, [keep(*given.refs, path="topics/open.md")]))
        assert done.topics == ("topics/open.md",)
    with opened(tmp_path / "memory") as memory:
        assert f"^{block}".encode() in (committed(memory)[PRIVATE] or b"")


def test_a_whole_topic_that_is_denied_is_not_written_over(tmp_path: Path) -> None:
    filled(tmp_path)
    with agent(tmp_path, Clock(), "secretary") as service:
        given = offered(service)
        whole = [{"path": PRIVATE, "action": "write", "content": topic(given.refs[0])}]
        first = failed(service.hand_in(given.batch, changes=whole), Code.COMMIT_REJECTED, attempts=1)
        assert {problem.code for problem in first.problems} == {Code.NOT_PERMITTED}
        assert "aches" not in repr(first)
    with opened(tmp_path / "memory") as memory:
        assert b"The knee aches." in (committed(memory)[PRIVATE] or b"")
