"""The whole memory in portions of a bounded number of tokens, each of topics that belong together.

A portion begins with the first topic that is in none, by path, and takes in what belongs to it most: what
links to it or is linked from it, what lies in its folder, what shares words of its name; then what comes
next by path. Every topic is in exactly one portion; one that is larger than a portion is one by itself.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from attrs import define, field, frozen

from ..names import TopicPath
from ..terms import terms

__all__ = ["Sized", "portions"]

_LINKED, _BESIDE, _NAMED = 4, 2, 1


@frozen
class Sized:
    """A topic with its size in tokens, and the topics that it links to."""

    path: TopicPath
    tokens: int
    links: frozenset[TopicPath] = frozenset()


@define
class _Map:
    """What belongs to what: by link either way, by folder, by the words of the name."""

    linked: defaultdict[str, set[TopicPath]] = field(factory=lambda: defaultdict(set))
    beside: defaultdict[str, set[TopicPath]] = field(factory=lambda: defaultdict(set))
    named: defaultdict[str, set[TopicPath]] = field(factory=lambda: defaultdict(set))

    def put(self, topic: Sized) -> None:
        for other in topic.links:
            self.linked[topic.path].add(other)
            self.linked[other].add(topic.path)
        self.beside[_folder(topic.path)].add(topic.path)
        for word in _words(topic.path):
            self.named[word].add(topic.path)

    def near(self, path: TopicPath) -> Counter[TopicPath]:
        """How much each other topic belongs to this one."""
        weights: Counter[TopicPath] = Counter()
        for found, weight in self._found(path):
            weights.update(dict.fromkeys(found, weight))
        return weights

    def _found(self, path: TopicPath) -> Iterator[tuple[set[TopicPath], int]]:
        yield self.linked[path], _LINKED
        yield self.beside[_folder(path)], _BESIDE
        # A topic and the folder of its name belong together: people/mara.md, people/mara/2026-03.md.
        yield self.beside[path.removesuffix(".md")], _BESIDE
        yield from ((self.named[word], _NAMED) for word in _words(path))


def portions(topics: Iterable[Sized], goal: int) -> tuple[tuple[TopicPath, ...], ...]:
    """The paths of each portion, sorted; no portion of several topics has more than `goal` tokens."""
    known = _Map()
    sizes: dict[TopicPath, int] = {}
    for topic in sorted(topics, key=lambda each: each.path):
        known.put(topic)
        sizes[topic.path] = topic.tokens
    left = dict(sizes)
    found: list[tuple[TopicPath, ...]] = []
    while left:
        first = next(iter(left))
        taken, room = [first], goal - left.pop(first)
        weights = known.near(first)
        for path in sorted(weights, key=lambda each: (-weights[each], each)):
            if path in left and left[path] <= room:
                taken.append(path)
                room -= left.pop(path)
        while left and left[following := next(iter(left))] <= room:
            taken.append(following)
            room -= left.pop(following)
        found.append(tuple(sorted(taken)))
    return tuple(found)


def _folder(path: TopicPath) -> str:
    return path.rpartition("/")[0]


def _words(path: TopicPath) -> frozenset[str]:
    name = path.removeprefix("topics/").removesuffix(".md").replace("/", " ")
    return frozenset(terms(name.replace("-", " ")))
