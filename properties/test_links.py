"""Laws of links between the files of a directory."""

from hypothesis import given
from hypothesis import strategies as st

from scriptorium_core.markdown.links import (
    code_ranges,
    link_path,
    links_in,
    rebase_links,
    relative,
    resolve,
    without_paths,
)
from strategies import awkward_texts, topic_paths

_LINKS = (
    "[a](b.md#^x)", "[a](<b c.md#^x>)", "[[a]](../b.md)", "`[a](b.md#^x)`", "[a](#^x)", "[a](https://e.org/b)",
    "[a](b_(c).md#^x)", "![a](b.png)", "[a](//e.org)", "[^e1]", "``", "`", "[", "](",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(_LINKS) | awkward_texts(), max_size=6).map("".join)


class TestLinks:
    """The path part of a link is recomputed; everything else of a text stays."""

    @given(topic_paths(), topic_paths())
    def test_a_relative_path_leads_back(self, source: str, target: str) -> None:
        assert resolve(source, relative(source, target)) == target

    @given(topic_paths(), topic_paths())
    def test_a_written_path_is_read_as_it_was_meant(self, source: str, target: str) -> None:
        (link,) = links_in(f"[text]({link_path(relative(source, target))}#^id)")
        assert (resolve(source, link.path), link.block) == (target, "id")

    @given(TEXTS)
    def test_links_stand_where_they_say_outside_code(self, text: str) -> None:
        code = code_ranges(text)
        for link in links_in(text):
            assert text[link.start : link.end] == link.target
            assert not any(start <= link.start < end and link.end <= end for start, end in code)

    @given(TEXTS)
    def test_a_text_whose_links_stay_is_not_touched(self, text: str) -> None:
        assert rebase_links(text, lambda link: None) == text
        assert rebase_links(text, lambda link: link.target) == text

    @given(TEXTS)
    def test_without_paths_is_idempotent_and_keeps_the_ids(self, text: str) -> None:
        plain = without_paths(text)
        assert without_paths(plain) == plain
        assert [link.block for link in links_in(plain)] == [link.block for link in links_in(text)]

    @given(topic_paths(), st.text())
    def test_a_path_never_leads_out_of_the_directory(self, source: str, path: str) -> None:
        found = resolve(source, path)
        assert found is None or ".." not in found.split("/")
