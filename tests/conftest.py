"""Examples that draw values use the same profiles as the laws; terminals and computers are all set alike."""

import os

import pytest

from disks import wait_for_no_disk
from measured import only_here
from profiles import use_profile

use_profile()
wait_for_no_disk()


@pytest.fixture(autouse=True)
def _set_alike(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    only_here()
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TZ", "UTC")
    # The default home of whoever runs the tests is left alone.
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.getbasetemp() / "data"))
    # The processes that tests start share what was compiled once, and leave none of it beside the sources.
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    if "PYTHONPYCACHEPREFIX" not in os.environ:
        monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.getbasetemp() / "bytecode"))
