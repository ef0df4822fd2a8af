"""The page is all there in what is installed: templates, styles and scripts stand in the wheel."""

import importlib.util
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from page_homes import filled, visited
from scriptorium.web.pages import shipped

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "shell" / "scriptorium" / "web" / "pages"


def test_the_wheel_holds_every_template_and_every_asset(tmp_path: Path) -> None:
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed, which builds the wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("scriptorium/web/pages/")}
    for kind, least in (("assets", 5), ("templates", 20)):
        files = {f"scriptorium/web/pages/{kind}/{each.name}" for each in (PAGES / kind).iterdir()}
        assert len(files) >= least
        assert files <= held


def test_a_browser_keeps_the_files_until_they_change_and_pages_are_never_kept(tmp_path: Path) -> None:
    filled(tmp_path)
    with visited(tmp_path) as visitor:
        page = visitor.get("/topics")
        assert page.headers["cache-control"] == "no-store"
        addresses = re.findall(r'"/memory(/assets/[^"]+)"', page.data.decode())
        assert len(addresses) == 3
        for address in addresses:
            reply = visitor.get(address)
            assert (reply.status, "immutable" in reply.headers["cache-control"]) == (200, True)
            name = address.rpartition("/")[2]
            assert reply.data == (PAGES / "assets" / name).read_bytes()
            assert visitor.get(f"/assets/{'0' * 12}/{name}").status == 404


def test_every_asset_is_served_and_every_script_that_another_one_asks_for_is_there() -> None:
    assets = {each.name for each in (PAGES / "assets").iterdir()}
    assert set(shipped.KINDS) == assets
    for name in assets:
        if name.endswith(".js"):
            asked = re.findall(
                r'from "\./([\w.]+)"|import "\./([\w.]+)"', (PAGES / "assets" / name).read_text()
            )
            assert {one or other for one, other in asked} <= assets, name
