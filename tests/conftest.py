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

# Tests of the shell that reach what no test of the core and no law does.
REACHES_FURTHER = frozenset(
    """
    admitting agent_leases agent_writer ask_doors ask_models assessed backfill branches_end_to_end
    by_hand by_other_hands calls command_programs command_writer contexts contradictions
    correcting costs doctor_secrets explain export extractive hook keys lines once opencode
    organize permitted_changes reading recorded_edits redaction reports_imports reviewing
    secrets_found status sync_refusals tape valid vault verify
    """.split()
)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Run a test, without the tracer of coverage where what it asks of the core others ask too."""
    module = getattr(item, "module", None)
    further = item.path.stem.removeprefix("test_") in REACHES_FURTHER
    with without() if module is not None and uses_the_shell(module) and not further else nullcontext():
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
