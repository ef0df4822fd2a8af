"""A secret where it shows: the forms in which it is written, and a stream of bytes without them."""

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from urllib.parse import quote_from_bytes

from ..sources.redact import Secret, Span, placeholder

__all__ = ["forms_of", "masked", "spans_of"]

_LINE = 12  # bytes of a line from which on it is a secret by itself
_MASK = placeholder(Secret.VAULT).encode()


def forms_of(value: bytes) -> tuple[bytes, ...]:
    """A secret as programs write it, the longest first: itself, its long lines, in JSON, in URLs, base64."""
    text = value.decode("utf-8", "surrogateescape")
    lines = (line.strip() for line in value.splitlines() if b"\n" in value)
    escaped = {json.dumps(text, ensure_ascii=plain)[1:-1] for plain in (False, True)}
    found = {
        value,
        *(line for line in lines if len(line) >= _LINE),
        *(form.encode("utf-8", "surrogateescape") for form in escaped),
        quote_from_bytes(value, safe="").encode(),
        b64encode(value[: len(value) // 3 * 3]),  # as much as is the same whatever follows
    }
    return tuple(sorted(found, key=lambda form: (-len(form), form)))


def masked(data: bytes, forms: Sequence[bytes], last: bool = False) -> tuple[bytes, bytes]:
    """What of a stream may go out now, and what has to wait because a secret may have begun in it."""
    out, at = bytearray(), 0
    while at < len(data):
        if not last and any(_begins(data, at, each) for each in forms):
            break  # also where a shorter form is whole already
        form = next((each for each in forms if data.startswith(each, at)), None)
        if form is None:
            at = _next(data, at, forms, out)
        else:
            out += _MASK
            at += len(form)
    return bytes(out), data[at:]


def spans_of(text: str, forms: Sequence[str]) -> Iterator[Span]:
    """Where the forms of secrets stand in a text."""
    for form in forms:
        at = text.find(form)
        while at >= 0:
            yield Span(at, at + len(form), Secret.VAULT)
            at = text.find(form, at + len(form))


def _begins(data: bytes, at: int, form: bytes) -> bool:
    """Whether the rest of the data is the beginning of a form."""
    return len(data) - at < len(form) and form.startswith(data[at:])


def _next(data: bytes, at: int, forms: Sequence[bytes], out: bytearray) -> int:
    """Copy up to the next byte with which a form may begin; its place."""
    places = (data.find(form[:1], at + 1) for form in forms)
    end = min((place for place in places if place >= 0), default=len(data))
    out += data[at:end]
    return end
