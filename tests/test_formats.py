"""What is no log, and the formats there are: ours and those of installed packages."""

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

import pytest

from scriptorium.conversations import known
from scriptorium.conversations.importing import GROUP, Report, import_path, importers
from scriptorium.conversations.store import Store, open_store
from scriptorium_core.problem import Code

DOCUMENT = (Path(__file__).parents[1] / "core" / "FORMAT.md").read_text("utf-8")


def example(language: str) -> str:
    """The example of a format of one's own, as it is documented."""
    section = DOCUMENT[DOCUMENT.index("### A format of one's own") :]
    return section.split(f"```{language}\n", 1)[1].split("```", 1)[0]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def turn(name: str) -> str:
    return json.dumps({"session": "s1", "id": name, "role": "user", "text": f"says {name}"}) + "\n"


def problem(report: Report) -> Code:
    (found,) = report.problems
    assert found.remedy
    return found.code


@pytest.mark.parametrize("content", ["just words\n", "\x00\x01\x02", '{"a": 1}\n', "[1, 2]", "null"])
def test_a_file_in_no_known_format_is_a_problem(store: Store, log: Path, content: str) -> None:
    log.write_text(content)
    assert problem(import_path(store, log)) is Code.INVALID_ARGUMENT
    assert store.sessions() == ()


def test_a_missing_file_a_folder_and_an_unknown_format_are_problems(
    store: Store, log: Path, tmp_path: Path
) -> None:
    assert problem(import_path(store, log)) is Code.INVALID_ARGUMENT
    assert problem(import_path(store, tmp_path)) is Code.INVALID_ARGUMENT
    log.write_text(turn("a"))
    assert problem(import_path(store, log, "clay")) is Code.INVALID_ARGUMENT


@pytest.mark.parametrize("content", ["Dear diary", "[Dear diary", '{"dear": "dia', "\x00", '"'])
@pytest.mark.parametrize("form", [None, "native", "openai", "locomo"])
def test_half_a_line_of_something_else_is_no_log_and_the_formats_are_named(
    store: Store, log: Path, content: str, form: str | None
) -> None:
    log.write_text(content)
    report = import_path(store, log, form)
    assert problem(report) is Code.INVALID_ARGUMENT
    assert "locomo, native, openai" in report.problems[0].remedy


@pytest.mark.parametrize(
    ("half", "form"),
    [(turn("a")[:-9], "native"), ('{"role": "user", "cont', "openai"), ('[{"role": "us', "openai")],
)
def test_half_a_line_of_a_log_waits_for_the_next_import(
    store: Store, log: Path, half: str, form: str
) -> None:
    log.write_text(half)
    assert import_path(store, log).torn == 1
    report = import_path(store, log, form)
    assert (report.format, report.torn, report.problems) == (form, 1, ())


@pytest.mark.parametrize("content", [b"", b" \n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_says_so_and_is_no_problem(store: Store, log: Path, content: bytes) -> None:
    log.write_bytes(content)
    for form in (None, "native"):
        report = import_path(store, log, form)
        assert (report.empty, report.problems) == (True, ())


def test_installed_packages_add_formats_and_never_replace_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        def __init__(self, name: str) -> None:
            self.name = name

        def load(self) -> str:
            return f"the importer of {self.name}"

    monkeypatch.setattr(known, "_points", lambda path: [Point("clay"), Point("native")])
    found: Mapping[str, object] = importers()
    assert found["clay"] == "the importer of clay"
    assert importers()["native"].name == "native"


def test_our_own_formats_are_in_the_group_and_are_loaded_once() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))
    points = project["project"]["entry-points"][GROUP]
    assert set(points) == set(importers())
    for name, target in points.items():
        module, _, attribute = target.partition(":")
        assert getattr(import_module(module), attribute) is importers()[name]


def test_a_format_of_an_installed_package_is_found(
    store: Store, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    described = site / "clay-1.0.dist-info"
    described.mkdir(parents=True)
    points = tomllib.loads(example("toml"))["project"]["entry-points"][GROUP]
    lines = "".join(f"{name} = {target}\n" for name, target in points.items())
    (site / "clay_tablets.py").write_text(example("python"))
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: clay\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(f"[{GROUP}]\n{lines}")
    monkeypatch.syspath_prepend(str(site))
    first, second = ({"tablet": "s1", "line": number, "words": "barley"} for number in (1, 2))
    log.write_text(f"{json.dumps(first)}\n{{}}\n")
    report = import_path(store, log)
    assert (report.format, report.sessions, report.problems) == ("clay", ("clay/s1",), ())
    assert report.skipped == {"no line of a tablet": 1}
    with log.open("a") as file:
        file.write(json.dumps(second) + "\n")
    assert import_path(store, log).turns_new == 1
    assert [node.parent for node in store.nodes(store.sessions()[0])] == [None, "1"]
    assert "clay" in importers()
    sys.modules.pop("clay_tablets")
