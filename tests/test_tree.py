"""Examples of the directory as a value."""

from scriptorium_core.tree import tree_of


def test_an_edit_leaves_the_tree_that_it_was_made_on() -> None:
    tree = tree_of({"a": b"1"})
    edited = tree.put("a", b"2").put("b", b"3").remove("c")
    assert (tree.get("a"), edited.get("a"), edited.get("b"), edited.get("c")) == (b"1", b"2", b"3", None)
    assert edited.remove("a").get("a") is None


def test_paths_below_a_prefix_are_sorted_and_as_edited() -> None:
    tree = tree_of({"t/a": b"", "t/b": b"", "u": b""}).put("t/c", b"").remove("t/a").put("t/b", b"x")
    assert list(tree.under("t/")) == ["t/b", "t/c"]
    assert list(tree.under("")) == ["t/b", "t/c", "u"]


def test_differences_are_the_edits_that_change_something() -> None:
    tree = tree_of({"a": b"1", "b": b"2", "c": b"3"})
    edited = tree.put("z", b"4").put("a", b"1").put("b", b"x").remove("c").remove("never")
    assert edited.differences() == {"b": b"x", "c": None, "z": b"4"}
    assert list(edited.differences()) == ["b", "c", "z"]
