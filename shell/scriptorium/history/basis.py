"""From which commit a draft was made, where that is known for sure.

A file that is saved while a commit is made is left alone by it, and so never held what that commit put
there: it was made from the commit before. No look at the text can tell that from a later edit which
takes out again what was added last. The note is kept in the runtime folder and may be lost.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .. import files

if TYPE_CHECKING:
    from pathlib import Path

    from ..layout import Layout

__all__ = ["known", "note"]


def known(layout: Layout) -> Mapping[str, str]:
    """The commits that drafts were made from, by path; of a draft that is not in it that is not known."""
    try:
        found = json.loads(files.read(_file(layout), layout.root) or b"{}")
    except ValueError:
        return {}
    return (
        {path: commit for path, commit in found.items() if isinstance(commit, str)}
        if isinstance(found, dict)
        else {}
    )


def note(layout: Layout, commit: str | None, spared: Iterable[str], drafts: Iterable[str]) -> None:
    """Note that the files `spared` were made from `commit`; keep what is known of `drafts`, and no other."""
    before = known(layout)
    kept = {path: before[path] for path in drafts if path in before}
    after = {**(dict.fromkeys(spared, commit) if commit else {}), **kept}
    if after != before:
        temporary = files.write_temporary(layout.runtime, json.dumps(after, ensure_ascii=False).encode())
        files.install(temporary, _file(layout))


def _file(layout: Layout) -> Path:
    return layout.runtime / "basis.json"
