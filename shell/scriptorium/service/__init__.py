"""What all doors share: one class, `Service`, and the values that it answers with."""

from .service import Service

__all__ = ["Service"]
