"""What a person may set: the home, and `settings.toml` in it.

writer = "api"                         # what `write` and the keeper use
daily_tokens = 200_000

[api]
model = "anthropic:claude-sonnet-4-5"  # provider:model
key_env = "ANTHROPIC_API_KEY"          # the NAME of a variable: the key itself stands in no file

[command]
program = "claude"                     # claude, codex, gemini, opencode, or a list: ["my-writer", "-q"]
timeout = 900                          # seconds

[embeddings]
model = "use"                          # what finds by meaning; without it words alone are looked for

[prices."anthropic:claude-sonnet-4-5"] # US dollars for a million tokens
input = 3.0
output = 15.0
"""

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, cast

from scriptorium_core.problem import Code, Problem

from .clock import zone_named
from .refused import Refused

__all__ = [
    "FILE",
    "MODES",
    "PROGRAMS",
    "WRITERS",
    "Api",
    "Command",
    "Embeddings",
    "Price",
    "Settings",
    "default_home",
    "expanded",
    "faults",
    "load",
    "variable",
]

WRITERS = ("extractive", "recorded", "api", "command", "agent")
MODES = ("auto", "tools", "schema")
PROGRAMS = ("claude", "codex", "gemini", "opencode")
FILE = "settings.toml"
_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d"
_VARIABLE = r"[A-Za-z_][A-Za-z0-9_]*"
_BACKEND = r"[A-Za-z][\w.-]*"
_MODEL = r"[^\s:]+:\S+"
_EMBEDDER = r"use|wordllama|[^\s:]+:\S+"
_ADDRESS = r"https?://[^\s/?#@]+\S*"


class Api(NamedTuple):
    """The model that the writer `api` asks: `provider:model`, and where it is if not at its provider's.

    `key_env` names the variable that holds the key. One batch takes at most `max_turns` calls, `max_tokens`
    in one answer, `max_cost` US dollars (None: any), and `timeout` seconds a call.
    """

    model: str = ""
    base_url: str = ""
    key_env: str = ""
    max_turns: int = 24
    max_tokens: int = 8_000
    max_cost: float | None = None
    timeout: int = 180
    mode: str = "auto"


class Command(NamedTuple):
    """The program that the writer `command` runs: one of `PROGRAMS`, or what to run, word for word.

    `env` names the variables that it is given beside the few that it needs; `timeout` is in seconds.
    """

    program: str | tuple[str, ...] = ""
    model: str = ""
    timeout: int = 900
    env: tuple[str, ...] = ()


class Embeddings(NamedTuple):
    """What finds by meaning, if anything; from the cosine `least` on texts are alike (0: as is known)."""

    model: str = ""
    base_url: str = ""
    key_env: str = ""
    least: float = 0.0
    download: bool = False


class Price(NamedTuple):
    """US dollars for a million tokens."""

    input: float
    output: float


class Settings(NamedTuple):
    """Settings of a home; `batch_tokens` is 8,000, 16,000 or 32,000, the others are free.

    `context_tokens` is what goes along with a prompt at most, `traces` how many deliveries are remembered;
    where `inject` is false, hooks give nothing to a session: neither the core nor what bears on a prompt.
    `owner` is the name under which the owner's own words are shown; `remote` is what `sync` meets. `redact`
    takes secrets out of what is archived; where it is false, they are archived as they were said. `timezone`
    (`Europe/Berlin`) is the zone in which days count; if empty, that in which a time was given.

    The keeper takes in the logs of `watch` (programs, or paths of files and folders), none if it is empty,
    every `scan_minutes`; it writes a conversation that was idle for `idle_minutes`; topics are organized at
    `organize_at` (`HH:MM`, local). `daily_tokens` is what a writer is offered, or says that it used, on one
    local day: without it, a writer that costs has a cap and another one none. `prices` are by model.
    """

    writer: str = "extractive"
    backend: str = "local"
    batch_tokens: int = 16_000
    core_tokens: int = 2_000
    context_tokens: int = 1_500
    traces: int = 50
    recent: int = 50
    owner: str = "Owner"
    remote: str = ""
    redact: bool = True
    inject: bool = True
    timezone: str = ""
    watch: tuple[str, ...] = ()
    scan_minutes: int = 5
    idle_minutes: int = 30
    organize_at: str = "03:00"
    daily_tokens: int | None = None
    api: Api = Api()
    command: Command = Command()
    embeddings: Embeddings = Embeddings()
    prices: Mapping[str, Price] = MappingProxyType({})
    source: Path | None = None

    @property
    def model(self) -> str:
        """The model that writes, as far as the settings say: of a program, its own name for it."""
        return {"api": self.api.model, "command": self.command.model}.get(self.writer, "")


def default_home() -> Path:
    """`$SCRIPTORIUM_HOME`, else `scriptorium` in the folder for a program's data."""
    if named := os.environ.get("SCRIPTORIUM_HOME"):
        return Path(named).expanduser()
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "scriptorium"


def expanded(path: str | Path) -> Path:
    """A path as a person writes it, `~` for their own folder."""
    return Path(path).expanduser()


def variable(name: str) -> str:
    """What a variable of the environment holds, empty where it is not set: a key stands nowhere else."""
    return os.environ.get(name, "")


def load(home: Path) -> Settings:
    """The settings of a home; without a file, the defaults. Raises Refused with all that is wrong in it."""
    path = home / FILE
    if not path.exists():
        return Settings()
    import tomllib

    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(_problem(path, "", f"the file is not TOML: {error}", "mend it or remove it")) from error
    problems = faults(path, raw)
    if problems:
        raise Refused(*problems)
    tables = {name: dict(cast(Mapping[str, object], raw.pop(name, {}))) for name in _TABLES}
    if "watch" in raw:
        raw["watch"] = tuple(raw["watch"])
    for name, key in (("command", "program"), ("command", "env")):
        if isinstance(given := tables[name].get(key), list):
            tables[name][key] = tuple(given)
    return Settings(
        **raw,
        api=Api(**tables["api"]),  # type: ignore[arg-type]
        command=Command(**tables["command"]),  # type: ignore[arg-type]
        embeddings=Embeddings(**tables["embeddings"]),  # type: ignore[arg-type]
        prices={name: Price(**price) for name, price in tables["prices"].items()},  # type: ignore[arg-type]
        source=path,
    )


def faults(path: Path, raw: Mapping[str, object]) -> tuple[Problem, ...]:
    """All that is wrong with the settings in a file, each with its key."""
    found = [*_wrong(path, "", {key: raw[key] for key in raw if key not in _TABLES}, _TOP)]
    for name, rules in _TABLES.items():
        table = raw.get(name, {})
        if not isinstance(table, Mapping):
            found.append(_problem(path, name, "must be a table", f"write it as [{name}]"))
        elif name == "prices":
            found += _wrong_prices(path, cast(Mapping[str, object], table))
        else:
            found += _wrong(path, f"{name}.", cast(Mapping[str, object], table), rules)
    return (*found, *_missing(path, raw)) if not found else tuple(found)


def _missing(path: Path, raw: Mapping[str, object]) -> Iterator[Problem]:
    """What the writer that is chosen cannot do without."""
    writer = raw.get("writer")
    for name, key, remedy in (
        ("api", "model", 'give one: model = "provider:model", or run `scriptorium setup`'),
        ("command", "program", f"give one of {', '.join(PROGRAMS)}, or run `scriptorium setup`"),
    ):
        if writer == name and not cast(Mapping[str, object], raw.get(name, {})).get(key):
            yield _problem(path, f"{name}.{key}", "is missing", remedy)


class _Rule(NamedTuple):
    """What a value must be, and that in words."""

    fits: Callable[[object], bool]
    wanted: str


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_amount(value: object) -> bool:
    return type(value) in (int, float) and 0 <= cast(float, value) < math.inf


def _is_list(value: object, fits: Callable[[object], bool] = _is_text) -> bool:
    return isinstance(value, list) and all(fits(each) for each in cast("list[object]", value))


def _is_zone(value: object) -> bool:
    try:
        return isinstance(value, str) and zone_named(value) is not None
    except KeyError:
        return False


def _matches(pattern: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _one_of(values: tuple[object, ...]) -> _Rule:
    return _Rule(lambda value: not isinstance(value, bool) and value in values, f"one of {values}")


_COUNT = _Rule(_is_count, "give a number above 0")
_TEXT = _Rule(_is_text, "give a text")
_FLAG = _Rule(lambda value: isinstance(value, bool), "give true or false")
_PROGRAM = _Rule(
    lambda value: value in PROGRAMS or (_is_list(value) and value != []),
    f'one of {", ".join(PROGRAMS)}, or a list: ["my-writer", "-q"]',
)
_AMOUNT = _Rule(_is_amount, "give US dollars: 0.50")
_NAME = "give the NAME of an environment variable, never a key itself"
_COUNTS = tuple("core_tokens context_tokens traces recent scan_minutes idle_minutes daily_tokens".split())
_TOP = MappingProxyType(
    {
        **dict.fromkeys(_COUNTS, _COUNT),
        "writer": _one_of(WRITERS),
        "backend": _Rule(_matches(_BACKEND), "give local, none, or the name of an installed one"),
        "batch_tokens": _one_of((8_000, 16_000, 32_000)),
        **dict.fromkeys(("owner", "remote"), _TEXT),
        **dict.fromkeys(("redact", "inject"), _FLAG),
        "timezone": _Rule(_is_zone, 'a name as "Europe/Berlin"; if this is one, install the package tzdata'),
        "watch": _Rule(_is_list, 'give a list: ["claude-code", "~/exports"]'),
        "organize_at": _Rule(_matches(_TIME), "give HH:MM"),
    }
)
_TABLES: Mapping[str, Mapping[str, _Rule]] = MappingProxyType(
    {
        "api": {
            "model": _Rule(_matches(_MODEL), "give provider:model"),
            "base_url": _Rule(_matches(_ADDRESS), "give an address: http://127.0.0.1:11434/v1"),
            "key_env": _Rule(_matches(_VARIABLE), _NAME),
            "max_turns": _COUNT,
            "max_tokens": _COUNT,
            "max_cost": _AMOUNT,
            "timeout": _COUNT,
            "mode": _one_of(MODES),
        },
        "command": {
            "program": _PROGRAM,
            "model": _TEXT,
            "timeout": _COUNT,
            "env": _Rule(lambda value: _is_list(value, _matches(_VARIABLE)), f"a list; {_NAME}"),
        },
        "embeddings": {
            "model": _Rule(_matches(_EMBEDDER), "give use, wordllama, or library:name or provider:model"),
            "base_url": _Rule(_matches(_ADDRESS), "give an address: http://127.0.0.1:11434/v1"),
            "key_env": _Rule(_matches(_VARIABLE), _NAME),
            "least": _Rule(lambda value: _is_amount(value) and cast(float, value) <= 1, "give 0 to 1"),
            "download": _FLAG,
        },
        "prices": {"input": _AMOUNT, "output": _AMOUNT},
    }
)


def _wrong(
    path: Path, above: str, raw: Mapping[str, object], rules: Mapping[str, _Rule]
) -> Iterator[Problem]:
    for key, value in raw.items():
        rule = rules.get(key)
        if rule is None:
            known = (*rules, *(f"[{name}]" for name in _TABLES if not above))
            yield _problem(path, f"{above}{key}", "is not a setting", f"known: {', '.join(known)}")
        elif not rule.fits(value):
            shown = "this" if key in ("key_env", "env") else repr(value)  # it may be a key by mistake
            yield _problem(path, f"{above}{key}", f"{shown} is not possible", rule.wanted)


def _wrong_prices(path: Path, prices: Mapping[str, object]) -> Iterator[Problem]:
    for model, price in prices.items():
        place = f'prices."{model}"'
        if not isinstance(price, Mapping):
            yield _problem(path, place, "must be a table", f"write it as [{place}], with input and output")
            continue
        yield from _wrong(path, f"{place}.", cast(Mapping[str, object], price), _TABLES["prices"])
        for key in _TABLES["prices"]:
            if key not in price:
                yield _problem(path, f"{place}.{key}", "is missing", "give US dollars for a million tokens")


def _problem(path: Path, key: str, message: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, f"{key} {message}".strip(), str(path), remedy=remedy)
