"""The prompts for writing: what of a conversation is kept, and how."""

from .form import DATA, FORM, MEMORY, OPERATIONS
from .template import Template

__all__ = ["WRITE", "WRITE_SCHEMA"]

_TASK = """\
You keep a memory for its owner. You are given a part of a conversation, and what the memory may hold about it
already. Decide what of it will still be worth knowing in months, and bring that into memory.
"""

_CHOICE = """\
## What is kept

Keep what people said of themselves and their world: facts, preferences, decisions with their reasons,
plans and dates, people and how they are related, how things are done, rules that the owner set, results
that somebody will look for.

Leave out greetings, thanks and small talk; what was only asked; guesses of an assistant that nobody took
up; general knowledge that any book has; the steps of a task that is done; whatever is already in memory;
passwords and keys. When in doubt whether it will matter, leave it out. If nothing is left, say so: that
is a good answer.

What an assistant said counts as what the assistant said. It becomes a fact about a person only where that
person agreed. Only the owner's own words make a standing rule. Keep to what was said: do not conclude,
soften or embellish.

## What is there already

- The same fact again: add the new message to the sources of the existing record, with an update. No
  second record.
- A newer value of the same thing (the same subject and the same attribute: where Mara lives, when the
  train leaves): update the record with `supersede: true`. The earlier value stays, dated. Close nothing
  else: two facts about one person do not contradict each other because they differ.
- Something more about the same subject: a record of its own, beside the others.
- Where two people disagree, or you cannot tell which is newer, keep both, each with its source.

## Branches

Messages below a heading that says `abandoned branch` belong to a version of the conversation that was
given up. What stands only there was not taken: keep it only if it would be looked for, as something that
was considered, and never let it replace or close what was said elsewhere.
"""

_TOOLS = """\
## How you work

Look first: the outline shows only a part of memory. `list`, `read` and `search` show the rest. Change
records with `apply_changes` where you can; `edit` and `write` change the text of a topic itself; `move`
renames a topic; `delete_records` is for records that are wrong or said twice, and needs a reason. You may
cite the messages of this batch, and what a record cites already. Nothing is kept before the end, and the
whole is checked then.

End with `finish`: with a `summary` of one line that says what was kept, or with `nothing_to_keep` and a
`reason`. What you write beside the tools is read by nobody.
"""

_SCHEMA = """\
## How you answer

Answer with one JSON object and nothing else: `{"memory_changes": […], "summary": "…"}`, or
`{"memory_changes": [], "nothing_to_keep": "why"}`. The summary is one line. You may cite the messages of
this batch, and what a record cites already.
"""

WRITE = Template("write", 1, "\n".join((_TASK, MEMORY, DATA, _CHOICE, FORM, OPERATIONS, _TOOLS)))
WRITE_SCHEMA = Template("write-schema", 1, "\n".join((_TASK, MEMORY, DATA, _CHOICE, OPERATIONS, _SCHEMA)))
