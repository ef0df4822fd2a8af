"""The examples that ship with the program: in the package of a wheel, or in the checkout beside it."""

from importlib.resources import files
from pathlib import Path

from scriptorium_core.problem import Code, Problem

from .refused import Refused

__all__ = ["example"]


def example(name: str) -> Path:
    """The file of an example. Raises Refused where the installation lacks it."""
    packaged = Path(str(files("scriptorium"))) / "examples" / name
    checkout = Path(__file__).resolve().parent.parent.parent / "examples" / name
    for path in (packaged, checkout):
        if path.is_file():
            return path
    message = f"the example {name} is not installed"
    raise Refused(Problem(Code.MEMORY_NOT_FOUND, message, str(packaged), remedy="install the program again"))
