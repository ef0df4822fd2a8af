"""The page on the demo's memory, as a person starts it: one command, one address."""

import http.client
import json
import signal
import subprocess
import sys
from pathlib import Path

from test_web_server import surroundings


def test_serve_demo_shows_the_page_of_the_demo_and_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "scriptorium", "--json", "serve", "--demo", "--port", "0"]
    around = {**surroundings(), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, env=around, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout is not None
            lines = ""
            while not lines.rstrip().endswith("}"):
                line = child.stdout.readline()
                assert line, child.poll()
                lines += line
            said = json.loads(lines)
            connection = http.client.HTTPConnection(said["address"].removeprefix("http://"), timeout=60)
            headers = {"Authorization": f"Bearer {said['token']}"}
            connection.request("GET", "/memory/topics/trips/porto.md", headers=headers)
            answer = connection.getresponse()
            page = answer.read().decode()
            assert answer.status == 200
            assert "Pensão Flor" in page
        finally:
            child.send_signal(signal.SIGTERM)
            child.wait(90)
    assert list(tmp_path.glob("scriptorium-demo-*")) == []
