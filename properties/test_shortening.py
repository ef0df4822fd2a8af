"""Laws of texts that are too long for their place: shortened with a pointer to the rest, never dropped."""

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.knowledge.shortening import shortened


class TestShortening:
    """An item that is larger than its share is shortened with a pointer to the rest."""

    @given(st.text(st.sampled_from("aZ7é花園，。\u0301"), min_size=100), st.integers(80, 99))
    def test_what_is_written_without_blanks_is_never_dropped(self, text: str, most: int) -> None:
        cut = shortened(f"{'x' * 40}{text}", "more", lambda whole: len(whole) <= most)
        assert cut is not None
        assert len(cut) <= most
