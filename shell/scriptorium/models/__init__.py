"""Models: a question is asked of one, and a reply or a fault comes back."""

from .connecting import connected
from .model import Model
from .providers import Endpoint, endpoint_of

__all__ = ["Endpoint", "Model", "connected", "endpoint_of"]
