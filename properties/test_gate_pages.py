"""The law of the one gate on the page: a person reads of each record what every other way out says of it."""

import re
from collections.abc import Mapping
from datetime import date

from hypothesis import given, settings

from gate_homes import Kept, gate_home, kept
from page_homes import visited
from scriptorium_core.facts import facts_of
from scriptorium_core.knowledge.assess import Assessment
from scriptorium_core.knowledge.gate import assessed
from scriptorium_core.names import CORE_TOPIC
from scriptorium_core.tree import tree_of
from standing_strategies import days

__all__: list[str] = []

_PIECES = re.compile(r'<span class="standing (\w+)">([^<]*)</span>|aria-label="Evidence of (\w+)"')


def told(page: str) -> Mapping[str, tuple[str, str]]:
    """The decision and the words beside each record of a page, empty where it has none."""
    found: dict[str, tuple[str, str]] = {}
    beside = ("", "")
    for piece in _PIECES.finditer(page):
        decision, words, block = piece.groups()
        if block is None:
            beside = (decision, words)
        else:
            found[block], beside = beside, ("", "")
    return found


def said(found: Assessment) -> tuple[str, str]:
    """What a page has to say of an assessment."""
    reasons = f" ({', '.join(found.reasons)})" if found.reasons else ""
    stale = ", stale" if found.stale else ""
    return str(found.decision), f"{found.state} {found.confidence:g}{stale}{reasons}"


class TestPages:
    """The same gate on the page: a hit comes with its assessment, a topic with what stands against each."""

    @settings(max_examples=4)
    @given(kept(), days)
    def test_a_search_and_a_topic_say_what_the_gate_says(self, records: tuple[Kept, ...], day: date) -> None:
        with gate_home(records, day) as home, visited(home.service.home, moment=home.clock) as visitor:
            facts = facts_of(tree_of(home.files))
            expected = {known.record.id: assessed(facts, known.record, day) for known in facts.newest}
            assert told(visitor.text("/search?q=lamp")) == {
                block: said(found) for block, found in expected.items()
            }
            # The core has a page of its own, which shows the prompt as it is.
            topic = [block for block in expected if facts.records[block].record.path != CORE_TOPIC]
            page = visitor.text("/topics/lamps.md") if topic else ""
            assert told(page) == {
                block: said(found) if found.reasons or found.stale else ("", "")
                for block, found in expected.items()
                if block in topic
            }
