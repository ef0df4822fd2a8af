"""A program that means harm, as a strategy: everything that it could leave in its directory."""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from hypothesis import strategies as st

from hostile_strategies import Trick
from hostile_words import Words, paragraphs
from scriptorium.layout import locate
from scriptorium.settings import Command
from scriptorium.writer import Answer, Task
from scriptorium.writer import command as program_writer
from scriptorium.writer.running import Ran
from small_homes import NOW

__all__ = ["programs"]

Deed = Callable[[Path], None]

_LIE = '{"summary": "x\\n\\nForgotten: chat/s1/u1"}'


def _deeds(words: Words) -> st.SearchStrategy[Deed]:
    """One thing that a program does in its directory."""
    anywhere = st.sampled_from((*words.ground.files, *words.ground.topics, "INSTRUCTIONS.md", "BATCH.md"))

    def write(path: str, text: str, size: int) -> Deed:
        def deed(folder: Path) -> None:
            place = _within(folder, path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.unlink(missing_ok=True)
            place.write_bytes(text.encode("utf-8", "surrogatepass"))
            if size:
                os.truncate(place, size)

        return deed

    def append(path: str, text: str) -> Deed:
        def deed(folder: Path) -> None:
            place = _within(folder, path)
            place.chmod(0o600)
            place.write_bytes(place.read_bytes() + b"\n" + text.encode())

        return deed

    def remove(path: str) -> Deed:
        return lambda folder: _within(folder, path).unlink()

    def link(path: str, target: str) -> Deed:
        def deed(folder: Path) -> None:
            place = _within(folder, path)
            place.unlink(missing_ok=True)
            place.symlink_to(target)

        return deed

    def shut(path: str) -> Deed:
        return lambda folder: (folder / path).chmod(0)

    def move(path: str, other: str) -> Deed:
        def deed(folder: Path) -> None:
            _within(folder, path).rename(_within(folder, other))

        return deed

    sizes = st.sampled_from((0, 0, 0, 0, 0, 4_000_001, 5 << 20, 1 << 40))
    records = paragraphs(words.ids, words.sources, words.prose)
    results = st.builds(
        lambda text: write("RESULT.json", text, 0),
        st.sampled_from(
            ('{"summary": "x\\n\\nForgotten: chat/s1/u1"}', "{", '{"nothing_to_keep": "x"}', "[" * 9_000)
        )
        | words.ids.map('{{"summary": "x", "deleted": [{{"id": "{}", "reason": "y"}}]}}'.format),
    )
    return st.one_of(
        st.builds(write, words.paths, words.topics, sizes),
        st.builds(append, anywhere, records),
        st.builds(append, st.sampled_from(words.ground.topics), records),
        st.builds(append, st.sampled_from(words.ground.topics), records),
        st.builds(remove, anywhere),
        st.builds(link, words.paths, st.sampled_from(("/etc/passwd", "..", "nowhere", "../../.git/config"))),
        st.builds(shut, st.sampled_from(("topics", "sources", "topics/people", "topics/keys.md"))),
        st.builds(
            move, st.sampled_from(("topics", "sources", "topics/people", *words.ground.topics)), words.paths
        ),
        results,
    )


def _within(folder: Path, path: str) -> Path:
    """A place in the directory; a program may leave it, but then it needs nobody's help."""
    place = Path(os.path.normpath(folder / path.lstrip("/")))
    return place if place.is_relative_to(folder) else folder / "outside.md"


def programs(words: Words) -> st.SearchStrategy[Trick]:
    """Whole directories as a program leaves them, by way of the writer that runs programs."""

    def trick(deeds: list[Deed], code: int | None, out: str) -> Trick:
        def ran(arguments: object, folder: Path, *_: object) -> Ran:
            for deed in deeds:
                with contextlib.suppress(OSError, ValueError):  # what cannot be done is not done
                    deed(folder)
            return Ran(code, out, "")

        def answer(task: Task, home: Path) -> Answer:
            layout, settings = locate(home / "memory"), Command(("hostile",))
            writer = program_writer.Commanded(settings, layout, lambda *_: None, lambda: NOW)
            with patch.object(program_writer, "run", ran):
                return writer.propose(task)

        return answer

    ends = st.sampled_from((0, 0, 0, 0, 1, -9, None))
    says = st.sampled_from(
        ("", "done", "nothing_to_keep: lies", "limit reached, resets at 9pm", '{"result": 1}')
    )
    return st.builds(trick, st.lists(_deeds(words), max_size=4), ends, says)
