"""What a person must know beside the lines that are written: what an agent asks for, lacks, or has off."""

from collections.abc import Iterator

from scriptorium_core.writing.hosts import Host

from .edits import value_at

__all__ = ["notes"]


def notes(host: Host, settings: object, of_project: bool, server: bool) -> tuple[str, ...]:
    """The notes on an installation, from the settings in which the hooks stand."""
    return tuple(_notes(host, settings, of_project, server))


def _notes(host: Host, settings: object, of_project: bool, server: bool) -> Iterator[str]:
    match host:
        case Host.CLAUDE_CODE:
            if value_at(settings, ("disableAllHooks",)) is True:
                yield "Claude Code runs no hooks while `disableAllHooks` is true in these settings"
            if server and not of_project:
                yield "close Claude Code first: it writes its servers' file itself when it ends"
        case Host.CODEX:
            yield "Codex runs new hooks once you have trusted them: type /hooks in Codex"
            yield "Codex before 0.145 has no hook for the end of a session: the keeper writes it when idle"
            if of_project:
                yield "Codex reads the settings of a project that you trust, and no others"
            if any(value_at(settings, ("features", name)) is False for name in ("hooks", "codex_hooks")):
                yield "Codex runs no hooks while `hooks` is false under [features]"
        case Host.GEMINI:
            if value_at(settings, ("hooksConfig", "enabled")) is False:
                yield "Gemini CLI runs no hooks while `hooksConfig.enabled` is false in these settings"
            yield "Gemini CLI runs hooks of settings.json since 0.26"
        case Host.OPENCODE:
            yield "OpenCode has no hooks in its settings: a plugin, which it loads at its next start, calls"
            yield "OpenCode tells nobody when a session is closed: it is written when OpenCode ends, or idle"
