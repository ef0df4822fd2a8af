"""Links of a text that is shown in another file than its own."""

from ..markdown.links import Link, link_path, rebase_links, relative, resolve

__all__ = ["rebased"]


def rebased(text: str, origin: str, goal: str) -> str:
    """The text of the file `origin` as the file `goal` shows it: its relative links lead to the same place.

    Both paths are relative to the root. A link out of the directory stays, and so does inline code.
    """
    return rebase_links(text, lambda link: _target(link, origin, goal))


def _target(link: Link, origin: str, goal: str) -> str | None:
    if not (link.path or link.block or link.fragment):
        return None
    # Only the way to the file changes: what stands in the target stays as it was written and encoded.
    path, mark, rest = link.target.strip("<>").partition("#")
    file = resolve(link_path(origin), path) if path else link_path(origin)
    if not file:
        return None
    target = relative(goal, file) + mark + rest
    return f"<{target}>" if link.target.startswith("<") else target
