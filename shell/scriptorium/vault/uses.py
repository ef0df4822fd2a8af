"""The trace of the uses of secrets: who, when, which name, for what; never the value.

H/vault-uses.jsonl         mode 0600, oldest first, the newest 1,000 lines:
{"at": "2026-11-30T17:20:00+00:00", "actor": "owner", "name": "mail", "purpose": "rsync", "allowed": true}
"""

import json
from pathlib import Path

from attrs import asdict, frozen

from .. import files
from ..lock import held

__all__ = ["FILE", "Use", "keep_use", "kept_uses"]

FILE = "vault-uses.jsonl"
_LOCK = ".vault-uses.lock"
_MOST = 1_000


@frozen
class Use:
    """A use of a secret, or an attempt that the policy did not allow."""

    at: str
    actor: str
    name: str
    purpose: str
    allowed: bool = True


def keep_use(home: Path, use: Use) -> None:
    """Add a use, on the disk when this returns: what is not traced is not used."""
    path = home.absolute() / FILE
    with files.explained(path.parent), held(path.parent / _LOCK):
        lines = (files.read(path) or b"").splitlines(keepends=True)[-_MOST + 1 :]
        whole = [line for line in lines if line.endswith(b"\n")]
        files.write_durable(path, b"".join([*whole, json.dumps(asdict(use)).encode() + b"\n"]), mode=0o600)


def kept_uses(home: Path) -> tuple[Use, ...]:
    """The uses, newest first; a line that cannot be read is left out."""
    with files.explained(home):
        lines = (files.read(home.absolute() / FILE) or b"").splitlines()
    return tuple(use for line in reversed(lines) if (use := _use(line)) is not None)


def _use(line: bytes) -> Use | None:
    try:
        return Use(**json.loads(line))
    except (ValueError, TypeError):
        return None
