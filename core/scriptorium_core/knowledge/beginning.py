"""The beginning of what could go along: as much of a text as a budget can show, so that a book costs no more.

A token of prose has four characters, of white space many more. Of a text that is longer than sixteen for each
token of the budget only the beginning is looked at, and what is shown says that there is more.
"""

from .offer import Offer

__all__ = ["beginning"]

_CHARACTERS = 16
_LEAST = 4_096


def beginning(offer: Offer, limit: int) -> Offer:
    """The offer with as much of each text as a budget of `limit` tokens can show."""
    most = max(limit * _CHARACTERS, _LEAST)
    cited, former = (each and _cut(each, most) for each in (offer.cited, offer.former))
    return _cut(offer, most)._replace(cited=cited, former=former)


def _cut(offer: Offer, most: int) -> Offer:
    if len(offer.text) <= most:
        return offer
    start = offer.text[:most]
    words = start.rsplit(None, 1)[0]
    return offer._replace(text=(words if len(words) > most // 2 else start).rstrip(), more=True)
