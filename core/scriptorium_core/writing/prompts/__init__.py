"""What models are given to read, as templates with versions."""

from .agent import WRITE_AGENT
from .answer import ANSWER
from .organize import ORGANIZE, ORGANIZE_SCHEMA
from .program import ORGANIZE_FILES, WRITE_FILES
from .remember import REMEMBER
from .repair import REPAIR
from .template import Template, version_of
from .write import WRITE, WRITE_SCHEMA

__all__ = [
    "ANSWER",
    "ORGANIZE",
    "ORGANIZE_FILES",
    "ORGANIZE_SCHEMA",
    "REMEMBER",
    "REPAIR",
    "TEMPLATES",
    "WRITE",
    "WRITE_AGENT",
    "WRITE_FILES",
    "WRITE_SCHEMA",
    "Template",
    "version_of",
]

TEMPLATES = (
    WRITE,
    WRITE_SCHEMA,
    WRITE_FILES,
    WRITE_AGENT,
    ORGANIZE,
    ORGANIZE_SCHEMA,
    ORGANIZE_FILES,
    ANSWER,
    REMEMBER,
    REPAIR,
)
"""Every template, each name once."""
