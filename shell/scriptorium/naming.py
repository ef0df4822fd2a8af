"""Whether this process can name the files of a memory: their names are UTF-8, whatever the locale says."""

import sys

from scriptorium_core.problem import Code, Problem

from .refused import Refused

__all__ = ["see_that_names_are_utf_8"]


def see_that_names_are_utf_8() -> None:
    """Raise Refused where the locale has another encoding for names and arguments.

    A topic would get another name on the disk than in its commit, or could not be named at all, and what a
    person gives would be read as something else.
    """
    encoding = sys.getfilesystemencoding()
    if encoding.lower() == "utf-8":
        return
    message = f"a memory is UTF-8, and this locale names files and arguments in {encoding}"
    remedy = "set LC_ALL=C.UTF-8 or PYTHONUTF8=1 in the environment"
    raise Refused(Problem(Code.INVALID_ARGUMENT, message, "locale", remedy=remedy))
