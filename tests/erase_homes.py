"""A home with a long trail of one record, from which erasing has much to take."""

import shutil
from pathlib import Path

from scriptorium.service import Service
from scriptorium.service.forgetting import Forgotten
from scriptorium.settings import Settings
from scriptorium.workspace.erasing import Erased
from scriptorium_core.recall import Kind, Query
from trips import TRAINS, ask, at_noon, create, written

__all__ = ["GUEST_HOUSE", "WORDS", "copied", "erased", "made", "record_of"]

WORDS = "trains to planes"
GUEST_HOUSE = "native/trip/m5"


def made(folder: Path) -> Service:
    """The home with searches, packs, updates of the record, and a link to it."""
    service = written(folder)
    service.search(Query(WORDS, (Kind.RECORD, Kind.TURN)))
    block = record_of(service, TRAINS)
    ask(service, create(f"See [the trains](notes.md#^{block}).", source=GUEST_HOUSE))
    for number in range(3):
        ask(service, create(f"Mara has {number} cats.", source=GUEST_HOUSE))
    return service


def copied(folder: Path, base: Path) -> Service:
    """A copy of such a home, which is made once below `base`; the log that it knows stands there."""
    once = base / "erase"
    if not once.exists():
        once.mkdir()
        made(once).close()
    shutil.copytree(once, folder, symlinks=True, dirs_exist_ok=True)
    return Service(folder / "home", settings=Settings(), moment=at_noon)


def record_of(service: Service, source: str) -> str:
    """The one record that cites a message."""
    with service.memory().reading() as (_, base):
        (block,) = base.facts.citing[base.facts.sources[source].place]
    return block


def erased(service: Service, *names: str) -> Erased:
    """Erase names, and what links to them loses the links."""
    done = service.forget(names, erase=True, unlink=True)
    assert isinstance(done, Forgotten), done
    assert done.erased is not None
    return done.erased
