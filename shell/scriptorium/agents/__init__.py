"""The settings of agents: the lines there that call our hooks are written, and taken out again."""

from .installing import carry_out, installation, removal
from .plan import Change, Plan, Wish

__all__ = ["Change", "Plan", "Wish", "carry_out", "installation", "removal"]
