"""The format `codex`: the rollout files of Codex, JSON lines of `{"timestamp", "type", "payload"}`.

Taken are the messages of the user's and the assistant's role. Each usually stands there twice, as a
`response_item` and as an `event_msg`: whichever comes first is the message, the other one is passed
over. What the harness says in the user's role, developer messages, reasoning, tools and their output,
and the summaries of compactions are no talk. Ordinals are advice: one that does not go on is counted.

A file has no parents: a message follows the one before it, and `thread_rolled_back` takes the last
turns of the user back. A fork is a new file that begins with a copy of its parent's records, often
stamped with the time of the fork: such a time says nothing, and is left out. A history that was
written into its file once more is told by its times, or by the header that begins it, and known.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

from attrs import define, evolve, field

from ..items import BLANK, Head, Item, Key, Noted, Passed, Replaced, Sample, Skipped, Source, Torn
from ..moments import moment
from ..records import Record, json_lines
from .codex_talk import PROVIDER, Talk
from .codex_thread import History, Thread, begun, seconds, thread_of
from .codex_words import words

__all__ = ["CODEX", "Codex"]

_RECORDS = frozenset(
    "session_meta response_item event_msg turn_context compacted inter_agent_communication"
    " inter_agent_communication_metadata world_state token_usage_record security_risk_score retained_context"
    " realtime_item".split()
)
_ITEMS = frozenset(
    "message agent_message reasoning function_call function_call_output custom_tool_call"
    " custom_tool_call_output local_shell_call local_shell_call_output tool_search_call tool_search_output"
    " web_search_call image_generation_call additional_tools compaction compaction_summary"
    " compaction_trigger context_compaction ghost_snapshot other".split()
)
_EVENTS = frozenset(
    "agent_reasoning agent_reasoning_raw_content agent_reasoning_section_break apply_patch_approval_request"
    " background_event context_compacted deprecation_notice dynamic_tool_call_request"
    " dynamic_tool_call_response elicitation_request entered_review_mode error exec_approval_request"
    " exec_command_begin exec_command_end exited_review_mode guardian_assessment guardian_warning"
    " hook_completed hook_started image_generation_begin image_generation_end item_completed item_started"
    " mcp_startup_complete mcp_startup_update mcp_tool_call_begin mcp_tool_call_end model_reroute"
    " model_verification patch_apply_begin patch_apply_end patch_apply_updated plan_update"
    " raw_response_item request_permissions request_user_input safety_buffering session_configured"
    " shutdown_complete stream_error sub_agent_activity task_complete task_started terminal_interaction"
    " thread_goal_updated thread_settings_applied token_count turn_aborted turn_complete turn_diff"
    " turn_moderation_metadata turn_started undo_completed undo_started view_image_tool_call warning"
    " web_search_begin web_search_end".split()
)
_FAMILIES = ("collab_", "realtime_conversation_")
# Most of a file is tools and what they put out.
_SILENT = frozenset(
    [
        *(f"response_item {kind}" for kind in _ITEMS if kind != "message"),
        *(f"event_msg {kind}" for kind in _EVENTS),
    ]
)
_EXEC = "the output of `codex exec --json` lacks what was asked: import the thread's rollout file instead"
_ORDINAL = "have an ordinal that does not follow the one before; all are taken, in the order of the file"
_ANSWERS = ("agent_message", "assistant_message")


class Codex:
    """The importer of Codex rollout files, and of the titles in `session_index.jsonl`."""

    name = "codex"

    def recognises(self, sample: Sample) -> bool:
        """A record of a rollout, an old header, a line of the index of titles, or `codex exec --json`."""
        match sample.value:
            case {"type": str(kind), "payload": {}}:
                return kind in _RECORDS
            case {"type": "thread.started", "thread_id": _}:
                return True
            case {"id": str(), "thread_name": _, "updated_at": _}:
                return True
            case {"id": str(), "timestamp": _, "instructions": _}:
                return True
            case None:
                start = sample.start.lstrip(BLANK)
                return start.startswith("{") and '"session_meta"' in start and '"payload"' in start
            case _:
                return False

    def read(self, source: Source) -> Iterator[Item]:
        """The talk of a thread; reading goes on from the thread that is kept as the state."""
        kept = source.state if source.position else ""
        reader = _Reader(source, thread_of(kept) if kept else None, source.position)
        for record in json_lines(source.file, source.position, source.line):
            if record.torn:
                yield Torn(record.line)
                return
            if record.replaced:
                yield Replaced(record.line)
            before = reader.talk.thread
            yield from reader.items(record)
            if reader.talk.thread is not before or not kept:
                kept = reader.talk.thread.dumped()
            yield Passed(record.end, record.line, kept)
            reader.place = record.end


@define
class _Reader:
    """A file on its way: from `place` on with the thread that is known there, or from the start."""

    source: Source
    known: Thread | None = None
    place: int = 0
    ordinal: int | None = None
    talk: Talk = field(init=False)

    def __attrs_post_init__(self) -> None:
        path = PurePath(self.source.path)
        history = None if self.known else History()
        self.talk = Talk(
            self.known or begun(path.name), self.source.session or path.stem, history, self._read_again
        )

    def items(self, record: Record) -> Iterable[Item]:
        """What a record of the file gives."""
        row = record.value
        if not isinstance(row, dict):
            return (Skipped(record.fault or "not an object", record.line),)
        return (*self._out_of_order(row, record.line), *self._row(row, record.line))

    def _out_of_order(self, row: Mapping[str, Any], line: int) -> Iterator[Item]:
        """Paginated histories number their records; whoever trusts the numbers drops turns."""
        ordinal, before = row.get("ordinal"), self.ordinal
        if isinstance(ordinal, int):
            self.ordinal = ordinal
            if before is not None and ordinal != before + 1:
                yield Noted(_ORDINAL, line)

    def _row(self, row: Mapping[str, Any], line: int) -> Iterable[Item]:
        kind, payload = row.get("type"), row.get("payload")
        if not isinstance(kind, str) or not isinstance(payload, dict):
            return self._bare(row, line)
        if f"{kind} {payload.get('type')}" in _SILENT:
            return ()
        return self._record(kind, payload, moment(row.get("timestamp")), line)

    def _record(self, kind: str, payload: Mapping[str, Any], at: str, line: int) -> Iterable[Item]:
        match kind:
            case "response_item":
                return self._item(payload, at, line)
            case "event_msg":
                return self._event(payload, at, line)
            case "session_meta":
                stamp = seconds(at) or seconds(moment(payload.get("timestamp")))
                return self.talk.header(payload, stamp, line)
            case "turn_context":
                self.talk.settings(_text(payload.get("cwd")), _text(payload.get("model")))
        return () if kind in _RECORDS else (Skipped(f"an unknown record type {kind!r}", line),)

    def _item(self, payload: Mapping[str, Any], at: str, line: int) -> Iterator[Item]:
        kind, role = _text(payload.get("type")), payload.get("role")
        if kind not in _ITEMS:
            yield Skipped(f"an unknown kind of item {kind!r}", line)
        elif kind == "message" and role in ("user", "assistant"):
            said = words(payload.get("content"), role)
            yield from self.talk.message("item", role, said, at, _text(payload.get("phase")), line)
        elif kind == "message" and role not in ("developer", "system", "tool"):
            yield Skipped("an unknown role", line)

    def _event(self, payload: Mapping[str, Any], at: str, line: int) -> Iterator[Item]:
        match payload:
            case {"type": "user_message", "message": str(text)}:
                shown = any(payload.get(key) for key in ("images", "local_images"))
                said = evolve(words(text, "user"), images=shown)
                yield from self.talk.message("event", "user", said, at, "", line)
            case {"type": "agent_message", "message": str(text)}:
                said, phase = words(text, "assistant"), _text(payload.get("phase"))
                yield from self.talk.message("event", "assistant", said, at, phase, line)
            case {"type": "thread_rolled_back", "num_turns": int(turns)} if turns > 0:
                yield from self.talk.back(turns, at, line)
            case {"type": "thread_name_updated"}:
                yield from self.talk.titled(_text(payload.get("thread_name")), line)
            case {"type": str(kind)} if kind not in _EVENTS and not kind.startswith(_FAMILIES):
                yield Skipped(f"an unknown kind of event {kind!r}", line)

    def _bare(self, row: Mapping[str, Any], line: int) -> Iterator[Item]:
        """What has no payload: other files of Codex, and rollouts from before there were payloads."""
        match row:
            case {"id": str(name), "thread_name": str(title)}:
                yield Head(Key(PROVIDER, name, title), None, None, line)
            case {"type": str(kind)} if kind.startswith(("thread.", "turn.", "item.")):
                said = row.get("item")
                if isinstance(said, dict) and said.get("type") in _ANSWERS:
                    yield Skipped(_EXEC, line)
            case {"id": str(), "instructions": _} if "type" not in row:
                yield from self.talk.header(row, seconds(moment(row.get("timestamp"))), line)
            case {"type": str(kind)} if kind in _ITEMS:
                yield from self._item(row, "", line)
            case {"record_type": "state"}:
                pass
            case _:
                yield Skipped("not a record of a Codex rollout", line)

    def _read_again(self) -> History:
        """What the file says before this record, from its start."""
        file = self.source.file
        here = file.tell()
        again = _Reader(self.source)
        for record in json_lines(file):
            # The last record that was taken can have got its line break since.
            if record.end > self.place + len("\r\n"):
                break
            deque(again.items(record), maxlen=0)
        file.seek(here)
        return again.talk.history or History()


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


CODEX = Codex()
