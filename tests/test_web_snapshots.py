"""What one answer says is of one commit, whoever writes meanwhile."""

import threading
from pathlib import Path
from typing import Any

from scriptorium import credentials
from scriptorium_core.policy import READER
from web_homes import Client, served


def core(word: str) -> dict[str, Any]:
    """The body of a core that says one thing."""
    says = f"Answer in {word} English."
    content = f"# Core\n\n{says}[^e-1]\n\n[^e-1]: Time: `2026-04`; Sources: [Owner](new-source-a)\n"
    return {"content": content, "sources": [{"label": "new-source-a", "role": "user", "content": says}]}


def test_the_core_is_of_one_commit_while_it_is_written(tmp_path: Path) -> None:
    with served(tmp_path / "home") as client:
        client.send("PUT", "/core", core("British"), if_none_match="*")
        done = threading.Event()

        def write() -> None:
            for turn in range(12):
                now = client.get("/core")
                old, new = ("British", "Indian") if turn % 2 == 0 else ("Indian", "British")
                body = {"content": now.json["content"].replace(old, new)}
                assert client.send("PUT", "/core", body, if_match=now.headers["etag"]).status == 200
            done.set()

        writer = threading.Thread(target=write)
        writer.start()
        seen = []
        while not done.is_set() and writer.is_alive():
            seen.append(client.get("/core"))
        writer.join()
    assert done.is_set()
    for reply in seen:
        said = reply.json
        word = "British" if "British" in said["content"] else "Indian"
        assert word in said["rendered_content"]
        assert word in said["injected_content"]
        assert reply.headers["etag"].strip('"')[:12] in said["injected_content"]
    assert len({reply.headers["etag"] for reply in seen}) > 1


def test_of_many_who_save_what_they_have_read_each_is_kept_or_told(tmp_path: Path) -> None:
    with served(tmp_path / "home") as client:
        client.send("PUT", "/core", core("British"), if_none_match="*")
        read = client.get("/core")
        replies = []

        def save(number: int) -> None:
            body = {"content": read.json["content"].replace("British", f"Number{number}")}
            replies.append((number, client.send("PUT", "/core", body, if_match=read.headers["etag"]).status))

        threads = [threading.Thread(target=save, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        kept = client.get("/core").json["content"]
    (winner,) = [number for number, status in replies if status == 200]
    assert f"Number{winner} English" in kept
    assert sorted(status for _, status in replies) == [200] + [412] * 7


def test_who_may_only_read_sees_the_same_and_changes_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with served(home) as client:
        client.send("PUT", "/core", core("British"), if_none_match="*")
        reader = Client(client.host, client.port, credentials.create(home, READER))
        read = reader.get("/core")
        assert read.json["content"] == client.get("/core").json["content"]
        reply = reader.send("PUT", "/core", core("Indian"), if_match=read.headers["etag"])
        assert (reply.status, reply.code) == (403, "NOT_PERMITTED")
        gone = reader.ask("DELETE", "/api/memory/topics/core.md", if_match=read.headers["etag"])
        assert (gone.status, gone.code) == (403, "NOT_PERMITTED")
        assert reader.get("/held").status == 403
