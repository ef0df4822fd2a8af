"""What a writer sees of the topics: lists, texts and hits, cut to a length, without what is held."""

from ..markdown.spans import lines_of
from ..names import TopicPath, topic_path
from ..problem import Code, Problem
from ..topics.parse import parse_topic
from ..transaction.staging import Stage
from .holding import held_lines, shown

__all__ = ["HELD", "list_topics", "read_topic", "search_topics", "stands_held"]

HELD = "[held: waits for the owner's consent]"
"""What stands for a paragraph that is held."""

_LONGEST = 16_000
_LONGEST_LINE = 4_000
_MOST_PATHS = 300
_MOST_HITS = 60
_HIT = 300


def list_topics(stage: Stage, prefix: str) -> str:
    """The paths of topics below a prefix, a line each."""
    if not "topics/".startswith(prefix) and not prefix.startswith("topics/"):
        return f"nothing below {prefix[:200]!r} can be seen; topics stand below topics/"
    paths = [
        path for path in stage.tree.under("topics/") if path.startswith(prefix) and _visible(stage, path)
    ]
    more = len(paths) - _MOST_PATHS
    note = [f"… and {more} more; give a longer prefix"] if more > 0 else []
    return "\n".join([*paths[:_MOST_PATHS], *note]) or "there is no topic"


def read_topic(stage: Stage, path: str, first: int) -> str | tuple[Problem, ...]:
    """The text of a topic from a line on, as much of it as a result may hold."""
    fault = topic_path(path)
    if isinstance(fault, Problem):
        return (fault,)
    lines = _lines(stage, path)
    if lines is None or not _visible(stage, path):
        return (Problem(Code.MEMORY_NOT_FOUND, f"there is no topic {path}", path, remedy="list the topics"),)
    taken: list[str] = []
    room = _LONGEST
    for line in lines[first - 1 :]:
        text = _cut(line, _LONGEST_LINE)
        if len(text) > room:
            break
        room -= len(text)
        taken.append(text)
    if not taken:
        return f"[there is no line {first}: the topic has {len(lines)}]"
    more = len(lines) - first - len(taken) + 1
    return "".join(taken) + (
        f"\n[cut: {more} more lines; read on with first={first + len(taken)}]" if more else ""
    )


def search_topics(stage: Stage, text: str, prefix: str) -> str:
    """The lines that hold a text, whatever its case: `path:line: text`."""
    wanted = text.casefold()
    hits: list[str] = []
    for path in stage.tree.under("topics/") if wanted.strip() else ():
        if not path.startswith(prefix) or wanted not in _text(stage, path).casefold():
            continue
        for number, line in enumerate(_lines(stage, path) or (), 1):
            if wanted in line.casefold():
                hits.append(f"{path}:{number}: {_cut(line.strip(), _HIT)}")
        if len(hits) > _MOST_HITS:
            break
    note = ["… and more; search for something rarer"] if len(hits) > _MOST_HITS else []
    return "\n".join([*hits[:_MOST_HITS], *note]) or "nothing was found"


def stands_held(stage: Stage, path: str) -> bool:
    """Whether a part of a topic is held."""
    return bool(_held(stage, path))


def _visible(stage: Stage, path: str) -> bool:
    """Whether anything of a topic is shown: of one that is held whole not even its name is."""
    data = stage.tree.get(path)
    records = parse_topic(TopicPath(path), data)[0].records if data is not None else ()
    return not records or bool(shown(stage.base.facts, records))


def _lines(stage: Stage, path: str) -> list[str] | None:
    """The lines of a topic, those of held paragraphs replaced; as many lines as there are."""
    data = stage.tree.get(path)
    if data is None:
        return None
    lines = lines_of(data.decode("utf-8", "replace"))
    for number in _held(stage, path):
        ending = lines[number - 1][len(lines[number - 1].rstrip("\r\n")) :]
        lines[number - 1] = HELD + ending
    return lines


def _held(stage: Stage, path: str) -> frozenset[int]:
    data = stage.tree.get(path)
    if data is None or not path.startswith("topics/"):
        return frozenset()
    return held_lines(stage.base.facts, parse_topic(TopicPath(path), data)[0])


def _text(stage: Stage, path: str) -> str:
    return (stage.tree.get(path) or b"").decode("utf-8", "replace")


def _cut(line: str, most: int) -> str:
    if len(line.rstrip("\r\n")) <= most:
        return line
    ending = line[len(line.rstrip("\r\n")) :]
    return f"{line[:most]} [cut: {len(line) - most} more characters]{ending}"
