"""The forms of secrets that are known by how they are written, whoever issued them.

Private keys as whole blocks, passwords in addresses, headers of a request, assignments, and the tokens of
issuers that begin with their own letters. Each form names what a text must hold for it to be looked for at
all, so that ordinary talk costs a few searches for a word.

Most words about secrets are no secrets. An assignment counts where its value is quoted or looks chosen by
chance, and never where it only says where the secret stands: `$TOKEN`, `os.environ[…]`, `<password>`.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from .redact import Secret, Span

__all__ = ["find", "has_long_run", "holds_one"]

_Match = re.Match[str]
_LONG_RUN = 16
_JOINED = re.compile(r"[:=：]|--")


class _Form(NamedTuple):
    """A pattern and its flags; the secret is its group `value`, or all of it.

    It is looked for where one of `hints` stands in the text, in lower case where `folded` says so, and made
    ready no earlier. What `accept` refuses is none.
    """

    kind: Secret
    written: tuple[str, re.RegexFlag]
    hints: tuple[str, ...]
    folded: bool = False
    accept: Callable[[_Match], bool] = lambda match: True

    def spans(self, text: str) -> Iterator[Span]:
        """Where it stands in a text."""
        pattern = _compiled(*self.written)
        for match in pattern.finditer(text):
            group = "value" if "value" in pattern.groupindex else 0
            if match.end(group) > match.start(group) and self.accept(match):
                yield Span(match.start(group), match.end(group), self.kind)


@cache
def _compiled(pattern: str, flags: re.RegexFlag) -> re.Pattern[str]:
    return re.compile(pattern, flags)


def find(text: str) -> Iterator[Span]:
    """The spans of all forms in a text."""
    forms = (_SHORT if _JOINED.search(text) else ()) + (_LONG if has_long_run(text) else ())
    lower = text.lower() if forms else ""
    for form in forms:
        if holds_one(lower if form.folded else text, form.hints):
            yield from form.spans(text)


def holds_one(text: str, hints: tuple[str, ...]) -> bool:
    """Whether one of the hints stands in the text."""
    for hint in hints:  # noqa: SIM110  any() takes three times as long, and this is asked for every message
        if hint in text:
            return True
    return False


def has_long_run(text: str) -> bool:
    """Whether 16 characters stand together, as in every key and token that an issuer makes."""
    return max(map(len, text.split()), default=0) >= _LONG_RUN


# --- Values ----------------------------------------------------------------------------------------

_REFERENCE = (
    r"""\$.* | <.*> | \{.*\} | %.* | [*•.…xX#_-]+ | (?:your|my|the|some|insert|enter|type)[-_ ].* | example
      | changeme | null | none | nil | true | false | undefined | string | str | required | optional | env:.*
      | [A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+(?:[(\[].*)? | [A-Za-z_]\w*[(\[].* | (?:/|~/|\./).*
      | \S*://.* | [^@\s]+@[^@\s]+\.\w{2,} """,
    re.VERBOSE | re.IGNORECASE,
)
_LOOKED_BACK = 64
_NAME_BEFORE = re.compile(r"[\w.-]*\Z")


def _is_value(match: _Match) -> bool:
    """Whether it is a value, and not a word for one."""
    return _compiled(*_REFERENCE).fullmatch(match["value"]) is None


def _is_mixed(text: str) -> bool:
    """Letters and digits both, as chance gives them."""
    return any(map(str.isdigit, text)) and any(map(str.isalpha, text))


def _is_password(match: _Match) -> bool:
    """In quotes anything is one, and in a shell's `DB_PASSWORD=x`; `password: ask Ann` is none."""
    value = match["value"]
    if not _is_value(match):
        return False
    if match["quote"] or (match["joint"] == "=" and _name(match).isupper()):
        return True
    return len(value) >= 6 and (_is_mixed(value) or any(char in "!@#$%^&*+?~" for char in value[:-1]))


def _is_key(match: _Match) -> bool:
    """Long, of letters and digits, as an issuer makes them, and named as something that is kept secret."""
    value = match["value"]
    return (
        len(value) >= 16 and _is_random(match) and _compiled(*_KEPT_SECRET).search(_name(match)) is not None
    )


def _is_random(match: _Match) -> bool:
    return _is_mixed(match["value"]) and _is_value(match)


def _name(match: _Match) -> str:
    """The whole name that is assigned to, of which the pattern knows the end."""
    start = match.start("name")
    before = _NAME_BEFORE.search(match.string[max(0, start - _LOOKED_BACK) : start])
    return (before[0] if before else "") + match["name"]


# --- Names -----------------------------------------------------------------------------------------

_PASSWORDS = (
    *("password", "passwd", "passphrase", "passcode", "pwd", "passwort", "kennwort", "contraseña"),
    *("contrasena", "пароль", "密码", "口令"),
)
_KEYS = ("secret", "token", "credential", "key", "密钥", "令牌")
_KEPT_SECRET = (
    r"""(?<![^\W_])(?i:secret|token|credential) | [a-z](?:Secret|Token) | 密钥 | 令牌 | [A-Z0-9]_KEY
      | (?i:api|access|auth|private|secret|service|account|client|signing|encryption|master|session|refresh
        |bearer)[ _-]?(?i:key|token|secret)""",
    re.VERBOSE,
)
_ENDING = r"(?:[_-]?(?:base|prod|live|dev|test|hash|key|access[_-]key|\d{1,3}))*"
_JOINT = r"""["'`\]]{0,2}[ \t]{0,4}(?P<joint>:=|={1,3}>?|[:：])[ \t]{0,4}(?:[rbfuL@]{1,2}(?=["'`]))?"""
_QUOTED = r"""[^"'`\n]{1,400}"""
_ENDS = r"""\s"'`,;<>|\\)}\]，。；、：！？）】」』"""
_BARE = rf"""[^{_ENDS}]{{0,400}}[^{_ENDS}.:]"""
_VALUE = rf"""(?P<quote>["'`])?(?P<value>(?(quote){_QUOTED}|{_BARE}))(?(quote)(?P=quote))"""


def _named(*words: str) -> tuple[str, re.RegexFlag]:
    """An assignment to a name that ends in one of the words, or in one and what often follows it."""
    return rf"(?P<name>(?:{'|'.join(words)}){_ENDING}){_JOINT}{_VALUE}", re.IGNORECASE


def _token(*patterns: str) -> tuple[str, re.RegexFlag]:
    """Tokens that begin a word and are taken to the end of it."""
    return rf"(?<![A-Za-z0-9_])(?:{'|'.join(patterns)})[A-Za-z0-9_-]*", re.NOFLAG


# --- The forms -------------------------------------------------------------------------------------

# A block that was cut off ends where its lines do; in a quotation they begin with a mark.
_KEY_LINES = r"""(?:(?:\r?\n|\\n)[ \t>|]{0,8}(?:[A-Za-z0-9+/=]{8,}|[A-Za-z-]+:[ ][^\r\n\\]*|(?=[\r\n\\])))*"""
_BLOCK = (
    rf"""-{{4,5}}[ ]?BEGIN[ ](?P<what>[A-Z0-9 ]{{0,40}}PRIVATE[ ]KEY(?:[ ]BLOCK)?)[ ]?-{{4,5}}
      (?: (?:(?!-{{4,5}}[ ]?(?:BEGIN|END))[\s\S]){{0,20000}}? -{{4,5}}[ ]?END[ ](?P=what)[ ]?-{{4,5}}
        | {_KEY_LINES})""",
    re.VERBOSE,
)
_PUTTY = r"PuTTY-User-Key-File-\d: [\s\S]{0,20000}?Private-(?:MAC|Hash): [0-9a-fA-F]+", re.NOFLAG
_URL = (
    r"""[a-zA-Z][a-zA-Z0-9+.-]{0,31}://[^\s/?\#:@"'<>`]{0,256}:(?P<value>[^\s/?\#"'<>`()]{1,256})@""",
    re.VERBOSE,
)
_BEARER = r"(?<!\w)bearer[ \t]+(?P<value>[A-Za-z0-9._~+/-]{16,}=*)", re.IGNORECASE
_AUTHORIZATION = (
    r"""authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:basic|token|apikey|digest)[ \t]+
      (?P<value>[A-Za-z0-9._~+/=-]{8,})""",
    re.IGNORECASE | re.VERBOSE,
)
_FLAG = (
    r"""(?<!\S)--(?:password|passwd|pass|pwd|token|secret|api-?key|access-?key)(?:=|[ \t]+)["']?
      (?P<value>[^\s"'`<>-][^\s"'`<>]{3,})""",
    re.IGNORECASE | re.VERBOSE,
)
_CURL_USER = (
    r"""\bcurl\b[^\n]{0,400}?[ \t](?:-u|--user)[ \t]{0,4}["']?[^\s:"']{1,128}:(?P<value>[^\s"']+)""",
    re.NOFLAG,
)

_GITHUB = ("github_pat_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_")
_FLAGS = ("--pass", "--pwd", "--token", "--secret", "--api", "--access")
_OTHERS = (
    *(r"hf_[A-Za-z0-9]{30,}", r"npm_[A-Za-z0-9]{36}", r"gsk_[A-Za-z0-9]{40,}", r"xai-[A-Za-z0-9]{40,}"),
    *(r"dop_v1_[a-f0-9]{64}", r"SK[a-f0-9]{32}"),
)

_SHORT = (
    _Form(Secret.PRIVATE_KEY, _BLOCK, ("PRIVATE KEY",)),
    _Form(Secret.PASSWORD_IN_URL, _URL, ("://",), accept=_is_value),
    _Form(Secret.TOKEN, _AUTHORIZATION, ("authorization",), folded=True),
    _Form(Secret.PASSWORD, _CURL_USER, ("curl",), accept=_is_value),
    _Form(Secret.PASSWORD, _FLAG, _FLAGS, folded=True, accept=_is_value),
    _Form(
        Secret.PASSWORD,
        _named(*_PASSWORDS, "(?<=_)pass"),
        (*_PASSWORDS, "_pass"),
        folded=True,
        accept=_is_password,
    ),
)
# What is looked for only where a long run of characters stands.
_LONG = (
    _Form(Secret.PRIVATE_KEY, _PUTTY, ("PuTTY-User-Key-File",)),
    _Form(Secret.ANTHROPIC_KEY, _token(r"sk-ant-[\w-]{16,}"), ("sk-ant-",)),
    _Form(
        Secret.OPENAI_KEY,
        _token(r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,}", r"sk-[A-Za-z0-9]{32,}"),
        ("sk-",),
    ),
    _Form(
        Secret.STRIPE_KEY,
        _token(r"[rs]k_(?:live|test)_[A-Za-z0-9]{10,}", r"whsec_[A-Za-z0-9]{24,}"),
        ("k_live_", "k_test_", "whsec_"),
    ),
    _Form(
        Secret.GITHUB_TOKEN, _token(r"github_pat_[A-Za-z0-9_]{22,}", r"gh[opsur]_[A-Za-z0-9]{30,}"), _GITHUB
    ),
    _Form(
        Secret.SLACK_TOKEN,
        _token(r"xapp-\d-[A-Za-z0-9-]{20,}", r"xox[abcdeoprs]-[A-Za-z0-9-]{10,}"),
        ("xapp-", "xox"),
    ),
    _Form(
        Secret.GOOGLE_KEY,
        _token(r"AIza[\w-]{35}", r"GOCSPX-[\w-]{28}", r"ya29\.[\w-]{20,}"),
        ("AIza", "GOCSPX-", "ya29."),
    ),
    _Form(Secret.TOKEN, _token(*_OTHERS), ("hf_", "npm_", "gsk_", "xai-", "dop_v1_", "SK")),
    _Form(Secret.TOKEN, _BEARER, ("bearer",), folded=True, accept=_is_random),
    _Form(Secret.AWS_KEY, _named(r"aws[\w.-]{0,20}(?:key|token)"), ("aws",), folded=True, accept=_is_key),
    _Form(Secret.KEY, _named(*_KEYS), _KEYS, folded=True, accept=_is_key),
)
