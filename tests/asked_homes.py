"""Homes that are asked: records with questions, and a model that is played by a server."""

import json
from pathlib import Path
from typing import Any

from provider_server import Answer, Played
from scriptorium.service import Service
from scriptorium.service.trust import Remembered
from scriptorium.settings import Api, Settings
from small_homes import NOW
from wire_formats import FORMATS

__all__ = ["KEY", "QUESTION", "asked_home", "modelled", "noted", "saved", "stated"]

QUESTION = "Where is the spare key?"
KEY = "The spare key hangs behind the blue door."
_FORM = next(form for form in FORMATS if form.provider.startswith("openai"))


def asked_home(home: Path, **more: Any) -> Service:
    """The service of a home without a model, with a clock that stands; the memory is made."""
    made = Service(home, settings=Settings(timezone="UTC"), moment=lambda: NOW, **more)
    made.init()
    return made


def modelled(home: Path, play: Played, **more: Any) -> Service:
    """The same with a model."""
    api = Api(_FORM.provider, play.address + _FORM.path, timeout=20, **more)
    made = Service(home, settings=Settings(api=api, timezone="UTC"), moment=lambda: NOW)
    made.init()
    return made


def stated(value: object) -> Answer:
    """What a model sends that states an object, or a text as it is."""
    return _FORM.say(value if isinstance(value, str) else json.dumps(value))


def saved(made: Service, text: str, *asks: str, **more: Any) -> str:
    """The id of the record that words become."""
    done = made.remember(text, asks=asks, **more)
    assert isinstance(done, Remembered), done
    return done.records[0].id


def noted(made: Service, block: str, **fields: str) -> None:
    """Have a person write a record's standing into its definition by hand, and adopt it."""
    with made.memory().reading() as (_, base):
        path = base.facts.records[block].record.path
        (group,) = base.facts.records[block].record.evidence
    file = made.root / path
    lines = file.read_text("utf-8").splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.startswith(f"[^{group.id}]:"):
            kept = [(name, value) for name, value in group.fields if name not in fields]
            head = line.rstrip("\n")
            for name, value in group.fields:
                head = head.replace(f"; {name}: {value}", "")
            said = "".join(f"; {name}: {value}" for name, value in [*fields.items(), *kept])
            lines[number] = f"{head}{said}\n"
    file.write_text("".join(lines), "utf-8")
    made.adopt()
