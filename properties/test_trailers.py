"""What a commit says about itself can be read back."""

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.trailers import format_message, id_trailers, ids_of, one_line, parse_message, values_of
from strategies import awkward_texts

KEYS = st.sampled_from(["Kind", "Batch", "Created", "Moved", "Signed-off-by", "x1"])
TEXTS = st.one_of(awkward_texts(), st.text(st.characters(exclude_categories=["Cs"])))
TRAILERS = st.lists(st.tuples(KEYS, TEXTS), max_size=6)
IDS = st.lists(TEXTS.filter(bool), max_size=40)


class TestTrailers:
    """A commit says what it did in trailers, with ids; history by record is read from there."""

    @given(subject=TEXTS, trailers=TRAILERS)
    def test_what_was_written_is_read_back(self, subject: str, trailers: list[tuple[str, str]]) -> None:
        expected = tuple((key, one_line(value)) for key, value in trailers if one_line(value))
        found, read = parse_message(format_message(subject, trailers))
        assert read == expected
        assert found == (one_line(subject) or "Change memory")

    @given(message=TEXTS)
    def test_any_message_can_be_read(self, message: str) -> None:
        subject, trailers = parse_message(message)
        assert parse_message(format_message(subject, trailers))[1] == tuple(
            (key, value) for key, value in trailers if value
        )

    @given(key=KEYS, ids=IDS, others=TRAILERS)
    def test_ids_come_back_in_order_whatever_they_hold(
        self, key: str, ids: list[str], others: list[tuple[str, str]]
    ) -> None:
        others = [(name, value) for name, value in others if name != key]
        _, trailers = parse_message(format_message("subject", [*id_trailers(key, ids), *others]))
        assert list(ids_of(trailers, key)) == ids
        assert len(values_of(trailers, key)) <= len(ids)

    @given(ids=st.lists(st.from_regex("[a-z0-9]{8}", fullmatch=True), max_size=60))
    def test_no_line_of_ids_is_much_longer_than_a_hundred_characters(self, ids: list[str]) -> None:
        assert all(len(f"{key}: {value}") <= 101 for key, value in id_trailers("Created", ids))
