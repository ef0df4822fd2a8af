"""What both servers stand on: a pool of services, asked from an event loop."""

from .pool import Services

__all__ = ["Services"]
