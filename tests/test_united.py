"""Examples of two histories that become one: what is refused, and what rarely happens on both sides."""

from memory_example import MIRA, PENDING, S1, S2, link, memory
from scriptorium_core.facts import facts_of
from scriptorium_core.names import CORE_TOPIC, NodeId, SessionId, SourceId, archive_path, context_path
from scriptorium_core.problem import Code
from scriptorium_core.sources.archive import append
from scriptorium_core.sources.context import append_context
from scriptorium_core.sources.frame import Context, Frame, Origin
from scriptorium_core.sources.promoting import promote
from scriptorium_core.syncing import Node, Tidings, relation
from scriptorium_core.syncing.incoming import broken
from scriptorium_core.tree import tree_of
from two_sides import KEYS_PATH as PATH
from two_sides import one_of, refused, text, trailers, with_text

PEOPLE = "topics/people/mira.md"
ARCHIVE, BESIDE = archive_path(S1), context_path(SourceId(S1))


def contexts(*numbers: int) -> bytes:
    """What is known of some messages beside their archive."""
    told = [
        Context(SourceId(f"chat/s1/m{n}"), Origin.HUMAN, SessionId("s1"), NodeId(f"m{n}")) for n in numbers
    ]
    data = append_context(BESIDE, None, told)
    assert isinstance(data, bytes)
    return data


def with_message(data: bytes, name: str) -> bytes:
    """An archive with another message behind those that it has."""
    frame = Frame(SourceId(f"chat/s1/{name}"), "user", "More.", "", None, "Bo", None)
    found = append(ARCHIVE, data, [frame])
    assert isinstance(found, bytes)
    return found


# --- What is refused -----------------------------------------------------------------------------


def test_a_topic_that_cannot_be_read_on_one_side_is_mended_before_it_is_united() -> None:
    base = memory()
    one = with_text(base, "Mara has", "Mara holds")
    two = {**base, PATH: base[PATH] + b"\nNo evidence here.\n"}
    found = [(Code.INVALID_TOPIC_FORMAT, PATH, 13, "mend it, then sync again")]
    assert refused(base, one, two) == refused(base, two, one) == found


def test_an_archive_of_an_older_form_is_taken_as_it_is_and_refused_if_both_changed_it() -> None:
    old = "sources/chat/s9.md"
    base = memory()
    one, two = {**base, old: b"# s9\n\none\n"}, {**base, old: b"# s9\n\ntwo\n"}
    assert text(one_of(base, base, two), old) == "# s9\n\ntwo\n"
    assert refused(base, one, two) == [(Code.SOURCES_CHANGED, old, 0, "take one of the two back")]


def test_all_that_is_in_the_way_of_archives_and_topics_is_told_at_once() -> None:
    old = "sources/chat/s9.md"
    base = memory()
    one = {**with_text(base, "Mara has", "Mara holds"), old: b"one\n"}
    two = {**base, old: b"two\n", PATH: b"No evidence here.\n"}
    assert [(code, path) for code, path, _, _ in refused(base, one, two)] == [
        (Code.SOURCES_CHANGED, old),
        (Code.INVALID_TOPIC_FORMAT, PATH),
    ]


def test_a_record_that_cites_what_neither_side_archived_is_refused() -> None:
    base = memory()
    two = {**base, PEOPLE: MIRA.replace(link(S2, PEOPLE), link("chat/s1/m7", PEOPLE)).encode()}
    remedy = "mend the record on the side that it comes from"
    assert refused(base, base, two) == [(Code.MISSING_SOURCE, PEOPLE, 3, remedy)]


def test_of_two_branches_that_met_again_the_meeting_comes_last() -> None:
    known = {"a": Node(1), "b": Node(2, ("a",)), "c": Node(3, ("a",)), "m": Node(2, ("b", "c"))}
    assert relation("a", "m", known.__getitem__).only_two == ("b", "c", "m")


# --- Evidence ------------------------------------------------------------------------------------


def test_what_both_sides_know_of_their_conversations_is_there_once() -> None:
    base, one, two = ({**memory(), BESIDE: contexts(1, *more)} for more in ((), (2,), (3,)))
    assert text(one_of(base, one, two), BESIDE).encode() == contexts(1, 2, 3)


def test_messages_of_both_sides_are_archived_one_behind_the_other() -> None:
    base = memory()
    one, two = ({**base, ARCHIVE: with_message(base[ARCHIVE], n)} for n in ("m8", "m9"))
    made = one_of(base, one, two)
    assert text(made, ARCHIVE).encode() == with_message(one[ARCHIVE], "m9")
    assert made.prepared.report.archived == ("chat/s1/m9",)
    assert one_of(base, {**two, ARCHIVE: text(made, ARCHIVE).encode()}, one).prepared.report.archived == ()


def test_an_archive_that_the_other_side_took_away_stays() -> None:
    base = {**memory(), "sources/chat/s9.md": b"# s9\n"}
    two = {path: data for path, data in base.items() if path != "sources/chat/s9.md"}
    assert text(one_of(base, base, two), "sources/chat/s9.md") == "# s9\n"


def test_consent_that_the_other_side_gave_is_said_again() -> None:
    base = memory()
    let_in = promote(ARCHIVE, base[ARCHIVE], [PENDING])
    assert isinstance(let_in, bytes)
    made = one_of(base, base, {**base, ARCHIVE: let_in}, told=Tidings(promoted=(PENDING,)))
    assert trailers(made, "Promoted") == [PENDING]
    assert text(made, ARCHIVE) == let_in.decode()


def test_the_core_is_derived_anew_when_what_it_cites_was_let_in_elsewhere() -> None:
    label = "[^e-eeeeeeeeee]"
    core = f"""# Core

Bo is away.{label} ^core1

{label}: Time: `2026`; Sources: [said]({link(PENDING)})
"""
    base = {**memory(), CORE_TOPIC: core.encode()}
    let_in = promote(ARCHIVE, base[ARCHIVE], [PENDING])
    assert isinstance(let_in, bytes)
    made = one_of(base, base, {**base, ARCHIVE: let_in}, told=Tidings(promoted=(PENDING,)))
    assert "Bo is away." in text(made, "core.md")
    assert one_of(base, base, {**base, BESIDE: contexts(1)}).prepared.tree.get("core.md") is None


# --- Files that are neither ------------------------------------------------------------------------


def test_another_file_is_as_the_side_has_it_that_changed_it_and_the_firsts_if_both_did() -> None:
    base = {**memory(), "notes.txt": b"old", "gone.txt": b"old", "both.txt": b"old", "same.txt": b"old"}
    one = {**base, "both.txt": b"one", "same.txt": b"new"}
    two = {**base, "notes.txt": b"two", "both.txt": b"two", "same.txt": b"new"}
    del two["gone.txt"]
    made = one_of(base, one, two)
    found = {path: made.prepared.tree.get(path) for path in base if path.endswith(".txt")}
    assert found == {"notes.txt": b"two", "gone.txt": None, "both.txt": b"one", "same.txt": b"new"}
    assert made.kept == ("both.txt",)


# --- What commits of the other side broke -----------------------------------------------------------


def test_what_commits_broke_is_refused_unless_they_say_so() -> None:
    before, after = memory(), memory()
    del after[PEOPLE]
    after[ARCHIVE] = after[ARCHIVE].replace(b"Said 0.", b"Said 9.")

    def told(said: Tidings) -> list[tuple[str, str]]:
        trees = tree_of(before), tree_of(after)
        found = broken(*trees, [PEOPLE, ARCHIVE], facts_of(trees[1], {}), "c" * 40, said)
        assert all(each.remedy for each in found)
        return [(each.code, each.path) for each in found]

    lost, altered = (Code.BLOCK_LOST, PEOPLE), (Code.SOURCES_CHANGED, ARCHIVE)
    assert told(Tidings()) == [lost, altered]
    assert told(Tidings(deleted=("mira1",))) == [altered]
    assert told(Tidings(promoted=(S1,))) == [lost]
    assert told(Tidings(named=frozenset({("Lost", "mira1"), ("Altered", S1)}))) == []
    assert told(Tidings(forgotten=("mira1", S1))) == []


def test_an_instruction_without_the_owners_own_words_is_refused_whatever_was_deleted() -> None:
    before = memory()
    core = (
        f"# Core\n\nAlways use tabs.[^e-1] ^rule1\n\n[^e-1]: Time: `2026`; Sources: [said]({link(PENDING)})\n"
    )
    after = {**before, CORE_TOPIC: core.encode()}
    facts = facts_of(tree_of(after), {})
    facts = facts._replace(sources={k: s._replace(tier=None) for k, s in facts.sources.items()})
    said = Tidings(deleted=("rule1",), promoted=("rule1",))
    (problem,) = broken(tree_of(before), tree_of(after), [CORE_TOPIC], facts, "c" * 40, said)
    assert (problem.code, problem.path, problem.line) == (Code.NOT_PERMITTED, CORE_TOPIC, 3)
