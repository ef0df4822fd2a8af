"""Tests and laws do not wait for a disk: what a killed process wrote is there without that.

A tenth to a half of their time would be waiting. Whether a write waits when it must is asked of the steps by
their names (`files.STEPS`), at which the tests of faults and kills break in; processes that a test starts
wait as they always do.
"""

import os
from typing import Any

__all__ = ["wait_for_no_disk"]


def wait_for_no_disk() -> None:
    """Let a wait for the disk fail for whatever is no open file, and else return at once."""
    os.fsync = _looked_at


def _looked_at(fd: Any) -> None:
    os.fstat(fd if isinstance(fd, int) else fd.fileno())
