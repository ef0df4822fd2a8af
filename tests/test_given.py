"""What a host is given with a prompt and at the beginning of a session, and that all of it is traced."""

import json
from pathlib import Path
from threading import Event as Signal
from typing import Any
from unittest import mock

import pytest

from cli_example import fresh_home
from scriptorium.fulltext import FullText
from scriptorium.service import Service
from scriptorium.service.contexts import packed
from scriptorium.service.prompting import prompted
from scriptorium.service.rebuilding import _FEW
from scriptorium.service.runtime import requests_left
from scriptorium_core.names import anchor, archive_path
from scriptorium_core.recall import Query
from scriptorium_core.sessions.talk import said
from scriptorium_core.writing.calls import Call, Event

_BEGIN = "scriptorium.service.hooking._begin"


def call(prompt: str = "", session: str = "trip") -> bytes:
    """What a host gives."""
    return json.dumps({"session_id": session, "cwd": "/", "prompt": prompt}).encode()


def test_a_prompt_is_given_what_bears_on_it_and_nothing_else(tmp_path: Path) -> None:
    with Service(fresh_home(tmp_path)) as service:
        asked = call(prompt="Where do we stay?", session="abc")
        service.search(Query("train"))
        text = service.hook("prompt", asked).text
        assert "Pensão Flor" in text
        assert said(f"Where do we stay?\n{text}") == "Where do we stay?\n"
        injected = service.status().outlook.injected
        assert injected is not None
        assert (injected.event, injected.session, injected.why_not) == ("prompt", "abc", "")
        assert [trace.text for trace in service.traces()] == [text]
        assert service.hook("prompt", call(prompt="zeppelins")).text == ""
        assert requests_left(service.memory().layout) == 0


def test_a_prompt_waits_for_no_index_to_be_made_but_sees_that_it_is(tmp_path: Path) -> None:
    asked = call(prompt="Where do we stay?")
    with Service(fresh_home(tmp_path)) as service, mock.patch(_BEGIN) as begun:
        FullText.open(service.memory().layout.fulltext).discard()
        assert service.hook("prompt", asked).text == ""
        injected = service.status().outlook.injected
        assert injected is not None
        assert "not up to date" in injected.why_not
        assert begun.call_count == 1
        service.keep_once(scan=False)
        assert "Pensão Flor" in service.hook("prompt", asked).text
        assert begun.call_count == 1


def test_a_prompt_finds_what_was_committed_a_moment_ago(tmp_path: Path) -> None:
    with Service(fresh_home(tmp_path)) as service, mock.patch(_BEGIN) as begun:
        service.search(Query("train"))
        service.remember("The zither is in the attic.")
        assert "attic" in service.hook("prompt", call(prompt="Where is the zither?")).text
        for number in range(_FEW + 1):
            service.remember(f"Parcel {number} is in the cellar.", topic=f"parcels/{number}")
        assert service.hook("prompt", call(prompt="Where is parcel 7?")).text == "", "too much for a prompt"
        assert begun.call_count == 1
        service.keep_once(scan=False)
        assert "cellar" in service.hook("prompt", call(prompt="Where is parcel 7?")).text


def test_a_prompt_to_a_memory_without_a_commit_begins_nothing(tmp_path: Path) -> None:
    with Service(tmp_path) as service, mock.patch(_BEGIN) as begun:
        service.init()
        assert service.hook("prompt", call(prompt="Where do we stay?")).text == ""
        injected = service.status().outlook.injected
        assert injected is not None
        assert injected.why_not == "memory holds nothing yet"
        assert begun.call_count == 0


def test_a_prompt_waits_no_longer_than_it_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    enough = Signal()
    monkeypatch.setattr("scriptorium.service.prompting.packed", lambda *given, **more: enough.wait(60))
    with Service(fresh_home(tmp_path)) as service:
        service.search(Query("train"))
        asked = Call(Event.PROMPT, prompt="Where do we stay?")
        assert "longer" in prompted(service, asked, patience=0.05).why_not
        assert service.traces() == (), "what was not delivered is not traced"
        enough.set()


def test_a_prompt_that_nobody_waits_for_any_more_shares_nothing_with_what_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, closed, ended = Signal(), Signal(), Signal()
    found: list[object] = []

    def slow(*given: Any, **more: Any) -> object:
        began.set()
        assert closed.wait(60)
        found.append(packed(*given, **more))
        ended.set()
        return found[0]

    monkeypatch.setattr("scriptorium.service.prompting.packed", slow)
    with Service(fresh_home(tmp_path)) as service:
        service.search(Query("train"))
        assert "longer" in prompted(service, Call(Event.PROMPT, prompt="Where do we stay?"), 0.01).why_not
        assert began.wait(60)
    closed.set()
    assert ended.wait(60)
    assert getattr(found[0], "shown", None)


def test_a_record_is_traced_by_its_id_however_that_is_written(tmp_path: Path) -> None:
    with Service(fresh_home(tmp_path)) as service:
        core = service.root / "topics" / "core.md"
        cited = next(iter(service.memory().index.queries.sources_under())).id
        place = f"{archive_path(cited)}#{anchor(cited)}"
        added = f"\nTea, not coffee.[^e-1] ^Tea-1\n\n[^e-1]: Time: `2026`; Sources: [me](../{place})\n"
        core.write_text(core.read_text() + added)
        service.adopt()
        service.hook("session-start", call(session="abc"))
        (trace,) = service.traces()
        assert "Tea-1" in [each.id for each in trace.delivered]


def test_the_core_that_a_session_is_given_is_traced(tmp_path: Path) -> None:
    with Service(fresh_home(tmp_path)) as service:
        text = service.hook("session-start", call(session="abc")).text
        (trace,) = service.traces()
        assert (trace.text, trace.door, trace.session) == (text, "session-start", "abc")
        assert trace.delivered
        assert all(f"^{each.id}" in text for each in trace.delivered)
