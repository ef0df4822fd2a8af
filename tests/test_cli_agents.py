"""The commands `mcp` and `grep`: what they say to a person, and what the README says of them."""

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters

from cli_example import ROOT, fresh_home, in_a_process, run, run_json, surroundings
from mcp_clients import called
from scriptorium import Memory


def test_grep_says_of_evidence_which_record_rests_on_it_and_of_a_line_that_says_no_id_whose_it_is(
    tmp_path: Path,
) -> None:
    home = fresh_home(tmp_path)
    hits = run_json("--home", home, "grep", "Time: `2026-03", "--topic", "people")["hits"]
    assert hits
    for hit in hits:
        label = hit["text"].split(":")[0]
        (cited,) = run_json("--home", home, "grep", f"{label} ^{hit['evidence_of']}")["hits"]
        assert (hit["record"], cited["record"]) == ("", hit["evidence_of"])
    with Memory.open(home / "memory") as memory:
        told = run("--home", home, "grep", "Time: `2026-03", "--topic", "people").out.splitlines()
        assert [line.split("  evidence of ^")[1] for line in told] == [hit["evidence_of"] for hit in hits]
        memory.remember("The first line of a long one\nand the second.", topic="keys")
    line = run("--home", home, "grep", "first line of").out.splitlines()[0]
    (hit,) = run_json("--home", home, "grep", "first line of")["hits"]
    assert line.endswith(f"  ^{hit['record']}")


def test_grep_names_the_line_and_the_record(tmp_path: Path) -> None:
    home = fresh_home(tmp_path)
    (hit,) = run_json("--home", home, "grep", "shellfish", "--topic", "people")["hits"]
    assert "shellfish" in hit["text"]
    ran = run("--home", home, "grep", "SHELLFISH", "-i", "-n", "1")
    assert ran.code == 0
    assert ran.out.startswith(f"{hit['path']}:{hit['line']}: ")
    line = ran.out.splitlines()[0]
    assert line.endswith(f" ^{hit['record']}")
    assert line.count(hit["record"]) == 1, "the line says itself of which record it is"
    assert run("--home", home, "grep", "SHELLFISH").out.strip() == "nothing found"
    assert run("--home", home, "grep", " ").code == 2
    with Memory.open(home / "memory") as memory:
        assert [each.record for each in memory.grep("shellfish", topic="people").hits] == [hit["record"]]


def test_the_line_of_the_readme_gives_an_agent_memory(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    (settings,) = (json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", readme, re.M | re.S))
    server = settings["mcpServers"]["memory"]
    script = tmp_path / server["command"]
    script.write_text(f"#!{sys.executable}\nimport sys\nfrom scriptorium.cli import main\nsys.exit(main())\n")
    script.chmod(0o755)
    env = {**surroundings(), "SCRIPTORIUM_HOME": str(tmp_path / "home")}
    agent = StdioServerParameters(command=str(script), args=server["args"], env=env)

    async def talk() -> None:
        async with asyncio.timeout(120), Client(agent) as client:
            await called(client, "memory_remember", text="I take oats for breakfast.")
            assert (await called(client, "memory_search", query="breakfast"))["hits"]

    asyncio.run(talk())
    assert (tmp_path / "home" / "memory" / "topics").is_dir()


def test_without_the_extra_it_says_what_to_install() -> None:
    code = "import sys; sys.modules['mcp'] = None; from scriptorium.cli import main; sys.exit(main(['mcp']))"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=surroundings(),
        capture_output=True,
        text=True,
        input="",
        check=False,
    )
    assert ran.returncode == 2
    assert "pip install 'scriptorium-memory[mcp]'" in ran.stderr
    assert "Traceback" not in ran.stderr
    assert ran.stdout == ""


def test_nothing_else_loads_the_sdk(tmp_path: Path) -> None:
    home = fresh_home(tmp_path)
    heavy = "mcp mcp_types pydantic starlette uvicorn anyio jsonschema".split()
    loaded = f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)"
    code = f"import sys; from scriptorium.cli import main; main(sys.argv[1:]); {loaded}"
    for words in (["--help"], ["mcp", "--help"], ["--home", str(home), "search", "dinner"]):
        ran = subprocess.run(
            [sys.executable, "-c", code, *words],
            env=surroundings(),
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stderr.strip() == "[]", words


def test_the_help_shows_the_settings() -> None:
    ran = in_a_process("mcp", "--help")
    assert '{"mcpServers": {"memory": {"command": "scriptorium", "args": ["mcp"]}}}' in ran.out
