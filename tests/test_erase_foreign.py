"""Erasing in directories that the other program wrote, archives of every age among them."""

from pathlib import Path

import pytest

from residue import places_with
from scriptorium.service import Service
from scriptorium.service.forgetting import Forgotten
from scriptorium.settings import Settings
from trips import WORKSPACES, at_noon, unpacked


@pytest.mark.parametrize("name", WORKSPACES)
def test_a_directory_of_the_other_program_loses_it_everywhere_and_stays_whole(
    name: str, tmp_path: Path
) -> None:
    root = unpacked(name, tmp_path)
    with Service(memory=root, settings=Settings(), moment=at_noon) as service:
        with service.memory().reading() as (_, base):
            record = base.facts.newest[0].record
            sources = [base.facts.places[cited.place] for cited in record.sources]
            texts = [record.content, *(base.facts.sources[source].text for source in sources)]
            citing = [block for cited in record.sources for block in base.facts.citing[cited.place]]
        # The messages with it, and whatever else cites them, so that nothing keeps the words.
        done = service.forget([*citing, *sources], erase=True, unlink=True)
        assert isinstance(done, Forgotten), done
        assert service.verify().holds, service.verify().findings
    long = [line for text in texts for line in text.splitlines() if len(line) > 12]
    assert long
    assert places_with(tmp_path, *long) == []
