"""Finding the secrets of a vault in texts that are about to be archived.

They are read once, when the first text comes, and again only when the file of the vault has changed: for each
text they are merely looked for. Short ones are left out. Whoever may have texts archived could else find one
by trying: a thousand short words in one message, and the one that comes back as a placeholder.

A vault that cannot be opened stops what would be archived, as it may hold what must not be there.
"""

from collections.abc import Iterator
from pathlib import Path

from scriptorium_core.sources.redact import Span

from .place import FILE

__all__ = ["Finder"]

_LEAST = 12  # characters


class Finder:
    """Finds the secrets of a home's vault in a text; shows none of them."""

    __slots__ = ("_forms", "_path", "_stamp")

    def __init__(self, home: Path) -> None:
        self._path = home.absolute() / FILE
        self._stamp: tuple[int, ...] | None = None
        self._forms: tuple[str, ...] = ()

    def __call__(self, text: str) -> Iterator[Span]:
        """Where they stand."""
        self._follow()
        if not self._forms:
            return iter(())
        from scriptorium_core.sealing.masking import spans_of

        return spans_of(text, self._forms)

    def __repr__(self) -> str:
        return "Finder()"

    def _follow(self) -> None:
        """Read the vault where its file is another one than before."""
        try:
            found = self._path.stat()
        except (FileNotFoundError, NotADirectoryError):
            self._stamp, self._forms = None, ()
            return
        stamp = (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        if stamp != self._stamp:
            self._forms = _forms(self._path.parent)
            self._stamp = stamp


def _forms(home: Path) -> tuple[str, ...]:
    """The secrets of a vault that are texts and long enough, in each form in which they are written."""
    from scriptorium_core.sealing.masking import forms_of

    from .store import opened

    found = opened(home)
    values = map(found.value, found.vault.entries) if found is not None else ()
    forms = (form.decode("utf-8", "surrogateescape") for value in values for form in forms_of(value))
    return tuple(sorted({form for form in forms if len(form) >= _LEAST}, key=len, reverse=True))
