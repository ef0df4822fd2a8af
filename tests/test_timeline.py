"""The timeline: one file a date, one row an evidence group."""

from scriptorium_core.views.timeline import timeline_path, timeline_view, touched_days
from viewed import change, cite, facts, said

S1, S2, S3 = "chat/s1/m1", "chat/s1/m2", "a provider/会话/m1"


def link(label: str, source: str, up: str) -> str:
    return cite(label, source, up)


def rows(files: dict[str, str], day: str, archives: dict[str, bytes] | None = None) -> list[str]:
    data = timeline_view(change(facts(files, archives)), day)
    assert data is not None
    head, *found = data.decode().removesuffix("\n").split("\n\n")
    assert head == f"# {day}"
    return found


def one(prose: str, when: str, *sources: str, block: str = "aa") -> str:
    cited = ", ".join(cite(f"l{n}", source) for n, source in enumerate(sources))
    return f"{prose}[^e-{block}] ^{block}\n\n[^e-{block}]: Time: `{when}`; Sources: {cited}\n\n"


def test_a_date_has_the_file_of_its_precision() -> None:
    assert [timeline_path(day) for day in ("2026", "2026-04", "2026-04-22")] == [
        "timeline/2026.md",
        "timeline/2026/04.md",
        "timeline/2026/04/22.md",
    ]


def test_a_row_is_quote_topic_and_sources_with_links_from_its_file() -> None:
    text = one("See [keys](钥匙.md#^cc), [me](#^aa) and [out](https://x.org).", "2026-04-22", S1, S2)
    assert rows({"topics/a b/温室.md": text.replace("](../", "](../../")}, "2026-04-22") == [
        "See [keys](../../../topics/a%20b/钥匙.md#^cc), "
        "[me](../../../topics/a%20b/%E6%B8%A9%E5%AE%A4.md#^aa) and [out](https://x.org). "
        "[Topic](../../../topics/a%20b/%E6%B8%A9%E5%AE%A4.md#^aa) "
        f"{link('l0', S1, '../../../')} {link('l1', S2, '../../../')}"
    ]


def test_a_quote_of_several_lines_is_one_row() -> None:
    assert rows({"topics/a.md": one("two\n  lines\u2028of", "2026-04", S1)}, "2026-04")[0].startswith(
        "two lines of "
    )


def test_each_group_of_a_paragraph_has_a_row_also_when_their_dates_are_equal() -> None:
    text = (
        "One.[^e-1][^e-2] Two.[^e-3] Three.[^e-4] ^old ^aa\n\n"
        f"[^e-1]: Time: `2026`; Sources: {cite('l', S1)}\n"
        f"[^e-2]: Time: `undated`; Sources: {cite('l', S1)}\n[^e-3]: Time: `2026`; Sources: {cite('l', S1)}\n"
        f"[^e-4]: Time: `2026-04`; Sources: {cite('l', S1)}\n"
    )
    tail = f"[Topic](../topics/a.md#^aa) {link('l', S1, '../')}"
    assert rows({"topics/a.md": text}, "2026") == [f"One. {tail}", f"Two. {tail}"]
    assert len(rows({"topics/a.md": text}, "2026-04")) == 1


def test_legacy_records_have_rows_that_link_to_their_ids() -> None:
    text = f"One.[^mem_x]\n\n[^mem_x]: Time: `2026`; Sources: {cite('l', S1)}\n"
    assert rows({"topics/a.md": text}, "2026") == [
        f"One. [Topic](../topics/a.md#^mem_x) {link('l', S1, '../')}"
    ]


def test_rows_are_sorted_by_the_id_of_the_first_source_then_by_record() -> None:
    text = one("Z.", "2026", S1, block="zz") + one("B.", "2026", S3, block="bb") + one("A.", "2026", S1)
    archives = {**said(S1), **said(S3)}
    assert [row[0] for row in rows({"topics/a.md": text}, "2026", archives)] == ["B", "A", "Z"]


def test_a_plain_handle_stands_as_it_is() -> None:
    text = "One.[^e-1] ^aa\n\n[^e-1]: Time: `2026`; Sources: chat/s1/m1\n"
    assert rows({"topics/a.md": text}, "2026") == ["One. [Topic](../topics/a.md#^aa) chat/s1/m1"]


def test_a_date_without_events_has_no_file() -> None:
    files = {"topics/a.md": one("A.", "2026", S1)}
    gone = change(facts(files), files, {})
    assert touched_days(gone) == {"2026"}
    assert timeline_view(gone, "2026") is None
    assert timeline_view(change(facts(files)), "undated") is None


def test_only_the_days_that_change_are_touched() -> None:
    old = one("A.", "2026", S1) + one("B.", "2025", S1, block="bb")
    new = old.replace("A.", "Another.") + one("C.", "undated", S1, block="cc")
    files = {"topics/a.md": old, "topics/b.md": one("Stays.", "2026", S1, block="dd")}
    made = change(facts(files), {"topics/a.md": old}, {"topics/a.md": new}, ["cc"])
    assert touched_days(made) == {"2026"}
    data = timeline_view(made, "2026")
    assert data is not None
    assert [row.split()[0] for row in data.decode().split("\n\n")[1:]] == ["Another.", "Stays."]


def test_a_moved_record_leaves_no_row_behind() -> None:
    text = one("A.", "2026", S1)
    moved = change(facts({"topics/a.md": text}), {"topics/a.md": text}, {"topics/b.md": text})
    data = timeline_view(moved, "2026")
    assert data is not None
    assert data.decode().count("topics/b.md#^aa") == 1
    assert b"topics/a.md" not in data


def test_a_day_is_sorted_anew_when_a_citation_that_led_nowhere_leads_to_a_message() -> None:
    files = {
        "topics/a.md": one("A.", "2026", S1) + one("B.", "2025", "chat/s1/m3", block="bb"),
        "topics/b.md": one("C.", "2024", S1, block="cc"),
    }
    archived = facts({}, said(S1))
    touched = {"topics/b.md": files["topics/b.md"]}
    assert touched_days(change(facts(files), sources=archived)) == {"2026", "2024"}
    assert touched_days(change(facts(files), touched, touched, sources=archived)) == {"2026", "2024"}
    assert touched_days(change(facts(files, said(S1)), touched, touched, sources=archived)) == frozenset()
