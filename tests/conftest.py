"""Examples that draw values use the same profiles as the laws; terminals and computers are all set alike."""

import os
from collections.abc import Generator
from contextlib import nullcontext

import pytest

from disks import wait_for_no_disk
from measured import only_here, uses_the_shell, without
from profiles import use_profile

use_profile()
wait_for_no_disk()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test, without the tracer of coverage where it asks the shell."""
    module = getattr(item, "module", None)
    with without() if module is not None and uses_the_shell(module) else nullcontext():
        return (yield)


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
