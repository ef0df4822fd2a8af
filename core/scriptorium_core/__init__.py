"""The rules of a memory directory as pure functions: values in, values out."""

__all__ = ["__version__"]

__version__ = "0.1.0"
