"""The core with its source and what is injected of it, and the switch that turns injection off."""

from pathlib import Path

from scriptorium.service import Service
from scriptorium.service.resident import resident
from scriptorium.settings import Settings, load
from scriptorium_core.writing.calls import injection
from small_homes import NOW, create, request


def _service(home: Path, settings: Settings | None = None) -> Service:
    return Service(home, settings=settings or Settings(), moment=lambda: NOW)


def _settled(service: Service) -> None:
    service.remember("Always answer in British English.", topic="core")
    service.change(request(create("The spare key is under the pot.")))


def test_all_of_it_is_of_one_commit_and_the_source_has_the_time_of_its_own_last_change(
    tmp_path: Path,
) -> None:
    with _service(tmp_path) as service:
        _settled(service)
        found = resident(service)
        shown, text = service.core(), (tmp_path / "memory/topics/core.md").read_bytes()
        assert found.revision == service.memory().revision
        assert (found.content.encode(), found.size) == (text, len(text))
        assert (found.rendered_content, found.rendered_tokens) == (shown.text, shown.tokens)
        assert found.budget_tokens == shown.budget == 2_000
        assert found.mtime == service.log(None, topic="topics/core.md")[0].at


def test_what_is_injected_is_what_a_session_is_given(tmp_path: Path) -> None:
    with _service(tmp_path) as service:
        _settled(service)
        found = resident(service)
        assert found.injection_enabled
        assert found.injected_content == injection(found.rendered_content, found.revision or "")
        assert found.injected_content == service.hook("session-start", b"{}").text
        assert found.injected_tokens > found.rendered_tokens > 0


def test_nothing_is_injected_where_that_is_switched_off(tmp_path: Path) -> None:
    with _service(tmp_path, Settings()._replace(inject=False)) as service:
        _settled(service)
        found = resident(service)
        assert "British" in found.rendered_content
        assert (found.injection_enabled, found.injected_content, found.injected_tokens) == (False, "", 0)
        assert service.hook("session-start", b"{}").text == ""
        assert service.hook("prompt", b'{"prompt": "Where is the spare key?"}').text == ""
        injected = service.status().outlook.injected
        assert injected is not None
        assert "inject = false" in injected.why_not


def test_the_switch_is_read_from_the_settings(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("inject = false\n")
    assert load(tmp_path).inject is False


def test_without_a_core_all_of_it_is_empty(tmp_path: Path) -> None:
    with _service(tmp_path) as service:
        service.change(request(create("The spare key is under the pot.")))
        found = resident(service)
        assert (found.content, found.size, found.mtime) == ("", 0, "")
        assert (found.rendered_content, found.injected_content) == ("", "")
