"""Links and backlinks in shards."""

import json

from scriptorium_core.facts import shard_of
from scriptorium_core.names import BlockId
from scriptorium_core.views.change import Change
from scriptorium_core.views.relations import relation_views, relations_path, touched_shards
from viewed import change, cite, facts

SOURCE = cite("l", "chat/s1/m1")


def record(ids: str, *links: str) -> str:
    names = "".join(f" ^{block}" for block in ids.split())
    see = "".join(f" [see](x.md#^{block})" for block in links)
    last = ids.rsplit(maxsplit=1)[-1]
    return f"Text{see}.[^e-{last}]{names}\n\n[^e-{last}]: Time: `2026`; Sources: {SOURCE}\n\n"


def merged(made: Change) -> dict[str, dict[str, list[str]]]:
    """The touched shards as one mapping."""
    whole: dict[str, dict[str, list[str]]] = {"backlinks": {}, "outbound": {}}
    for data in relation_views(made, touched_shards(made)).values():
        for side, lists in json.loads(data or "{}").items():
            whole[side] |= lists
    return whole


def new(files: dict[str, str]) -> Change:
    return change(facts({}), {}, files)


def test_a_shard_is_compact_sorted_and_named_by_the_hash_of_the_id() -> None:
    made = new({"topics/a.md": record("aa", "cc", "bb") + record("bb") + record("cc")})
    views = relation_views(made, touched_shards(made))
    assert set(views) == {relations_path(shard_of(block)) for block in ("aa", "bb", "cc")}
    assert views[relations_path(shard_of("aa"))] == b'{"backlinks":{},"outbound":{"aa":["bb","cc"]}}\n'
    assert views[relations_path(shard_of("bb"))] == b'{"backlinks":{"bb":["aa"]},"outbound":{}}\n'


def test_every_id_of_a_merged_record_has_its_links() -> None:
    made = new({"topics/a.md": record("old aa", "bb", "old"), "topics/b.md": record("bb", "bb")})
    assert merged(made) == {
        "backlinks": {"bb": ["aa", "bb", "old"], "old": ["aa", "old"]},
        "outbound": {"aa": ["bb", "old"], "bb": ["bb"], "old": ["bb", "old"]},
    }


def test_only_the_shards_whose_lists_change_are_touched() -> None:
    old = {"topics/a.md": record("aa", "bb") + record("bb"), "topics/b.md": record("cc", "bb")}
    before = {"topics/a.md": old["topics/a.md"]}
    unlinked = change(facts(old), before, {"topics/a.md": record("aa") + record("bb") + record("dd")}, ["dd"])
    assert touched_shards(unlinked) == {shard_of("aa"), shard_of("bb")}
    views = relation_views(unlinked, touched_shards(unlinked))
    assert views[relations_path(shard_of("aa"))] is None
    assert views[relations_path(shard_of("bb"))] == b'{"backlinks":{"bb":["cc"]},"outbound":{}}\n'
    reworded = change(facts(old), before, {"topics/a.md": old["topics/a.md"].replace("Text", "Words")})
    assert touched_shards(reworded) == frozenset()


def test_a_first_link_to_an_untouched_record_gives_it_a_backlink() -> None:
    made = change(facts({"topics/b.md": record("bb")}), {}, {"topics/a.md": record("aa", "bb")}, ["aa"])
    assert merged(made)["backlinks"] == {"bb": ["aa"]}


def test_an_untouched_merged_record_stays_a_backlink_with_all_its_ids() -> None:
    base = facts({"topics/a.md": record("old aa", "bb"), "topics/b.md": record("bb")})
    made = change(base, {}, {"topics/c.md": record("cc", "bb")}, ["cc"])
    assert merged(made)["backlinks"] == {"bb": ["aa", "cc", "old"]}


def test_a_link_counts_while_its_target_stands() -> None:
    files = {"topics/a.md": record("aa", "zz")}
    made = change(facts(files), {}, {"topics/z.md": record("zz")}, ["zz"])
    assert merged(made) == {"backlinks": {"zz": ["aa"]}, "outbound": {"aa": ["zz"]}}
    both = {**files, "topics/z.md": record("zz")}
    gone = change(facts(both), {"topics/z.md": both["topics/z.md"]}, {})
    assert touched_shards(gone) == {shard_of("aa"), shard_of("zz")}
    assert merged(gone) == {"backlinks": {}, "outbound": {}}
    assert merged(new(files)) == {"backlinks": {}, "outbound": {}}


def test_a_backlink_of_an_id_that_stands_twice_follows_the_first_of_the_two() -> None:
    files = {"topics/a.md": record("aa"), "topics/b.md": record("aa", "bb") + record("bb")}
    assert change(facts(files)).linking(BlockId("bb")) == ()
