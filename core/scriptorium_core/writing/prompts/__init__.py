"""What models are given to read, as templates with versions."""

from .organize import ORGANIZE, ORGANIZE_SCHEMA
from .repair import REPAIR
from .template import Template, version_of
from .write import WRITE, WRITE_SCHEMA

__all__ = [
    "ORGANIZE",
    "ORGANIZE_SCHEMA",
    "REPAIR",
    "TEMPLATES",
    "WRITE",
    "WRITE_SCHEMA",
    "Template",
    "version_of",
]

TEMPLATES = (WRITE, WRITE_SCHEMA, ORGANIZE, ORGANIZE_SCHEMA, REPAIR)
"""Every template, each name once."""
