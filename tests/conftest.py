"""Examples that draw values use the same profiles as the laws; every terminal is as wide as the next."""

import pytest

from profiles import use_profile

use_profile()


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
