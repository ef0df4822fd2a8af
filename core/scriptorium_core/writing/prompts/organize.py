"""The prompts for organizing: topics put in order, and no fact more or less."""

from .form import DATA, FORM, MEMORY, OPERATIONS
from .template import Template

__all__ = ["ORGANIZE", "ORGANIZE_SCHEMA"]

_TASK = """\
You keep a memory for its owner in order. You are shown some of its topics. Make them easier to find and
to read, and change nothing of what they say.
"""

_ORDER = """\
## What order means

- Records that say the same become one: update the one that says it best so that it cites the sources of
  all, and delete the others, with a reason.
- A record that states several facts is split: one update and a new record for each further fact, each
  with the sources that it rests on.
- Records stand where they would be looked for, below a heading that fits; related topics are near each
  other. Move whole records; do not write them anew elsewhere.
- Two values of the same thing (the same subject and the same attribute), of which one is clearly newer by
  its date: update the older record to the newer value with `supersede: true`, and delete the newer
  record. Where it is not clear, leave both.
- What stands on an abandoned branch (`; Branch: …` without `live`) never supersedes anything.

## What it does not mean

No new facts, no conclusions, no better style for its own sake. Cite only what these records cite already.
Do not delete because something seems unimportant or old: the owner decides that. If much would be
deleted, the whole is refused. Leave a topic that is in order as it is. If all of them are, say so: that
is a good answer.
"""

_TOOLS = """\
## How you work

`list`, `read` and `search` show memory. Change records with `apply_changes` where you can; `move` renames
a topic; `edit` and `write` change the text of a topic itself; `delete_records` needs a reason. Nothing is
kept before the end, and the whole is checked then.

End with `finish`: with a `summary` of one line that says what was done, or with `nothing_to_keep` and a
`reason` where nothing had to be done. What you write beside the tools is read by nobody.
"""

_SCHEMA = """\
## How you answer

Answer with one JSON object and nothing else: `{"memory_changes": […], "summary": "…"}`, or
`{"memory_changes": [], "nothing_to_keep": "why"}` where nothing has to be done. The summary is one line.
"""

ORGANIZE = Template("organize", 1, "\n".join((_TASK, MEMORY, DATA, _ORDER, FORM, OPERATIONS, _TOOLS)))
ORGANIZE_SCHEMA = Template(
    "organize-schema", 1, "\n".join((_TASK, MEMORY, DATA, _ORDER, OPERATIONS, _SCHEMA))
)
