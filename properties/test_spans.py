"""Laws of Markdown as spans of lines."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.markdown.paragraphs import parse_paragraph, rename_citations
from scriptorium_core.markdown.spans import SpanKind, join, lines_of, missing_fence, spans
from strategies import awkward_texts

_LINES = (
    "# A", "### B", "##C", "```", "````", "~~~", "text[^e1] ^id", "[^e1]: Time: `2026`; Sources: a/b/c",
    "<!-- x -->", '<a id="x"></a>', "", "  ", "\ufeff# A", "\u2028", "- item", "^id",
)  # fmt: skip
MARKDOWN = st.lists(st.sampled_from(_LINES) | awkward_texts(), max_size=12)


def documents() -> st.SearchStrategy[str]:
    """Lines that mean something, with any line end between them."""
    return st.builds(lambda parts, eol: eol.join(parts), MARKDOWN, st.sampled_from(("\n", "\r\n", "\r")))


class TestSpans:
    """Parsing is lossless: join(spans(t)) == t."""

    @given(documents() | st.text())
    def test_spans_join_to_the_text(self, text: str) -> None:
        assert join(spans(text)) == text

    @given(documents())
    def test_a_span_knows_the_line_in_which_it_begins(self, text: str) -> None:
        line = 1
        for span in spans(text):
            assert span.line == line
            line += len(lines_of(span.text))

    @given(documents())
    def test_paragraphs_are_maximal(self, text: str) -> None:
        kinds = [span.kind for span in spans(text)]
        for kind, following in itertools.pairwise(kinds):
            assert not (kind is following and kind in (SpanKind.PARAGRAPH, SpanKind.BLANK))

    @given(documents())
    def test_only_the_last_span_is_an_open_fence_and_what_closes_it_does(self, text: str) -> None:
        found = spans(text)
        assert not any(missing_fence(span) for span in found[:-1])
        for span in found[-1:]:
            if mark := missing_fence(span):
                closed = spans(f"{text}\n{mark}\n\nafter")
                assert [each.kind for each in closed[len(found) :]] == [SpanKind.BLANK, SpanKind.PARAGRAPH]
                assert closed[-1].text == "after"

    @given(documents())
    def test_the_heading_path_is_a_stack(self, text: str) -> None:
        path: tuple[str, ...] = ()
        for span in spans(text):
            if span.level:
                assert span.headings[:-1] == path[: span.level - 1]
                path = span.headings
            assert span.headings == path


class TestParagraphs:
    """`^word` and citations in code are plain text; what is not renamed stays."""

    @given(documents())
    def test_renaming_nothing_changes_nothing(self, text: str) -> None:
        assert rename_citations(text, {}) == text
        assert rename_citations(text, {cite: cite for cite in parse_paragraph(text).cites}) == text

    @given(documents())
    def test_claims_stand_where_they_say(self, text: str) -> None:
        for claim in parse_paragraph(text).claims:
            assert text[claim.start : claim.end].startswith(claim.prose)
            assert text[claim.start : claim.end].endswith(f"[^{claim.cites[-1]}]")
