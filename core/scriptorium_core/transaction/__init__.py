"""Transactions: `prepare(base, edit, rules)` gives `Prepared` or `Rejected`."""

from .model import Edit, Prepared, Rejected, Report, Rules, Snapshot
from .prepare import prepare

__all__ = ["Edit", "Prepared", "Rejected", "Report", "Rules", "Snapshot", "prepare"]
