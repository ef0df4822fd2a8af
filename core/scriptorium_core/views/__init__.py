"""What is derived from topics and sources: the resident block, timeline, newest records and relations."""

from .core import CoreView, core_view
from .derive import Change, Limits, core_due, derive, derive_all, is_view

__all__ = ["Change", "CoreView", "Limits", "core_due", "core_view", "derive", "derive_all", "is_view"]
