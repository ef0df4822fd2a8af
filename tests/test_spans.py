"""Examples of a text as spans of lines."""

from scriptorium_core.markdown.spans import SpanKind, join, line_ending, missing_fence, spans


def kinds(text: str) -> list[str]:
    return [span.kind.value for span in spans(text)]


def test_a_heading_is_one_to_six_marks_a_space_and_text() -> None:
    assert kinds("# A\n###### F\n") == ["heading", "heading"]
    for no in ("####### G", "#A", "#\tA", "#", "#  ", " # A"):
        assert kinds(no) == ["paragraph"], no


def test_a_heading_cuts_the_path_to_its_level_less_one_and_appends_itself() -> None:
    text = "# A\n### B\n### C\n## D\n# E\n"
    assert [s.headings for s in spans(text)] == [("A",), ("A", "B"), ("A", "B", "C"), ("A", "D"), ("E",)]


def test_a_fence_is_closed_by_at_least_as_many_of_its_own_mark() -> None:
    assert kinds("````\n```\n~~~~\n# no heading\n`````\nx") == ["fence", "paragraph"]
    assert kinds("  ~~~ python\n[^e1]: x\n  ~~~\n") == ["fence"]


def test_an_unclosed_fence_runs_to_the_end_of_the_file() -> None:
    (fence,) = spans("```\n# A\n\nx ^id\n")
    assert missing_fence(fence) == "```"
    assert [missing_fence(span) for span in spans("```\n```\n# A\n")] == ["", ""]
    assert missing_fence(spans("```")[0]) == "```"


def test_html_lines_anchors_and_definitions_are_no_prose() -> None:
    text = "<!-- a -->\n<a id=x></a>\n[^e1]: b\n<abbr> prose\n [^e1]: prose\n"
    assert kinds(text) == ["html", "html", "definition", "paragraph"]


def test_a_paragraph_is_a_maximal_run_of_other_lines() -> None:
    found = spans("one\ntwo\n\n  \nthree\n# A\nfour")
    assert [(s.kind.value, s.text, s.line) for s in found] == [
        ("paragraph", "one\ntwo\n", 1),
        ("blank", "\n  \n", 3),
        ("paragraph", "three\n", 5),
        ("heading", "# A\n", 6),
        ("paragraph", "four", 7),
    ]


def test_lines_end_at_lf_crlf_and_cr_and_nowhere_else() -> None:
    assert [s.text for s in spans("# A\r\n# B\r# C\n")] == ["# A\r\n", "# B\r", "# C\n"]
    assert kinds("# A\u2028# B\x85# C\x0c# D") == ["heading"]
    assert [line_ending(text) for text in ("a\r\nb\n", "a\rb", "a")] == ["\r\n", "\r", "\n"]


def test_a_byte_order_mark_hides_nothing_and_is_kept() -> None:
    text = "\ufeff# A\n\nx\n"
    assert kinds(text) == ["heading", "blank", "paragraph"]
    assert spans(text)[0].headings == ("A",)
    assert join(spans(text)) == text
    assert kinds("\ufeff```\nx\n```\ny") == ["fence", "paragraph"]
    assert spans("x\n\n\ufeff# A")[2].kind is SpanKind.PARAGRAPH
