"""`policy.toml`, read and written.

    version = 1

    [actors.secretary]              # a name of your own, which a token may be bound to
    like = "agent"                  # what holds for agents holds for it, too

    [[rules]]
    actors = ["agent", "paired"]
    allow = ["read", "search", "inject", "write"]
    paths = ["topics/**", "sources/**"]

    [[rules]]
    actors = ["agent"]
    deny = ["read"]                 # deny beats allow, whatever is more specific
    paths = ["topics/private/**"]

A rule either allows or denies; without `paths` it means everything. `version` may be left out. The owner
needs no rule, and a rule that denies the owner anything is refused.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from ..problem import Code, Problem
from .actor import OWNER, actor_named
from .patterns import fault_of
from .rules import BUILT_IN, POLICY_FILE, Named, Policy, Right, Rule

__all__ = ["parse_new_policy", "parse_policy", "render_policy"]

_LARGEST = 64 * 1024
_AT = re.compile(r"\(at line (\d+), column \d+\)")
_RULE = re.compile(r"[ \t]*\[\[[ \t]*rules[ \t]*\]\]")
_BUILT_IN = tuple(actor.name for actor in BUILT_IN)
_RIGHTS = tuple(map(str, Right))


def parse_policy(data: bytes) -> tuple[Policy, tuple[Problem, ...]]:
    """The policy of a file, and all that is wrong with it; with a problem the policy is not to be used."""
    if len(data) > _LARGEST:
        return Policy(), (_fault(f"it has more than {_LARGEST:,} bytes", remedy="write fewer rules"),)
    try:
        text = data.decode("utf-8-sig")
        raw: Mapping[str, object] = tomllib.loads(text)
    except UnicodeDecodeError:
        return Policy(), (_fault("it is not UTF-8", remedy="save it as UTF-8"),)
    except RecursionError:
        return Policy(), (_fault("it is nested too deeply", remedy="write rules as `[[rules]]`"),)
    except tomllib.TOMLDecodeError as error:
        at = _AT.search(str(error))
        words = _AT.sub("", str(error)).strip()
        remedy = "mend the TOML; `scriptorium policy show` prints one that can be read"
        return Policy(), (_fault(f"it is no TOML: {words}", int(at[1]) if at else 0, remedy),)
    lines = [number for number, line in enumerate(text.splitlines(), 1) if _RULE.match(line)]
    actors, wrong = _actors(raw.get("actors", {}))
    known = {*_BUILT_IN, *(named.name for named in actors)}
    rules, faulty = _rules(raw.get("rules", []), known, lines)
    return Policy(rules, actors), (*_head(raw), *wrong, *faulty)


def parse_new_policy(data: bytes) -> tuple[Policy, tuple[Problem, ...]]:
    """The same of a policy that is to hold from now on.

    A file that says nothing is read as one that allows nothing, and whoever sets it has meant another.
    """
    policy, problems = parse_policy(data)
    if not problems and not any(map(_says, data.decode("utf-8-sig").splitlines())):
        remedy = "`scriptorium policy show` prints one that holds; `version = 1` alone allows nobody anything"
        problems = (_fault("it is empty", remedy=remedy),)
    return policy, problems


def _says(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def render_policy(policy: Policy) -> str:
    """A policy as the text of its file."""
    lines = ["version = 1"]
    for named in policy.actors:
        lines += ["", f"[actors.{named.name}]", *([f"like = {_text(named.like)}"] if named.like else [])]
    for rule in policy.rules:
        effect = "allow" if rule.allow else "deny"
        lines += ["", "[[rules]]", f"actors = {_list(rule.actors)}", f"{effect} = {_list(rule.rights)}"]
        lines += [f"paths = {_list(rule.paths)}"] if rule.paths != ("**",) else []
    return "\n".join(lines) + "\n"


def _head(raw: Mapping[str, object]) -> Iterator[Problem]:
    if raw.get("version", 1) != 1 or isinstance(raw.get("version"), bool):
        yield _fault(f"version {raw['version']!r} is not known", remedy="write version = 1, or leave it out")
    for key in raw.keys() - {"version", "actors", "rules"}:
        yield _fault(f"there is nothing called {key!r}", remedy="write version, [actors.NAME] and [[rules]]")


def _actors(raw: object) -> tuple[tuple[Named, ...], tuple[Problem, ...]]:
    if not isinstance(raw, dict):
        return (), (_fault("actors is no table", remedy="write [actors.NAME]"),)
    found: list[Named] = []
    problems: list[Problem] = []
    for name, fields in cast("dict[str, object]", raw).items():
        faults = tuple(_actor_faults(name, fields))
        problems += faults
        if not faults:
            found.append(Named(name, cast("dict[str, str]", fields).get("like", "")))
    return tuple(found), tuple(problems)


def _actor_faults(name: str, fields: object) -> Iterator[Problem]:
    place = f"actors.{name}"
    if isinstance(fault := actor_named(name), Problem):
        yield _fault(f"{place}: {fault.message}", remedy=fault.remedy)
    if name in _BUILT_IN:
        yield _fault(f"{place} is built in", remedy="give it another name, or write rules for it")
    said = cast("dict[str, object]", fields) if isinstance(fields, dict) else {"": fields}
    if said.keys() - {"like"}:
        yield _fault(f"{place} may say `like` and nothing else", remedy='write like = "agent", say')
    elif said.get("like", "agent") not in _BUILT_IN[1:]:
        message = f"{place}.like: {said['like']!r} is none of {', '.join(_BUILT_IN[1:])}"
        yield _fault(message, remedy="name one of them, or leave `like` out")


def _rules(
    raw: object, known: set[str], lines: Sequence[int]
) -> tuple[tuple[Rule, ...], tuple[Problem, ...]]:
    if not isinstance(raw, list):
        return (), (_fault("rules is no list of tables", remedy="write each rule below [[rules]]"),)
    found: list[Rule] = []
    problems: list[Problem] = []
    given = cast("list[object]", raw)
    for number, fields in enumerate(given):
        place = f"rule {number + 1}"
        line = lines[number] if len(lines) == len(given) else 0
        faults = tuple(_rule_faults(place, fields, known, line))
        problems += faults
        if not faults:
            said = cast("Mapping[str, Sequence[str]]", fields)
            found.append(_rule(said, f"{place} ({POLICY_FILE}:{line})" if line else place))
    return tuple(found), tuple(problems)


def _rule(fields: Mapping[str, Sequence[str]], place: str) -> Rule:
    allow = "allow" in fields
    rights = tuple(Right(right) for right in fields["allow" if allow else "deny"])
    return Rule(tuple(fields["actors"]), allow, rights, tuple(fields.get("paths", ("**",))), place)


def _rule_faults(place: str, raw: object, known: set[str], line: int) -> Iterator[Problem]:
    if not isinstance(raw, dict):
        yield _fault(f"{place} is no table", line, "write it below [[rules]]")
        return
    fields = cast("dict[str, object]", raw)
    for key in sorted(fields.keys() - {"actors", "allow", "deny", "paths"}):
        yield _fault(f"{place}: there is nothing called {key!r}", line, "write actors, allow or deny, paths")
    if ("allow" in fields) == ("deny" in fields):
        yield _fault(f"{place} either allows or denies", line, "write one of `allow` and `deny`, not both")
    for key in ("actors", *(key for key in ("allow", "deny", "paths") if key in fields)):
        names = _names(fields.get(key))
        if not names:
            yield _fault(f"{place}.{key} is no list of names", line, f'write {key} = ["…"]')
        yield from (_fault(f"{place}.{key}: {m}", line, r) for m, r in _wrong(key, names, known))
    if OWNER.name in _names(fields.get("actors")) and "deny" in fields:
        message = f"{place} would lock the owner out"
        yield _fault(message, line, "name the others; the owner may do everything", Code.NOT_PERMITTED)


def _names(raw: object) -> tuple[str, ...]:
    """The texts of a list; none where it is another thing, or holds one."""
    values = cast("list[object]", raw) if isinstance(raw, list) else []
    names = tuple(value for value in values if isinstance(value, str))
    return names if len(names) == len(values) else ()


def _wrong(key: str, names: Sequence[str], known: set[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with each name of a list, and what to do."""
    for name in names:
        if key == "actors" and name not in known:
            yield f"{name!r} is no actor", f"name {', '.join(_BUILT_IN)}, or declare [actors.NAME]"
        elif key == "paths" and (fault := fault_of(name)):
            yield f"{name!r} {fault}", "write topics/folder/**, sources/**, core or policy.toml, say"
        elif key in ("allow", "deny") and name not in _RIGHTS:
            yield f"{name!r} is no action", f"take {', '.join(_RIGHTS)}"


def _fault(message: str, line: int = 0, remedy: str = "", code: Code = Code.INVALID_ARGUMENT) -> Problem:
    return Problem(code, message, POLICY_FILE, line, remedy)


def _list(values: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, values))}]"


def _text(value: str) -> str:
    """A basic string of TOML."""
    escaped = "".join(
        f"\\{char}" if char in '"\\' else char if char >= " " and char != "\x7f" else f"\\u{ord(char):04x}"
        for char in value
    )
    return f'"{escaped}"'
