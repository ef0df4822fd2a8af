"""Where another copy of the memory is: what git may reach by a way that nobody reads along.

/mnt/stick/memory.git           a folder
file:///mnt/stick/memory.git    the same
ssh://me@host/memory.git        also as me@host:memory.git
https://host/memory.git         credentials in it are used, and never shown
"""

import re
from urllib.parse import urlsplit, urlunsplit

from attrs import field, frozen

from ..problem import Code, Problem

__all__ = ["Address", "address_of", "is_name", "told"]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)::?//|([A-Za-z][A-Za-z0-9+.-]+)::")
_SHORT = re.compile(r"(?:[^\s/:@\\]+@)?[A-Za-z0-9._\[\]-]{2,}:(?!//)\S+")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_CREDENTIALS = re.compile(r"(?<=://)[^/\s@]*@")
_LOOPBACK = frozenset(["127.0.0.1", "::1", "localhost"])
_PLAIN = frozenset(["http", "git"])


@frozen
class Address:
    """An address that may be used: `url` as git takes it, `shown` without its credentials."""

    url: str = field(repr=False)
    shown: str
    local: bool = False


def is_name(text: str) -> bool:
    """Whether a text may be the name of an address that the settings know, and is no address itself."""
    return _NAME.fullmatch(text) is not None


def told(text: str) -> str:
    """A text without the credentials of the addresses in it."""
    return _CREDENTIALS.sub("", text)


def address_of(text: str, loopback: bool = False) -> Address | Problem:
    """The address that a text is, or why it may not be used.

    With `loopback` this computer itself may be asked without encryption.
    """
    bare = text.strip()
    shown = told(bare)
    if not bare or not bare.isprintable() or bare.startswith("-"):
        return _refused(shown, "it is no address", "give a folder, or an address of file, ssh or https")
    if match := _SCHEME.match(bare):
        return _of_scheme(bare, (match[1] or match[2]).lower(), shown, loopback)
    if _SHORT.fullmatch(bare):
        host, _, path = bare.partition(":")
        wrong = host.partition("@")[2].startswith("-") or host.startswith("-") or path.startswith("-")
        return _refused(shown, "it is no address", "give ssh://host/path") if wrong else Address(bare, shown)
    return Address(bare, shown, local=True)


def _of_scheme(text: str, scheme: str, shown: str, loopback: bool) -> Address | Problem:
    try:
        parts = urlsplit(text)
        host, password, _ = parts.hostname or "", parts.password, parts.port
    except ValueError:
        return _refused(shown, "it is no address", "look at its host and its port")
    if scheme == "file":
        if host not in ("", "localhost") or not parts.path:
            return _refused(shown, "a file stands on this computer", "write file:///path")
        return Address(urlunsplit(("file", "", parts.path, "", "")), shown, local=True)
    if scheme in _PLAIN:
        if loopback and scheme == "http" and host in _LOOPBACK:
            return Address(text, shown)
        return _refused(
            shown, f"{scheme} is not encrypted: everyone on the way reads along", "use ssh or https"
        )
    if scheme not in ("ssh", "https") or "::" in text[: len(scheme) + 2]:
        return _refused(shown, f"{scheme} is no way that is known", "give a folder, or file, ssh or https")
    if not host or host.startswith("-") or (parts.username or "").startswith("-"):
        return _refused(shown, "it names no host", f"write {scheme}://host/path")
    if scheme == "ssh" and password is not None:
        return _refused(shown, "ssh takes no password from an address", "use a key, by an agent of ssh")
    return Address(text, shown)


def _refused(shown: str, message: str, remedy: str) -> Problem:
    return Problem(Code.INVALID_ARGUMENT, message, shown, remedy=remedy)
