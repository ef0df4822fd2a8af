"""Examples of links between the files of a directory."""

import pytest

from scriptorium_core.markdown.links import (
    code_ranges,
    links_in,
    rebase_links,
    relative,
    resolve,
    without_paths,
)
from scriptorium_core.writing.harmless import harmless


def test_a_block_link_has_a_path_and_an_id() -> None:
    (link,) = links_in("see [the key](../a%20b.md#^key1).")
    assert (link.label, link.path, link.block, link.fragment) == ("the key", "../a b.md", "key1", "")


@pytest.mark.parametrize(
    ("text", "path", "block", "fragment"),
    [
        ("[a](#^x)", "", "x", ""),
        ("[a](#Work)", "", "", "Work"),
        ("[a](b.md)", "b.md", "", ""),
        ("[a](b.md#^)", "b.md", "", "^"),
        ("[a](<b c.md#^x>)", "b c.md", "x", ""),
        ("[a [b] c](d.md#^x)", "d.md", "x", ""),
        ("[a](odd_(ids).md#^x)", "odd_(ids).md", "x", ""),
        ("[a](https://e.org/x#^y)", "", "", ""),
        ("[a](//e.org/x)", "", "", ""),
        ("[a](mailto:x@e.org)", "", "", ""),
    ],
)
def test_a_target_is_read_in_its_parts(text: str, path: str, block: str, fragment: str) -> None:
    (link,) = links_in(text)
    assert (link.path, link.block, link.fragment) == (path, block, fragment)


@pytest.mark.parametrize(
    "text", ["`[a](b.md#^x)`", "``a ` [a](b.md) ``", "[a] (b.md)", "[a](b c.md)", "a](b.md)"]
)
def test_code_and_what_is_no_link_are_left_alone(text: str) -> None:
    assert links_in(text) == ()


def test_inline_code_runs_to_the_next_run_of_as_many_backticks() -> None:
    assert code_ranges("a `b` ``c ` d`` `e") == ((2, 5), (6, 15))
    assert code_ranges("``` a `` b `") == ()
    assert code_ranges("none") == ()


def test_paths_are_relative_to_the_file_that_writes_them() -> None:
    assert relative("topics/a/b.md", "topics/c.md") == "../c.md"
    assert relative("topics/a.md", "topics/a.md") == "a.md"
    assert relative("core.md", "sources/x.md") == "sources/x.md"
    assert resolve("topics/a/b.md", "../../sources/./x.md") == "sources/x.md"
    assert resolve("topics/a.md", "../../x.md") is None
    assert resolve("topics/a.md", "/etc/passwd") is None


def test_only_the_targets_that_are_named_anew_are_rewritten() -> None:
    text = "`[a](x.md#^1)` [a](x.md#^1) and [b](y.md) [c](#^2)"
    found = rebase_links(text, lambda link: "z.md#^1" if link.block == "1" else None)
    assert found == "`[a](x.md#^1)` [a](z.md#^1) and [b](y.md) [c](#^2)"
    assert without_paths(text) == "`[a](x.md#^1)` [a](#^1) and [b](y.md) [c](#^2)"


def test_a_link_in_the_label_of_another_one_is_taken_apart_too() -> None:
    said = "See [a [b](c.md) d](e.md), `[code](f.md)` and [g](h.md)."
    assert harmless(said) == "See [a [b]\\(c.md) d]\\(e.md), `[code](f.md)` and [g]\\(h.md)."


def test_what_stands_in_code_is_no_link_wherever_the_code_stands() -> None:
    said = "`[a](a.md)` [b](b.md) ``x ` [c](c.md)`` [d](d.md) `[e](e.md)`"
    assert [link.target for link in links_in(said)] == ["b.md", "d.md"]
