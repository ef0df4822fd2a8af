"""Secrets in a text, replaced by typed placeholders before the text becomes evidence.

    export PAY_KEY=sk_live_…   →   export PAY_KEY=[secret:stripe-key]

Whatever looks for secrets gives spans; which of them are replaced by what is decided here. A placeholder
says what stood there and nothing of it. What it stands in for is never looked at again, so a text that
was redacted once stays as it is.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from .frame import Context, Frame

__all__ = [
    "Finder",
    "Redact",
    "Redacted",
    "Secret",
    "Span",
    "clean_contexts",
    "clean_frames",
    "placeholder",
    "redacted",
    "spans_in",
    "totalled",
    "untouched",
]


class Secret(StrEnum):
    """What a secret is, the most telling first: of two that overlap, the first names the placeholder."""

    VAULT = "vault"  # one that is kept in the vault: found by what it is, not by its form
    PRIVATE_KEY = "private-key"
    AWS_KEY = "aws-key"
    AZURE_KEY = "azure-key"
    ANTHROPIC_KEY = "anthropic-key"
    OPENAI_KEY = "openai-key"
    STRIPE_KEY = "stripe-key"
    GOOGLE_KEY = "google-key"
    GITHUB_TOKEN = "github-token"
    GITLAB_TOKEN = "gitlab-token"
    SLACK_TOKEN = "slack-token"
    JWT = "jwt"
    TOKEN = "token"
    PASSWORD_IN_URL = "password-in-url"
    PASSWORD = "password"
    KEY = "key"


_RANKS = MappingProxyType({kind: rank for rank, kind in enumerate(Secret)})
_PLACEHOLDER = re.compile(rf"\[secret:(?:{'|'.join(Secret)})\]")


class Span(NamedTuple):
    """Where a secret stands in a text, `start` to before `end`; never empty."""

    start: int
    end: int
    kind: Secret


Finder = Callable[[str], Iterable[Span]]
"""Looks for secrets in a text; its spans may overlap, and come in any order."""


class Redacted(NamedTuple):
    """A text without its secrets, and how many of which kind were replaced."""

    text: str
    found: Mapping[Secret, int] = MappingProxyType({})


Redact = Callable[[str], Redacted]
"""A way of redacting; to redact twice is to redact once."""


def placeholder(kind: Secret) -> str:
    """What stands in the place of a secret."""
    return f"[secret:{kind}]"


def untouched(text: str) -> Redacted:
    """The text as it is: how one redacts where that is switched off."""
    return Redacted(text)


def redacted(text: str, finders: Sequence[Finder]) -> Redacted:
    """`text` with a placeholder for each secret that one of the finders finds.

    Between the placeholders it is looked at again until nothing more is found. Each round leaves less
    text to look at, so this ends, and what is redacted holds nothing that would be found another time.
    """
    counted: Counter[Secret] = Counter()
    while spans := spans_in(text, finders):
        counted.update(span.kind for span in spans)
        text = _replaced(text, spans)
    return Redacted(text, totalled((counted,))) if counted else Redacted(text)


def totalled(found: Iterable[Mapping[Secret, int]]) -> Mapping[Secret, int]:
    """The sums of what was found in several texts."""
    counted: Counter[Secret] = Counter()
    for each in found:
        counted.update(each)
    return {kind: counted[kind] for kind in Secret if counted[kind]}


def clean_frames(frames: Iterable[Frame], redact: Redact) -> tuple[tuple[Frame, ...], Mapping[Secret, int]]:
    """The frames with their words and speakers redacted, and how many secrets of which kind were in them."""
    clean: list[Frame] = []
    found: list[Mapping[Secret, int]] = []
    for frame in frames:
        said, name = redact(frame.content), redact(frame.speaker_name)
        found += [said.found, name.found]
        changed = said.found or name.found
        clean.append(frame._replace(content=said.text, speaker_name=name.text) if changed else frame)
    return tuple(clean), totalled(found)


def clean_contexts(contexts: Iterable[Context], redact: Redact) -> tuple[Context, ...]:
    """The contexts with the directories in which something was said redacted."""

    @cache
    def clean(scope: str) -> str:
        return redact(scope).text

    return tuple(
        each._replace(scope=clean(each.scope)) if each.scope is not None else each for each in contexts
    )


def spans_in(text: str, finders: Sequence[Finder]) -> list[Span]:
    """Where the finders find secrets, outside of placeholders, in order; those that overlap are one."""
    if "[secret:" not in text:
        return _merged([span for finder in finders for span in finder(text)])
    found: list[Span] = []
    for start, end in _between(text):
        piece = text if end - start == len(text) else text[start:end]
        found += [
            Span(span.start + start, span.end + start, span.kind)
            for finder in finders
            for span in finder(piece)
        ]
    return _merged(found)


def _between(text: str) -> Iterable[tuple[int, int]]:
    """The parts of a text that are no placeholder."""
    edges = [0, *(edge for match in _PLACEHOLDER.finditer(text) for edge in match.span()), len(text)]
    return tuple(pairwise(edges))[::2]


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans, key=lambda each: (each.start, each.end)):
        if merged and span.start < merged[-1].end:
            last = merged.pop()
            kind = min(last.kind, span.kind, key=lambda each: _RANKS[each])
            merged.append(Span(last.start, max(last.end, span.end), kind))
        else:
            merged.append(span)
    return merged


def _replaced(text: str, spans: Sequence[Span]) -> str:
    parts: list[str] = []
    at = 0
    for span in spans:
        parts += (text[at : span.start], placeholder(span.kind))
        at = span.end
    return "".join((*parts, text[at:]))
