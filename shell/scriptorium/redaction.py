"""Finding secrets before a text is archived: the forms of the core, and the detectors of detect-secrets.

Of detect-secrets only the patterns of single issuers are used. Its detectors by entropy and by keyword are
made for lines of code, and take names, hashes and prose for secrets. Its verification, which asks the issuer
over the network, is never called: a pattern is matched here, and nothing else is done.

The library takes a fifth of a second to load. It is loaded where a text holds what one of its patterns begins
with, which ordinary talk does not.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from scriptorium_core.sources.redact import Finder, Redact, Redacted, Secret, Span, redacted, spans_in

if TYPE_CHECKING:
    from detect_secrets.plugins.base import RegexBasedDetector

__all__ = ["looking", "redact", "redacting", "spans"]


class _Issuer(NamedTuple):
    """A detector of the library, and what a text must hold for it to be asked.

    `name` is what its pattern matches before the secret; of its patterns the first `patterns` are used.
    """

    module: str
    detector: str
    kind: Secret
    hints: tuple[str, ...]
    name: str = ""
    patterns: int | None = None


_AWS = ("AKIA", "ASIA", "ABIA", "ACCA", "A3T")
_GITHUB = ("ghp_", "gho_", "ghu_", "ghs_", "ghr_")
_GITLAB = (
    *("glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "glcbt-", "glimt-", "glptt-", "glagent-", "gloas-"),
    "GR1348941",
)
_MAILCHIMP = tuple(f"-us{digit}" for digit in range(1, 10))
_ISSUERS = (
    _Issuer("aws", "AWSKeyDetector", Secret.AWS_KEY, _AWS, patterns=1),
    _Issuer(
        "azure_storage_key", "AzureStorageKeyDetector", Secret.AZURE_KEY, ("AccountKey=",), "AccountKey="
    ),
    _Issuer("github_token", "GitHubTokenDetector", Secret.GITHUB_TOKEN, _GITHUB),
    _Issuer("gitlab_token", "GitLabTokenDetector", Secret.GITLAB_TOKEN, _GITLAB),
    _Issuer("jwt", "JwtTokenDetector", Secret.JWT, ("eyJ",)),
    _Issuer("mailchimp", "MailchimpDetector", Secret.TOKEN, _MAILCHIMP),
    _Issuer("openai", "OpenAIDetector", Secret.OPENAI_KEY, ("T3BlbkFJ",)),
    _Issuer("pypi_token", "PypiTokenDetector", Secret.TOKEN, ("pypi-Ag",)),
    _Issuer("sendgrid", "SendGridDetector", Secret.TOKEN, ("SG.",)),
    _Issuer("slack", "SlackDetector", Secret.SLACK_TOKEN, ("xox", "hooks.slack.com")),
    _Issuer("square_oauth", "SquareOAuthDetector", Secret.TOKEN, ("sq0csp-",)),
    _Issuer("stripe", "StripeDetector", Secret.STRIPE_KEY, ("k_live_",)),
    _Issuer("telegram_token", "TelegramBotTokenDetector", Secret.TOKEN, (":AA",)),
)
_REST = re.compile(r"[A-Za-z0-9_-]*")


def redact(text: str) -> Redacted:
    """`text` with a typed placeholder for each secret in it; redacting twice is redacting once."""
    return redacted(text, (_find,))


def redacting(more: Finder) -> Redact:
    """The same way of redacting, which also replaces what another finder finds."""
    return lambda text: redacted(text, (_find, more))


def looking(more: Finder) -> Callable[[str], list[Span]]:
    """Where secrets stand in a text, in order, those of another finder too."""
    return lambda text: spans_in(text, (_find, more))


def spans(text: str) -> list[Span]:
    """Where secrets stand in `text`, in order."""
    return spans_in(text, (_find,))


def _find(text: str) -> Iterator[Span]:
    # Dozens of patterns, which reading a memory never needs.
    from scriptorium_core.sources.forms import find, has_long_run, holds_one

    yield from find(text)
    for issuer in _ISSUERS if has_long_run(text) else ():
        if holds_one(text, issuer.hints):
            yield from _spans(issuer, text)


def _spans(issuer: _Issuer, text: str) -> Iterator[Span]:
    """What the detector's patterns match, as whole words.

    The library's own way of reading a match gives the first group of its pattern, which for some is a mere
    prefix. A match inside of a longer word is no token, and what follows one belongs to it.
    """
    detector = _detector(issuer.module, issuer.detector)
    for pattern in tuple(detector.denylist)[: issuer.patterns]:
        for match in pattern.finditer(text):
            before = text[match.start() - 1 : match.start()]
            if not before.isalnum() and any(detector.analyze_string(match[0])):
                rest = _REST.match(text, match.end())
                yield Span(match.start() + len(issuer.name), rest.end() if rest else match.end(), issuer.kind)


@cache
def _detector(module: str, name: str) -> "RegexBasedDetector":
    loaded = import_module(f"detect_secrets.plugins.{module}")
    made: RegexBasedDetector = getattr(loaded, name)()
    return made
