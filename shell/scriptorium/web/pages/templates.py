"""Values as HTML: the templates beside this module, in which everything is escaped that is no Markup."""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from scriptorium_core.knowledge.assess import Assessment

from . import addresses
from .rendering import prose, rendered, standing
from .shipped import version
from .words import clipped, day_of, named, time_of, tokens_of

__all__ = ["html"]


def html(name: str, values: Mapping[str, Any]) -> bytes:
    """The bytes of a page."""
    return _environment().get_template(name).render(values).encode("utf-8", "replace")


@lru_cache(1)
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("scriptorium.web.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals.update(at=addresses, root=addresses.ROOT, assets=f"{addresses.ROOT}/assets/{version()}")
    made.filters.update(
        clipped=clipped,
        day=day_of,
        named=named,
        prose=_prose,
        reading=_reading,
        standing=standing,
        time=time_of,
        tokens=tokens_of,
    )
    return made


def _prose(text: str, path: str) -> Markup:
    return prose(path, text)


def _reading(text: str, path: str, records: Collection[str], assessments: Mapping[str, Assessment]) -> Markup:
    return rendered(path, text, records, assessments)
