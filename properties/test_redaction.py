"""Laws of redaction: once is enough, nothing else is touched, and no placeholder says what it hides."""

from hypothesis import given
from hypothesis import strategies as st

from scriptorium.redaction import redact, spans
from scriptorium_core.names import SourceId
from scriptorium_core.sources.archive import append, scan
from scriptorium_core.sources.frame import Frame
from scriptorium_core.sources.redact import Secret, Span, clean_frames, placeholder, redacted

PATH = "sources/chat/_v2/s1.md"
MIXED = "Qw3rTy7uIoPaSdFgHjKlZxCvBnM1"
VALUES = (
    *(
        "sk_live_EXAMPLE0123456789abcdef",
        "AKIAIOSFODNN7EXAMPLE",
        f"ghp_{MIXED}12345678",
        f"sk-ant-api03-{MIXED}",
    ),
    *("xoxb-123456789012-123456789012-AbCdEfGhIjKl", f"AIza{MIXED}abcdefg", "glpat-AbCdEfGhIjKlMnOpQrSt"),
    f"-----BEGIN PRIVATE KEY-----\n{MIXED * 2}\n{MIXED}\n-----END PRIVATE KEY-----",
)
AWKWARD = (
    *(
        "password",
        "token",
        "secret",
        "api_key",
        "=",
        ": ",
        '"',
        "'",
        "\n",
        "\r\n",
        "://",
        "user:",
        "@host",
        " ",
    ),
    *(
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "\\n",
        "[secret:key]",
        "[secret:",
        "]",
        "bearer ",
    ),
    *(
        "密码：",
        "，",
        "--password ",
        "curl -u a:",
        "a1b2c3d4e5f6a7b8c9d0",
        "eyJhbGciOiJIUzI1NiJ9",
        ".",
        "-",
        "_",
    ),
)

words = st.text(st.characters(codec="utf-8"), max_size=12)
pieces = st.one_of(st.sampled_from(VALUES), st.sampled_from(AWKWARD), words)
texts = st.lists(pieces, max_size=14).map("".join)
plain = st.text(st.characters(codec="utf-8", exclude_characters=":=：-"), max_size=80).filter(
    lambda text: max(map(len, text.split()), default=0) < 16
)


class TestRedaction:
    """Typed placeholders for what a detector recognises; harmless text stays untouched."""

    @given(texts)
    def test_to_redact_twice_is_to_redact_once(self, text: str) -> None:
        once = redact(text)
        assert redact(once.text).text == once.text
        assert redact(once.text).found == {}
        assert spans(once.text) == []

    @given(texts)
    def test_what_is_no_placeholder_stood_there_before_in_the_same_order(self, text: str) -> None:
        done = redact(text).text
        at = 0
        for part in _between(done):
            at = text.index(part, at) + len(part)

    @given(plain)
    def test_text_that_holds_nothing_like_a_secret_is_the_same_text(self, text: str) -> None:
        assert redact(text).text is text
        assert redact(text).found == {}

    @given(words, st.sampled_from(VALUES), words)
    def test_no_part_of_a_value_stays(self, before: str, value: str, after: str) -> None:
        done = redact(f"{before} {value} {after}").text
        assert value not in done
        assert value[8:20] not in done.removeprefix(before)

    @given(texts)
    def test_the_counts_are_those_of_the_new_placeholders(self, text: str) -> None:
        done = redact(text)
        marks = sum(done.text.count(placeholder(kind)) for kind in Secret)
        assert sum(done.found.values()) >= marks - sum(text.count(placeholder(kind)) for kind in Secret)
        assert bool(done.found) == (done.text != text)

    @given(
        texts,
        st.lists(st.tuples(st.integers(0, 60), st.integers(1, 30), st.sampled_from(Secret)), max_size=6),
    )
    def test_whatever_a_finder_says_each_of_its_spans_is_gone(
        self, text: str, wanted: list[tuple[int, int, Secret]]
    ) -> None:
        found = [Span(at, min(at + size, len(text)), kind) for at, size, kind in wanted if at < len(text)]
        once = iter((found,))
        done = redacted(text, (lambda piece: next(once, ()),)).text if "[secret:" not in text else ""
        hidden = {index for span in found for index in range(span.start, span.end)}
        kept = "".join(char for index, char in enumerate(text) if index not in hidden)
        if done:
            assert "".join(_between(done)) == kept

    @given(st.lists(texts.filter(lambda text: bool(text.strip())), min_size=1, max_size=4))
    def test_an_archive_of_redacted_frames_reads_back(self, said: list[str]) -> None:
        raw = [Frame(SourceId(f"chat/s1/m{number}"), "user", text) for number, text in enumerate(said)]
        frames, found = clean_frames(raw, redact)
        data = append(PATH, None, frames)
        assert isinstance(data, bytes)
        archive = scan(PATH, data)
        assert archive.complete
        assert [each.text for each in archive.frames] == [redact(text).text for text in said]
        assert sum(found.values()) == sum(sum(redact(text).found.values()) for text in said)


def _between(text: str) -> list[str]:
    """The parts of a redacted text that are no placeholder."""
    for kind in Secret:
        text = text.replace(placeholder(kind), "\0\0")
    return text.split("\0\0")
