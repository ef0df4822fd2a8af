"""The command line: a door that reads options, calls the service, and says what came of it."""

from .group import cli, main

__all__ = ["cli", "main"]
