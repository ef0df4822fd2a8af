"""The requests that the README gives are made as they stand there, and leave out no route."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scriptorium.service import Service
from web_homes import API, Client, served

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")
(BLOCK,) = re.findall(r"^```curl\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)

# Every request fails where its status says so, and says nothing of how it got on.
SCRIPT = 'set -euo pipefail\ncurl() { command curl -sS --fail-with-body "$@"; }\n'


def prepared(home: Path) -> None:
    """The home that a reader of the README has by then."""
    with Service(home) as service:
        service.import_paths([ROOT / "examples" / "demo.jsonl"])
        service.write(force=True)


def routes(client: Client) -> set[tuple[str, str]]:
    """All methods and paths of the description."""
    paths: dict[str, Any] = client.get("/openapi.json").json["paths"]
    return {(method.upper(), path) for path, item in paths.items() for method in item}


def meant(line: str) -> tuple[str, str]:
    """Method and path of a line: that of its last request."""
    method = re.findall(r"-X (\w+)", line) or (["POST"] if "--json" in line else ["GET"])
    return method[-1], API + re.findall(r'"\$M(/[^"?]*)', line)[-1]


def is_of(method: str, path: str, asked: tuple[str, str]) -> bool:
    pattern = re.sub(r"\\\{(\w+)\\\}", lambda found: ".+" if found[1] == "path" else "[^/]+", re.escape(path))
    pattern = pattern.replace("/why/[^/]+", "/why/.+")
    return method == asked[0] and re.fullmatch(pattern, asked[1]) is not None


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_every_request_of_the_readme_is_answered(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with served(home) as client:
        prepared(home)
        given = f'H="Authorization: Bearer {client.token}"\nM=http://127.0.0.1:{client.port}{API}\n'
        done = subprocess.run(
            ["bash", "-xc", SCRIPT + given + BLOCK], capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == 0, done.stdout[-500:] + done.stderr[-2_000:]
        # The description and a head have no `ok`; two answers go into a variable.
        assert done.stdout.count('{"ok":true') == len(BLOCK.splitlines()) - 4
        assert "Be brief." in client.get("/core").json["content"]
        assert client.get("/records/1dd1c588").code == "FORGOTTEN"


def test_the_questions_of_the_readme_find_something(tmp_path: Path) -> None:
    asked = re.findall(r'"\$M(/(?:search|context)\?[^"]+)"', BLOCK)
    with served(tmp_path) as client:
        prepared(tmp_path)
        found = [client.get(question).json for question in asked]
    assert len(found) == 2
    assert all("allergic to shellfish" in str(each) for each in found)


def test_no_route_is_left_out(tmp_path: Path) -> None:
    asked = [meant(line) for line in BLOCK.splitlines()]
    with served(tmp_path) as client:
        left_out = [
            (method, path)
            for method, path in routes(client)
            if not any(is_of(method, path, a) for a in asked)
        ]
    assert left_out == []
