"""A made-up conversation with questions of every category, and a scripted model that answers and judges."""

import json
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, overload

from attrs import define

from provider_server import Answer, Played
from wire_formats import openai

__all__ = ["ARMS", "GOLD", "SAID", "TALK", "UNKNOWN", "Say", "scripted", "speaks"]

UNKNOWN = "It is not known: the conversation does not say."
ARMS = ("recall", "grep", "full", "nothing")
GOLD = {
    "Where does Ada keep the spare key?": ("under the blue pot", 4),
    "When was the ferry to the island late?": ("8 May 2023", 2),
    "What does Bo think of zeppelins?": (None, 5),
    "Would Ada like a ferry?": ("Likely no; hers was late", 3),
    "What does Bo have?": ("a dog, a boat", 1),
}
SAID = {
    "Where does Ada keep the spare key?": "under the blue pot",
    "When was the ferry to the island late?": "on a Monday in May 2023",
    "Would Ada like a ferry?": "no",
    "What does Bo have?": "a dog",
}
"""What the scripted model says when it is shown anything: one answer is whole, three say too little."""

TALK = [
    {
        "sample_id": "conv-1",
        "qa": [
            {"question": text, "category": category, "evidence": ["D1:1"]}
            | ({"adversarial_answer": "They are slow"} if answer is None else {"answer": answer})
            for text, (answer, category) in GOLD.items()
        ],
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Bo",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ada", "dia_id": "D1:1", "text": "I keep the spare key under the blue pot."},
                {"speaker": "Bo", "dia_id": "D1:2", "text": "I have a dog and a boat, and I live in Lima."},
                {"speaker": "Ada", "dia_id": "D1:3", "text": "The ferry to the island was late today."},
            ],
        },
    }
]

Say = Callable[[Any], Answer]


@define
class Scripted(Sequence[Answer]):
    """Answers that depend on what was asked."""

    play: Played
    say: Say

    def __len__(self) -> int:
        return sys.maxsize

    @overload
    def __getitem__(self, index: int) -> Answer: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Answer]: ...
    def __getitem__(self, index: int | slice) -> Answer | Sequence[Answer]:
        assert isinstance(index, int)
        return self.say(self.play.asked[index].body)


def speaks(body: Any) -> Answer:
    """The answerer, and a judge whose lenient prompt passes what its strict one does not."""
    rules, text = (message["content"] for message in body["messages"])
    if "Gold answer:" not in text:
        question = re.findall(r"^Question: (.*)$", text, re.MULTILINE)[-1]
        return openai("Not known." if "(nothing)" in text else SAID.get(question, "Not known."))
    gold, given = re.findall(r"^(?:Gold answer|Answer to be judged): (.*)$", text, re.MULTILINE)
    right = given == gold or (given == "Not known.") == (gold == UNKNOWN)
    if "Be exact" in rules:
        right = given == gold or (given == "Not known." and gold == UNKNOWN)
    return openai(json.dumps({"why": "so it is", "right": right}))


def scripted(play: Played, say: Say = speaks) -> Played:
    """The server, which now answers every request by what it says."""
    play.answers = Scripted(play, say)
    return play
