"""A prompt as a value: its name, its number, its text, and the version that follows from them."""

from hashlib import sha256

from attrs import frozen

__all__ = ["Template", "version_of"]


@frozen
class Template:
    """A text that a model is given; `number` is raised whenever the text changes."""

    name: str
    number: int
    text: str

    @property
    def version(self) -> str:
        """`name/number-hash`, such as `write/1-3fa29c01`."""
        return version_of(self.name, self.number, self.text)


def version_of(name: str, number: int, text: str) -> str:
    """The version of anything that a model is given: a change that nobody numbered shows in the hash."""
    return f"{name}/{number}-{sha256(text.encode()).hexdigest()[:8]}"
