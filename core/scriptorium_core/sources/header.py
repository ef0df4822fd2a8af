"""The two coded lines of a frame's header: who spoke, and how far that may be trusted.

`speaker-id` is percent-encoded UTF-8 in which letters, digits and `_.~` stay and `-` is `%2D`, so that
no `--` can stand in the comment. `source-meta` is base64url without padding of compact JSON with sorted
keys: `authority_tier`, `principal_id`, `speaker_kind`, `trust_state`, `version` 1 (format, section 4).
"""

import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import NamedTuple, cast
from urllib.parse import quote, unquote_to_bytes

from .kinds import Tier, Trust

__all__ = [
    "Provenance",
    "Tier",
    "Trust",
    "parse_provenance",
    "parse_speaker",
    "promoted_token",
    "provenance_token",
    "speaker_token",
]

_TOKEN = re.compile(r"[A-Za-z0-9_-]+")


class Provenance(NamedTuple):
    """Who is accountable for a frame. Blank names are written as `unknown`."""

    principal_id: str = "unknown"
    speaker_kind: str = "unknown"
    tier: Tier | None = None
    trust: Trust = Trust.TRUSTED


def speaker_token(speaker: str) -> str:
    """A speaker id as it stands in its header line."""
    return quote(speaker, safe="").replace("-", "%2D")


def parse_speaker(token: str) -> str | None:
    """The speaker id of a header line, None unless it is written in its one canonical form."""
    try:
        speaker = unquote_to_bytes(token).decode()
    except UnicodeError:
        return None
    return speaker if speaker_token(speaker) == token else None


def provenance_token(provenance: Provenance) -> str:
    """A provenance as it stands in its header line."""
    return _token(
        {
            "authority_tier": provenance.tier,
            "principal_id": provenance.principal_id or "unknown",
            "speaker_kind": provenance.speaker_kind or "unknown",
            "trust_state": provenance.trust,
            "version": 1,
        }
    )


def parse_provenance(token: str) -> Provenance | None:
    """The provenance of a header line, None if it is malformed; further keys are ignored."""
    fields = _fields(token)
    if fields is None or fields.get("version") != 1:
        return None
    principal, kind = fields.get("principal_id"), fields.get("speaker_kind")
    if not isinstance(principal, str) or not isinstance(kind, str):
        return None
    try:
        tier, trust = _tier(fields), Trust(cast(str, fields.get("trust_state")))
    except ValueError:
        return None
    return Provenance(principal, kind, tier, trust)


def promoted_token(token: str) -> str:
    """A well-formed `source-meta` token with its trust raised and every other key kept."""
    return _token({**(_fields(token) or {}), "trust_state": Trust.TRUSTED})


def _tier(fields: Mapping[str, object]) -> Tier | None:
    """The tier; frames from before there were tiers say it by `origin_scope` (workspace `legacy`)."""
    if "authority_tier" not in fields:
        scope = fields.get("origin_scope")
        local = isinstance(scope, dict) and cast(Mapping[str, object], scope).get("origin") == "local-owner"
        return Tier.OWNER if local else None
    tier = fields["authority_tier"]
    return None if tier is None else Tier(cast(str, tier))


def _fields(token: str) -> Mapping[str, object] | None:
    """The JSON object of a token; text that UTF-8 cannot hold makes it malformed."""
    if not _TOKEN.fullmatch(token):
        return None
    try:
        value: object = json.loads(urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode())
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return cast(Mapping[str, object], value) if isinstance(value, dict) else None


def _token(fields: Mapping[str, object]) -> str:
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")
