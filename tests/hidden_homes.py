"""A memory with an open and a hidden topic, a policy that hides the one, and what came of asking."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium.workspace import Committed
from scriptorium_core.policy import Actor
from scriptorium_core.transaction import Rejected
from small_homes import NOW, create, request

__all__ = [
    "HIDDEN",
    "OPEN",
    "POLICY",
    "as_",
    "ids",
    "plain_home",
    "problems",
    "refused",
    "sure",
    "with_hidden",
]

OPEN, HIDDEN = "topics/people/mira.md", "topics/private/diary.md"
POLICY = """
[[rules]]
actors = ["agent"]
allow = ["read", "search", "inject", "write", "forget"]
paths = ["topics/**", "sources/**"]

[[rules]]
actors = ["agent"]
deny = ["read"]
paths = ["topics/private"]

[[rules]]
actors = ["reader"]
allow = ["read", "search"]
paths = ["topics/**"]
"""


def sure(result: Any) -> Committed:
    assert isinstance(result, Committed), result
    return result


def problems(result: Any) -> list[str]:
    assert isinstance(result, Rejected), result
    return [f"{each.code} {each.path}: {each.message} ({each.remedy})" for each in result.problems]


def refused(question: Callable[[], Any]) -> list[str]:
    with pytest.raises(Refused) as found:
        question()
    return [f"{each.code} {each.path}: {each.message} ({each.remedy})" for each in found.value.problems]


def plain_home(folder: Path) -> Service:
    """The service of a home, with a clock that stands."""
    return Service(folder / "home", settings=Settings(), moment=lambda: NOW)


def with_hidden(folder: Path) -> Service:
    """A home with an open topic and a hidden one, which links to it."""
    made = plain_home(folder)
    sure(made.change(request(create("Mira likes green tea.", OPEN), says="Mira likes tea.")))
    (seen,) = made.recent().rows
    about = f"The [gift](../people/mira.md#^{seen.record.id}) for Mira is a teapot."
    sure(made.change(request(create(about, HIDDEN), says="The gift is a teapot.")))
    sure(made.set_policy(POLICY.encode()))
    return made


def ids(service: Service) -> tuple[str, str]:
    """The open record and the hidden one, as the owner knows them."""
    rows = {row.record.topic_path: row.record.id for row in service.recent().rows}
    return rows[OPEN], rows[HIDDEN]


def as_(service: Service, actor: Actor) -> Service:
    """The service, asked by somebody else from now on."""
    service.actor = actor
    return service
