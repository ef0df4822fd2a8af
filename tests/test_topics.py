"""Examples of topics: what is a record, and what is wrong with the rest."""

import pytest

from memory_example import KEYS, S1, link
from scriptorium_core import topics
from scriptorium_core.names import TopicPath
from scriptorium_core.problem import Code
from scriptorium_core.topics import Topic, parse_topic, render_topic

PATH = TopicPath("topics/keys.md")
DEFINED = f"\n\n[^e1]: Time: `2026`; Sources: [s]({link(S1)})\n"


def problems(text: str) -> list[tuple[int, str]]:
    topic, found = parse_topic(PATH, text.encode())
    assert render_topic(topic) == text.encode()
    assert all((problem.code, problem.path) == (Code.INVALID_TOPIC_FORMAT, PATH) for problem in found)
    assert all(problem.remedy for problem in found)
    return [(problem.line, problem.message) for problem in found]


def read(text: str) -> Topic:
    topic, found = parse_topic(PATH, text.encode())
    assert found == ()
    return topic


def test_a_topic_holds_records_with_everything_that_is_said_of_them() -> None:
    one, two = read(KEYS).records
    assert (one.id, one.aliases, one.content, one.headings) == ("key1", (), "Mara has the key.", ("Keys",))
    assert (str(one.when), one.lines, one.path, one.links) == ("2026-04", (3, 3), PATH, ())
    (group,) = one.evidence
    assert (group.id, group.quote, group.fields) == (
        "e-aaaaaaaaaa",
        one.content,
        (("Status", "verified 0.9"),),
    )
    assert (group.sources[0].label, group.sources[0].place) == ("said", link(S1).removeprefix("../"))
    assert (two.id, two.aliases, two.when, two.links) == ("key2", ("old2",), None, ("key1",))


def test_a_record_has_the_date_of_its_first_dated_definition() -> None:
    dates = (("e1", "undated"), ("e2", "2026"), ("e3", "2025"))
    notes = (f"[^{label}]: {date} · Sources: [s]({link(S1)})\n" for label, date in dates)
    text = "a[^e1] b[^e2] c[^e3] ^x\n\n" + "".join(notes)
    (record,) = read(text).records
    assert (str(record.when), [str(when) for when in record.whens]) == ("2026", ["2026", "2025"])
    assert [group.quote for group in record.evidence] == ["a", "b", "c"]
    assert len(record.sources) == 1


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (KEYS + "\nuncited prose here\n", 13, "'uncited prose here': prose without a citation"),
        (f"---\ntitle: x\n---\n{KEYS}", 1, "prose without a citation"),
        (KEYS + "\n- one\n- two\n", 13, "'- one - two': prose"),
        (KEYS + "\n^alone\n", 13, "prose without a citation"),
        ("a[^e1] more" + DEFINED, 1, "text after the last citation ('more')"),
        ("a[^e1]^id" + DEFINED, 1, "text after the last citation"),
        ("a[^e2] ^x" + DEFINED, 1, "[^e2] has no definition"),
        ("[^e1] ^x" + DEFINED, 1, "without prose"),
        ("a[^e1] ^x ^x" + DEFINED, 1, "a block id stands twice"),
        ("a[^e1] ^x\nb[^e1] ^y" + DEFINED, 1, "two records in one paragraph"),
        ("a[^e1] b[^mem_a]" + DEFINED + DEFINED.replace("e1", "mem_a"), 1, "legacy mem_ citations"),
        ("a[^e1] ^x\n\nb[^e1] ^y ^x" + DEFINED, 3, "the block id ^x stands in line 1"),
        ("a[^e1] ^x" + DEFINED + DEFINED.replace("2026", "2025"), 6, "defined a second time"),
        ("a[^e1] ^x" + DEFINED.replace("2026", "soon"), 3, "is not a date"),
        ("a[^e1] ^x" + DEFINED.replace("[s]", "[ ]"), 3, "the label ' ' is blank"),
        ("a[^e1] ^x" + DEFINED.replace("[s]", "[a\x00]"), 3, "control character"),
        ("# A\n\n```\nx\n```\n\n# B\n\na[^e1] ^x" + DEFINED, 3, "a fence in a section without a record (A)"),
        (
            "# A\n\na[^e1] ^x\n\n## C\n\n<!-- c -->" + DEFINED,
            7,
            "a html in a section without a record (A > C)",
        ),
    ],
)
def test_what_is_no_record_is_named_with_line_and_first_words(text: str, line: int, words: str) -> None:
    found = problems(text)
    assert line in [number for number, _ in found]
    assert any(words in message for _, message in found), found


def test_all_that_is_wrong_in_a_topic_comes_at_once_in_order() -> None:
    assert [line for line, _ in problems("one\n\ntwo[^e9] ^x\n\n[^e1]: nothing\n\nthree\n")] == [1, 3, 5, 7]


def test_bytes_that_are_no_text_are_named_with_their_line() -> None:
    topic, (problem,) = parse_topic(PATH, b"# A\n\n\xff\n")
    assert (problem.line, problem.message, topic.spans) == (3, "the file is not UTF-8", ())


def test_nothing_inside_a_fence_is_read() -> None:
    topic = read(f"# A\n\nx[^e1] ^a{DEFINED}\n```\ny[^e9] ^b\n[^e1]: nonsense\n```\n")
    assert topic.ids == ("a",)


def test_fences_comments_and_anchors_stand_beside_records_also_below() -> None:
    read(f"# A\n\n<a id=x></a>\n\n## B\n\nx[^e1] ^a{DEFINED}\n<!-- c -->\n")


def test_a_byte_order_mark_and_crlf_change_nothing_but_themselves() -> None:
    plain = read(KEYS)
    for text in ("\ufeff" + KEYS, KEYS.replace("\n", "\r\n"), "\ufeff" + KEYS.replace("\n", "\r")):
        topic = read(text)
        assert topic.records == plain.records
        assert render_topic(topic) == text.encode()
    assert read("\ufeff\ufeffx[^e1] ^a" + DEFINED).records[0].content == "\ufeffx"
    assert read("\ufeff" + DEFINED.strip() + "\n\nx[^e1] ^a").records[0].content == "x"


def test_units_of_the_older_form_end_with_their_citations() -> None:
    text = "one[^mem_a] two[^mem_b][^mem_c] remark" + "".join(
        DEFINED.replace("e1", name) for name in ("mem_a", "mem_b", "mem_c")
    )
    records = read(text).records
    assert [(record.ids, record.content, record.legacy) for record in records] == [
        (("mem_a",), "one", True),
        (("mem_b", "mem_c"), "two", True),
    ]


def test_a_repeated_definition_that_says_the_same_is_no_fault() -> None:
    assert problems("a[^e1] ^x" + DEFINED + DEFINED) == []


def test_a_label_of_a_source_may_be_missing_only_where_a_handle_stands() -> None:
    assert problems("a[^e1] ^x\n\n[^e1]: 2026 · Sources: chat/s1/m1\n") == []
    assert problems("a[^e1] ^x\n\n[^e1]: 2026 · Sources: [](../x.md#y)\n")


def test_a_public_name_that_is_none_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        topics.nothing  # noqa: B018
