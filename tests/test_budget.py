"""Examples of fitting things into a number of tokens."""

from scriptorium_core.budget import Fit, estimate, fill, fit


def test_what_does_not_fit_is_skipped_and_the_next_is_tried() -> None:
    assert fit(["four", "toolong", "ab"], len, 6) == Fit(("four", "ab"), ("toolong",), 6)
    assert fit(["a"], len, 0) == Fit((), ("a",), 0)


def test_filling_ends_with_the_item_that_reaches_the_goal() -> None:
    assert fill(["ab", "cd", "ef"], len, 3) == Fit(("ab", "cd"), ("ef",), 4)
    assert fill(["ab"], len, 3) == Fit(("ab",), (), 2)


def test_an_estimate_is_on_the_high_side() -> None:
    assert [estimate(text) for text in ("", "abcd", "abcde", "钥匙ab", "é")] == [0, 1, 2, 3, 1]
