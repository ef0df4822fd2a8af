"""The rules of the house, each a function from one module to what it breaks there.

A finding is `(line, what is wrong and what to do)`. The rules read syntax only and import nothing they judge.
"""

import ast
import fnmatch
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import field, frozen

__all__ = [
    "EVERYWHERE",
    "IN_CORE",
    "IN_PACKAGES",
    "IN_SHELL",
    "Finding",
    "Module",
    "Rule",
    "modules",
    "strangers",
]

LONGEST_MODULE = 350
PURE_STANDARD = frozenset(
    """
    __future__ abc array base64 binascii bisect calendar collections copy datetime decimal difflib enum
    fractions functools graphlib hashlib heapq hmac html itertools json keyword math numbers operator re
    statistics string struct textwrap tomllib types typing unicodedata zlib
    """.split()
)
PURE_SUBMODULES = frozenset({"urllib.parse"})
PURE_LIBRARIES = frozenset(
    {
        "attr", "attrs", "cattrs", "markdown_it", "pyrsistent", "Stemmer", "snowballstemmer", "unidiff",
        # Ciphers and canonical JSON: functions of bytes, whose keys and IVs are arguments.
        "cryptography", "rfc8785",
    }
)  # fmt: skip
IMPURE_CALLS = frozenset(
    {"open", "print", "input", "exec", "eval", "compile", "breakpoint", "globals", "__import__", "hash", "id"}
)
CLOCKS = frozenset({"now", "today", "utcnow"})
CHANCE = frozenset({"time", "random", "secrets", "uuid"})
CHANCE_CALLS = frozenset({"os.urandom", "os.getrandom", "random.SystemRandom"})
SURROUNDINGS = frozenset({"environ", "environb", "getenv", "putenv", "unsetenv", "expanduser", "expandvars"})
MUTABLE_CALLS = frozenset(
    {
        "list",
        "dict",
        "set",
        "bytearray",
        "defaultdict",
        "OrderedDict",
        "Counter",
        "deque",
        "ChainMap",
        "WeakKeyDictionary",
    }
)
MUTABLE_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
TOP_LEVEL = frozenset(
    {
        ".ci", ".git", ".gitignore", "CHANGELOG.md", "LICENSE", "README.md", "benchmarks", "core", "examples",
        "properties", "pyproject.toml", "shell", "tests",
    }
)  # fmt: skip


@frozen
class Module:
    """One Python file: its path from the root of the repository (POSIX) and its text."""

    path: str
    text: str
    tree: ast.Module = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "tree", ast.parse(self.text, self.path))

    @property
    def package(self) -> str:
        """`scriptorium_core`, `scriptorium`, or the folder of a module that belongs to neither."""
        parts = self.path.split("/")
        return parts[1] if parts[0] in ("core", "shell") else parts[0]

    @property
    def inside(self) -> str:
        """The first name below the package: `cli` for `shell/scriptorium/cli/main.py`."""
        return self.path.split("/")[2].removesuffix(".py")


Finding = tuple[int, str]
Rule = Callable[[Module], Iterator[Finding]]


def modules(root: Path, *folders: str) -> Iterator[Module]:
    """Every module below the folders, by path."""
    found = (path for folder in folders for path in sorted((root / folder).rglob("*.py")))
    return (Module(path.relative_to(root).as_posix(), path.read_text("utf-8")) for path in found)


def opens_with_one_sentence(module: Module) -> Iterator[Finding]:
    """The first line of the docstring is one sentence that ends in a period."""
    first = (ast.get_docstring(module.tree) or "").split("\n")[0]
    if not first.endswith("."):
        yield (
            1,
            f"open with a docstring whose first line is one sentence with a period, not {first!r}",
        )
    elif re.search(r"[.!?] [A-Z]", first):
        yield 1, f"the first line of the docstring is more than one sentence: {first!r}"


def is_short(module: Module) -> Iterator[Finding]:
    """No module is longer than 350 lines."""
    if (count := len(module.text.splitlines())) > LONGEST_MODULE:
        yield LONGEST_MODULE, f"{count} lines are more than {LONGEST_MODULE}: split the module by ideas"


def names_its_public(module: Module) -> Iterator[Finding]:
    """`__all__` is assigned once, as a list or tuple of strings."""
    found = [value for name, value in _assigned(module.tree.body) if name == "__all__"]
    if len(found) != 1:
        yield 1, f"assign __all__ once at the top level; found {len(found)}"
    elif not isinstance(found[0], ast.List | ast.Tuple):
        yield found[0].lineno, "__all__ is a list or a tuple of strings"


def has_no_global(module: Module) -> Iterator[Finding]:
    """No `global` statement."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Global):
            yield node.lineno, f"`global {', '.join(node.names)}`: pass the value in and return the new one"


def keeps_no_state(module: Module) -> Iterator[Finding]:
    """Nothing mutable is assigned in a module or in a class body, `__all__` excepted."""
    for name, value in _assigned(_top_statements(module.tree.body)):
        called = isinstance(value, ast.Call) and _dotted(value.func).split(".")[-1]
        if name != "__all__" and (isinstance(value, MUTABLE_DISPLAYS) or called in MUTABLE_CALLS):
            yield value.lineno, f"{name} can be changed: use a tuple, a frozenset, MappingProxyType or pmap"


def imports_in_the_two_ways(module: Module) -> Iterator[Finding]:
    """Imports are relative inside a package and absolute between the two."""
    for line, name in _imports(module):
        if name.split(".")[0] == module.package:
            yield line, f"import of {name}: inside {module.package} write it relatively"


def imports_only_the_pure(module: Module) -> Iterator[Finding]:
    """The core imports itself and what does no I/O, reads no clock and draws no chance; never the shell."""
    pure = PURE_STANDARD | PURE_LIBRARIES | {"scriptorium_core"}
    for line, name in _imports(module):
        deeper = any(name == allowed or name.startswith(f"{allowed}.") for allowed in PURE_SUBMODULES)
        if name.split(".")[0] not in pure and not deeper:
            yield (
                line,
                f"import of {name} in the core: take the value as an argument, or name it in house_rules",
            )


def calls_only_the_pure(module: Module) -> Iterator[Finding]:
    """No `open`, `print` or `.now()` in the core, and no `hash`, whose seed is chance.

    Only in a value's own `__hash__` it says what the value is found by in a dictionary.
    """
    own = [node for node in ast.walk(module.tree) if getattr(node, "name", "") == "__hash__"]
    found = {call for node in own for call in ast.walk(node)}
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call) or node in found:
            continue
        if isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
            yield node.lineno, f"{node.func.id}(...) in the core: it is pure"
        elif isinstance(node.func, ast.Attribute) and node.func.attr in CLOCKS | {"open"}:
            yield node.lineno, f".{node.func.attr}(...) in the core: take the value as an argument"
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "astimezone" and not node.args:
            yield node.lineno, ".astimezone() reads the zone of the machine: give the zone"


def leaves_time_and_chance_to_the_clock(module: Module) -> Iterator[Finding]:
    """Only `clock` reads the time and draws chance."""
    if module.inside == "clock":
        return
    for line, name in _imports(module):
        if name.split(".")[0] in CHANCE or name in CHANCE_CALLS:
            yield line, f"import of {name}: only clock reads time and draws chance"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner, name = _dotted(node.func.value).split(".")[-1], _dotted(node.func)
            if (owner in ("datetime", "date") and node.func.attr in CLOCKS) or name in CHANCE_CALLS:
                yield node.lineno, f"{name}(): only clock reads time and draws chance"


def leaves_the_environment_to_its_readers(module: Module) -> Iterator[Finding]:
    """Only `cli`, `settings` and `layout` see the environment (variables, home, what `~` means)."""
    if module.inside in ("cli", "settings", "layout"):
        return
    for line, name in _imports(module):
        if name.startswith("os.") and name.split(".")[-1] in SURROUNDINGS:
            yield line, f"import of {name}: only cli, settings and layout see the environment"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and (node.attr in SURROUNDINGS or _dotted(node) == "Path.home"):
            yield node.lineno, f"{_dotted(node)}: only cli, settings and layout see the environment"


EVERYWHERE: tuple[Rule, ...] = (opens_with_one_sentence, is_short)
IN_PACKAGES: tuple[Rule, ...] = (names_its_public, has_no_global, keeps_no_state, imports_in_the_two_ways)
IN_CORE: tuple[Rule, ...] = (imports_only_the_pure, calls_only_the_pure)
IN_SHELL: tuple[Rule, ...] = (leaves_time_and_chance_to_the_clock, leaves_the_environment_to_its_readers)


def strangers(names: frozenset[str], ignored: tuple[str, ...]) -> tuple[str, ...]:
    """The names that may not stand at the top of the repository; `ignored` are the lines of .gitignore."""
    litter = {name for name in names for pattern in ignored if fnmatch.fnmatch(name, pattern.rstrip("/"))}
    return tuple(sorted(names - TOP_LEVEL - litter))


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(value, name):
            return f"{_dotted(value)}.{name}"
        case _:
            return ""


def _imports(module: Module) -> Iterator[tuple[int, str]]:
    """Absolute imports as dotted names, `from a import b` as `a.b`, inside functions too."""
    for node in ast.walk(module.tree):
        match node:
            case ast.Import(names):
                yield from ((node.lineno, name.name) for name in names)
            case ast.ImportFrom(str(origin), names, 0):
                yield from ((node.lineno, f"{origin}.{name.name}") for name in names)


def _top_statements(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements that run at import: of the module, of its classes and of the blocks in either."""
    found: list[ast.stmt] = []
    for statement in body:
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            nested = [child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.stmt)]
            found += [statement, *_top_statements(nested)]
    return found


def _assigned(statements: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for statement in statements:
        match statement:
            case ast.Assign(targets, value):
                yield from ((_dotted(target), value) for target in targets)
            case ast.AnnAssign(target, _, ast.expr() as value):
                yield _dotted(target), value
