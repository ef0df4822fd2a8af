"""The working tree brought to what was just committed: whatever is in the way, the commit stands."""

from scriptorium_core.views.derive import is_view

from .. import files
from ..history import History, Projection
from ..layout import Layout
from ..refused import Refused
from . import takeover

__all__ = ["projected"]


def projected(layout: Layout, history: History) -> Projection:
    """Bring the files to HEAD; what failed is said, because the memory holds the commit by now."""
    try:
        if not takeover.was_projected(layout):
            takeover.clear_views(layout, history)
        return history.project(is_view)
    except OSError as error:
        return Projection((), (files.disk_problem(error, layout.root),))
    except Refused as refused:
        return Projection((), refused.problems)
