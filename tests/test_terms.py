"""Examples of terms: scripts, compounds, accents, stems, stop words."""

import pytest

from scriptorium_core.terms import STOP_WORDS, fold, query_terms, terms


def test_words_are_folded_and_stemmed() -> None:
    assert terms("Meetings were PAINTED") == ("meet", "were", "paint")


def test_a_term_that_occurs_twice_is_there_twice() -> None:
    assert terms("key, key") == ("key", "key")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getBranch", {"getbranch", "get", "branch"}),
        ("HTTPServer2", {"httpserver2", "httpserver", "http", "server", "2"}),
        ("GitHub2", {"github2", "github", "git", "hub", "2"}),
        ("iPhone15Pro", {"iphone15pro", "iphon", "i", "phone", "15", "pro"}),
        ("macOS14", {"macos14", "maco", "mac", "os", "14"}),
        ("foo_bar", {"foo_bar", "foo", "bar"}),
        ("v1.2.3", {"v1.2.3", "1.2.3", "v1", "v", "1", "2", "3"}),
        ("src/main.py", {"src/main.py", "src", "main", "py"}),
        ("a@example.org", {"a@example.org", "a", "exampl", "org"}),
        ("10,000", {"10,000", "10000", "10", "000"}),
        ("2026-04-03", {"2026-04-03", "2026-04", "2026", "04", "03"}),
        ("C++", {"c++", "c"}),
        ("U.S.A.", {"u.s.a", "usa", "u", "s", "a"}),
    ],
)
def test_a_compound_gives_itself_and_its_parts(text: str, expected: set[str]) -> None:
    assert set(terms(text)) == expected


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("café", "cafe"),
        ("cafe\u0301", "cafe"),
        ("Łódź", "lodz"),
        ("Ångström", "angstrom"),
        ("Straße", "strass"),
    ],
)
def test_a_word_with_accents_is_also_there_without_them(text: str, bare: str) -> None:
    assert bare in terms(text)


def test_unspaced_scripts_become_characters_and_overlapping_pairs() -> None:
    assert terms("しりとり") == ("し", "り", "と", "り", "しり", "りと", "とり")
    assert set(terms("끝말")) == {"끝", "말", "끝말"}


def test_unspaced_runs_are_found_inside_mixed_ones() -> None:
    assert set(terms("NAS设备v2")) == {"nas", "设", "备", "设备", "v2", "v", "2"}


def test_words_with_combining_marks_stay_whole() -> None:
    assert terms("हिन्दी भाषा") == ("हिन्दी", "भाषा")


def test_thai_with_its_vowel_signs_is_one_run() -> None:
    assert "ญแ" in terms("กุญแจ")
    assert "กุ" in terms("กุญแจ")


def test_apostrophes_belong_to_a_word() -> None:
    assert terms("Caroline's") == terms("Caroline’s") == ("carolin",)
    assert "ecol" in terms("l'école")


@pytest.mark.parametrize("text", ["", '"', "*", "\x00", "\ud800", "☃ — …"])
def test_a_text_without_a_word_has_no_terms(text: str) -> None:
    assert terms(text) == ()


def test_query_syntax_is_text() -> None:
    assert set(terms('100%_done AND "NEAR(" -x *')) == {"100", "done", "and", "near", "x"}


def test_ten_thousand_characters_are_terms_like_others() -> None:
    assert terms("x" * 10_000) == ("x" * 100,)
    assert len(terms("設" * 10_000)) == 19_999
    assert max(map(len, terms("a." * 5_000))) == 100


def test_a_query_leaves_out_stop_words() -> None:
    asked = query_terms("When did the LGBTQ group meet?")
    assert asked.wanted == ("lgbtq", "group", "meet")
    assert asked.common == ("when", "did", "the")


def test_a_query_of_stop_words_wants_nothing() -> None:
    assert query_terms("What is it?").wanted == ()


def test_a_query_wants_no_single_characters_of_something_longer() -> None:
    assert query_terms("しりとり").wanted == ("しり", "りと", "とり")
    assert "1" not in query_terms("v1.2.3").wanted


def test_a_query_of_one_character_wants_it() -> None:
    assert query_terms("設").wanted == ("設",)
    assert query_terms("x").wanted == ("x",)


def test_stop_words_are_folded() -> None:
    assert {fold(word) for word in STOP_WORDS} == STOP_WORDS
    assert "may" not in STOP_WORDS  # a month, too


def test_folding_forgets_form_case_and_space() -> None:
    assert fold("  Ａ  ﬁne\nCAFE\u0301 ") == "a fine café"


@pytest.mark.parametrize("query", ["python 3.12", "ABC-12", "zx07", "2026-12-01"])
def test_a_short_number_that_is_only_a_part_is_not_asked_for(query: str) -> None:
    assert not {"12", "07", "01", "3", "1"} & set(query_terms(query).wanted)


@pytest.mark.parametrize("query", ["12", "room 12", "3.12", "7"])
def test_a_number_that_is_asked_for_is_found(query: str) -> None:
    assert query.rsplit(maxsplit=1)[-1] in query_terms(query).wanted
