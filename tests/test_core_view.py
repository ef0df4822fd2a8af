"""The resident block: what it shows of topics/core.md, and what it leaves out."""

from collections.abc import Callable
from pathlib import Path

import pytest

from scriptorium_core.budget import estimate
from scriptorium_core.facts import facts_of
from scriptorium_core.names import CORE_TOPIC, TopicPath
from scriptorium_core.sources.frame import Trust
from scriptorium_core.topics.model import Cited
from scriptorium_core.topics.parse import parse_topic
from scriptorium_core.tree import tree_of
from scriptorium_core.views import Change, Limits, core_view, derive_all
from scriptorium_core.views.core import CoreView
from tars import unpacked
from viewed import cite, facts, said, topic

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "workspaces"
S1, S2 = "chat/s1/m1", "chat/s1/m2"
A, B = cite("a", S1, ""), cite("b", S2, "")

CORE = f"""# Core

Speak British English.[^e-1] ^aa

[^e-1]: Time: `2026-03-01`; Sources: {cite("a", S1)}

## Rules

Ask Mara before the keys are lent, whoever may want them and for however short a time.[^e-2] ^bb

[^e-2]: Time: `undated`; Sources: {cite("b", S2)}

## Home

Keys hang [here](house/keys.md#^cc).[^e-1] ^old ^dd
"""


def everything(_: Cited) -> bool:
    return True


def view(text: str, limit: int = 2000, trusts: Callable[[Cited], bool] = everything) -> CoreView:
    return core_view(topic(CORE_TOPIC, text), trusts, estimate, limit)


def test_everything_that_fits_stands_in_file_order_with_links_from_the_root() -> None:
    shown = view(CORE)
    assert shown.text == (
        f"# Core\n\nSpeak British English.[^e-1] ^aa\n\n[^e-1]: Time: `2026-03-01`; Sources: {A}\n\n"
        "## Rules\n\nAsk Mara before the keys are lent, whoever may want them and for however short a time."
        f"[^e-2] ^bb\n\n[^e-2]: Time: `undated`; Sources: {B}\n\n"
        "## Home\n\nKeys hang [here](topics/house/keys.md#^cc).[^e-1] ^old ^dd\n\n"
        "<!-- core: 3 of 3 records -->\n"
    )
    assert (shown.shown, shown.omitted, shown.withheld) == (("aa", "bb", "old", "dd"), (), ())
    assert shown.tokens == estimate(shown.text)


def test_a_record_that_does_not_fit_is_left_out_and_the_next_one_is_tried() -> None:
    shown = view(CORE, limit=estimate(view(CORE).text) - 1)
    assert shown.omitted == ("old", "dd")
    limit = estimate(CORE.replace("Ask Mara", "")) - 30
    shown = view(CORE, limit=limit)
    assert (shown.shown, shown.omitted) == (("aa", "old", "dd"), ("bb",))
    assert "## Rules" not in shown.text
    assert shown.text.endswith("<!-- core: 2 of 3 records -->\n")
    assert shown.tokens <= limit


def test_headings_definitions_and_the_closing_line_are_counted_too() -> None:
    one = view(CORE.split("## Rules", maxsplit=1)[0])
    assert view(CORE.split("## Rules", maxsplit=1)[0], limit=one.tokens).shown == ("aa",)
    assert view(CORE.split("## Rules", maxsplit=1)[0], limit=one.tokens - 1).shown == ()


def test_where_nothing_fits_the_block_is_its_closing_line_alone() -> None:
    shown = view(CORE, limit=1)
    assert shown.text == "<!-- core: 0 of 3 records -->\n"
    assert shown.omitted == ("aa", "bb", "old", "dd")


def test_text_of_special_tokens_is_plain_text() -> None:
    assert "<|endoftext|>" in view(CORE.replace("British", "<|endoftext|>")).text


def test_a_record_with_any_pending_or_missing_source_is_withheld_and_counted() -> None:
    shown = view(CORE, trusts=lambda cited: cited.label != "b")
    assert (shown.shown, shown.withheld) == (("aa", "old", "dd"), ("bb",))
    assert shown.text.endswith("<!-- core: 2 of 3 records -->\n")
    base = facts({}, {**said(S1), **said("chat/s2/m1", trust=Trust.PENDING)})
    trusts = Change(base, {}, {}, (), {}).trusts
    both = f"One.[^e-1] ^aa\n\nTwo.[^e-2] ^bb\n\n[^e-1]: Time: `2026`; Sources: {cite('a', S1)}\n"
    pending = both + f"[^e-2]: Time: `2026`; Sources: {cite('a', S1)}, {cite('p', 'chat/s2/m1')}\n"
    assert view(pending, trusts=trusts).withheld == ("bb",)
    missing = both + f"[^e-2]: Time: `2026`; Sources: {cite('m', 'chat/s9/m9')}\n"
    assert view(missing, trusts=trusts).withheld == ("bb",)
    handle = both + "[^e-2]: Time: `2026`; Sources: chat/s1/m1\n"
    assert view(handle, trusts=trusts).withheld == ("bb",)


def test_fields_of_a_definition_stay_and_a_plain_handle_too() -> None:
    text = f"One.[^e-1] ^aa\n\n[^e-1]: 2026 · Sources: {cite('a', S1)}, chat/s1/m2; Status: verified 0.9\n"
    assert f"[^e-1]: Time: `2026`; Sources: {A}, chat/s1/m2; Status: verified 0.9\n" in view(text).text


def test_legacy_records_stand_each_by_itself_and_text_behind_them_does_not() -> None:
    text = (
        "# Core\n\nOne.[^mem_a] Two [x](y.md#^aa).[^mem_b] A remark\n\n"
        f"[^mem_a]: Time: `2026`; Sources: {cite('a', S1)}\n"
        f"[^mem_b]: Time: `2026`; Sources: {cite('b', S2)}\n"
    )
    shown = view(text, trusts=lambda cited: cited.label == "b")
    assert shown.text == (
        f"# Core\n\nTwo [x](topics/y.md#^aa).[^mem_b]\n\n[^mem_b]: Time: `2026`; Sources: {B}\n\n"
        "<!-- core: 1 of 2 records -->\n"
    )
    assert (shown.shown, shown.withheld) == (("mem_b",), ("mem_a",))


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_a_hand_saved_master_with_other_line_ends_and_a_mark_gives_the_same_block(newline: str) -> None:
    assert view("\ufeff" + CORE.replace("\n", newline)).text == view(CORE).text


def test_fences_and_comments_stay_in_the_topic() -> None:
    text = CORE.replace("## Rules", "```\n[x](y.md)\n```\n\n<!-- note -->\n\n## Rules")
    assert view(text).text == view(CORE).text


def test_links_are_rebased_in_headings_and_in_angles_and_left_alone_out_of_the_directory() -> None:
    note = f"\n\n[^e-1]: Time: `2026`; Sources: {cite('a', S1)}\n"
    text = "# [Home](house/a.md)\n\n" + "".join(
        f"{link}\n"
        for link in (
            "[a](<house/my notes.md#^aa>) [b](#^bb) [c](#) [d](/etc/passwd) [e](../../x) [f](https://x.org/a#b)",
            "[g](../sources/a%20b.md#source-1) `[h](y.md)` [i](../) "
            "![j](img/k.png?raw) [k](房屋/温室.md#^x).[^e-1] ^bb",
        )
    )
    assert view(text + note).text.split("\n\n")[:2] == [
        "# [Home](topics/house/a.md)",
        "[a](<topics/house/my notes.md#^aa>) [b](topics/core.md#^bb) [c](#) [d](/etc/passwd) [e](../../x) "
        "[f](https://x.org/a#b)\n[g](sources/a%20b.md#source-1) `[h](y.md)` [i](../) "
        "![j](topics/img/k.png?raw) [k](topics/房屋/温室.md#^x).[^e-1] ^bb",
    ]


def test_a_citation_without_a_definition_is_shown_without_one() -> None:
    broken, problems = parse_topic(
        TopicPath(CORE_TOPIC), CORE.replace("[^e-1] ^aa", "[^e-1][^e-9] ^aa").encode()
    )
    assert problems
    assert "English.[^e-1][^e-9] ^aa" in core_view(broken, everything, estimate, 2000).text


def test_a_record_whose_citations_all_lead_nowhere_is_withheld() -> None:
    broken, problems = parse_topic(TopicPath(CORE_TOPIC), b"One.[^e-9] ^aa\n")
    assert problems
    assert core_view(broken, everything, estimate, 2000).withheld == ("aa",)


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"no acceptance data at {SHARED}")
@pytest.mark.parametrize("name", ["small", "rich", "legacy"])
def test_the_other_program_renders_the_same_block_but_for_the_closing_line(tmp_path: Path, name: str) -> None:
    unpacked(SHARED / f"{name}.tar.gz", tmp_path)
    root = tmp_path / name
    files = {
        path.relative_to(root).as_posix(): path.read_bytes()
        for folder in ("topics", "sources")
        for path in (root / folder).rglob("*.md")
    }
    core, _ = parse_topic(CORE_TOPIC, files[CORE_TOPIC])
    mine = derive_all(facts_of(tree_of(files)), core, Limits(estimate))["core.md"].decode()
    total = len(core.records)
    assert mine == (root / "core.md").read_text("utf-8") + f"\n<!-- core: {total} of {total} records -->\n"
