"""The law of every view: what an actor is answered is what the owner would be without the denied topics."""

import re
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

from hypothesis import event, given, settings

from policy_strategies import memories_seen
from scriptorium.clock import Moment
from scriptorium.plain import names_of
from scriptorium.refused import Refused
from scriptorium.service import Service
from scriptorium.settings import Settings
from scriptorium_core.facts import facts_of
from scriptorium_core.policy import AGENT, OWNER, Actor, Policy, Right
from scriptorium_core.policy.reading import render_policy
from scriptorium_core.policy.rules import Rule
from scriptorium_core.recall import Kind, Query
from scriptorium_core.tree import tree_of
from topic_strategies import Memory

__all__: list[str] = []

NOW = Moment(1_700_000_000, 60)
# What names a commit or counts them is another one in another history; the number of a record is not told.
_OTHER = frozenset(
    {"revision", "indexed", "commit", "order", "home", "memory", "workspace", "notices", "history"}
)
_REVISION = re.compile(r'(?<=revision=")[0-9a-f]+')


@contextmanager
def home(files: dict[str, bytes], actor: Actor = OWNER) -> Generator[Service]:
    """A home whose memory holds these files, taken over as one commit."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "home" / "memory"
        for path, data in files.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        (root / ".scriptorium").mkdir(parents=True)
        made = Service(root.parent, settings=Settings(traces=5), moment=lambda: NOW)
        with made:
            made.memory(make=True)
            made.actor = actor
            yield made


def denying(denied: frozenset[str]) -> bytes:
    everything = (Right.READ, Right.SEARCH, Right.INJECT)
    rules = [Rule((AGENT.name,), True, everything, ("topics/**", "sources/**"))]
    if denied:
        rules.append(Rule((AGENT.name,), False, (Right.READ,), tuple(sorted(denied))))
    return render_policy(Policy(tuple(rules))).encode()


def plain(value: Any) -> Any:
    """A value without what belongs to a history or a directory."""
    if isinstance(value, str):
        return _REVISION.sub("revision", value)
    named = names_of(cast("type[object]", type(value)))
    if isinstance(value, list | tuple) and not named:
        return [plain(each) for each in cast("Sequence[object]", value)]
    if not named:
        return value
    shown = {key: plain(getattr(value, key)) for key in named if key not in _OTHER}
    # The engine proposes what the filters then take away in an order of its own.
    return {key: sorted(each) if key == "removed" else each for key, each in shown.items()}


def asked(question: Callable[[], Any]) -> Any:
    """What is answered, or refused."""
    try:
        return plain(question())
    except Refused as refused:
        return [problem._asdict() for problem in refused.problems]


def questions(service: Service, names: list[str], words: list[str]) -> dict[str, Any]:
    """What every view answers."""
    found: dict[str, Any] = {}
    kinds = ((Kind.RECORD,), (Kind.TURN,), (Kind.RECORD, Kind.TURN))
    for word in words:
        for kind in kinds:
            query = Query(word, kind, limit=8)
            found[f"search {word} {kind}"] = asked(partial(service.search, query))
            found[f"explain {word} {kind}"] = asked(partial(service.explain, query))
        found[f"grep {word}"] = asked(partial(service.grep, word))
        found[f"context {word}"] = asked(partial(service.context, word))
    for name in names:
        found[f"show {name}"] = asked(partial(service.show, name))
        found[f"why {name}"] = asked(partial(service.why, name))
        found[f"relations {name}"] = asked(partial(service.relations, name))
        found[f"excerpt {name}"] = asked(partial(service.excerpt, name))
    found["topics"] = asked(service.topics)
    found["relations"] = asked(service.relations)
    found["core"] = asked(service.core)
    found["timeline"] = asked(service.timeline)
    for day in ("2026", "2026-04"):
        found[f"timeline {day}"] = asked(partial(service.timeline, day))
    found["recent"] = sorted(asked(service.recent)["rows"], key=str)
    status = asked(service.status)
    counts = ("topics", "records", "sources", "untrusted", "forgotten", "broken_archives", "quarantined")
    found["status"] = {key: status[key] for key in counts}
    return found


class TestViews:
    """Denied records do not show in results, counts, suggestions, caches or error texts."""

    @given(memories_seen())
    @settings(max_examples=12)
    def test_an_actor_is_answered_as_if_what_is_denied_were_not_there(
        self, case: tuple[Memory, frozenset[str]]
    ) -> None:
        memory, denied = case
        files = dict(memory.files)
        facts = facts_of(tree_of(files))
        names = [*facts.records, *facts.sources, *files, "nowhere"]
        said = [" ".join(known.record.content.split()[:3]) or "x" for known in facts.newest]
        words = [*said[:6], "keys 2026"]
        left = {path: data for path, data in files.items() if path not in denied}
        with home(files) as whole, home(left) as reduced:
            commit(whole, denying(denied))
            commit(reduced, denying(denied))
            whole.actor = AGENT
            found, there = questions(whole, names, words), questions(reduced, names, words)
        event(f"{len(denied)} hidden")
        for key, answer in there.items():
            assert found[key] == answer, key


def commit(service: Service, policy: bytes) -> None:
    """Let a policy hold."""
    from scriptorium_core.policy import POLICY_FILE
    from scriptorium_core.transaction import Edit, Rejected

    memory = service.whole()
    done = memory.commit(lambda base: Edit(base.tree.put(POLICY_FILE, policy)), memory.rules())
    assert not isinstance(done, Rejected), done
