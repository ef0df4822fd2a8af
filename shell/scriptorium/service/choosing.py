"""What could write memory here: servers, programs, keys by the names of their variables; and choosing one.

Nothing is sent to anybody: a local server is asked for the names of its models, a key is not looked at.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, cast

from attrs import evolve, field, frozen

from scriptorium_core.problem import Code, Problem

from .. import files
from ..layout import program_on_path, variables_set
from ..refused import Refused
from ..settings import FILE, PROGRAMS, faults

if TYPE_CHECKING:
    from .place import Place

__all__ = ["AGENT", "EXTRACTIVE", "Choice", "choices", "named", "served_at", "settle"]

_PATIENCE = 0.5
_LONGEST = 1024 * 1024


@frozen
class Choice:
    """A way to write: its name, the writer and the table of the settings, what is there, and who pays.

    `goes_to` is who gets to read what was said, empty if nobody does.
    """

    name: str
    writer: str
    found: str
    pays: str
    goes_to: str = ""
    table: Mapping[str, str] = field(factory=dict[str, str], hash=False)

    @property
    def model(self) -> str:
        """The model, empty where the program chooses it."""
        return self.table.get("model", "")


EXTRACTIVE = Choice(
    "extractive",
    "extractive",
    "needs no model: keeps what was said, word for word",
    "costs nothing",
)
AGENT = Choice(
    "agent",
    "agent",
    "an agent that is connected takes what waits, and hands in what it made of it",
    "the agent pays, as for its other work",
    "the provider behind the agent",
)
"""Never found, and there for whoever names it."""

_SERVERS = (
    ("ollama", "Ollama", 11434),
    ("llamacpp", "llama.cpp", 8080),
    ("vllm", "vLLM", 8000),
    ("lmstudio", "LM Studio", 1234),
)
# A model that is known to be there and small enough to write every day; any other is chosen with --model.
_KEYS = (
    ("anthropic", "ANTHROPIC_API_KEY", "claude-haiku-4-5", ""),
    ("openai", "OPENAI_API_KEY", "gpt-5-mini", ""),
    (
        "gemini-api",
        "GEMINI_API_KEY",
        "gemini-2.5-flash",
        "https://generativelanguage.googleapis.com/v1beta/openai/",
    ),
    ("openrouter", "OPENROUTER_API_KEY", "openai/gpt-5-mini", "https://openrouter.ai/api/v1"),
)


def choices(
    served: Callable[[int], str | None] | None = None,
    installed: Callable[[str], str | None] = program_on_path,
) -> tuple[Choice, ...]:
    """All ways to write that are there, the cheapest first; the last one needs nothing.

    `served` gives the first model of the server at a port of this computer, None where there is none.
    """
    return (*_local(served or served_at), *_programs(installed), *_keys(), EXTRACTIVE)


def named(found: tuple[Choice, ...], name: str, model: str = "") -> Choice:
    """The choice of a name, with another model if one is given. Raises Refused where it is not there."""
    chosen = next((choice for choice in (*found, AGENT) if choice.name == name), None)
    if chosen is None:
        listed = ", ".join(choice.name for choice in found)
        raise Refused(_problem(f"{name!r} was not found here", "--writer", f"there are: {listed}"))
    if not model:
        return chosen
    if chosen in (AGENT, EXTRACTIVE):
        raise Refused(_problem(f"{chosen.name} takes no model", "--model", "leave --model out"))
    whole = chosen.writer == "command" or model.startswith(f"{chosen.name}:")
    given = model if whole else f"{chosen.name}:{model}"
    return evolve(chosen, table={**chosen.table, "model": given})


def settle(service: Place, chosen: Choice) -> Path:
    """Write the choice into settings.toml; whatever else stands there stays, remarks too."""
    import tomlkit

    path = service.home / FILE
    with files.explained(path):
        files.ensure_folder(service.home)
        text = path.read_text(encoding="utf-8-sig") if path.is_file() else ""
        document = tomlkit.parse(text)
        document["writer"] = chosen.writer
        if chosen.table:
            table = document.setdefault(chosen.writer, tomlkit.table())
            for key in ("model", "base_url", "key_env", "program"):
                if key in table and key not in chosen.table:
                    del table[key]
            for key, value in chosen.table.items():
                table[key] = value
        if problems := faults(path, document.unwrap()):
            raise Refused(*problems)
        files.write_durable(path, tomlkit.dumps(document).encode())
    return path


def served_at(port: int) -> str | None:
    """The first model of a server on this computer that speaks as OpenAI does, None if there is none."""
    from urllib.error import URLError
    from urllib.request import ProxyHandler, build_opener

    # Never through a proxy: only this computer is asked.
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(f"http://127.0.0.1:{port}/v1/models", timeout=_PATIENCE) as answer:
            told = cast(object, json.loads(answer.read(_LONGEST)))
    except (URLError, OSError, ValueError, RecursionError):
        return None
    rows = cast(Mapping[str, object], told).get("data") if isinstance(told, dict) else None
    for row in cast("list[object]", rows) if isinstance(rows, list) else ():
        name = cast(Mapping[str, object], row).get("id") if isinstance(row, dict) else None
        if isinstance(name, str) and name.strip() == name != "" and " " not in name:
            return name
    return None


def _local(served: Callable[[int], str | None]) -> Iterator[Choice]:
    with ThreadPoolExecutor(len(_SERVERS)) as pool:
        models = tuple(pool.map(served, (port for _, _, port in _SERVERS)))
    for (name, title, port), model in zip(_SERVERS, models, strict=True):
        if model is not None:
            table = {"model": f"{name}:{model}", "base_url": f"http://127.0.0.1:{port}/v1"}
            found = f"{title} runs on this computer, with {model}"
            yield Choice(name, "api", found, "costs nothing", "", table)


def _programs(installed: Callable[[str], str | None]) -> Iterator[Choice]:
    for name in PROGRAMS:
        if (path := installed(name)) is not None:
            pays = f"your login of {name} pays"
            yield Choice(
                name,
                "command",
                f"installed at {path}",
                pays,
                f"the provider behind {name}",
                {"program": name},
            )


def _keys() -> Iterator[Choice]:
    there = variables_set([variable for _, variable, _, _ in _KEYS])
    for name, variable, model, address in _KEYS:
        if variable in there:
            table = {"model": f"{name}:{model}", "key_env": variable}
            table |= {"base_url": address} if address else {}
            found = f"{variable} is set; the model would be {model}"
            pays = "each batch is paid with that key: see `write --estimate`"
            yield Choice(name, "api", found, pays, name, table)


def _problem(message: str, place: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, place, remedy=remedy)
