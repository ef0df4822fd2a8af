"""Laws of the settings of agents: what is a person's own comes back letter by letter."""

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scriptorium.agents import jsontext
from scriptorium.agents.commands import command_line, is_ours
from scriptorium.agents.edits import applied, hooks_in, hooks_out
from scriptorium_core.writing.calls import Event
from scriptorium_core.writing.hosts import EVENTS, Host

EVENT_NAMES = st.sampled_from(["Stop", "SessionStart", "PreToolUse", "state"])
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3)
)
HANDLERS = st.fixed_dictionaries(
    {"type": st.just("command"), "command": WORDS}, optional={"timeout": st.integers()}
)
GROUPS = st.fixed_dictionaries({"hooks": st.lists(HANDLERS, max_size=2)}, optional={"matcher": WORDS})
HOOKS = st.dictionaries(EVENT_NAMES, st.lists(GROUPS, min_size=1, max_size=3), min_size=1)
OTHERS = st.dictionaries(WORDS.filter(lambda word: word != "hooks"), VALUES, max_size=4)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Settings as a person or a program may have laid them out."""
    value: dict[str, Any] = draw(OTHERS)
    if draw(st.booleans()):
        value["hooks"] = draw(HOOKS)
    indent = draw(st.sampled_from([None, 2, 4, "\t"]))
    text = json.dumps(value, indent=indent, ensure_ascii=draw(st.booleans()))
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))) + draw(st.sampled_from(["", "\n"]))


def handlers(host: Host, home: str) -> Mapping[str, Mapping[str, object]]:
    lines = {
        name: command_line(["/bin/scriptorium", "--home", home], host, event)
        for event, name in EVENTS[host].items()
    }
    return {name: {"type": "command", "command": line, "timeout": 5} for name, line in lines.items()}


def known(line: object) -> bool:
    return is_ours(line, Host.CLAUDE_CODE)


class TestWhatIsAPersonsOwn:
    """Existing settings are kept; install is idempotent; remove takes out only ours."""

    @given(texts(), WORDS)
    def test_in_twice_is_in_once_and_out_again_is_as_before(self, text: str, home: str) -> None:
        before = json.loads(text)
        wanted = handlers(Host.CLAUDE_CODE, home)
        edits = hooks_in(before, wanted, known)
        inside = jsontext.edited(text, edits)
        after = json.loads(inside)
        assert after == applied(before, edits)
        assert hooks_in(after, wanted, known) == ()
        assert {key: value for key, value in after.items() if key != "hooks"} == {
            key: value for key, value in before.items() if key != "hooks"
        }
        back = jsontext.edited(inside, hooks_out(after, known))
        assert json.loads(back) == before
        assert "".join(back.split()) == "".join(text.split()), "at most blanks differ"

    @given(texts(), WORDS, WORDS)
    def test_another_home_takes_the_place_of_the_first(self, text: str, first: str, second: str) -> None:
        there = jsontext.edited(text, hooks_in(json.loads(text), handlers(Host.CLAUDE_CODE, first), known))
        wanted = handlers(Host.CLAUDE_CODE, second)
        moved = json.loads(jsontext.edited(there, hooks_in(json.loads(there), wanted, known)))
        fresh = json.loads(jsontext.edited(text, hooks_in(json.loads(text), wanted, known)))
        assert moved == fresh


class TestOurLines:
    """The commands use quoting that is right for any path; ours are known from all others."""

    @given(st.sampled_from([*Host]), st.sampled_from([*Event]), WORDS)
    def test_a_line_is_known_as_ours_whatever_the_home_and_only_for_its_agent(
        self, host: Host, event: Event, home: str
    ) -> None:
        line = command_line(["/a b/scriptorium", "--home", home], host, event)
        assert [each for each in Host if is_ours(line, each)] == [host]

    @given(VALUES)
    def test_nothing_else_is(self, value: object) -> None:
        assert not any(is_ours(value, host) for host in Host)
