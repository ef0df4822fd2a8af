"""Logs into the store: the three formats, what is broken in them, and the report."""

import json
from pathlib import Path

import pytest

from scriptorium.conversations import importing, records, taking
from scriptorium.conversations.importing import import_path, importers
from scriptorium.conversations.moments import moment, spoken_moment
from scriptorium.conversations.store import open_store
from scriptorium.conversations.unwritten import waiting
from scriptorium_core.names import WorkspaceId
from scriptorium_core.problem import Code
from scriptorium_core.sessions.evidence import provenance, source_of
from scriptorium_core.sessions.pending import MARK
from scriptorium_core.sources.frame import Origin

LOCOMO = Path(__file__).parents[2] / "shared" / "data" / "locomo10.json"
NOW = "2026-03-01T10:00:00+00:00"


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "sessions.sqlite3") as opened:
        yield opened


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


def line(**row) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


def turn(name: str, session: str = "s1", role: str = "user", **row) -> str:
    return line(session=session, id=name, role=role, **{"text": f"says {name}", **row})


def nodes(store, session="s1", provider="native"):
    return list(store.nodes(store.get(provider, session)))


def parents(store, session="s1"):
    return {found.id: found.parent for found in nodes(store, session)}


def branches(store, session="s1"):
    found = waiting(store, store.get("native", session), WorkspaceId("w-1"), lambda _: False)
    return {item.node.id: item.branch for item in found}


# --- native -------------------------------------------------------------------------------------


def test_a_native_line_is_a_node_with_all_its_fields(store, log):
    row = {
        "session": "s1", "id": "n1", "parent": None, "role": "user", "origin": "human", "text": "Bo here",
        "at": "2026-04-22T10:21:00+02:00", "speaker": "Bo", "speaker_id": "4402", "scope": "/w/a",
        "provider": "chat", "title": "Beans", "tier": "paired", "metadata": {"n": 1, "s": "x", MARK: "w-1"},
    }  # fmt: skip
    log.write_text(line(**row))
    report = import_path(store, log, now=NOW)
    assert (report.format, report.sessions, report.turns_new) == ("native", ("chat/s1",), 1)
    assert store.get("chat", "s1").title == "Beans"
    (found,) = nodes(store, provider="chat")
    assert (found.role, found.origin, found.text) == ("user", Origin.HUMAN, "Bo here")
    assert (found.at, found.speaker_name, found.speaker_id) == ("2026-04-22T10:21:00+02:00", "Bo", "4402")
    assert (found.scope, found.metadata) == ("/w/a", {"n": "1", "s": "x", "authority_tier": "paired"})


def test_a_node_without_a_parent_follows_the_one_before_it_in_its_session(store, log):
    log.write_text(turn("a") + turn("x", "s2") + turn("b", role="assistant") + turn("c", parent=None))
    import_path(store, log)
    assert parents(store) == {"a": None, "b": "a", "c": None}
    assert parents(store, "s2") == {"x": None}


def test_a_node_that_says_so_leaves_the_head_where_it_is(store, log):
    log.write_text(turn("a") + turn("aside", head=False) + turn("b"))
    import_path(store, log)
    assert parents(store) == {"a": None, "aside": "a", "b": "a"}
    assert store.get("native", "s1").head == "b"


def test_a_head_line_rewinds_and_what_follows_is_another_branch(store, log):
    log.write_text(turn("a") + turn("b") + turn("c") + line(session="s1", head="a") + turn("d"))
    report = import_path(store, log)
    assert parents(store) == {"a": None, "b": "a", "c": "b", "d": "a"}
    assert report.branches == 2
    assert branches(store) == {"a": "live", "d": "live", "b": "abandoned", "c": "abandoned"}


def test_a_log_can_list_more_than_one_live_node(store, log):
    log.write_text(turn("a") + turn("b") + line(session="s1", head="a", live=["b"]) + turn("d"))
    import_path(store, log)
    assert set(branches(store).values()) == {"live"}


def test_a_head_line_that_is_appended_moves_the_head(store, log):
    log.write_text(turn("a") + turn("b"))
    import_path(store, log)
    with log.open("a") as file:
        file.write(line(session="s1", head="a"))
    import_path(store, log)
    assert store.get("native", "s1").head == "a"


def test_an_older_copy_of_a_log_does_not_take_the_head_back(store, log, tmp_path):
    log.write_text(turn("a") + turn("b"))
    (tmp_path / "old").write_text(turn("a"))
    import_path(store, log)
    report = import_path(store, tmp_path / "old")
    assert (report.turns_known, store.get("native", "s1").head) == (1, "b")


def test_a_line_can_give_a_title_alone(store, log):
    log.write_text(turn("a") + line(session="s1", title="Beans", head="a"))
    import_path(store, log)
    assert store.get("native", "s1").title == "Beans"


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{not JSON}\n", "not JSON"),
        ('"text"\n', "not an object"),
        ("[" * 100_000 + "\n", "not JSON"),
        (line(id="x", role="user", text="x"), "no session"),
        (line(session="", id="x", role="user"), "no session"),
        (line(session="s1", id="", role="user"), "no id"),
        (line(session="s1", id=7, role="user"), "no id"),
        (line(session="s1", id="x", role="user", text=["x"]), "the text is not a string"),
        (line(session="s1", id="x", role="user", parent=7), "the parent is not a string"),
        (line(session="s1", id="x", role="wizard"), "neither a known role nor a known origin"),
        (line(session="s1", id="x", origin="nowhere"), "neither a known role nor a known origin"),
        (line(session="s1", id="x", origin=["human"]), "neither a known role nor a known origin"),
        (line(session="s1"), "neither an id nor a head"),
        (line(session="s9", head="x"), "a head of a session that has no turns"),
        (turn("a", text="another message"), "a known id with another message"),
    ],
)
def test_a_bad_line_is_skipped_and_counted_with_its_number(store, log, bad, reason):
    log.write_text(turn("a") + bad + turn("b"))
    report = import_path(store, log, "native")
    assert report.skipped == {reason: 1}
    assert report.places == ((2, reason),)
    assert parents(store) == {"a": None, "b": "a"}


def test_a_bad_first_line_does_not_hide_the_format(store, log):
    log.write_text("{broken\n" + turn("a"))
    assert import_path(store, log).turns_new == 1


# --- the end of a log, and the next import -------------------------------------------------------


def test_a_torn_last_line_is_left_for_the_next_import(store, log):
    whole = turn("a") + turn("b") + turn("c")
    log.write_text(whole[:-20])
    report = import_path(store, log)
    assert (report.turns_new, report.torn, report.skipped) == (2, 3, {})
    log.write_text(whole)
    report = import_path(store, log)
    assert (report.turns_new, report.turns_known, report.torn) == (1, 0, 0)


def test_a_torn_line_that_the_program_left_behind_is_skipped_later(store, log):
    log.write_text(turn("a") + '{"session": "s1", "id": "b", "te')
    assert import_path(store, log).torn == 2
    with log.open("a") as file:
        file.write("\n" + turn("c"))
    report = import_path(store, log)
    assert (report.turns_new, report.skipped, report.places) == (1, {"not JSON": 1}, ((2, "not JSON"),))


def test_a_last_line_that_only_lacks_its_line_break_is_whole(store, log):
    log.write_text(turn("a").rstrip("\n"))
    assert import_path(store, log).turns_new == 1
    with log.open("a") as file:
        file.write("\n" + turn("b") + "{bad\n")
    report = import_path(store, log)
    assert (report.turns_new, report.places) == (1, ((3, "not JSON"),))


def test_importing_twice_reads_nothing_twice(store, log):
    log.write_text(turn("a") + turn("b"))
    import_path(store, log)
    again = import_path(store, log)
    assert (again.turns_new, again.turns_known) == (0, 0)
    assert (import_path(store, log, again=True).turns_known) == 2
    assert len(nodes(store)) == 2


def test_a_log_that_was_rewritten_is_read_from_its_start(store, log):
    log.write_text(turn("a") + turn("b"))
    import_path(store, log)
    log.write_text(turn("z") + turn("a", parent=None) + turn("b", parent="a"))
    report = import_path(store, log)
    assert (report.turns_new, report.turns_known, report.skipped) == (1, 2, {})


def test_a_log_that_was_cut_is_read_from_its_start(store, log):
    log.write_text(turn("a") + turn("b"))
    import_path(store, log)
    log.write_text(turn("a"))
    assert import_path(store, log).turns_known == 1


def test_an_import_that_is_stopped_goes_on_where_it_was(store, log, monkeypatch):
    monkeypatch.setattr(taking, "_BATCH", 2)
    log.write_text("".join(turn(f"n{n}") for n in range(7)))

    def stop(done, total):
        assert 0 < done <= total == log.stat().st_size
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_path(store, log, progress=stop)
    assert len(nodes(store)) == 2
    report = import_path(store, log)
    assert (report.turns_new, report.turns_known) == (5, 1)
    assert parents(store)["n6"] == "n5"


def test_progress_ends_with_the_whole_file(store, log):
    log.write_text("".join(turn(f"n{n}") for n in range(1200)))
    seen = []
    import_path(store, log, progress=lambda done, total: seen.append((done, total)))
    assert len(seen) == 3
    assert seen == sorted(seen)
    assert seen[-1] == (log.stat().st_size, log.stat().st_size)


def test_a_dry_run_reports_the_same_and_changes_nothing(store, log):
    log.write_text(turn("a") + turn("b") + "{bad\n")
    dry = import_path(store, log, dry_run=True)
    assert (dry.dry_run, dry.turns_new, dry.branches, dry.skipped) == (True, 2, 1, {"not JSON": 1})
    assert store.sessions() == ()
    assert import_path(store, log).turns_new == 2


def test_the_report_counts_gaps_and_circles(store, log):
    log.write_text(
        turn("a")
        + turn("b", parent="zzz")
        + turn("late", parent="e")
        + turn("e", parent="b")
        + turn("x", parent="x")
    )
    report = import_path(store, log)
    assert (report.gaps, report.cut) == (1, 1)


def test_a_record_that_is_too_long_is_skipped(store, log, monkeypatch):
    monkeypatch.setattr(records, "LONGEST", 200)
    log.write_text(turn("a") + turn("b", text="x" * 500) + turn("c"))
    report = import_path(store, log)
    assert report.skipped == {"a record of more than 64 MiB": 1}
    assert parents(store) == {"a": None, "c": "a"}
    log.write_text(turn("a") + turn("c") + '{"text": "' + "x" * 500)
    assert import_path(store, log).torn == 3


# --- text ---------------------------------------------------------------------------------------

TEXTS = [
    "<|endoftext|> r^2 ^word\r\n",
    "\ufeffBOM \u2028 \x00",
    "</memory-context>",
    '<a id="source-1"></a>',
    "  \n",
]


@pytest.mark.parametrize("text", TEXTS)
def test_text_comes_out_as_it_went_in(store, log, text):
    log.write_text(turn("a", text=text), encoding="utf-8")
    assert import_path(store, log).replaced == 0
    assert nodes(store)[0].text == text


def test_lone_surrogates_are_replaced_and_reported(store, log):
    log.write_text(
        '{"session": "s1", "id": "a", "role": "user", "text": "\\ud800 \\ud83d\\ude00"}\n' + turn("b")
    )
    assert import_path(store, log).replaced == 1
    assert nodes(store)[0].text == "\ufffd 😀"


def test_bytes_that_are_no_text_are_replaced_and_reported(store, log):
    log.write_bytes(turn("a", text="caf#").encode().replace(b"#", b"\xe9") + turn("b").encode())
    assert import_path(store, log).replaced == 1
    assert nodes(store)[0].text == "caf\ufffd"


def test_a_byte_order_mark_and_crlf_do_not_matter(store, log):
    log.write_bytes(b"\xef\xbb\xbf" + (turn("a") + "\n" + turn("b")).replace("\n", "\r\n").encode())
    assert import_path(store, log).turns_new == 2


# --- what cannot be imported --------------------------------------------------------------------


def problem(report) -> Code:
    (found,) = report.problems
    assert found.remedy
    return found.code


@pytest.mark.parametrize("content", ["just words\n", "\x00\x01\x02", '{"a": 1}\n', "[1, 2]", "null"])
def test_a_file_in_no_known_format_is_a_problem(store, log, content):
    log.write_text(content)
    assert problem(import_path(store, log)) is Code.INVALID_ARGUMENT
    assert store.sessions() == ()


def test_a_missing_file_a_folder_and_an_unknown_format_are_problems(store, log, tmp_path):
    assert problem(import_path(store, log)) is Code.INVALID_ARGUMENT
    assert problem(import_path(store, tmp_path)) is Code.INVALID_ARGUMENT
    log.write_text(turn("a"))
    assert problem(import_path(store, log, "clay")) is Code.INVALID_ARGUMENT


def test_an_empty_file_is_no_problem(store, log):
    log.write_bytes(b"")
    assert import_path(store, log).problems == ()
    assert import_path(store, log, "native").problems == ()


def test_installed_packages_add_formats_and_never_replace_ours(monkeypatch):
    class Point:
        def __init__(self, name):
            self.name = name

        def load(self):
            return f"the importer of {self.name}"

    monkeypatch.setattr(importing, "entry_points", lambda group: [Point("clay"), Point("native")])
    known = importers()
    assert known["clay"] == "the importer of clay"
    assert known["native"].name == "native"


# --- message lists ------------------------------------------------------------------------------

ASK = {"role": "user", "content": [{"type": "text", "text": "My train is at 7:40."}]}
TALK = [
    {"role": "system", "content": "You are helpful."},
    ASK,
    {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function"}]},
    {"role": "tool", "tool_call_id": "call_1", "content": "ok"},
    {"role": "assistant", "content": "Reminder set for 7:10."},
]
MORE = {"role": "user", "content": "Thanks."}


def only(store):
    (session,) = store.sessions()
    return session, list(store.nodes(session))


def test_a_list_becomes_a_session_with_a_chain_of_ids(store, log):
    log.write_text(json.dumps({"messages": TALK, "title": "Train"}))
    report = import_path(store, log)
    session, found = only(store)
    assert (report.format, report.turns_new, session.title) == ("openai", 5, "Train")
    assert [turn.origin for turn in found] == [
        Origin.HARNESS,
        Origin.HUMAN,
        Origin.TOOL,
        Origin.TOOL,
        Origin.ASSISTANT,
    ]
    assert [turn.parent for turn in found] == [None, *(turn.id for turn in found[:-1])]
    assert session.head == found[-1].id
    assert found[1].text == "My train is at 7:40."


@pytest.mark.parametrize(
    "shape",
    [
        json.dumps,
        lambda talk: json.dumps(talk, indent=1),
        lambda talk: json.dumps({"messages": talk}, indent=1),
        lambda talk: json.dumps([talk, talk[:2]], indent=1),
        lambda talk: json.dumps([{"messages": talk}]),
        lambda talk: json.dumps(talk[:2]) + "\n" + json.dumps(talk) + "\n",
        lambda talk: "".join(json.dumps({"messages": talk[:n]}) + "\n" for n in range(2, 6)),
        lambda talk: "".join(json.dumps(row) + "\n" for row in talk),
    ],
)
def test_every_shape_of_a_list_gives_the_same_turns(store, tmp_path, shape):
    (tmp_path / "plain").write_text(json.dumps({"messages": TALK}))
    (tmp_path / "other").write_text(shape(TALK))
    import_path(store, tmp_path / "plain")
    before = only(store)
    report = import_path(store, tmp_path / "other")
    assert (report.format, report.turns_new, report.skipped) == ("openai", 0, {})
    assert report.turns_known >= 5
    assert only(store) == before


def test_a_longer_list_extends_the_session_and_a_different_one_forks_it(store, log):
    log.write_text(json.dumps({"messages": TALK}))
    import_path(store, log)
    log.write_text(json.dumps({"messages": [*TALK, MORE]}))
    assert (import_path(store, log).turns_new, len(only(store)[1])) == (1, 6)
    log.write_text(json.dumps({"messages": [*TALK[:4], {"role": "assistant", "content": "Done."}]}))
    report = import_path(store, log)
    session, found = only(store)
    assert (report.turns_new, report.branches, len(found)) == (1, 2, 7)
    assert session.head == found[-1].id


def test_two_equal_messages_in_one_list_stay_two(store, log):
    log.write_text(json.dumps([ASK, {"role": "user", "content": "ok"}, {"role": "user", "content": "ok"}]))
    assert import_path(store, log).turns_new == 3


def test_a_name_that_is_given_is_the_session(store, log, tmp_path):
    log.write_text(json.dumps({"messages": TALK, "conversation_id": "c1"}))
    import_path(store, log)
    (tmp_path / "unnamed").write_text(json.dumps([ASK]))
    import_path(store, tmp_path / "unnamed", session="c2")
    assert [session.id for session in store.sessions()] == ["c1", "c2"]


def test_messages_that_are_appended_line_by_line_go_on_with_the_chain(store, log):
    rows = [json.dumps(row) + "\n" for row in [*TALK, MORE]]
    for count in range(1, 7):
        log.write_text("".join(rows[:count]))
        import_path(store, log)
    session, found = only(store)
    assert [turn.parent for turn in found] == [None, *(turn.id for turn in found[:-1])]
    assert (session.head, len(found)) == (found[-1].id, 6)


def test_lines_of_several_conversations_are_kept_apart(store, log):
    rows = [{**ASK, "session_id": "x"}, {**ASK, "session_id": "y"}, {**MORE, "session_id": "x"}]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_path(store, log)
    assert [(session.id, session.turns) for session in store.sessions()] == [("x", 2), ("y", 1)]


def test_a_half_written_document_gives_what_is_whole_of_it(store, log):
    text = json.dumps([ASK, MORE], indent=1)
    log.write_text(text[:-10])
    report = import_path(store, log)
    assert (report.turns_new, report.torn > 0) == (1, True)
    log.write_text(text)
    report = import_path(store, log)
    assert (report.turns_new, report.turns_known, report.torn) == (1, 1, 0)


def test_a_list_without_talk_is_skipped(store, log):
    log.write_text(json.dumps([TALK[0]]))
    assert import_path(store, log).skipped == {"no talk in the list": 1}
    assert store.sessions() == ()


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({"role": "wizard", "content": "x"}, "an unknown role"),
        ({"content": "x"}, "not a message: no role"),
        (7, "neither a message nor a list of messages"),
    ],
)
@pytest.mark.parametrize("shape", [json.dumps, lambda rows: "".join(json.dumps(row) + "\n" for row in rows)])
def test_what_is_no_message_is_skipped(store, log, shape, bad, reason):
    log.write_text(shape([ASK, bad, MORE]))
    report = import_path(store, log)
    assert report.turns_new == 2
    assert sum(report.skipped.values()) == 1
    assert reason in report.skipped or isinstance(bad, int)


def test_parts_that_are_no_text_are_named_and_times_are_read(store, log):
    parts = [
        {"type": "image_url", "image_url": {"url": "https://x.example/a.png"}},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
        "Which white is this?",
        {"type": "refusal", "refusal": "No."},
        {"type": "audio"},
        7,
    ]
    log.write_text(json.dumps([{"role": "user", "content": parts, "timestamp": 1767225600, "name": "Mira"}]))
    import_path(store, log)
    (found,) = only(store)[1]
    assert found.text == "[image: https://x.example/a.png]\n[image]\nWhich white is this?\nNo."
    assert (found.at, found.speaker_name) == ("2026-01-01T00:00:00+00:00", "Mira")


def test_a_document_with_bytes_that_are_no_text_is_read_and_reported(store, log):
    log.write_bytes(json.dumps([ASK, MORE], indent=1).encode().replace(b"Thanks", b"Th\xffnks"))
    report = import_path(store, log)
    assert (report.turns_new, report.replaced) == (2, 1)
    assert only(store)[1][1].text == "Th\ufffdnks."


def test_a_document_that_nests_too_deeply_is_no_crash(store, log):
    log.write_text("[\n" + json.dumps(ASK) + ",\n" + "[" * 100_000)
    assert import_path(store, log).turns_new == 1


# --- LoCoMo -------------------------------------------------------------------------------------

DATES = [
    {
        "sample_id": "conv-1",
        "qa": [],
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Bo",
            "session_10_date_time": "12:05 am on 1 January, 2024",
            "session_10": [{"speaker": "Bo", "dia_id": "D10:1", "text": "Happy new year!"}],
            "session_2_date_time": "1:56 pm on 8 May, 2023",
            "session_2": [
                {
                    "speaker": "Ada",
                    "dia_id": "D2:1",
                    "text": "Look.",
                    "blip_caption": "a beach",
                    "img_url": ["u", "v"],
                },
                {"speaker": "Bo", "text": "no id"},
            ],
            "session_3_date_time": "no turns",
        },
    },
    {"sample_id": "conv-2"},
]


def test_a_locomo_conversation_is_a_session_with_speakers_and_dates(store, log):
    log.write_text(json.dumps(DATES))
    report = import_path(store, log)
    assert (report.format, report.sessions, report.turns_new) == ("locomo", ("locomo/conv-1",), 2)
    assert report.skipped == {
        "a turn without dia_id or text": 1,
        "not a conversation with a sample_id": 1,
    }
    session, (first, second) = only(store)
    assert (session.title, session.head) == ("Ada and Bo", "D10:1")
    assert (first.at, second.at, second.parent) == ("2023-05-08T13:56", "2024-01-01T00:05", "D2:1")
    assert (first.text, first.speaker_name) == ("Look.", "Ada")
    assert first.metadata == {"speaker_kind": "human", "blip_caption": "a beach", "img_url": "u v"}
    assert source_of(first) == "locomo/conv-1/D2:1"
    assert provenance(first, "owner").tier is None


def test_one_conversation_alone_is_read_too_and_half_a_file_in_part(store, log):
    log.write_text(json.dumps(DATES[0], indent=1))
    assert import_path(store, log, dry_run=True).turns_new == 2
    log.write_text(json.dumps([DATES[0], DATES[0]])[:-40])
    report = import_path(store, log)
    assert (report.format, report.turns_new, report.torn) == ("locomo", 2, 1)
    log.write_text(json.dumps([DATES[0]])[:-40])
    assert import_path(store, log, again=True).torn == 1


@pytest.mark.skipif(not LOCOMO.exists(), reason="the LoCoMo file is not beside this checkout")
def test_the_whole_locomo_file_is_ten_sessions_with_5882_turns(store):
    report = import_path(store, LOCOMO)
    assert (len(report.sessions), report.turns_new, report.skipped, report.gaps) == (10, 5882, {}, 0)
    assert import_path(store, LOCOMO).turns_new == 0
    assert import_path(store, LOCOMO, again=True).turns_known == 5882
    found = store.lookup(store.get("locomo", "conv-26"))("D1:3")
    assert found.text == "I went to a LGBTQ support group yesterday and it was so powerful."
    assert (found.speaker_name, found.at) == ("Caroline", "2023-05-08T13:56")
    assert all(turn.at for session in store.sessions() for turn in store.nodes(session))


# --- times --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2026-04-22T10:21:00+02:00", "2026-04-22T10:21:00+02:00"),
        ("2026-04-22T10:21:00.5Z", "2026-04-22T10:21:00.5Z"),
        ("2026-04-22", "2026-04-22"),
        (1767225600, "2026-01-01T00:00:00+00:00"),
        (1767225600.25, "2026-01-01T00:00:00.250+00:00"),
        (1767225600000, "2026-01-01T00:00:00+00:00"),
        *((bad, "") for bad in (None, True, "yesterday", "", 1e300, float("nan"), [], "2026-04-22T10:21\n")),
    ],
)
def test_a_time_is_kept_as_given_or_is_unknown(given, expected):
    assert moment(given) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56"),
        ("12:00 pm on 29 February, 2024", "2024-02-29T12:00"),
        ("12:09 am on 13 September, 2023", "2023-09-13T00:09"),
        *(
            (bad, "")
            for bad in (
                None,
                "",
                "1:56 pm on 31 June, 2023",
                "1:56 pm on 8 Maytime, 202",
                "1:56 pm on 8 Foo, 2023",
            )
        ),
    ],
)
def test_a_spoken_time_is_local_and_has_no_zone(given, expected):
    assert spoken_moment(given) == expected
