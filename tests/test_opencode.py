"""The plugin for OpenCode, run as both of its versions do: memory goes along, what was said comes back."""

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from attached import Attached, attached
from cli_example import surroundings
from scriptorium.service import Service
from scriptorium_core.recall import Query
from scriptorium_core.writing.calls import Event, handed_over
from scriptorium_core.writing.hosts import Host

__all__ = ["attached"]  # a fixture

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")

OLDER = """
const seen = []
const client = {
  session: {
    get: async ({ path }) => ({ data: path.id === "child" ? { parentID: "ses" } : {} }),
    messages: async ({ path }) => ({ data: messages.map(([id, role, text]) => ({
      info: { id, role, time: { created: 1796000000000 } },
      parts: [{ type: "text", text }, { type: "text", text: "of ours", synthetic: true }, { type: "tool" }],
    })) }),
  },
}
const hooks = await plugin.server({ client, directory: "/home/p/trip" })
const user = (sessionID, id, text) =>
  ({ info: { id, sessionID, role: "user" }, parts: [{ type: "text", text }] })
for (const session of ["ses", "child"]) {
  const asked = user(session, "m3", "Can Ines eat shellfish?")
  await hooks["chat.message"]({ sessionID: session }, { message: asked.info, parts: asked.parts })
  const output = { messages: [user(session, "m1", "Hello."), asked] }
  await hooks["experimental.chat.messages.transform"]({}, output)
  seen.push(output.messages.map(({ parts }) => parts.map((part) => [part.text, part.synthetic ?? false])))
}
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "ses" } } })
await hooks.event({ event: { type: "session.idle", properties: { sessionID: "child" } } })
await hooks["experimental.session.compacting"]({ sessionID: "ses" }, {})
await hooks.dispose()
console.log(JSON.stringify(seen))
"""

NEWER = """
const hooks = {}, seen = []
let tell
const done = "session.execution.succeeded"
const events = ["ses", "child"].map((sessionID) => ({ type: done, data: { sessionID } }))
const told = new Promise((done) => (tell = done))
const half = Math.ceil(messages.length / 2)
const words = (role, text) =>
  role === "user" ? { text } : { content: [{ type: "reasoning", text: "hm" }, { type: "text", text }] }
const page = (list, next) => ({
  data: list.map(([id, role, text]) =>
    ({ id, type: role, time: { created: 1796000000000 }, ...words(role, text) })),
  cursor: { next },
})
const ctx = {
  location: { directory: "/home/p/trip" },
  session: {
    hook: async (name, run) => void (hooks[name] = run),
    get: async ({ sessionID }) => (sessionID === "child" ? { parentID: "ses" } : { location: ctx.location }),
    messages: async ({ cursor }) =>
      cursor ? page(messages.slice(half)) : page(messages.slice(0, half), "more"),
  },
  event: { subscribe: async function* () { await told; yield* events } },
}
const end = await plugin.setup(ctx)
for (const sessionID of ["ses", "child"]) {
  await hooks.prompt({ sessionID, messageID: "m3", prompt: { text: "Can Ines eat shellfish?" } })
  const event = { sessionID, system: [{ type: "text", text: "Be brief." }] }
  await hooks.context(event)
  seen.push(event.system.map(({ text }) => text))
}
tell()
await new Promise((done) => setTimeout(done, 100))
await end()
console.log(JSON.stringify(seen))
"""

MESSAGES = (
    ("m1", "user", "I prefer the window seat, always."),
    ("m2", "assistant", "Noted."),
    ("m3", "user", "Can Ines eat shellfish?"),
    ("m4", "assistant", ""),
)


def played(attached: Attached, script: str, command: Sequence[str] | None = None) -> Any:
    """What the script saw, in which `plugin` is ours and `messages` were said."""
    assert attached.hook("install", "opencode").code == 0
    path = attached.file(Host.OPENCODE)
    text = path.read_text("utf-8")
    assert "const PATIENCE = 1500" in text
    text = text.replace("const PATIENCE = 1500", "const PATIENCE = 60_000")  # a slow computer shows no less
    if command is not None:
        begin = text.index("const COMMAND = ")
        text = f"{text[:begin]}const COMMAND = {json.dumps(command)}{text[text.index(chr(10), begin) :]}"
    module = path.with_suffix(".mjs")
    module.write_text(text, "utf-8")
    head = f"import plugin from {json.dumps(str(module))}\nconst messages = {json.dumps(MESSAGES)}\n"
    done = subprocess.run(
        ["node", "--input-type=module", "-e", head + script],
        env={**surroundings(), "HOME": str(attached.person)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def see_it_was_handed_over(attached: Attached, events: set[Event], calls: Sequence[Any]) -> None:
    assert {(call.event, call.session, call.cwd) for call in calls} == {
        (event, "ses", "/home/p/trip") for event in events
    }
    rows = [json.loads(line) for line in Path(calls[0].transcript).read_text("utf-8").splitlines()]
    assert [(row["id"], row["role"], row["text"], row.get("parent")) for row in rows] == [
        ("m1", "user", MESSAGES[0][2], None),
        ("m2", "assistant", "Noted.", "m1"),
        ("m3", "user", MESSAGES[2][2], "m2"),
    ]


@needs_node
def test_version_1_is_given_core_and_recall_and_hands_over_what_was_said(attached: Attached) -> None:
    with attached.asked() as calls:
        (first, last), child = played(attached, OLDER)
    (core, is_ours), (hello, _) = first
    assert ("Mara" in core, is_ours, hello) == (True, True, "Hello.")
    (recalled, is_ours), (asked, _) = last
    assert ("shellfish" in recalled, is_ours, asked) == (True, True, "Can Ines eat shellfish?")
    assert child == [[["Hello.", False]], [["Can Ines eat shellfish?", False]]], (
        "an agent's agent gets nothing"
    )
    # Of the same log, a turn and a compaction are one request.
    see_it_was_handed_over(attached, {Event.PRE_COMPACT, Event.SESSION_END}, calls)


@needs_node
def test_version_2_is_given_core_and_recall_and_hands_over_what_was_said(attached: Attached) -> None:
    with attached.asked() as calls:
        (mine, child) = played(attached, NEWER)
    assert mine[0] == "Be brief."
    assert "Mara" in mine[1]
    assert "shellfish" in mine[2]
    assert child == ["Be brief."]
    see_it_was_handed_over(attached, {Event.TURN, Event.SESSION_END}, calls)


@needs_node
def test_where_the_program_is_gone_the_conversation_goes_on(attached: Attached, tmp_path: Path) -> None:
    mine, child = played(attached, NEWER, [str(tmp_path / "gone")])
    assert mine == child == ["Be brief."]


def test_what_was_handed_over_becomes_a_conversation_and_leaves_no_copy(attached: Attached) -> None:
    messages = [{"id": name, "role": role, "text": text} for name, role, text in MESSAGES]
    given = {"provider": "opencode", "session_id": "ses", "cwd": "/home/p/trip", "messages": messages}
    with Service(attached.home) as service, mock.patch("scriptorium.service.hooking._begin"):
        assert service.hook("session-end", json.dumps(given).encode()).fault == ""
        (log,) = (service.root / ".scriptorium" / "talks").iterdir()
        done = service.keep_once(scan=False)
        assert [report.path for report in done.reports] == [str(log)]
        assert not log.exists()
        (mine,) = [each for each in service.sessions() if each.session.provider == "opencode"]
        assert (mine.session.id, mine.pending) == ("ses", 0)
        hits = service.search(Query("window seat")).hits
        assert any("window seat" in hit.content for hit in hits)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"session_id": "s", "messages": "no"},
        {"messages": [{"id": "a", "role": "user", "text": "x"}]},
        {"session_id": "s", "messages": [3, {"role": "user"}, {"id": "a", "role": "system", "text": "x"}]},
    ],
)
def test_what_is_no_talk_is_not_handed_over(given: Mapping[str, object]) -> None:
    assert handed_over(json.dumps(given).encode()).log == b""


def test_only_people_and_the_assistant_are_taken_for_them() -> None:
    rows = [
        {"id": "a", "role": "user", "text": "Hi", "at": 1796000000000},
        {"id": "t", "role": "tool", "text": "42"},
        {"id": "b", "role": "assistant", "text": ""},
    ]
    log = handed_over(json.dumps({"session_id": "s", "messages": rows}).encode()).log.decode().splitlines()
    assert [(row["role"], row["at"]) for row in map(json.loads, log)] == [
        ("user", 1796000000000),
        ("assistant", None),
    ]
