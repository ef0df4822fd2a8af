"""What a question asks about as a whole: the subject of "what do you know about X", in a few languages.

`subject_of` only chooses between answering one question and listing what there is on a subject. It writes
nothing, and what is listed passes the same gate.
"""

import re

from ..problem import Code, Problem

__all__ = ["question_fault", "subject_of"]

_FORMS = tuple(
    re.compile(rf"\s*{form}\s*[?？.!。]*\s*", re.IGNORECASE)
    for form in (
        r"(?:please\s+)?(?:tell|show)\s+me\s+(?:everything\s+|all\s+)?(?:you\s+know\s+)?about\s+(.+?)",
        r"what\s+(?:do|can|did)\s+(?:you|we|i)\s+(?:already\s+)?(?:know|remember|have|tell\s+me)"
        r"\s+(?:about|of|on)\s+(.+?)",
        r"what\s+(?:is|do\s+you\s+have)\s+(?:known|remembered|in\s+memory|saved)\s+(?:about|on)\s+(.+?)",
        r"was\s+(?:wei(?:ß|ss)t\s+du|wissen\s+(?:wir|sie)|wei(?:ß|ss)\s+ich|ist\s+bekannt)\s+(?:über|von)\s+(.+?)",
        r"(?:erzähl|sag)e?\s+mir\s+(?:alles\s+|etwas\s+)?(?:über|von)\s+(.+?)",
        r"que\s+(?:sais-tu|savez-vous|sait-on)\s+(?:de\s+la\s+|de\s+l['’]|du\s+|des\s+|de\s+|d['’]|sur\s+)(.+?)",
        r"¿?\s*qué\s+(?:sabes|sabe|sabemos)\s+(?:de|sobre)\s+(.+?)",
        r"(?:你|您)?(?:知道|了解|记得)些?(?:关于)?(.+?)的?(?:什么|哪些事)",
        r"关于(.+?)[,，]?(?:你|您)?(?:知道|了解|记得)些?(?:什么|哪些事)",
    )
)


def question_fault(text: str) -> Problem | None:
    """Why nothing can be asked with these words; None if something can."""
    if text.strip():
        return None
    message, remedy = "the question holds no words", "ask something"
    return Problem(Code.INVALID_ARGUMENT, message, "question", remedy=remedy)


def subject_of(text: str) -> str:
    """The subject that a broad question names; empty where it asks for something narrower."""
    found = (form.fullmatch(text) for form in _FORMS)
    return next((" ".join(match[1].split()) for match in found if match is not None), "")
