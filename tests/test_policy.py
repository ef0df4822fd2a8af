"""Policies: patterns, rules, what decides, and the file that holds them."""

import re
from pathlib import Path

import pytest

from scriptorium_core.policy import (
    AGENT,
    ANONYMOUS,
    LIBRARIAN,
    OWNER,
    PAIRED,
    READER,
    Actor,
    Policy,
    Right,
    allows,
    decided,
    everywhere,
)
from scriptorium_core.policy.patterns import matches
from scriptorium_core.policy.reading import parse_policy, render_policy
from scriptorium_core.policy.rules import DEFAULT, OWNER_ALONE, Named

__all__: list[str] = []

PRIVATE = b"""
[actors.secretary]
like = "agent"

[[rules]]
actors = ["agent"]
allow = ["read", "search", "write"]
paths = ["topics/**", "sources/**"]

[[rules]]
actors = ["agent"]
deny = ["read"]
paths = ["topics/private"]

[[rules]]
actors = ["secretary"]
allow = ["read", "inject"]
"""


def read(data: bytes) -> Policy:
    policy, problems = parse_policy(data)
    assert problems == ()
    return policy


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("topics/private/**", "topics/private/a/b.md", True),
        ("topics/private/**", "topics/private.md", False),
        ("topics/private/**", "topics/privateer/a.md", False),
        ("topics/private", "topics/private/a/b.md", True),
        ("topics/private", "topics/private.md", True),
        ("topics/private", "topics/privateer.md", False),
        ("topics/private/", "topics/private/a.md", True),
        ("topics/PRIVATE", "topics/private/a.md", True),
        ("topics/caf\u00e9", "topics/Cafe\u0301.md", True),
        ("topics/*", "topics/a.md", True),
        ("topics/*", "topics/a/b.md", False),
        ("topics/*/plan.md", "topics/a/plan.md", True),
        ("topics/**/plan.md", "topics/plan.md", True),
        ("topics/**/plan.md", "topics/a/b/plan.md", True),
        ("topics/p?", "topics/pq.md", True),
        ("core", "topics/core.md", True),
        ("core", "topics/core/a.md", False),
        ("topics/**", "topics/core.md", True),
        ("**", "policy.toml", True),
        ("topics/**", "policy.toml", False),
        ("sources/chat", "sources/chat/_v2/s1.md", True),
        ("secrets/mail", "secrets/mail", True),
    ],
)
def test_a_pattern_means_what_it_says(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected


def test_a_pattern_of_many_stars_takes_no_time() -> None:
    assert not matches("topics/" + "*a" * 300, "topics/" + "a" * 900 + "b")
    assert not matches("topics/" + "**/a/" * 150 + "b", "topics/" + "a/" * 400 + "c")


def test_deny_beats_allow_whatever_is_more_specific() -> None:
    policy = read(
        PRIVATE + b'[[rules]]\nactors=["agent"]\nallow=["read"]\npaths=["topics/private/open.md"]\n'
    )
    assert allows(policy, AGENT, Right.READ, "topics/people/mira.md")
    assert not allows(policy, AGENT, Right.READ, "topics/private/open.md")


def test_what_no_rule_names_is_denied() -> None:
    policy = read(PRIVATE)
    assert not allows(policy, AGENT, Right.FORGET, "topics/a.md")
    assert not allows(policy, READER, Right.READ, "topics/a.md")
    assert not allows(policy, Actor("stranger"), Right.READ, "topics/a.md")
    assert not allows(OWNER_ALONE, AGENT, Right.READ, "topics/a.md")


def test_who_may_not_read_a_thing_may_do_nothing_with_it() -> None:
    policy = read(PRIVATE)
    for right in (Right.SEARCH, Right.WRITE):
        assert allows(policy, AGENT, right, "topics/a.md")
        assert not allows(policy, AGENT, right, "topics/private/a.md")


def test_an_actor_of_its_own_name_is_like_another_and_may_more() -> None:
    policy, secretary = read(PRIVATE), Actor("secretary")
    assert policy.actors == (Named("secretary", "agent"),)
    assert allows(policy, secretary, Right.WRITE, "topics/a.md")
    assert allows(policy, secretary, Right.INJECT, "topics/a.md")
    assert not allows(policy, AGENT, Right.INJECT, "topics/a.md")
    assert not allows(policy, secretary, Right.READ, "topics/private/a.md")


def test_the_owner_may_do_everything_under_every_policy() -> None:
    for policy in (OWNER_ALONE, DEFAULT, read(PRIVATE)):
        for right in Right:
            assert allows(policy, OWNER, right, "topics/private/a.md")


def test_the_default_policy_is_the_one_that_the_readme_tells() -> None:
    told = {
        PAIRED: "read search inject write",
        AGENT: "read search inject write organize",
        LIBRARIAN: "read search write organize promote",
        READER: "read search",
        ANONYMOUS: "",
    }
    for actor, rights in told.items():
        assert " ".join(r for r in Right if allows(DEFAULT, actor, r, "topics/a.md")) == rights
        assert not allows(DEFAULT, actor, Right.MANAGE, "policy.toml")


def test_everything_may_be_read_only_where_no_denial_may_meet_it() -> None:
    assert everywhere(DEFAULT, AGENT, Right.READ)
    assert not everywhere(DEFAULT, ANONYMOUS, Right.READ)
    assert not everywhere(read(PRIVATE), AGENT, Right.READ)
    assert everywhere(read(PRIVATE), AGENT, Right.READ, "sources")
    assert not everywhere(read(PRIVATE), AGENT, Right.READ, "topics")


def test_the_reason_names_the_rule_and_its_line() -> None:
    policy = read(PRIVATE)
    denied = decided(policy, AGENT, Right.WRITE, "topics/private/a.md")
    assert denied.why == (
        "write needs read, and rule 2 (policy.toml:10) denies agent to read topics/private/a.md"
    )
    assert decided(policy, AGENT, Right.FORGET, "topics/a.md").why == (
        "no rule allows agent to forget topics/a.md"
    )


def test_a_policy_reads_back_as_it_was_written() -> None:
    for policy in (DEFAULT, read(PRIVATE)):
        again = read(render_policy(policy).encode())
        assert [(r.actors, r.allow, r.rights, r.paths) for r in again.rules] == [
            (r.actors, r.allow, r.rights, r.paths) for r in policy.rules
        ]
        assert again.actors == policy.actors


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (b'\n[[rules]]\nactors = ["owner"]\ndeny = ["read"]\n', 2, "lock the owner out"),
        (
            b'[[rules]]\nactors = ["owner", "agent"]\ndeny = ["manage"]\npaths = ["core"]\n',
            1,
            "lock the owner",
        ),
        (b"[[rules]]\nactors =\n", 2, "no TOML"),
        (b"\xff", 0, "not UTF-8"),
        (b"a = " + b"[" * 5000, 0, ""),
        (b"#" * 70_000, 0, "more than 65,536 bytes"),
        (b"rules = 3", 0, "no list of tables"),
        (b"rules = [3]", 0, "no table"),
        (b"actors = 3", 0, "no table"),
        (b"version = 2", 0, "version 2"),
        (b"extra = 1", 0, "'extra'"),
        (b"[actors.agent]", 0, "built in"),
        (b"[actors.x]\nlike = 'owner'", 0, "none of paired"),
        (b"[actors.x]\nmore = 1", 0, "nothing else"),
        (b"[actors.'a b']", 0, "no name"),
        (b"[[rules]]\nactors = ['nobody']\nallow = ['read']", 1, "no actor"),
        (b"[[rules]]\nactors = ['agent']\nallow = ['eat']", 1, "no action"),
        (b"[[rules]]\nactors = ['agent']\nallow = ['read']\ndeny = ['read']", 1, "either allows or denies"),
        (b"[[rules]]\nactors = ['agent']", 1, "either allows or denies"),
        (b"[[rules]]\nactors = []\nallow = ['read']", 1, "no list of names"),
        (b"[[rules]]\nallow = ['read']", 1, "actors is no list"),
        (b"[[rules]]\nactors = ['agent']\nallow = ['read']\npaths = ['notes/**']", 1, "means nothing"),
        (b"[[rules]]\nactors = ['agent']\nallow = ['read']\npaths = ['topics/../x']", 1, "`..`"),
        (b"[[rules]]\nactors = ['agent']\nallow = ['read']\npaths = ['topics/a**']", 1, "beside something"),
        (b"[[rules]]\nactors = ['agent']\nallow = ['read']\npaths = ['']", 1, "blank"),
        (b"[[rules]]\nactors = ['agent']\nallow = ['read']\nwhen = 1", 1, "'when'"),
    ],
)
def test_what_is_wrong_in_a_policy_is_said_with_its_place(text: bytes, line: int, words: str) -> None:
    _, problems = parse_policy(text)
    assert problems
    assert all(each.path == "policy.toml" and each.remedy for each in problems)
    assert any(words in each.message and each.line == line for each in problems), problems


def test_all_faults_come_at_once() -> None:
    text = b"version = 3\nx = 1\n[actors.y]\nz = 1\n[[rules]]\nactors = ['q']\nallow = ['r']\npaths = ['s']\n"
    assert len(parse_policy(text)[1]) == 6


def test_the_policy_in_the_readme_can_be_read() -> None:
    readme = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
    (block,) = (text for text in re.findall(r"```toml\n(.*?)```", readme, re.DOTALL) if "[[rules]]" in text)
    policy = read(block.encode())
    assert not allows(policy, Actor("secretary"), Right.READ, "topics/private/diary.md")
    assert allows(policy, Actor("secretary"), Right.ORGANIZE, "topics/people/mira.md")
