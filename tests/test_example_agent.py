"""The example runtime: the second session answers from the memory of the first, cited."""

import re
import subprocess
import sys

from cli_example import ROOT, surroundings

AGENT = ROOT / "examples" / "agent.py"


def test_the_second_session_answers_from_the_firsts_memory_with_citations() -> None:
    done = subprocess.run(
        [sys.executable, str(AGENT)],
        env=surroundings(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    first, rest = done.stdout.split("second session\n")
    second, unknown = rest.split("a session with somebody unknown\n")
    assert "of them a summary keeps: - I am Mara. - From now on, write prices in euros." in first
    assert "(written: 3 records" in first
    cited = r"agent:  You told me: “{}” \[\^[0-9a-z-]+: user, [0-9: -]+ \(agent/monday/[0-9a-f]+\)\]"
    for words in (
        "My sister Ines is allergic to shellfish.",
        "I decided to take the night train to Porto on 8 May 2026.",
    ):
        assert re.search(cited.format(re.escape(words)), second), second
    assert "Peru?\n  agent:  My memory holds nothing on that." in second
    assert "agent:  My memory holds nothing on that." in unknown
    assert "You told me" not in unknown
    assert "memory failed" not in done.stdout


def test_each_member_of_a_backend_is_named_where_it_is_called() -> None:
    text = AGENT.read_text("utf-8")
    members = "is_available initialize shutdown system_prompt search write reorganize extract_before_discard"
    assert all(member in text for member in members.split())
    assert len(text.splitlines()) < 120
