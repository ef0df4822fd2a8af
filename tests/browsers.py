"""Chromium in front of a served home; without playwright or Chromium these tests are skipped, and say so."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from attrs import frozen

from web_homes import Client, served

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Playwright

__all__ = ["WIDTHS", "Open", "alone", "box", "chromium", "opened", "shot"]

WIDTHS = (1440, 1024, 720, 390)
_SHOTS = Path(os.environ.get("SCRIPTORIUM_SHOTS", ""))
_OPTIONS = (
    "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update"
    " --disable-sync"
).split()


@frozen
class Open:
    """A page that is open on a served home; `faults` is what its console says, `asked` what it asked for."""

    page: "Page"
    client: Client
    faults: list[str]
    asked: list[str]
    playwright: "Playwright"

    def go(self, address: str) -> "Page":
        """Go to an address below `/memory`."""
        self.page.goto(f"http://{self.client.host}:{self.client.port}/memory{address}")
        return self.page

    def like(self, **media: Any) -> None:
        """Let the system prefer something: `color_scheme`, `reduced_motion`."""
        self.page.emulate_media(**media)

    def wide(self, width: int, height: int = 900) -> None:
        """Make the window so many pixels wide."""
        self.page.set_viewport_size({"width": width, "height": height})


def chromium() -> str:
    """The program, or a test that is skipped with the reason."""
    pytest.importorskip("playwright.sync_api", reason="pip install 'scriptorium-memory[browser-tests]'")
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    return found


@contextmanager
def opened(home: Path, profile: Path, settings: str = 'timezone = "UTC"\n', **more: Any) -> Iterator[Open]:
    """A window on a served home, come in by the address that is printed; `profile` is a new folder."""
    program = chromium()
    from playwright.sync_api import sync_playwright

    with (
        served(home, settings) as client,
        sync_playwright() as playwright,
        _window(playwright, client, client.token, profile, program, **more) as found,
    ):
        yield found


@contextmanager
def alone(beside: Open, profile: Path, **more: Any) -> Iterator[Open]:
    """A window of another browser on the home of one that is open, come in by an address of its settings."""
    page = beside.go("/settings")
    page.get_by_role("button", name="Address for another browser").click()
    token = page.locator(".once").inner_text().partition("token=")[2]
    with _window(beside.playwright, beside.client, token, profile, chromium(), **more) as found:
        yield found


@contextmanager
def _window(
    playwright: "Playwright", client: Client, token: str, profile: Path, program: str, **more: Any
) -> Iterator[Open]:
    context: BrowserContext = playwright.chromium.launch_persistent_context(
        str(profile),
        executable_path=program,
        args=_OPTIONS,
        viewport={"width": 1440, "height": 900},
        **more,
    )
    context.set_default_timeout(20_000)
    page = context.new_page()
    faults, asked = list[str](), list[str]()
    page.on("console", lambda each: faults.append(each.text) if each.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda each: asked.append(each.url))
    found = Open(page, client, faults, asked, playwright)
    found.go(f"?token={token}")
    try:
        yield found
    finally:
        context.close()


def box(page: "Page", selector: str) -> dict[str, float]:
    """Where the first element of a selector is and how large, in pixels."""
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}


def shot(page: "Page", name: str, folder: Path) -> None:
    """A picture of the page, into `SCRIPTORIUM_SHOTS` if that is set; what is not committed."""
    page.screenshot(path=str((_SHOTS if str(_SHOTS) != "." else folder) / f"{name}.png"))
