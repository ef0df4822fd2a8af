"""The words by which the `extractive` writer tells what a sentence does: tables, and no code.

English first; German, French, Spanish and Chinese in their commonest forms. Each table is one pattern,
written as alternatives; apostrophes are straight, case does not matter.
"""

import re

__all__ = [
    "ABOUT_THAT",
    "ANCHOR",
    "FIRST_PERSON",
    "GREETING",
    "OPENING",
    "ORDER",
    "PREDICATE",
    "QUESTION",
    "REACTION",
    "RESOLVE",
    "STANDING",
]


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


def _words(text: str) -> str:
    """The words of a list (`_` for a space in one) as a group that ends where a word does."""
    return f"(?:{'|'.join(text.split())})(?![\\w'])".replace("_", " ")


_I_AM = r"^i(?:'m| am)? (?:so |really |totally |completely |just |also )*"

OPENING = _any(
    r"^(?:"
    + _words(
        """wow hey hi hello thanks? thank_you yeah yes yep no ok okay oh ah aww* well so and but also plus btw
        by_the_way actually honestly anyway haha+ lol sure cool great nice absolutely definitely totally
        exactly hallo danke ja nein also aber oui non alors et mais hola sí pero y"""
    )
    + r"(?:,? [A-Z][\w'-]*)?[,!:;—–-]+\s*|(?:so|and|but|also|well|then|plus|aber|und|mais|et|pero) )+"
)
"""What a sentence may open with before it says anything: `Wow, Caroline, `, `So `."""

QUESTION = _any(
    r"[?？][\"')\]”’»*_~!]*\s*\W*$",
    r"(?:吗|呢)[。！]?$",
    r"^(?:can|could|would|will|do|did|are|have|were|don't|didn't|aren't) (?:you|u|they|we)\b",
    r"^(?:is|are|was|does|did|has) (?:it|there|that|this|he|she)\b",
    r"^(?:what|how) about\b",
    r"^(?:what|how|why|where|who|which) (?:is|are|do|does|did|can|could|should|would|will|was|were)\b",
    r"^(?:what kind|how (?:many|much)|what's|how's|where's|who's)\b",
)

STANDING = _any(
    r"\b(?:always|never|from now on|going forward|in (?:the )?future|by default|every time|whenever)\b",
    r"\b(?:remember|keep in mind|note|don't forget|do not forget)(?: that\b| this\b|:)",
    r"^(?:please )?remember\b(?! when)",
    r"\b(?:don't|do not|must not|no longer)\b[^.]*\b(?:again|ever|any ?more)\b",
    r"\b(?:use|prefer|write|call|take)\b.*(?:\binstead of\b|\brather than\b|, not\b)",
    r"\b(?:immer|niemals|nie|ab (?:jetzt|sofort)|künftig|in zukunft|grundsätzlich|merk(?:e)? dir)\b",
    r"\b(?:toujours|jamais|désormais|dorénavant|à partir de maintenant|souviens-toi|rappelle-toi|retiens)\b",
    r"\b(?:siempre|nunca|jamás|de ahora en adelante|a partir de ahora|recuerda|acuérdate)\b",
    r"总是|从不|从来|永远|以后|今后|记住|记得|务必|一律",
)
"""A rule that holds beyond the task at hand."""

GREETING = _any(
    r"^"
    + _words(
        """hi hey hello hiya yo good_(?:morning|afternoon|evening|night|to_(?:see|hear)) bye goodbye see_you
        talk_(?:to_you_)?soon take_care have_(?:a|fun) thanks? thank_you thx cheers welcome
        hallo guten_(?:tag|morgen|abend) danke tschüss bis_bald bonjour bonsoir salut merci au_revoir
        hola buen[ao]s gracias adiós hasta"""
    ),
    r"^(?:你好|您好|谢谢|多谢|再见|早上好|晚安)",
    r"^it(?:'s| was|'s been) (?:so )?(?:good|great|nice|lovely) (?:to|talking|seeing|hearing|chatting)",
    r"^i(?:'ll| will)? (?:talk|see|catch) (?:to )?you\b",
    r"^(?:i )?(?:really )?appreciate (?:it|you|your|that|the|all)\b",
)

ABOUT_THAT = _any(
    r"^(?:that|this|it|those|these)"
    r"(?:'s|'re| is| are| was| were| must| sounds?| looks?| seems?| really| would| makes?)\b"
    r"(?!.*(?:\b(?:my|our|me|we|us)\b|\bi (?!love|like|know|guess|think|agree|see|hope)[a-z]|\d|\bi've\b))"
)
"""A remark about what the other said, unless it tells something of the speaker."""

REACTION = _any(
    r"^(?:sounds|looks|seems|must|glad|happy|nice|great|good|cool|awesome|amazing|wow|congrat(?:ulation)?s)\b",
    r"^(?:ok|okay|yes|yeah|yep|yup|no|nope|sure|right|exactly|totally|absolutely|definitely|agreed|true|same|"
    r"of course|never ?mind|no (?:worries|problem)|lol|haha+|hmm+|oh|ah|aww*)[.!, ]*$",
    r"^" + _words("you your you're you've you'll you'd ya keep_(?:it|up|going) way_to_go good_luck"),
    _I_AM + r"(?:agree\b[^;]{0,30}$|hoping so|always here|here for you)",
    _I_AM
    + r"(?:see|know|understand|guess|hope so|think so|bet|mean it|hear you|get it|sorry|glad|happy for|"
    + r"proud of you|sure|not sure|don't know|do too|can't wait|wish you|stoked for you)\b"
    + r"(?:[^,;]{0,24}$| (?:for|to|you|it|that|how|what|exactly)\b(?!.*\b(?:my|our|me|we)\b)[^,;]*$)",
    _I_AM + r"(?:glad|happy|proud|stoked|thrilled|excited) (?:for )?(?:you|that you|to hear)\b",
    r"^(?:(?:i )?can't wait|looking forward to)\b[^,;]{0,24}$",
    r"^i (?:love|like|hear|feel|get) (?:it|that|this|you|the|your)\b[^,;]{0,20}$",
    r"^i hope (?:you|it|that|this|your)\b",
    r"^(?:ja|nein|genau|stimmt|klar|super|toll|oui|non|d'accord|bien sûr|sí|vale|claro|genial)[.!, ]*$",
    r"^(?:好的|好|对|是的|不是|没错|嗯|哈哈|太好了|明白了?|知道了)[。！!.，]*$",
)

ORDER = _any(
    r"^(?:please |pls |kindly |now |then |just |and |also |next,? |ok(?:ay)?,? |"
    r"bitte |por favor,? |s'il te plaît,? )*"
    + _words(
        """add adjust apply analy[sz]e answer append ask break bring build calculate change check clean close
        combine commit compare compute continue convert copy correct create debug delete deploy describe
        design do don't draft draw edit ensure evaluate execute expand explain explore extract figure fill
        filter find fix format generate get give go guess help highlight identify ignore implement import
        improve include insert inspect install investigate keep leave let_me_know let's lets list look
        make merge modify move open optimi[sz]e organi[sz]e outline paste plot print proofread provide pull
        push put read recommend refactor remove rename replace reply rephrase research respond restart
        return revert review rewrite run save search send set shorten show simplify solve sort split start
        stop suggest summari[sz]e switch take tell test think translate try turn undo update use verify wait
        walk write schreib zeig erkläre? mach such gib übersetze? lösche? écris montre explique fais traduis
        donne escribe muestra explica haz traduce dame busca"""
    ),
    r"^i(?:'d| would)? (?:want|need|like) you to\b|^i need (?:help|you)\b",
    r"^i want (?:a|an|the) (?:list|summary|table)\b|^you (?:should|must|need to|can)\b",
    r"^(?:请|帮我|给我|写|翻译|解释|把|运行|修改|继续)",
)

FIRST_PERSON = _any(
    r"\b(?:i|i'[a-z]+|im|ive|me|my|mine|myself|we|we'[a-z]+|us|our|ours|ourselves)\b",
    r"^(?:gonna|going to|went|got|had|been|planning|thinking|looking forward|trying|working|can't wait|"
    r"finally|started|finished|moved|bought|decided|took|made|"
    r"just (?:got|had|did|bought|started|finished|came|moved))\b",
    r"\b(?:ich|mir|mich|meine?[mnrs]?|wir|uns|unsere?[mnrs]?)\b",
    r"\b(?:je|moi|mon|ma|mes|nous|notre|nos)\b|\b[jm]'(?=\w)",
    r"\b(?:yo|mi|mis|me|nosotr[oa]s|nuestr[oa]s?|prefiero|tengo|soy|estoy|vivo|trabajo|quiero|voy|fui|compré|"
    r"decidí|he|hemos|vamos|necesito|odio|me gusta)\b",
    r"[我咱]|私|僕|俺|저는|나는|제가|내가",
)

RESOLVE = _any(
    r"\b(?:decided|decision|agreed|prefers?|preference|allergic|deadline|birthday|anniversary|appointment|"
    r"plans?|planned|rule|policy|convention|requirement|budget)\b",
    r"\b(?:entschieden|beschlossen|bevorzug\w+|geburtstag|termin|geplant|décidé|préfère|anniversaire|"
    r"rendez-vous|prévu|decidido|cumpleaños|cita|planeado)\b",
    r"决定|打算|计划|喜欢|讨厌|偏好|生日|约定|不要",
)
"""Words of preferences, decisions, plans and dates, whoever they are about."""

ANCHOR = re.compile(r"\d|(?<=[a-z,;:] )[A-Z][a-z]+|(?<=[a-z,;:] )[A-Z]{2,}\b")
"""A number, or a name in the middle of a sentence."""

PREDICATE = _any(
    r"\b(?:is|are|was|were|has|have|had|will|lives?|works?|likes?|loves?|hates?|wants?|needs?|runs?|uses?|"
    r"starts?|ends?|means|costs?|takes?|moved|went|ist|sind|hat|haben|wird|est|sont|a|ont|es|son|está|tiene|"
    r"[a-z]{3,}ed)\b|'s ",
    r"是|有|在|会",
)
