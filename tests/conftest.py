"""Examples that draw values use the same profiles as the laws; terminals and computers are all set alike."""

import pytest

from profiles import use_profile

use_profile()


@pytest.fixture(autouse=True)
def _set_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TZ", "UTC")
