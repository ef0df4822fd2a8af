"""Examples of the way from what somebody wrote to what is committed."""

from memory_example import KEYS, MIRA, ODD, S1, S2, codes, edited, link, memory, topic, written
from scriptorium_core.topics.normalize import is_local_label
from scriptorium_core.transaction import Prepared


def test_labels_of_the_writer_are_e_and_a_number_or_new_evidence() -> None:
    assert all(map(is_local_label, ("e1", "e12", "new-evidence-record-1")))
    assert not any(map(is_local_label, ("e-1", "e", "E1", "e1x", "new-evidence-", "mem_a", "x")))


def test_ids_are_allocated_handles_become_links_and_nothing_else_changes() -> None:
    new = (
        f"\nBo has it too.[^e1][^e2]\n\n[^e1]: 2026-05 · Sources: chat/s1/m1, [odd]({ODD})\n"
        f"[^e2]: Time: `2026`; Sources: [b]({link(S2)})\n"
    )
    outcome = edited(memory(), {"topics/keys.md": KEYS + new})
    assert isinstance(outcome, Prepared)
    first, second = (outcome.report.naming.evidence[f"topics/keys.md#{label}"] for label in ("e1", "e2"))
    (block,) = outcome.report.created
    assert written(outcome) == KEYS + (
        f"\nBo has it too.[^{first}][^{second}] ^{block}\n\n"
        f"[^{first}]: Time: `2026-05`; Sources: [{S1}]({link(S1)}), [odd]({link(ODD)})\n"
        f"[^{second}]: Time: `2026`; Sources: [b]({link(S2)})\n"
    )


def test_the_same_labels_in_two_files_are_two_definitions() -> None:
    text = "# N\n\nBo.[^e1]\n\n[^e1]: {} · Sources: chat/s1/m1\n"
    outcome = edited(memory(), {"topics/a.md": text.format(2025), "topics/b.md": text.format(2024)})
    ids = {path: topic(outcome, path).records[0].evidence[0].id for path in ("topics/a.md", "topics/b.md")}
    assert len(set(ids.values())) == 2
    assert isinstance(outcome, Prepared)
    assert outcome.report.naming.evidence == {f"{path}#e1": name for path, name in ids.items()}


def test_an_id_that_somebody_wrote_is_kept() -> None:
    outcome = edited(memory(), {"topics/a.md": f"Bo.[^my-note] ^my-id\n\n[^my-note]: 2026 · Sources: {S1}\n"})
    assert written(outcome, "topics/a.md").startswith(
        "Bo.[^my-note] ^my-id\n\n[^my-note]: Time: `2026`; Sources: ["
    )


def test_a_label_that_was_committed_is_an_id_like_any_other() -> None:
    files = memory(keys=KEYS.replace("e-aaaaaaaaaa", "e1"))
    text = files["topics/keys.md"].decode()
    outcome = edited(files, {"topics/keys.md": text + f"\nBo.[^e2]\n\n[^e2]: 2026 · Sources: {S1}\n"})
    assert written(outcome).startswith(text)
    clash = edited(files, {"topics/keys.md": text + f"\nBo.[^e1]\n\n[^e1]: 2025 · Sources: {S1}\n"})
    assert codes(clash) == [("INVALID_TOPIC_FORMAT", "topics/keys.md")]


def test_a_handle_that_means_nothing_is_named() -> None:
    outcome = edited(memory(), {"topics/a.md": "Bo.[^e1]\n\n[^e1]: 2026 · Sources: chat/s1/none\n"})
    assert codes(outcome) == [("MISSING_SOURCE", "topics/a.md")]


def test_paths_of_links_follow_the_id_where_a_paragraph_is_touched() -> None:
    text = MIRA.replace("Mira asked about", "Mira asked for").replace("../keys.md#", "nowhere.md#")
    outcome = edited(memory(), {"topics/people/mira.md": text})
    assert "[the key](../keys.md#^key1)" in written(outcome, "topics/people/mira.md")


def test_a_byte_order_mark_stays_in_front_of_everything() -> None:
    new = f"\ufeffBo.[^e1]\n\n[^e1]: 2026 · Sources: {S1}\n"
    outcome = edited(memory(), {"topics/a.md": new})
    assert written(outcome, "topics/a.md").startswith("\ufeffBo.[^e-")
    definition = f"\ufeff[^e1]: 2026 · Sources: {S1}\n\nBo.[^e1]"
    first = written(edited(memory(), {"topics/a.md": definition}), "topics/a.md")
    assert first.startswith("\ufeff[^e-")


def test_headings_without_a_record_go_and_the_records_around_them_stay() -> None:
    text = f"Mara.[^e-1] ^a\n# Idle\n\n[^e-1]: 2026 · Sources: [s]({link(S1)})\n"
    outcome = edited(memory(keys=text), {"topics/keys.md": text + "\n# Also idle\n# Bo\nBo.[^e-1] ^b"})
    assert [record.ids for record in topic(outcome).records] == [("a",), ("b",)]
    assert "dle" not in written(outcome)


def test_a_definition_that_cannot_be_read_stays_as_it_is() -> None:
    outcome = edited(memory(), {"topics/keys.md": KEYS + "\n[^e9]: nonsense\n"})
    assert codes(outcome) == [("INVALID_TOPIC_FORMAT", "topics/keys.md")]
