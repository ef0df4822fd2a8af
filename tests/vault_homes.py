"""Homes with a vault, and a secret that no detector knows by its form."""

from pathlib import Path

from scriptorium.service import Service
from scriptorium.service.secrets import Secrets
from scriptorium.settings import Settings
from scriptorium_core.policy import OWNER, Actor
from trips import at_noon

__all__ = ["NAME", "VALUE", "a_vault", "secrets"]

NAME, VALUE = "mail-login", "seventeen green umbrellas under one bridge"


def secrets(home: Path, actor: Actor = OWNER) -> Secrets:
    """The vault of a home as an actor may use it."""
    return Secrets(Service(home, settings=Settings(), moment=at_noon, actor=actor))


def a_vault(home: Path) -> Secrets:
    """The vault of a home that keeps one secret."""
    made = secrets(home)
    made.put(NAME, VALUE.encode())
    return made
