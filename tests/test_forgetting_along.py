"""Records that go because nothing that they cite stays: others lose the links to them."""

import json

from memory_example import KEYS, S1, S2, link
from scriptorium_core.forgetting import Targets, cleaned
from scriptorium_core.names import BlockId, SourceId

MESSAGE = Targets(frozenset(), frozenset([SourceId(S1)]), "2026-05-01")
ALONG = Targets(frozenset(), frozenset(), "2026-05-01", frozenset([BlockId("key1")]))
LINK = "See [the key](../keys.md#^key1) and [Bo](#^mira2).[^e1] ^mira1"


def left(path: str, text: str) -> str | None:
    data = cleaned(path, text.encode(), ALONG).data
    return None if data is None else data.decode()


def test_a_topic_says_what_went_with_its_evidence_and_not_what_was_named() -> None:
    assert cleaned("topics/keys.md", KEYS.encode(), MESSAGE).along == {"key1"}
    both = Targets(frozenset([BlockId("key1")]), MESSAGE.sources, MESSAGE.day)
    assert cleaned("topics/keys.md", KEYS.encode(), both).along == frozenset()
    assert cleaned("core.md", KEYS.replace("../", "").encode(), MESSAGE).along == frozenset()


def test_an_older_record_may_lose_one_of_its_ids_and_links_to_that_one_go() -> None:
    text = (
        f"One.[^mem_a][^mem_b]\n\nSee [it](#^mem_a) and [it](#^mem_b).[^e1] ^key1\n\n"
        f"[^mem_a]: Time: `2026`; Sources: [one]({link(S1)})\n"
        f"[^mem_b]: Time: `2026`; Sources: [two]({link(S2)})\n"
        f"[^e1]: Time: `2026`; Sources: [two]({link(S2)})\n"
    )
    found = cleaned("topics/keys.md", text.encode(), MESSAGE)
    assert found.along == {"mem_a"}
    assert found.data is not None
    assert "One.[^mem_b]\n\nSee it and [it](#^mem_b).[^e1] ^key1\n" in found.data.decode()


def test_what_went_elsewhere_is_linked_to_no_more_and_the_record_of_that_id_is_not_looked_for() -> None:
    note = f"\n\n[^e1]: Time: `2026`; Sources: [asked]({link(S2, 'topics/people/mira.md')})\n"
    assert left("topics/people/mira.md", LINK + note) == ("See the key and [Bo](#^mira2).[^e1] ^mira1" + note)
    # The same id in another topic, by another hand: that one rests on something else.
    assert left("topics/keys.md", KEYS) == KEYS.replace("[Mara](#^key1)", "Mara")


def test_views_lose_the_links_too() -> None:
    row = (
        "# 2026\n\nSee [the key](../topics/keys.md#^key1). [Topic](../topics/mira.md#^mira1) [s](../s.md#a)\n"
    )
    assert left("timeline/2026.md", row) == row.replace("[the key](../topics/keys.md#^key1)", "the key")
    newest = {"memory_id": "mira1", "content": "See [the key](keys.md#^key1).", "source_refs": [S2]}
    assert json.loads(left("recent_events.jsonl", json.dumps(newest) + "\n") or "") == {
        **newest,
        "content": "See the key.",
    }
    shard = {"backlinks": {"key1": ["mira1"]}, "outbound": {"mira1": ["key1", "key2"]}}
    assert json.loads(left("relations/ab.json", json.dumps(shard)) or "") == {
        "backlinks": {},
        "outbound": {"mira1": ["key2"]},
    }
