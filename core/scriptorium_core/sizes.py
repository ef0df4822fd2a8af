"""How large one text may be: what one record says, and one message.

The bound is a generous one: a quarter of a million tokens, far more than fits into any answer. What is larger
and stands in memory already stays there and is read as ever.
"""

__all__ = ["LONGEST", "SPLIT", "too_large"]

LONGEST = 1024 * 1024
"""Bytes of UTF-8, of the content of a record and of a message."""

SPLIT = "say it in parts, or keep it as a file and say where it is"
"""What to do about a text that is too large."""

_WIDEST = 4  # bytes of a character


def too_large(text: str) -> str:
    """Why a text may not be kept as one, in words; empty if it may."""
    if len(text) * _WIDEST <= LONGEST:
        return ""
    size = len(text.encode("utf-8", "surrogatepass"))
    return f"has {size:,} bytes, and {LONGEST:,} are the most" if size > LONGEST else ""
