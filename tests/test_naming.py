"""Topics by a part of their name."""

from scriptorium_core.recall.naming import named

PATHS = ("topics/keys.md", "topics/people/Zoë.md", "topics/house/spare-keys.md", "topics/keys/shed.md")


def test_a_name_that_begins_so_stands_before_one_that_holds_it_and_before_a_folder() -> None:
    assert named(PATHS, "key") == ("topics/keys.md", "topics/house/spare-keys.md", "topics/keys/shed.md")


def test_case_and_form_are_no_matter() -> None:
    assert named(PATHS, "zoe\u0308") == named(PATHS, "ZOË") == ("topics/people/Zoë.md",)


def test_without_a_text_all_are_meant_and_neither_root_nor_ending_is_a_name() -> None:
    assert sorted(named(PATHS, " ")) == sorted(PATHS)
    assert named(PATHS, "topics/") == named(PATHS, ".md") == ()
