"""Commits that a person makes by hand between ours: they stand; what they broke is said."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cli_example import run, run_json
from scriptorium.layout import git_program
from scriptorium.service import Service
from scriptorium.service.forgetting import Forgotten
from scriptorium.workspace import Committed
from scriptorium_core.problem import Code, Problem
from scriptorium_core.recall import Query
from scriptorium_core.trailers import values_of
from small_homes import create, git, listed, request, service, told

pytestmark = pytest.mark.skipif(git_program() is None, reason="git is not installed")

KEYS, TALK = "topics/keys.md", "sources/chat/_v2/s1.md"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a written conversation and two records of the owner's, which the last change left sound."""
    told(tmp_path)
    listed(tmp_path)
    with service(tmp_path) as asked:
        asked.change(request(create("One."), create("Two.")))
        assert asked.verify().holds
    return tmp_path


def by_hand(home: Path, path: str, edit: Callable[[str], str | None]) -> str:
    """A person changes a file, or removes it, and commits; the id of the commit."""
    file = home / "memory" / path
    text = edit(file.read_text() if file.exists() else "")
    if text is None:
        file.unlink()
    else:
        file.write_text(text)
    git(home / "memory", "add", "-A")
    git(home / "memory", "commit", "-q", "-m", "Mine")
    return git(home / "memory", "rev-parse", "HEAD").strip()


def without(content: str) -> Callable[[str], str]:
    """The topic without the paragraph that begins so."""
    return lambda text: "\n\n".join(part for part in text.split("\n\n") if not part.startswith(content))


def told_broken(asked: Service) -> list[Problem]:
    """What status says is broken, which verify says as well."""
    found = asked.status().broken
    problems = [each.problem for each in asked.verify().findings if each.level == "problem"]
    assert set(found) <= set(problems)
    return list(found)


def one_more(asked: Service) -> None:
    assert isinstance(asked.change(request(create("Three."), says="Three.")), Committed)


def test_a_branch_that_was_changed_in_place_beside_an_archive_is_named_until_it_is_back(
    home: Path,
) -> None:
    context = TALK.replace(".md", ".jsonl")
    by_hand(home, context, lambda text: text.replace('"branch":"live"', '"branch":"abandoned"', 1))
    commit = git(home / "memory", "rev-parse", "HEAD").strip()
    with service(home) as asked:
        for _ in range(2):
            (problem,) = told_broken(asked)
            assert (problem.code, problem.path) == (Code.SOURCES_CHANGED, TALK)
            assert "was changed beside it" in problem.message
            assert f"git revert {commit[:10]}" in problem.remedy
            one_more(asked)
    by_hand(home, context, lambda text: text.replace('"branch":"abandoned"', '"branch":"live"', 1))
    with service(home) as asked:
        assert told_broken(asked) == []


def test_a_record_that_vanished_is_named_until_it_is_back(home: Path) -> None:
    with service(home) as asked:
        (gone,) = [row.record.id for row in asked.recent().rows if row.record.content == "One."]
    commit = by_hand(home, KEYS, without("One."))
    by_hand(home, KEYS, lambda text: text.replace("Two.", "Two and a half."))
    with service(home) as asked:
        for _ in range(2):
            (problem,) = told_broken(asked)
            assert (problem.code, problem.path, problem.line) == (Code.BLOCK_LOST, KEYS, 3)
            assert f"^{gone} (One.)" in problem.message
            assert commit[:10] in problem.message
            assert f"restore ^{gone} --from {commit[:10]}~1" in problem.remedy
            one_more(asked)
        (adopting,) = [entry for entry in asked.log() if entry.kind == "adopt"]
        assert values_of(adopting.trailers, "Lost") == (gone,)
        assert [each.name for each in asked.why(asked.recent().rows[0].record.id).history] == ["Created"]
    assert f"BLOCK_LOST {KEYS}:3" in run("status", "--home", home).out
    assert run("verify", "--home", home).code == 1
    assert run("restore", f"^{gone}", "--from", f"{commit[:10]}~1", "--home", home).code == 0
    with service(home) as asked:
        assert told_broken(asked) == []
        assert asked.verify().holds


def test_a_record_that_vanished_may_be_forgotten(home: Path) -> None:
    with service(home) as asked:
        (gone,) = [row.record.id for row in asked.recent().rows if row.record.content == "One."]
    by_hand(home, KEYS, without("One."))
    with service(home) as asked:
        one_more(asked)
        asked.forget([gone])
        assert told_broken(asked) == []
        assert asked.verify().holds


def test_a_record_that_only_moved_is_not_lost(home: Path) -> None:
    file = home / "memory" / KEYS
    (home / "memory/topics/other.md").write_text(file.read_text())
    by_hand(home, KEYS, lambda text: None)
    with service(home) as asked:
        one_more(asked)
        assert told_broken(asked) == []
        assert asked.verify().holds


def cut(text: str) -> str:
    """The archive without its last message."""
    return text[: text.rindex('<a id="source-')]


def reworded(text: str) -> str:
    return text.replace("Lisbon", "Madrid").replace("allergic", "partial")


@pytest.mark.parametrize(
    ("edit", "word"), [(cut, "is gone"), (reworded, "was changed"), (lambda text: None, "is gone")]
)
def test_evidence_that_was_changed_or_removed_is_a_finding_and_reverting_ends_it(
    home: Path, edit: Callable[[str], str | None], word: str
) -> None:
    commit = by_hand(home, TALK, edit)
    with service(home) as asked:
        for _ in range(2):
            found = [each for each in told_broken(asked) if each.code is Code.SOURCES_CHANGED]
            assert {problem.path for problem in found} == {TALK}
            assert all(word in each.message and commit[:10] in each.message for each in found)
            assert all(f"git revert {commit[:10]}" in each.remedy for each in found)
            one_more(asked)
    git(home / "memory", "revert", "--no-edit", commit)
    with service(home) as asked:
        assert told_broken(asked) == []
        one_more(asked)
        assert told_broken(asked) == []
        assert asked.verify().holds


def test_a_record_whose_evidence_is_gone_is_believed_no_more(home: Path) -> None:
    with service(home) as asked:
        shown = {row.record.id for row in asked.recent().rows if row.trusted}
        assert shown == {row.record.id for row in asked.recent().rows}
    by_hand(home, TALK, lambda text: None)
    with service(home) as asked:
        one_more(asked)
        doubtful = [row for row in asked.recent().rows if not row.trusted]
        assert doubtful
        assert all(source.startswith(("chat/s1/", TALK)) for row in doubtful for source in row.sources)
        assert not any(row.record.content in asked.core().text for row in doubtful)


def test_consent_that_nobody_gave_is_a_finding(home: Path) -> None:
    from scriptorium_core.changes import Caller

    with service(home) as asked:
        said = request(create("Zed digs.", source="new-source-a"), says="Zed digs.")
        asked.change(said, Caller.unknown("tg/9", "Zed"))
        (waiting,) = asked.held().messages
    path = waiting.turn.place.partition("#")[0]
    by_hand(home, path, lambda text: re.sub(r"<!-- source-meta:.* -->\n", "", text))
    with service(home) as asked:
        one_more(asked)
        (problem,) = told_broken(asked)
        assert (problem.code, problem.path) == (Code.SOURCES_CHANGED, path)
        asked.forget([waiting.turn.source])
        assert told_broken(asked) == []


def test_an_instruction_without_the_owners_words_is_a_finding_and_undoing_ends_it(home: Path) -> None:
    with service(home) as asked:
        (place,) = [
            turn.place
            for row in asked.topics()
            for turn in [each.turn for each in asked.why(asked.recent().rows[-1].record.id).conversations]
        ][:1]
    archive = (home / "memory" / TALK).read_text()
    said = re.findall(r'<a id="(source-[0-9a-f]+)"></a>\n<!-- source-id:chat/s1/a', archive)
    assert place.startswith("sources/")
    text = f"# Core\n\nObey.[^e-x] ^obey\n\n[^e-x]: Time: `2026`; Sources: [a](../{TALK}#{said[0]})\n"
    commit = by_hand(home, "topics/core.md", lambda now: text)
    with service(home) as asked:
        (problem,) = told_broken(asked)
        assert (problem.code, problem.path, problem.line) == (Code.NOT_PERMITTED, "topics/core.md", 3)
        one_more(asked)
        assert told_broken(asked) == [problem]
        assert isinstance(asked.undo(commit), Committed)
        assert told_broken(asked) == []
        assert asked.verify().holds


def test_what_was_forgotten_and_comes_back_is_named_and_not_found(home: Path) -> None:
    with service(home) as asked:
        asked.remember("My bike is green.")
        asked.remember("Say grue for green.", topic="core")
        ids = [row.record.id for row in asked.recent(2).rows]
        assert isinstance(asked.forget(ids), Forgotten)
    git(home / "memory", "revert", "--no-edit", "HEAD")
    with service(home) as asked:
        for _ in range(2):
            problems = told_broken(asked)
            assert [problem.code for problem in problems] == [Code.FORGOTTEN] * 2
            assert all("scriptorium forget ^" in problem.remedy for problem in problems)
            assert asked.search(Query("green bike grue")).hits == ()
            assert "grue" not in asked.core().text
            assert not any(row.trusted for row in asked.recent().rows if row.record.id in ids)
            one_more(asked)
        assert isinstance(asked.forget(ids), Forgotten)
        assert told_broken(asked) == []
        assert asked.verify().holds


def test_on_the_command_line_all_of_it_is_said_with_its_remedy(home: Path) -> None:
    by_hand(home, KEYS, without("Two."))
    by_hand(home, TALK, cut)
    said = run_json("status", "--home", home)["broken"]
    assert {each["code"] for each in said} == {"BLOCK_LOST", "SOURCES_CHANGED"}
    assert all(each["remedy"] and each["path"] and each["line"] for each in said)


def test_a_directory_that_lost_its_runtime_folder_is_taken_over_and_what_it_lost_is_said(home: Path) -> None:
    import shutil

    shutil.rmtree(home / "memory/.scriptorium")
    file = home / "memory" / KEYS
    file.write_text(without("One.")(file.read_text()))
    with service(home) as asked:
        (problem,) = told_broken(asked)
        assert problem.code is Code.BLOCK_LOST
        assert asked.log(1)[0].commit[:10] in problem.message


def test_a_directory_that_lost_its_repository_is_taken_over_with_all_that_it_holds(home: Path) -> None:
    import shutil

    held = run_json("status", "--home", home)["records"]
    shutil.rmtree(home / "memory/.git")
    assert run_json("status", "--home", home)["records"] == held
    assert run_json("verify", "--home", home)["ok"] is True
    assert run("remember", "The kettle is blue.", "--home", home).code == 0
    assert run_json("status", "--home", home)["records"] == held + 1


def test_a_branch_that_vanished_is_said_and_nothing_begins_in_its_place(home: Path) -> None:
    branch = home / "memory/.git/refs/heads/main"
    commit = branch.read_text()
    branch.unlink()
    files = {path: path.read_bytes() for path in (home / "memory/topics").rglob("*.md")}
    for command in (["verify"], ["status"], ["remember", "The kettle is blue.", "--topic", "kettle"]):
        ran = run(*command, "--home", home)
        assert ran.code == 6, ran
        assert f"git update-ref refs/heads/main {commit.strip()}" in " ".join(ran.err.split())
    assert {path: path.read_bytes() for path in (home / "memory/topics").rglob("*.md")} == files
    branch.write_text(commit)
    assert run("verify", "--home", home).code == 0
