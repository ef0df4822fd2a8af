"""How long Hypothesis looks for a counterexample: quick, ci or deep, chosen by HYPOTHESIS_PROFILE."""

import os

from hypothesis import HealthCheck, settings

__all__ = ["use_profile"]

# Machines are shared and noisy: no example fails because it was slow.
_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)


def use_profile() -> None:
    """Register the profiles and load the one that the environment names, else quick."""
    settings.register_profile("quick", _PATIENT, max_examples=30, stateful_step_count=15)
    # The same examples each time, so that a change fails for what it changes; quick and deep draw others each
    # time. As many as leave all of `.ci/run` below twenty minutes.
    settings.register_profile("ci", _PATIENT, max_examples=20, stateful_step_count=20, derandomize=True)
    # As many as let every law come to its end in about half an hour on two processors.
    settings.register_profile("deep", _PATIENT, max_examples=1_000, stateful_step_count=60)
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
