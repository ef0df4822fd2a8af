"""Data in what a model reads: one JSON object a line, from which no text can break out.

Line breaks of every kind are escaped, and so is what opens a tag or a mark of a model's own (`<tool>`,
`<|im_start|>`, `[INST]`): a JSON reader gets back the very text, a model sees no mark that means anything.
"""

import json
import re
from collections.abc import Mapping

__all__ = ["data_line"]

_BREAKS = str.maketrans({"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"})
_MARK = re.compile(r"<(?=[^\s\d<=])|\[(?=/?[A-Z_]{3,}\])")
_ESCAPED = {"<": "\\u003c", "[": "\\u005b"}.__getitem__


def data_line(row: Mapping[str, object]) -> str:
    """A row as one line of JSON, without its line end."""
    line = json.dumps(row, ensure_ascii=False).translate(_BREAKS)
    return _MARK.sub(lambda match: _ESCAPED(match[0]), line)
