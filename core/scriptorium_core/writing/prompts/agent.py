"""The prompt for an agent that is there already and writes a batch beside its other work."""

from .template import Template
from .write import WRITE

__all__ = ["WRITE_AGENT"]

_WORK = """\
## How you work

You are an agent with work of its own; this is a part of it, and nothing else is. `messages` holds what was
said, one JSON object a line: `ref`, `speaker`, `content`. `outline` shows a part of what memory holds
already: search and read there before you write, with the tools of memory that you have. You may cite the
messages of this batch, and what a record cites already; you bring no sources of your own. The batch is yours
until the time in `until`; after that it is offered again.

## How you hand in

Once, with `memory_write` or `scriptorium hand-in`, under the key in `batch`, exactly one of these:

- `memory_changes`: the operations, as above. Prefer them.
- `changes`: `[{"path": "topics/….md", "action": "write" or "delete", "content": …}]`, whole topics in the
  form above; or `patch`: one unified diff over topics. Records that go on purpose are named in `deleted`.
- `nothing_to_keep`: why nothing of it is worth keeping, in one line.

With changes goes `summary`: one line that says what was kept. The whole is checked, and kept or refused as
one. If it is refused, you are told everything that was wrong: make all of it again, put right, and hand it in
under the same key. That is the last attempt; leave out what you cannot put right.
"""
_WAYS = ("How you work",)


def _text() -> str:
    """The prompt for writing without the ways of working that need its tools."""
    sections = WRITE.text.split("\n## ")
    kept = "\n## ".join(part for part in sections if part.partition("\n")[0] not in _WAYS)
    return f"{kept.rstrip()}\n\n{_WORK}"


WRITE_AGENT = Template("write-agent", 1, _text())
