"""What a service does with the policy of its memory: show it, say why not, and set another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scriptorium_core.transaction import Rejected

    from ..workspace import Committed
    from .place import Place
    from .policing import Checked, Governed

__all__ = ["Governing"]


class Governing:
    """The part of a service that has to do with who may do what; for whoever manages the memory."""

    def policy(self: Place) -> Governed:
        """The policy that holds, and what is wrong with another one that does not."""
        from .policing import governed

        return governed(self)

    def check_policy(self: Place, actor: str, action: str, resource: str) -> Checked:
        """Whether an actor may do something with a path, and which rule says so."""
        from .policing import check

        return check(self, actor, action, resource)

    def set_policy(self: Place, data: bytes | None = None) -> Committed | Rejected:
        """Let the policy hold that is given, or that stands in the memory directory (None)."""
        from .policing import set_policy

        return set_policy(self, data)
