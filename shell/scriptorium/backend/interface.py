"""What an agent runtime asks of a memory, whatever stands behind it.

Messages are objects with `role` and `content`, and `id`, `at` (ISO 8601) and `speaker` where they are known
(`scriptorium_core.sessions.messages`). A runtime calls the members in this order: `is_available`, then
`initialize` at the start of a session and `system_prompt` for its first prompt; `search` before a turn,
`write` after it; `extract_before_discard` before messages leave the conversation for a summary; at the end
`write` with force, `reorganize` when there is time for it, and `shutdown`.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import StrEnum

from attrs import frozen

from scriptorium_core.problem import Problem

__all__ = ["MemoryBackend", "Message", "Recalled", "Reorganized", "Tier", "Written"]

Message = Mapping[str, object]


class Tier(StrEnum):
    """Who talks with the agent: the owner, somebody whom they have let in, or nobody knows."""

    OWNER = "owner"
    PAIRED = "paired"
    UNKNOWN = "unknown"


@frozen
class Recalled:
    """What goes along with a question: a text that cites, and the ids of what stands in it."""

    text: str = ""
    ids: tuple[str, ...] = ()


@frozen
class Written:
    """What became of messages: how many were new, the commits, and the ids of records created or changed.

    `problems` say what failed; the messages stay unwritten then, and are offered again.
    """

    taken: int = 0
    commits: tuple[str, ...] = ()
    records: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


@frozen
class Reorganized:
    """The commits in which topics were put in order, and what failed."""

    commits: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


class MemoryBackend(ABC):
    """A memory beside an agent. All but `name` have a default, which does nothing.

    Members may raise `Refused`; a runtime goes on without memory then.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """The name by which settings choose it."""

    def is_available(self) -> bool:
        """Whether it can be used here and now; nothing is made by asking."""
        return True

    def initialize(self, session_id: str) -> None:
        """A session begins."""
        return

    def shutdown(self) -> None:
        """Nothing more is asked; twice is as once."""
        return

    def system_prompt(self, tier: Tier = Tier.OWNER) -> str:
        """What a conversation with somebody of this tier begins with; empty if there is nothing."""
        return ""

    def search(self, query: str, session_id: str = "", tier: Tier = Tier.OWNER) -> Recalled:
        """What somebody of this tier may be told that bears on a question."""
        return Recalled()

    def write(
        self,
        messages: Sequence[Message],
        session_id: str,
        force: bool = False,
        tier: Tier = Tier.OWNER,
    ) -> Written:
        """Keep messages of a session, and write what is due; with `force` nothing is left waiting.

        A message that is known already is not kept twice. `tier` is that of the person who said them.
        """
        return Written()

    def reorganize(self) -> Reorganized:
        """Put what is kept in order."""
        return Reorganized()

    def extract_before_discard(self, messages: Sequence[Message]) -> str:
        """What a summary must keep of messages that are about to be dropped; nothing is stored."""
        return ""
