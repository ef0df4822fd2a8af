"""Laws of terms."""

import unicodedata

from hypothesis import assume, given
from hypothesis import strategies as st

from scriptorium_core.terms import fold, query_terms, same_text, terms
from strategies import awkward_texts

UNSPACED = st.text("しりとカード設備门끝말잇기ไทย", min_size=1, max_size=12)
ANY_TEXT = st.one_of(
    st.text(max_size=60),
    st.text(st.characters(categories=("Cs", "Lo", "Mn", "Lt", "Nd", "Pd")), max_size=30),
    st.text("aAé1.'_-/@#+, \u0301日", max_size=30),
    awkward_texts(),
)


class TestTermsOfAnyText:
    """The core's terms are handed to the engine as they are."""

    @given(ANY_TEXT)
    def test_terms_are_short_and_can_be_joined_by_spaces(self, text: str) -> None:
        found = terms(text)
        assert tuple(" ".join(found).split(" ")) == found or not found
        assert all(0 < len(term) <= 100 and not set(term) & set("\t\n\x0b\x0c\r ") for term in found)
        assert " ".join(found).encode().decode() == " ".join(found)

    @given(ANY_TEXT)
    def test_terms_do_not_depend_on_the_unicode_form(self, text: str) -> None:
        assert terms(unicodedata.normalize("NFC", text)) == terms(unicodedata.normalize("NFD", text))

    @given(ANY_TEXT, ANY_TEXT)
    def test_terms_of_two_lines_are_the_terms_of_each(self, one: str, two: str) -> None:
        assert sorted(terms(f"{one}\n{two}")) == sorted(terms(one) + terms(two))


class TestQueryTerms:
    """A hit must share a term that is not a stop word."""

    @given(ANY_TEXT)
    def test_a_text_holds_every_term_that_it_asks_for(self, text: str) -> None:
        asked = query_terms(text)
        held = set(terms(text))
        assert held.issuperset(asked.wanted)
        assert held.issuperset(asked.common)
        assert len(set(asked.wanted + asked.common)) == len(asked.wanted + asked.common)

    @given(ANY_TEXT)
    def test_a_text_with_terms_asks_for_something(self, text: str) -> None:
        asked = query_terms(text)
        assert bool(asked.wanted or asked.common) == bool(terms(text))


class TestUnspacedScripts:
    """Runs of CJK become single characters and overlapping pairs, also inside mixed runs."""

    @given(UNSPACED, UNSPACED, UNSPACED)
    def test_any_part_of_a_run_is_found_in_it(self, before: str, part: str, after: str) -> None:
        assert set(terms(before + part + after)).issuperset(query_terms(part).wanted)

    @given(UNSPACED, st.text("abcXYZ019", min_size=1, max_size=6))
    def test_neighbouring_letters_change_nothing(self, run: str, word: str) -> None:
        assert set(terms(word + run)) == set(terms(word)) | set(terms(run))


class TestFolding:
    """Names and texts are compared without form, case and white space."""

    @given(ANY_TEXT)
    def test_folding_twice_is_folding_once(self, text: str) -> None:
        assert fold(fold(text)) == fold(text)


class TestTheSameText:
    """Case, form, punctuation and white space tell nothing; signs of numbers do."""

    @given(st.text(st.characters(max_codepoint=127), max_size=20) | st.text("a1 -.,:/#%(+", max_size=12))
    def test_plain_letters_are_read_as_any_others(self, text: str) -> None:
        assume(same_text(f"{text}日") != "日")  # punctuation alone stays as it is
        assert same_text(f"{text}日") == same_text(text) + "日"

    @given(ANY_TEXT)
    def test_it_is_the_same_of_what_it_gives_and_of_any_spelling(self, text: str) -> None:
        assert same_text(f" {text.upper().lower()} ") == same_text(text.upper().lower())
        assert same_text(unicodedata.normalize("NFD", text)) == same_text(text)
