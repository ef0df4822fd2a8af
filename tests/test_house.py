"""The house keeps its rules, and each rule is shown to be able to fail."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import house_rules as rules
from house_rules import EVERYWHERE, IN_CORE, IN_PACKAGES, IN_SHELL, Module, Rule, modules, strangers

ROOT = Path(__file__).resolve().parent.parent

WHERE: dict[Rule, tuple[str, ...]] = {
    **dict.fromkeys(EVERYWHERE, ("core", "shell", "tests", "properties", "benchmarks")),
    **dict.fromkeys(IN_PACKAGES, ("core", "shell")),
    **dict.fromkeys(IN_CORE, ("core",)),
    **dict.fromkeys(IN_SHELL, ("shell",)),
}

CORE = "core/scriptorium_core/example.py"
SHELL = "shell/scriptorium/example.py"

BREAKS: list[tuple[Rule, str, str]] = [
    (rules.opens_with_one_sentence, CORE, "import re\n"),
    (rules.opens_with_one_sentence, CORE, '"""No period"""\n'),
    (rules.opens_with_one_sentence, CORE, '"""One sentence. And another."""\n'),
    (rules.is_short, SHELL, "#\n" * 351),
    (rules.names_its_public, CORE, "a = 1\n"),
    (rules.names_its_public, CORE, "__all__ = sorted(['a'])\n"),
    (rules.has_no_global, SHELL, "def f():\n    global a\n    a = 1\n"),
    (rules.keeps_no_state, CORE, "CACHE = {}\n"),
    (rules.keeps_no_state, CORE, "SEEN: set[str] = set()\n"),
    (rules.keeps_no_state, SHELL, "if True:\n    NAMES = [n for n in 'ab']\n"),
    (rules.keeps_no_state, SHELL, "class A:\n    shared = collections.defaultdict(list)\n"),
    (rules.imports_in_the_two_ways, CORE, "from scriptorium_core.names import anchor\n"),
    (rules.imports_in_the_two_ways, SHELL, "def f():\n    import scriptorium.files\n"),
    (rules.imports_only_the_pure, CORE, "import os\n"),
    (rules.imports_only_the_pure, CORE, "from urllib.request import urlopen\n"),
    (rules.imports_only_the_pure, CORE, "def f():\n    from scriptorium import files\n"),
    (rules.imports_only_the_pure, CORE, "from time import monotonic\n"),
    (rules.calls_only_the_pure, CORE, "open('x')\n"),
    (rules.calls_only_the_pure, CORE, "def f():\n    print(1)\n"),
    (rules.calls_only_the_pure, CORE, "when = datetime.now()\n"),
    (rules.calls_only_the_pure, CORE, "when = datetime.date.today()\n"),
    (rules.calls_only_the_pure, CORE, "when = moment.astimezone()\n"),
    (rules.calls_only_the_pure, CORE, "seed = hash('text')\n"),
    (rules.leaves_time_and_chance_to_the_clock, SHELL, "import time\n"),
    (rules.leaves_time_and_chance_to_the_clock, SHELL, "from secrets import token_hex\n"),
    (rules.leaves_time_and_chance_to_the_clock, SHELL, "from os import urandom\n"),
    (rules.leaves_time_and_chance_to_the_clock, SHELL, "when = datetime.now(UTC)\n"),
    (rules.leaves_time_and_chance_to_the_clock, SHELL, "seed = os.urandom(8)\n"),
    (rules.leaves_the_environment_to_its_readers, SHELL, "home = os.environ['HOME']\n"),
    (rules.leaves_the_environment_to_its_readers, SHELL, "from os import getenv\n"),
    (rules.leaves_the_environment_to_its_readers, SHELL, "home = Path.home()\n"),
    (rules.leaves_the_environment_to_its_readers, SHELL, "path = Path('~/x').expanduser()\n"),
]

KEEPS: list[tuple[Rule, str, str]] = [
    (rules.calls_only_the_pure, CORE, "class A:\n    def __hash__(self):\n        return hash(self.said)\n"),
    (
        rules.opens_with_one_sentence,
        CORE,
        '"""One sentence, e.g. this one, about `a.b`.\n\nThen. More.\n"""\n',
    ),
    (rules.is_short, SHELL, "#\n" * 350),
    (rules.names_its_public, CORE, "__all__ = ['a']\na = 1\n"),
    (
        rules.keeps_no_state,
        CORE,
        "__all__ = []\nA = (1,)\nB = frozenset({1})\nC = MappingProxyType({1: 2})\n",
    ),
    (rules.keeps_no_state, CORE, "def f():\n    found = []\n    return found\n"),
    (
        rules.imports_in_the_two_ways,
        SHELL,
        "from scriptorium_core.names import anchor\nfrom . import files\n",
    ),
    (
        rules.imports_only_the_pure,
        CORE,
        "import re\nfrom urllib.parse import quote\nfrom ..names import anchor\n",
    ),
    (rules.calls_only_the_pure, CORE, "def f(now):\n    return now.astimezone(UTC), re.compile('x')\n"),
    (rules.leaves_time_and_chance_to_the_clock, "shell/scriptorium/clock.py", "import time\n"),
    (rules.leaves_time_and_chance_to_the_clock, SHELL, "from . import clock\nwhen = clock.now()\n"),
    (rules.leaves_the_environment_to_its_readers, "shell/scriptorium/cli/main.py", "os.environ['HOME']\n"),
    (rules.leaves_the_environment_to_its_readers, "shell/scriptorium/settings.py", "os.environ['HOME']\n"),
]


def _name(value: object) -> str | None:
    return getattr(value, "__name__", None)


@pytest.fixture(scope="module")
def broken() -> dict[Rule, list[str]]:
    """What each rule finds; every module is read once for all of them."""
    found: dict[Rule, list[str]] = {rule: [] for rule in WHERE}
    for module in modules(ROOT, *dict.fromkeys(folder for folders in WHERE.values() for folder in folders)):
        for rule in (rule for rule, folders in WHERE.items() if module.path.split("/")[0] in folders):
            found[rule] += [f"{module.path}:{line}: {what}" for line, what in rule(module)]
    return found


@pytest.mark.parametrize("rule", WHERE, ids=_name)
def test_the_house_keeps(broken: dict[Rule, list[str]], rule: Rule) -> None:
    assert not broken[rule], f"{rule.__doc__}\n" + "\n".join(broken[rule])


@pytest.mark.parametrize(("rule", "path", "source"), BREAKS, ids=_name)
def test_a_module_that_breaks_a_rule_is_found(rule: Rule, path: str, source: str) -> None:
    assert list(rule(Module(path, source)))


@pytest.mark.parametrize(("rule", "path", "source"), KEEPS, ids=_name)
def test_a_module_that_keeps_a_rule_is_left_in_peace(rule: Rule, path: str, source: str) -> None:
    assert not list(rule(Module(path, source)))


def test_every_rule_is_shown_to_fail() -> None:
    assert set(WHERE) == {rule for rule, _, _ in BREAKS}


def test_the_two_packages_have_modules_to_judge() -> None:
    assert {module.package for module in modules(ROOT, "core", "shell")} == {
        "scriptorium_core",
        "scriptorium",
    }


def test_the_top_of_the_repository_holds_only_what_belongs_there() -> None:
    names = frozenset(path.name for path in ROOT.iterdir())
    assert not strangers(names, _gitignored()), (
        "move these below a folder, or name them in house_rules.TOP_LEVEL"
    )


def test_a_stranger_at_the_top_is_found_and_litter_is_not() -> None:
    assert strangers(frozenset({"utils", "core", "dist", ".coverage.1"}), _gitignored()) == ("utils",)


def test_the_floors_hold() -> None:
    done = _lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("path", "source", "contract"),
    [
        (
            "core/scriptorium_core/problem.py",
            "from . import transaction",
            "A module of the core imports only",
        ),
        ("core/scriptorium_core/checks.py", "import scriptorium.files", "The core never imports the shell"),
        ("core/scriptorium_core/checks.py", "import os.path", "The core does no I/O"),
        ("core/scriptorium_core/checks.py", "from . import views", "No module imports in a circle"),
        ("core/scriptorium_core/helpers.py", "", "A module of the core imports only"),
        (
            "shell/scriptorium/files.py",
            "def f():\n    from . import service",
            "A module of the shell imports only",
        ),
        ("shell/scriptorium/mcp.py", "from .service import secrets", "Nothing that answers or writes"),
    ],
)
def test_a_breach_of_the_floors_is_found(tmp_path: Path, path: str, source: str, contract: str) -> None:
    _furnish(tmp_path)
    assert _lint_imports(tmp_path).returncode == 0
    (tmp_path / path).write_text(source)
    done = _lint_imports(tmp_path)
    assert done.returncode == 1
    assert any(line.startswith(contract) and line.endswith("BROKEN") for line in done.stdout.splitlines())


def _gitignored() -> tuple[str, ...]:
    lines = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


def _furnish(root: Path) -> None:
    """A house of a few rooms that keeps the project's own contracts."""
    shutil.copy(ROOT / "pyproject.toml", root)
    rooms = {
        "core/scriptorium_core": {
            "problem": "",
            "checks": "",
            "views": "from . import checks",
            "transaction": "",
        },
        "shell/scriptorium": {"files": "", **dict.fromkeys(_walled(), "")},
        "shell/scriptorium/service": {"secrets": ""},
    }
    for folder, contents in rooms.items():
        (root / folder).mkdir(parents=True)
        for name, source in {"__init__": "", **contents}.items():
            (root / folder / f"{name}.py").write_text(source)


def _walled() -> Iterator[str]:
    """The modules of the shell that a contract keeps apart."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for contract in settings["tool"]["importlinter"]["contracts"]:
        for name in (*contract.get("source_modules", ()), *contract.get("forbidden_modules", ())):
            if re.fullmatch(r"scriptorium\.\w+", name):
                yield name.partition(".")[2]


def _lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    """The linter in its own process, on the packages of that root whatever is installed."""
    command = (
        "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"
    )
    paths = os.pathsep.join(str(root / folder) for folder in ("core", "shell"))
    return subprocess.run(
        [sys.executable, "-c", command, "--no-cache", "--no-logo", str(root / "pyproject.toml")],
        cwd=root,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
