"""The prompt for repairing: what was refused, and that all of it is made again."""

from .template import Template

__all__ = ["REPAIR"]

_TEXT = """\
## Your first answer was refused

Nothing of it was kept: memory is as it was before, or has moved on since. Make all of your changes again,
so that none of the following is wrong any more. Each line is one thing that was wrong, where it was, and
what to do about it. This is the last attempt; leave out what you cannot put right.
"""

REPAIR = Template("repair", 1, _TEXT)
