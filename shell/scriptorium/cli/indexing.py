"""The indexes: what search is answered from, and what may be deleted at any time."""

import click

from .door import Door
from .lines import counted
from .safe import safe
from .shared import command

__all__: list[str] = []


@command("index")
@click.option("--rebuild", is_flag=True, help="Throw the indexes away first.")
def index_command(door: Door, rebuild: bool) -> int:
    """Bring the indexes up to date: facts, full text, and vectors where [embeddings] names a model.

    They follow the commits by themselves; this does it ahead of the next search, and embeds all that is new.
    What they hold stands in the commits: made anew, they answer as before.
    """
    with door.service() as service, door.progress("indexing") as progress:
        done = service.index(rebuild, progress)

    def people() -> str:
        if done.revision is None:
            return "the memory holds nothing yet"
        documents = f"{counted(done.records, 'record')} and {counted(done.turns, 'turn')}"
        by_meaning = f", {counted(done.vectors, 'text')} by their meaning ({safe(done.model)})"
        return f"{documents} are found by their words{by_meaning if done.model else ''}"

    door.notices(done.notices)
    door.say("index", done, people)
    return 0
