"""Which spans of a text are replaced by what, whoever found them."""

import re
from collections.abc import Iterable

from scriptorium_core.sources.forms import find
from scriptorium_core.sources.redact import (
    Finder,
    Secret,
    Span,
    placeholder,
    redacted,
    totalled,
    untouched,
)


def finder(pattern: str, kind: Secret) -> Finder:
    def look(text: str) -> Iterable[Span]:
        return (Span(*match.span(), kind) for match in re.finditer(pattern, text))

    return look


def test_spans_that_overlap_become_one_of_the_more_telling_kind() -> None:
    found = redacted("a 12345 b", (finder("123", Secret.KEY), finder("2345", Secret.AWS_KEY)))
    assert found.text == "a [secret:aws-key] b"
    assert found.found == {Secret.AWS_KEY: 1}


def test_spans_that_touch_stay_two() -> None:
    found = redacted("1122", (finder("11", Secret.KEY), finder("22", Secret.TOKEN)))
    assert found.text == "[secret:key][secret:token]"
    assert dict(found.found) == {Secret.TOKEN: 1, Secret.KEY: 1}


def test_placeholders_are_never_looked_into() -> None:
    found = redacted("[secret:key] secret key", (finder("secret|key", Secret.TOKEN),))
    assert found.text == "[secret:key] [secret:token] [secret:token]"


def test_what_only_a_replacement_uncovers_is_replaced_too() -> None:
    found = redacted("aab", (finder("aa", Secret.KEY), finder("^b", Secret.TOKEN)))
    assert found.text == "[secret:key][secret:token]"


def test_nothing_found_is_the_same_text() -> None:
    text = "no secret at all"
    assert redacted(text, (find,)).text is text
    assert redacted(text, (find,)) == untouched(text)


def test_every_kind_has_a_placeholder_that_holds_no_secret() -> None:
    for kind in Secret:
        assert redacted(placeholder(kind), (find, finder(".+", Secret.KEY))).found == {}


def test_counts_add_up_by_kind_in_one_order() -> None:
    sums = totalled(({Secret.KEY: 1}, {Secret.JWT: 2, Secret.KEY: 1}, {}))
    assert list(sums.items()) == [(Secret.JWT, 2), (Secret.KEY, 2)]
