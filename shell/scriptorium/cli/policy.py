"""The policy: who may do what with which topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .door import Door, Stop, said
from .givens import contents
from .safe import safe
from .shared import command, options

if TYPE_CHECKING:
    from ..service.policing import Governed
    from ..workspace import Committed

__all__ = ["policy_command"]

_REMEDY = "name a file with a policy, as `scriptorium policy show` prints it"


@click.group("policy", context_settings={"help_option_names": ["-h", "--help"]})
def policy_command() -> None:
    """Show, ask and set who may do what.

    \b
    scriptorium policy show
    scriptorium policy check agent read topics/private/diary.md
    scriptorium policy set policy.toml

    Actors are owner, paired, agent, librarian, reader, anonymous, and those that the policy names. Deny beats
    allow; what no rule names is denied; the owner may do everything.
    """


policy_command.params += options()


@command("show")
def show_command(door: Door) -> int:
    """Print the policy that holds, as the text of policy.toml."""
    with door.service() as service:
        found = service.policy()
    door.say("policy", _plain(found), lambda: found.text)
    door.notices(found.problems)
    return 0


@command("check")
@click.argument("actor")
@click.argument("action")
@click.argument("resource", metavar="PATH")
def check_command(door: Door, actor: str, action: str, resource: str) -> int:
    """Say whether ACTOR may do ACTION with PATH, and which rule says so.

    Actions: read, search, inject, write, organize, promote, forget, manage, use_secret. The path is a topic
    (topics/people/mira.md), an archive below sources/, core, policy.toml, or secrets/NAME.
    """
    with door.service() as service:
        found = service.check_policy(actor, action, resource)
    door.say("checked", found, lambda: f"{'yes' if found.allowed else 'no'}: {safe(found.why)}")
    return 0


@command("set")
@click.argument("file", type=click.Path(allow_dash=True), required=False)
def set_command(door: Door, file: str | None) -> int:
    """Let a policy hold: FILE (- for standard input), or the policy.toml that was edited in the memory.

    One that is empty, cannot be read, or would lock the owner out, is refused, and the old one stays.
    """
    from scriptorium_core.transaction import Rejected

    data = None if file is None else contents(file, _REMEDY)
    with door.service() as service:
        result = service.set_policy(data)
    if isinstance(result, Rejected):
        raise Stop(result.problems)
    door.say("policy", result, lambda: _done(result))
    return 0


for _each in (show_command, check_command, set_command):
    policy_command.add_command(_each)


def _plain(found: Governed) -> dict[str, object]:
    return {"commit": found.commit, "text": found.text, "problems": found.problems}


def _done(result: Committed) -> str:
    first = "this policy holds already" if result.unchanged else f"committed {result.revision[:10]}: it holds"
    lines = [first, *(f"  {said(problem)}" for problem in result.problems)]
    return "\n".join([*lines, *(f"  {safe(path)} differs and is left as it is" for path in result.drafts)])
