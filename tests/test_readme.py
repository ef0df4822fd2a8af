"""What the README tells a reader to type is run as it stands there."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")

# Run by .ci/run in fresh environments, where it takes them from the README word for word.
RUN_BY_CI = ("pip install .", "pip install -e '.[dev]'", "pytest")

# A script as pip writes it, for a checkout that is not installed.
SCRIPT = f"#!{sys.executable}\nimport sys\nfrom scriptorium.cli import main\nsys.exit(main())\n"


@frozen
class Home:
    """A place where the README's commands run."""

    folder: Path

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """The command, with nothing of the caller's surroundings but the interpreter and the packages."""
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("SCRIPTORIUM", "XDG_"))
        }
        surroundings = {
            "HOME": str(self.folder),
            "PATH": os.pathsep.join([str(self.folder / "bin"), os.environ["PATH"]]),
            "PYTHONPATH": os.pathsep.join(str(ROOT / package) for package in ("core", "shell")),
        }
        return subprocess.run(
            command,
            cwd=self.folder,
            env={**kept, **surroundings},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with the program on its path and the examples beside it."""
    script = tmp_path / "bin" / "scriptorium"
    script.parent.mkdir()
    script.write_text(SCRIPT)
    script.chmod(0o755)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return Home(tmp_path)


def blocks(text: str, *languages: str) -> Iterator[str]:
    """The fenced blocks in one of the languages."""
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if language in languages:
            yield block


def commands(text: str) -> tuple[str, ...]:
    """The commands of `sh` blocks and, after their `$`, of `console` blocks; `a && b` is two."""
    shell = [line for block in blocks(text, "sh", "bash", "shell") for line in block.splitlines()]
    console = [
        line[2:] for block in blocks(text, "console") for line in block.splitlines() if line.startswith("$ ")
    ]
    typed = [line for line in shell + console if line.strip() and not line.startswith("#")]
    return tuple(command.strip() for line in typed for command in line.split(" && "))


def run_here() -> tuple[str, ...]:
    """The commands that .ci/run leaves to this test."""
    return tuple(command for command in commands(README) if command not in RUN_BY_CI)


def test_commands_are_found_in_both_kinds_of_block() -> None:
    text = "```sh\n# first\na 1 && b\n\n```\n```console\n$ c\nits output\n```\n```python\nd\n```\n"
    assert commands(text) == ("a 1", "b", "c")


@pytest.mark.parametrize("command", RUN_BY_CI)
def test_the_readme_gives_the_commands_that_ci_runs(command: str) -> None:
    assert command in commands(README)


def test_everything_else_in_the_readme_is_the_command_line_program() -> None:
    assert [command for command in run_here() if not command.startswith("scriptorium ")] == []


def test_the_readme_works_from_top_to_bottom_in_one_home(home: Home) -> None:
    failed = []
    for command in run_here():
        done = home.run("bash", "-c", command)
        if done.returncode != 0 or not done.stdout.strip():
            failed.append(f"$ {command}\n{done.stdout}{done.stderr}(exit {done.returncode})")
    for example in blocks(README, "python"):
        done = home.run(sys.executable, "-c", example)
        if done.returncode != 0:
            failed.append(f"{example}{done.stdout}{done.stderr}(exit {done.returncode})")
    assert not failed, "\n\n".join(failed)


def test_a_command_that_fails_is_seen_to_fail(home: Home) -> None:
    assert home.run("bash", "-c", "scriptorium no-such-command").returncode != 0


def test_the_topic_in_the_readme_cites_each_evidence_that_it_defines() -> None:
    (topic,) = blocks(README, "markdown")
    cited = re.findall(r"\[\^(e-[0-9a-f]{10})\] \^[0-9a-f]{8}$", topic, re.MULTILINE)
    defined = re.findall(r"^\[\^(e-[0-9a-f]{10})\]: Time: ", topic, re.MULTILINE)
    assert cited == defined != []


def links(text: str) -> list[str]:
    """The files that a text links to; what stands in a block is no link."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return sorted(set(re.findall(r"\]\((?!https?:)([^)#]+)\)", prose)))


@pytest.mark.parametrize("target", links(README))
def test_a_file_that_the_readme_links_to_exists(target: str) -> None:
    assert (ROOT / target).exists()
