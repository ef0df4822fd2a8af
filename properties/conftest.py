"""Laws run under the profile that HYPOTHESIS_PROFILE names; coverage watches the first examples of each."""

from collections.abc import Generator

import pytest

from disks import wait_for_no_disk
from measured import at_first
from profiles import use_profile

use_profile()
wait_for_no_disk()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Run a law, without the tracer of coverage where it is not needed."""
    test = getattr(item, "obj", None)
    law = getattr(test, "hypothesis", None) or getattr(test, "_hypothesis_state_machine_class", None)
    if law is None:
        yield
        return
    with at_first(law):
        yield
