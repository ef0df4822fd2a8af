"""A program that edits files writes memory: whatever it does in its directory, an edit or a named failure."""

import json
from pathlib import Path

import pytest

from agent_programs import REF, TOPIC, WRITES, an_agent, edited, failed
from scriptorium.stage import LONGEST_TOPIC
from scriptorium.workspace import Memory
from scriptorium.writer import Edited, NothingProposed
from scriptorium_core.names import BlockId
from scriptorium_core.problem import Code, Problem
from small_homes import opened, written


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return opened(tmp_path / "memory")


def test_what_a_program_writes_below_topics_is_the_edit(memory: Memory, tmp_path: Path) -> None:
    lines = WRITES + 'pathlib.Path("RESULT.json").write_text(json.dumps({"summary": "Mara\\nmoved"}))'
    agent = an_agent(memory, tmp_path, lines)
    answer = edited(agent)
    assert list(answer.stage.tree.differences()) == [TOPIC]
    assert answer.summary == "Mara moved"
    assert answer.dropped == ()
    assert answer.used.calls == 1
    assert agent.told == ["my-writer reads and edits a copy of the memory"]
    assert not list(memory.layout.staging.iterdir())


def test_a_program_is_given_the_batch_the_rules_and_the_memory(memory: Memory, tmp_path: Path) -> None:
    written(memory, "Mara lives in Porto.", topic=TOPIC)
    lines = """
given = sys.stdin.read()
seen = pathlib.Path("topics/seen.md")
def mode(path): return oct(os.stat(path).st_mode & 0o777)
told = {"batch": pathlib.Path("BATCH.md").read_text(),
    "same": given == pathlib.Path("INSTRUCTIONS.md").read_text(),
    "given": given, "mara": pathlib.Path("topics/people/mara.md").read_text(),
    "modes": [mode(name) for name in ("BATCH.md", "INSTRUCTIONS.md", "topics/people/mara.md")],
    "sources": [mode(path) for path in pathlib.Path("sources").rglob("*.md")]}
seen.write_text(json.dumps(told))
"""
    tree = edited(an_agent(memory, tmp_path, lines)).stage.tree
    told = json.loads(tree.get("topics/seen.md") or b"")
    assert f'{{"ref": "{REF}", "speaker": "Mara", "content": "I moved to Lisbon."}}' in told["batch"]
    assert told["same"]
    assert "Today is 2026-04-03." in told["given"]
    assert TOPIC in told["given"]  # the outline
    assert "RESULT.json" in told["given"]
    assert "Mara lives in Porto." in told["mara"]
    assert told["modes"] == ["0o444", "0o444", "0o600"]
    assert set(told["sources"]) == {"0o444"}


def test_the_second_time_it_is_told_what_was_wrong(memory: Memory, tmp_path: Path) -> None:
    lines = 'pathlib.Path("topics/seen.md").write_text(sys.stdin.read())'
    problem = Problem(Code.BLOCK_LOST, "the record ^a1 is gone", TOPIC, 7, "put it back")
    text = (
        edited(an_agent(memory, tmp_path, lines), problem).stage.tree.get("topics/seen.md") or b""
    ).decode()
    for word in ("BLOCK_LOST", "the record ^a1 is gone", f"{TOPIC}:7", "put it back"):
        assert word in text


def test_stray_files_are_named_and_dropped(memory: Memory, tmp_path: Path) -> None:
    lines = (
        WRITES
        + """
pathlib.Path("notes.txt").write_text("mine")
pathlib.Path("topics/todo.txt").write_text("mine")
pathlib.Path("node_modules/deep").mkdir(parents=True)
pathlib.Path("node_modules/deep/index.js").write_text("mine")
os.symlink("/etc/passwd", "topics/passwd.md")
os.symlink("/etc", "topics/etc")
os.mkfifo("topics/pipe.md")
"""
    )
    answer = edited(an_agent(memory, tmp_path, lines))
    assert list(answer.stage.tree.differences()) == [TOPIC]
    assert {each.path for each in answer.dropped} == {
        "notes.txt",
        "topics/todo.txt",
        "node_modules/deep/index.js",
        "topics/passwd.md",
        "topics/etc",
        "topics/pipe.md",
    }
    assert all(each.remedy for each in answer.dropped)


def test_of_very_many_stray_files_some_are_named(memory: Memory, tmp_path: Path) -> None:
    lines = WRITES + 'for n in range(250): pathlib.Path(f"stray{n}").write_text("")'
    answer = edited(an_agent(memory, tmp_path, lines))
    assert len(answer.dropped) == 101
    assert "150 more" in answer.dropped[-1].message


def test_a_giant_topic_is_dropped_and_the_rest_is_taken(memory: Memory, tmp_path: Path) -> None:
    lines = WRITES + f'pathlib.Path("topics/giant.md").write_bytes(b"x" * {LONGEST_TOPIC + 1})'
    answer = edited(an_agent(memory, tmp_path, lines))
    assert list(answer.stage.tree.differences()) == [TOPIC]
    assert [(each.path, "4 MiB" in each.message) for each in answer.dropped] == [("topics/giant.md", True)]


def test_a_link_in_the_place_of_a_topic_changes_nothing(memory: Memory, tmp_path: Path) -> None:
    written(memory, "Mara lives in Porto.", topic=TOPIC)
    secret = tmp_path / "secret"
    secret.write_text("# Secret\n")
    lines = f'os.unlink("{TOPIC}"); os.symlink("{secret}", "{TOPIC}")'
    assert failed(an_agent(memory, tmp_path, lines)).code is Code.WRITER_NO_PROGRESS


def test_changed_archives_are_in_the_edit_so_that_they_are_refused(memory: Memory, tmp_path: Path) -> None:
    written(memory, "Mara lives in Porto.", topic=TOPIC)
    lines = """
path = next(pathlib.Path("sources").rglob("*.md"))
os.chmod(path, 0o600)
path.write_text(path.read_text().replace("I said so.", "I never said so."))
"""
    assert [
        path.partition("/")[0] for path in edited(an_agent(memory, tmp_path, lines)).stage.tree.differences()
    ] == ["sources"]


def test_deletions_are_declared_with_their_reasons(memory: Memory, tmp_path: Path) -> None:
    gone, still, kept = written(memory, "Mara likes tea.", "Mara is 31.", "Mara has a cat.", topic=TOPIC)
    lines = f"""
path = pathlib.Path("{TOPIC}")
parts = path.read_text().split("\\n\\n")
path.write_text("\\n\\n".join(part for part in parts if "likes tea" not in part))
deleted = [{{"id": "^{gone}", "reason": "said twice"}}, {{"id": "{still}", "reason": "wrong"}},
    {{"id": "nobody", "reason": "why not"}}, {{"id": "{kept}"}}]
pathlib.Path("RESULT.json").write_text(json.dumps({{"summary": "Less", "deleted": deleted}}))
"""
    answer = edited(an_agent(memory, tmp_path, lines))
    text = (answer.stage.tree.get(TOPIC) or b"").decode()
    assert answer.stage.deleted == {BlockId(gone), BlockId(still)}
    assert sorted(reason for _, reason in answer.stage.reasons) == sorted(
        [f"{gone}: said twice", f"{still}: wrong"]
    )
    assert "tea" not in text
    assert "31" not in text
    assert "cat" in text
    assert [each.path.partition(":")[0] for each in answer.dropped] == ["RESULT.json", "RESULT.json"]


@pytest.mark.parametrize(
    "lines",
    [
        """pathlib.Path("RESULT.json").write_text('{"nothing_to_keep": "small talk"}')""",
        'print("I looked at all of it.\\n\\n**nothing_to_keep: small talk**")',
        'print(json.dumps({"type": "result", "result": "nothing_to_keep: small talk", "is_error": False}))',
    ],
)
def test_that_nothing_is_worth_keeping_is_said(memory: Memory, tmp_path: Path, lines: str) -> None:
    answer = an_agent(memory, tmp_path, lines).asked()
    assert isinstance(answer, NothingProposed)
    assert answer.reason == "small talk"


@pytest.mark.parametrize(
    "lines",
    [
        "pass",
        'print("I have written everything down.")',
        """pathlib.Path("RESULT.json").write_text('{"summary": "all done"}')""",
        'pathlib.Path("RESULT.json").write_text("not json")',
        'pathlib.Path("RESULT.json").mkdir()',
        'os.symlink("/etc/passwd", "RESULT.json")',
        'pathlib.Path("notes.md").write_text("# Mara")',
    ],
)
def test_a_claim_without_an_edit_is_no_progress(memory: Memory, tmp_path: Path, lines: str) -> None:
    outcome = failed(an_agent(memory, tmp_path, lines))
    assert outcome.code is Code.WRITER_NO_PROGRESS
    assert not outcome.retryable


def test_an_edit_counts_whatever_is_said_of_it(memory: Memory, tmp_path: Path) -> None:
    lines = WRITES + """pathlib.Path("RESULT.json").write_text('{"nothing_to_keep": "nothing"}')"""
    assert list(edited(an_agent(memory, tmp_path, lines)).stage.tree.differences()) == [TOPIC]


def test_a_program_that_hangs_is_ended_with_all_that_it_began(memory: Memory, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    lines = f"""
import signal, subprocess
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path("{pids}").write_text(f"{{os.getpid()}} {{child.pid}}")
time.sleep(600)
"""
    outcome = failed(an_agent(memory, tmp_path, lines, timeout=2))
    assert (outcome.code, outcome.retryable) == (Code.MODEL_TIMEOUT, True)
    assert "2 seconds" in outcome.message
    for pid in map(int, pids.read_text().split()):
        assert _ended(pid)


def test_what_a_program_leaves_running_is_ended_with_it(memory: Memory, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    lines = (
        WRITES
        + f"""
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
pathlib.Path("{pid}").write_text(str(child.pid))
"""
    )
    edited(an_agent(memory, tmp_path, lines))
    assert _ended(int(pid.read_text()))


def _ended(pid: int) -> bool:
    """Whether a process is gone, or dead and only not yet counted."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return not Path("/proc/self").exists() or not Path(f"/proc/{pid}").exists()


def test_a_crash_is_a_failure_that_may_pass(memory: Memory, tmp_path: Path) -> None:
    outcome = failed(an_agent(memory, tmp_path, WRITES + 'sys.exit("Segmentation fault in the model")'))
    assert (outcome.code, outcome.retryable) == (Code.WRITER_FAILURE_UNKNOWN, True)
    assert "exit code 1" in outcome.message
    assert "Segmentation fault in the model" in outcome.message


def test_of_huge_output_only_the_ends_are_kept(memory: Memory, tmp_path: Path) -> None:
    lines = """
for _ in range(300): sys.stdout.write("x" * 100_000)
sys.stderr.write("y" * 5_000_000)
sys.exit("the very end")
"""
    outcome = failed(an_agent(memory, tmp_path, lines))
    assert outcome.message.endswith("the very end")
    assert len(outcome.message) < 500


def test_input_that_is_not_read_harms_nothing(memory: Memory, tmp_path: Path) -> None:
    written(memory, *(f"Fact number {n} of many." for n in range(60)), topic=TOPIC)
    lines = "os.close(0)\n" + WRITES.replace("mara.md", "new.md")
    assert "topics/people/new.md" in edited(an_agent(memory, tmp_path, lines)).stage.tree.differences()


def test_an_organizing_program_is_told_which_topics_are_meant(memory: Memory, tmp_path: Path) -> None:
    written(memory, "Mara lives in Porto.", topic=TOPIC)
    written(memory, "The door is blue.", topic="topics/doors.md")
    lines = """
told = sys.stdin.read()
assert not pathlib.Path("BATCH.md").exists()
pathlib.Path("topics/seen.md").write_text(told)
"""
    answer = an_agent(memory, tmp_path, lines).organizes(TOPIC)
    assert isinstance(answer, Edited), answer
    text = (answer.stage.tree.get("topics/seen.md") or b"").decode()
    assert f'{{"topic": "{TOPIC}"}}' in text
    assert "topics/doors.md" not in text
    assert "put in order" in text
