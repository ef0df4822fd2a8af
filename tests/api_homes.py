"""Homes whose memory is written by a model over an interface."""

from pathlib import Path

from provider_server import Played
from scriptorium.conversations.store import open_store
from scriptorium.conversations.unwritten import count_pending
from scriptorium.service import Service
from scriptorium.settings import Api, Price, Settings
from scriptorium_core.writing.outcome import Outcome
from small_homes import NOW, TALK, told
from wire_formats import Called, Format

__all__ = ["KEPT", "KEY", "PRICE", "done", "pending", "service", "service_of", "written_by"]

KEY = "sk-live-51TESTkey0987654321zyx"
PRICE = Price(3.0, 15.0)
KEPT = Called(
    "apply_changes",
    {
        "memory_changes": [
            {
                "op": "create_record",
                "content": "Mara prefers tea to coffee — 緑茶 🍵 above all.",
                "time": "2026-03-01",
                "sources": [{"source": "chat/s1/u1", "label": "Owner, 2026-03-01"}],
                "destination": {"topic_path": "topics/tea.md", "headings": ["Tea"], "position": "end"},
            }
        ]
    },
)
"""A call that keeps one record."""


def done(summary: str = "Mara prefers tea") -> Called:
    """The call that ends the work."""
    return Called("finish", {"summary": summary})


def service(home: Path, form: Format, play: Played, **more: object) -> Service:
    """The service of a home that holds the conversation, with the model of a scripted server."""
    if not (home / "sessions.sqlite3").exists():
        told(home, TALK[:2])
    limits = {"key_env": "SCRIPTORIUM_TEST_KEY", "timeout": 20} | more
    chosen = Api(form.provider, play.address + form.path, **limits)  # type: ignore[arg-type]
    prices = {form.provider: PRICE}
    settings = Settings(writer="api", api=chosen, prices=prices)
    return Service(home, settings=settings, moment=lambda: NOW)


def written_by(home: Path, form: Format, play: Played, **more: object) -> Outcome:
    """How a pass over the conversation ends."""
    with service(home, form, play, **more) as opened:
        ((outcome,),) = (each.outcomes for each in opened.write(force=True))
    return outcome


def pending(home: Path) -> int:
    """How many messages are unwritten."""
    with service_of(home) as opened, open_store(home / "sessions.sqlite3") as store:
        (session,) = store.sessions()
        return count_pending(store, session, opened.memory(make=True).workspace)


def service_of(home: Path) -> Service:
    """The service of a home without a model."""
    return Service(home, settings=Settings(), moment=lambda: NOW)
