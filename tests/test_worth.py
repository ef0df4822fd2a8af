"""Which sentences of a message are worth keeping, and where a sentence ends."""

import pytest

from scriptorium_core.writing.sentences import sentences
from scriptorium_core.writing.worth import Why, judge


@pytest.mark.parametrize(
    "sentence",
    [
        "I went to a LGBTQ support group yesterday and it was so powerful.",
        "Gonna continue my edu and check out career options, which is pretty exciting!",
        "Hey Mel, I'm going to a transgender conference this month.",
        "My sister moved to Berlin.",
        "I prefer tea to coffee.",
        "We decided to use PostgreSQL.",
        "Always run the tests before you commit.",
        "From now on answer in German.",
        "Please remember that the door code is 4711.",
        "Never deploy on Fridays.",
        "Use pnpm here, not npm.",
        "Don't ever rename that folder again.",
        "The deadline is on Friday.",
        "Bo's train leaves at 7:40 and has two coaches.",
        "The meeting with Ada was moved to Lisbon.",
        "This is actually a picture from my cousin's wedding.",
        "Ich ziehe im Mai nach Hamburg.",
        "Merk dir bitte: nie am Wochenende anrufen.",
        "J’habite à Lyon depuis 2019.",
        "Je préfère le thé.",
        "Prefiero viajar en tren.",
        "Nunca me llames antes de las nueve.",
        "我住在北京。",
        "以后请用中文回答。",
        "妈妈的生日是五月九号。",
    ],
)
def test_what_states_something_is_kept(sentence: str) -> None:
    assert judge(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("What do you think?", Why.QUESTION),
        ("what is the capital of France", Why.QUESTION),
        ("Could you show me the log", Why.QUESTION),
        ("I wonder, are you sure?!", Why.QUESTION),
        ("你去过北京吗", Why.QUESTION),
        ("Hey Mel!", Why.SLIGHT),
        ("Good to see you!", Why.GREETING),
        ("Thanks for the help with the tests", Why.GREETING),
        ("Guten Morgen zusammen", Why.GREETING),
        ("谢谢你的帮助。", Why.GREETING),
        ("Wow, that's so cool, Caroline!", Why.REACTION),
        ("You'd be a great counselor!", Why.REACTION),
        ("I totally agree, Melanie.", Why.REACTION),
        ("Glad you like it.", Why.REACTION),
        ("ok", Why.REACTION),
        ("好的。", Why.REACTION),
        ("Fix the failing test in parser.py.", Why.ORDER),
        ("Please write a poem about autumn.", Why.ORDER),
        ("I want you to explain this function.", Why.ORDER),
        ("Deploy to Frankfurt.", Why.ORDER),
        ("Schreib eine Zusammenfassung auf Deutsch.", Why.ORDER),
        ("请帮我写一首诗。", Why.ORDER),
        ("So many books!", Why.SLIGHT),
        ("Nature heals.", Why.SLIGHT),
        ("Being outside is good for everyone.", Why.SLIGHT),
        ("I " + "walk and " * 100 + "run.", Why.LONG),
    ],
)
def test_what_states_nothing_lasting_is_left_out(sentence: str, why: Why) -> None:
    assert judge(sentence) is why


def test_sentences_are_split_where_they_end_and_nowhere_else() -> None:
    text = (
        "I saw Dr. Ito at 3.30 p.m. today.  We met J. Doe (really!). "
        "Am 3. Mai ziehe ich um… 我喜欢茶。我住在北京。 Done"
    )
    assert [(found.glue, found.text) for found in sentences(text)] == [
        (" ", "I saw Dr. Ito at 3.30 p.m. today."),
        (" ", "We met J. Doe (really!)."),
        (" ", "Am 3. Mai ziehe ich um…"),
        (" ", "我喜欢茶。"),
        ("", "我住在北京。"),
        (" ", "Done"),
    ]


def test_code_quotations_and_tables_are_not_said_and_lists_lose_their_marks() -> None:
    text = (
        "I use this:\n```python\nI = 1\n~~~\n```\n> I said so\n| I | am |\n    I = code\n\n"
        "- I like tea\n    - I drink it\n  in the evening\n1. I was born in 1990.\n- [x] done"
    )
    assert [found.text for found in sentences(text)] == [
        "I use this:",
        "I like tea",
        "I drink it in the evening",
        "I was born in 1990.",
        "done",
    ]


def test_an_unclosed_fence_hides_what_follows() -> None:
    assert [found.text for found in sentences("I am.\n````\n```\nI am not.")] == ["I am."]
