"""Secrets that stand in clear are found: in a person's own topics, in old archives, in the history."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from cli_example import run, run_json
from residue import places_with
from scriptorium.service import Service
from scriptorium.service.model import Finding
from scriptorium.settings import Settings
from scriptorium.workspace import Committed
from scriptorium_core.problem import Code
from secret_examples import TOKEN, a_home
from small_homes import git
from trips import a_talk, ask, at_noon, create

OWNER = "topics/people/owner.md"
TOP = {"topic_path": "topics/notes.md", "position": "end"}


def secrets_of(findings: Sequence[Finding]) -> list[tuple[str, str, int]]:
    found = [finding for finding in findings if finding.problem.code is Code.SECRET_FOUND]
    assert all(each.problem.remedy for each in found)
    return [(each.level, each.problem.path, each.problem.line) for each in found]


def test_a_persons_own_topic_stays_as_it_is_and_the_proof_names_line_and_kind(tmp_path: Path) -> None:
    with a_home(tmp_path, "I prefer trains to planes, always.") as home:
        topic = home.root / OWNER
        topic.write_text(topic.read_text("utf-8").replace("planes", TOKEN))
        assert isinstance(home.adopt(), Committed)
        text = topic.read_text("utf-8")
        line = text[: text.index(TOKEN)].count("\n") + 1
        verified = home.verify()
        assert secrets_of(verified.findings) == [("problem", OWNER, line)]
        assert not verified.holds
        assert TOKEN not in repr(verified)
    ran = run("--home", home.home, "verify")
    assert ran.code == 1
    assert "github-token stands here in clear" in ran.out
    assert TOKEN not in ran.out


@pytest.fixture
def careless(tmp_path: Path) -> Iterator[Service]:
    """A home that archived a secret while redaction was switched off, and records that cite it."""
    with a_home(
        tmp_path, f"I prefer {TOKEN},\nalways.", "I like tea.", settings=Settings(redact=False)
    ) as home:
        yield Service(home.home, settings=Settings(), moment=at_noon)


def test_an_archived_secret_is_found_with_its_line_and_the_remedy_takes_it_away(careless: Service) -> None:
    with careless as home:
        found = secrets_of(home.verify().findings)
        assert {path for _, path, _ in found} >= {"sources/native/_v2/trip.md"}
        archived = (home.root / "sources/native/_v2/trip.md").read_text("utf-8").splitlines()
        lines = [line for _, path, line in found if path.startswith("sources/")]
        assert [TOKEN in archived[line - 1] for line in lines] == [True]
        names = {
            finding.problem.remedy.split("'")[1]
            for finding in home.verify().findings
            if finding.problem.code is Code.SECRET_FOUND
        }
        assert "native/trip/m0" in names
        home.forget(sorted(names), erase=True, unlink=True)
        assert secrets_of(home.doctor(history=True).proof.findings) == []
    assert places_with(home.root, TOKEN) == []


def test_the_doctor_finds_what_only_the_history_holds(tmp_path: Path) -> None:
    with a_home(tmp_path, "I prefer trains to planes, always.") as home:
        topic = home.root / OWNER
        before = topic.read_text("utf-8")
        topic.write_text(before.replace("planes", TOKEN))
        home.adopt()
        introduced = home.memory().revision
        topic.write_text(before)
        home.adopt()
        home.remember("One more commit.")
        assert secrets_of(home.doctor().proof.findings) == []
        (found,) = [
            f for f in home.doctor(history=True).proof.findings if f.problem.code is Code.SECRET_FOUND
        ]
        assert found.problem.path == OWNER
        assert introduced is not None
        assert introduced[:10] in found.problem.message
        assert TOKEN not in repr(found)
    ran = run("--home", home.home, "doctor", "--history")
    assert ran.code == 1
    assert TOKEN not in ran.out + ran.err


def test_a_heading_belongs_to_no_record_and_a_commit_may_say_a_secret_itself(tmp_path: Path) -> None:
    with a_home(tmp_path, "I prefer trains to planes, always.", settings=Settings(redact=False)) as home:
        change = create("Mara has a hat.", source="native/trip/m0") | {
            "destination": {**TOP, "headings": [f"Key {TOKEN}"]}
        }
        ask(home, change, commit_message=f"Keep {TOKEN}")
        git(home.root, "tag", "--annotate", "v1", "--message", "first")
    with Service(home.home, settings=Settings(), moment=at_noon) as home:
        found = [each.problem for each in home.doctor(history=True).proof.findings]
        heading, message = [each for each in found if each.code is Code.SECRET_FOUND]
        assert (heading.path, heading.line) == ("topics/notes.md", 1)
        assert heading.remedy.startswith("take it out of the topic")
        assert message.path == home.memory().revision
        assert "message of this commit holds a github-token" in message.message


def test_switched_off_it_says_so_and_a_secret_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "settings.toml").write_text("redact = false\n")
    home = tmp_path / "home"
    run("--home", home, "import", a_talk(tmp_path, {"id": "a", "role": "user", "text": f"I prefer {TOKEN}."}))
    assert run("--home", home, "write", "--force").code == 0
    assert places_with(home / "memory", TOKEN)
    status = run("--home", home, "status")
    assert "archived as they are said (redact = false" in status.out
    assert run_json("--home", home, "status")["redacts"] is False
    with Service(home, moment=at_noon) as off:
        verified = off.verify()
        assert {level for level, _, _ in secrets_of(verified.findings)} == {"information"}
        assert verified.holds
