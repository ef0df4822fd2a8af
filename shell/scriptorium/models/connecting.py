"""A model of an endpoint, by the library of its provider; that is imported here and nowhere earlier."""

from importlib.util import find_spec

from scriptorium_core.problem import Problem

from .model import Model
from .providers import Endpoint, missing

__all__ = ["connected"]

_EXTRA = "pip install 'scriptorium-memory[models]'"


def connected(endpoint: Endpoint) -> Model | Problem:
    """A model that can be asked; nothing is sent before that."""
    if find_spec(endpoint.library) is None:
        return missing(f"the library {endpoint.library} is not installed", _EXTRA)
    if endpoint.library == "anthropic":
        from .messages import Messages

        return Messages(endpoint)
    from .completions import Completions

    return Completions(endpoint)
