"""A scripted agent with memory: two sessions, of which the second answers from the first's memory, cited.

    python examples/agent.py

No model is asked: what the agent says stands in a script, and where the script is silent, it answers with the
record that memory gives and the turn that this record cites. All of it happens in a temporary home.
"""

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scriptorium import Companion, MemoryBackend, Tier
from scriptorium.backend import chosen

FIRST = (
    ("I am Mara. From now on, write prices in euros.", "Noted: prices in euros."),
    ("My sister Ines is allergic to shellfish.", "I will keep that in mind when we look at restaurants."),
    ("I decided to take the night train to Porto on 8 May 2026.", "The night train it is."),
    ("Thanks!", "You are welcome."),
)
SECOND = ("Can Ines eat shellfish?", "Which train did I decide to take?", "What is the capital of Peru?")

_WINDOW = 4  # messages that this agent keeps in its context; real ones count tokens
_RECORD = re.compile(
    r"^\^(?P<id>\S+) .*\n> (?P<text>.+)\ncites (?P<turn>.+?)(?:, in these words)?$", re.MULTILINE
)


class Agent:
    """An agent: a system prompt, a window of messages, and memory beside it."""

    def __init__(self, backend: MemoryBackend, session: str, tier: Tier = Tier.OWNER) -> None:
        self.memory = Companion(backend, session, tier)
        self.summary = ""

    def talk(self, script: Sequence[tuple[str, str | None]]) -> None:
        """A session: what the person says, and what is answered; None is answered from memory."""
        with self.memory:  # is_available, initialize; at the end: write with force, shutdown
            prompt = self.memory.opening()  # system_prompt
            print(f"  (the prompt begins with {len(prompt.splitlines())} lines of memory)")
            for said, scripted in script:
                print(f"  person: {said}")
                recalled = self.memory.before(said)  # search
                answer = scripted or answered(recalled.text)
                print(f"  agent:  {answer}")
                self.keep(said, answer)
            tidied = self.memory.tidy()  # reorganize
            done = self.memory.end()
            print(f"  (written: {len(done.records)} records; put in order: {len(tidied.commits)} commits)")
        for fault in self.memory.faults:
            print(f"  (memory failed, and the conversation went on: {fault})")

    def keep(self, said: str, answer: str) -> None:
        """Write the turn; where the window is full, keep in a summary what memory says must stay."""
        self.memory.after(
            {"role": "user", "content": said}, {"role": "assistant", "content": answer}
        )  # write
        if len(self.memory.messages) > _WINDOW:
            kept = self.memory.compact(keep=_WINDOW)  # extract_before_discard
            self.summary += kept
            print(f"  (two messages left the window; of them a summary keeps: {one_line(kept) or 'nothing'})")


def answered(recalled: str) -> str:
    """What a model would make of the context; here: its first record, and the turn that this record cites."""
    record = _RECORD.search(recalled)
    if record is None:
        return "My memory holds nothing on that."
    return f"You told me: “{record['text']}” [^{record['id']}: {record['turn']}]"


def one_line(text: str) -> str:
    """The lines of a text on one."""
    return " ".join(text.split())


def main() -> None:
    """Two sessions, on two backends: nothing but the home is between them."""
    with tempfile.TemporaryDirectory(prefix="scriptorium-agent-") as folder:
        home = Path(folder)
        print("first session")
        Agent(chosen(home), "monday").talk(FIRST)
        print("second session")
        Agent(chosen(home), "friday").talk([(question, None) for question in SECOND])
        print("a session with somebody unknown")
        Agent(chosen(home), "stranger", Tier.UNKNOWN).talk([(SECOND[0], None)])


if __name__ == "__main__":
    main()
