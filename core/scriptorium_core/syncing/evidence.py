"""The archives of both sides taken together: every message once, where the first side has it or behind it."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from attrs import field, frozen

from ..facts import Facts, SourceFact, messages_in
from ..problem import Code, Problem
from ..sources.annexing import annexed
from ..sources.context import append_context, read_context
from ..sources.framing import is_framed
from ..tree import Tree

__all__ = ["Evidence", "united_evidence"]


@frozen
class Evidence:
    """What the first side gets: files, and by place the messages new in them, and those let in."""

    files: Mapping[str, bytes] = field(factory=dict[str, bytes])
    sources: Mapping[str, SourceFact] = field(factory=dict[str, SourceFact])
    promoted: Mapping[str, SourceFact] = field(factory=dict[str, SourceFact])
    problems: tuple[Problem, ...] = ()


def united_evidence(
    base: Tree, first: Tree, second: Tree, facts: Facts, paths: Iterable[str], promoted: Collection[str]
) -> Evidence:
    """What the archives of `second` add to those of `first`, whose facts are `facts`.

    `paths` are the files that `second` changed of `base`. An archive that it took away stays.
    """
    files: dict[str, bytes] = {}
    problems: list[Problem] = []
    for path in sorted(paths):
        data = second.get(path)
        if data is None or data == (own := first.get(path)):
            continue
        result = _united(path, base.get(path), own, data, promoted)
        if isinstance(result, tuple):
            problems += result
        elif result != own:
            files[path] = result
    found = {source.place: source for source in _sources(first, files)}
    new = {place: source for place, source in found.items() if place not in facts.places}
    held = {place for place, name in _known(facts, found) if not facts.sources[name].trusted}
    let_in = {place: found[place] for place in held if found[place].trusted}
    return Evidence(files, new, let_in, tuple(problems))


def _united(
    path: str, base: bytes | None, first: bytes | None, second: bytes, promoted: Collection[str]
) -> bytes | tuple[Problem, ...]:
    if is_framed(path):
        return annexed(path, first, second, promoted)
    if is_framed(path.removesuffix(".jsonl") + ".md"):
        known = {each.id: each for each in read_context(path, base or b"")[0]}
        told = [each for each in read_context(path, second)[0] if known.get(each.id) != each]
        return append_context(path, first, told)
    if first is None or first == base:
        return second
    message = f"{path} is on both sides, and not the same; an archive of an older form is never changed"
    return (Problem(Code.SOURCES_CHANGED, message, path, remedy="take one of the two back"),)


def _sources(first: Tree, files: Mapping[str, bytes]) -> Iterator[SourceFact]:
    """The messages of the archives that change, with what is known of them beside it."""
    for path in sorted({_archive_of(path) for path in files}):
        beside = path.removesuffix(".md") + ".jsonl"
        data, lines = (files.get(name) or first.get(name) for name in (path, beside))
        yield from messages_in(path, data, lines)


def _known(facts: Facts, found: Mapping[str, SourceFact]) -> Iterator[tuple[str, str]]:
    for place in found:
        name = facts.places.get(place)
        if name is not None and name in facts.sources:
            yield place, name


def _archive_of(path: str) -> str:
    return path.removesuffix(".jsonl") + ".md" if path.endswith(".jsonl") else path
