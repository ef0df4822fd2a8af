"""A program is given a secret in one variable, and what it prints passes without it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli_example import Ran, child, in_a_process, run, run_json, surroundings
from residue import places_with
from scriptorium_core.sealing.masking import forms_of, masked, spans_of
from scriptorium_core.sources.redact import Secret, Span
from vault_homes import NAME, VALUE, a_vault, secrets

pytestmark = pytest.mark.vault

PRINTS = (
    "import os, sys; sys.stdout.write(os.environ[sys.argv[1]]); sys.stderr.write(os.environ[sys.argv[1]])"
)


def ran(home: Path, *command: object, env: str = "") -> Ran:
    """`vault run` in a process of its own, with its outputs in pipes."""
    named = ("--env", env) if env else ()
    return in_a_process("--home", home, "vault", "run", *named, NAME, "--", *command)


@pytest.mark.parametrize("env", ["", "OTHER"])
def test_a_program_has_it_in_one_variable_and_prints_a_placeholder(tmp_path: Path, env: str) -> None:
    a_vault(tmp_path)
    found = ran(tmp_path, sys.executable, "-c", PRINTS, env or "MAIL_LOGIN", env=env)
    assert (found.code, found.out, found.err) == (0, "[secret:vault]", "[secret:vault]")
    counts = f"import os; found = [n for n, v in os.environ.items() if {VALUE!r} in v]; print(*found)"
    assert ran(tmp_path, sys.executable, "-c", counts, env=env).out == f"{env or 'MAIL_LOGIN'}\n"
    assert secrets(tmp_path).uses()[0].purpose.startswith("run python")
    assert places_with(tmp_path, VALUE) == []


def test_it_ends_as_the_program_ends(tmp_path: Path) -> None:
    a_vault(tmp_path)
    assert ran(tmp_path, sys.executable, "-c", "raise SystemExit(7)").code == 7
    killed = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    assert ran(tmp_path, sys.executable, "-c", killed).code == 128 + signal.SIGKILL
    missing = ran(tmp_path, tmp_path / "no-such-program")
    assert missing.code == 2
    assert "no such program" in missing.err


def test_the_keys_of_the_home_go_to_no_program(tmp_path: Path) -> None:
    key = "key-1:" + "A" * 43
    env = {**surroundings(), "SCRIPTORIUM_KEY": key}
    put = ("--home", tmp_path, "vault", "put", NAME, "--file", "-")
    assert in_a_process(*put, env=env, input=VALUE).code == 0
    look = ("--", sys.executable, "-c", "import os; print('SCRIPTORIUM_KEY' in os.environ)")
    found = in_a_process("--home", tmp_path, "vault", "run", NAME, *look, env=env)
    assert (found.out, found.code) == ("False\n", 0)


def test_a_signal_to_end_reaches_the_program(tmp_path: Path) -> None:
    a_vault(tmp_path)
    waits = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)"
    )
    words = ("--home", tmp_path, "vault", "run", NAME, "--", sys.executable, "-c", waits)
    with subprocess.Popen(child(*words), env=surroundings(), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 9


def test_it_is_taken_from_a_file_a_descriptor_or_a_prompt_and_from_no_argument(tmp_path: Path) -> None:
    home, file = tmp_path / "home", tmp_path / "token"
    file.write_text(VALUE + "\n")
    assert run("--home", home, "vault", "put", "a", "--file", file).code == 0
    with file.open("rb") as given:
        assert run("--home", home, "vault", "put", "b", "--fd", given.fileno()).code == 0
    for words in ((VALUE,), ("--file", file, "--fd", 0)):
        refused = run("--home", home, "vault", "put", "c", *words)
        assert (refused.code, VALUE in refused.out + refused.err) == (2, False)
    assert run("--home", home, "vault", "put", "c", "--fd", 999).code == 2
    assert [each["name"] for each in run_json("--home", home, "vault", "list")["secrets"]] == ["a", "b"]
    got: list[bytes] = []
    secrets(home).use("a", lambda secret: got.append(secret.data()))
    secrets(home).use("b", lambda secret: got.append(secret.data()))
    assert got == [VALUE.encode()] * 2


def test_it_is_asked_for_twice_and_not_shown(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    host, terminal = pty.openpty()
    words = child("--home", tmp_path, "vault", "put", NAME)
    with subprocess.Popen(
        words, env=surroundings(), stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True
    ) as process:
        os.close(terminal)
        shown = b""
        for _ in range(2):
            while not shown.endswith(b": "):
                shown += os.read(host, 1024)
            os.write(host, VALUE.encode() + b"\n")
            shown += os.read(host, 1024)
        process.wait(60)
    os.close(host)
    assert VALUE.encode() not in shown
    assert [each.name for each in secrets(tmp_path).listed()] == [NAME]


def test_every_command_answers_a_program_without_the_value(tmp_path: Path) -> None:
    a_vault(tmp_path)
    answers = [
        run_json("--home", tmp_path, "vault", *words) for words in (("list",), ("uses",), ("delete", NAME))
    ]
    assert [sorted(answer) for answer in answers] == [
        ["ok", "secrets"],
        ["ok", "uses"],
        ["changed", "made", "name", "ok", "type"],
    ]
    assert run("--home", tmp_path, "vault", "delete", NAME).code == 4


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_a_stream_is_masked_wherever_it_is_cut(size: int) -> None:
    value = b"abab-abac"
    text = b"x" + value + b"ab" + value + value + b"abab-aba"
    out, waiting = bytearray(), b""
    for start in range(0, len(text), size):
        ready, waiting = masked(waiting + text[start : start + size], forms_of(value))
        out += ready
    out += masked(waiting, forms_of(value), last=True)[0]
    mark = b"[secret:vault]"
    assert bytes(out) == b"x" + mark + b"ab" + mark + mark + b"abab-aba"


def test_what_cannot_be_the_beginning_of_a_secret_does_not_wait() -> None:
    assert masked(b"prompt> ", (b"secret",)) == (b"prompt> ", b"")
    assert masked(b"prompt> se", (b"secret",)) == (b"prompt> ", b"se")


def test_a_secret_is_known_in_the_forms_in_which_programs_write_it() -> None:
    value = b'p "q" \xc3\xa9/'
    forms = forms_of(value)
    for form in (value, b'p \\"q\\" \\u00e9/', b"p%20%22q%22%20%C3%A9%2F", b"cCAicSIgw6kv"):
        assert masked(b"<" + form + b">", forms, last=True)[0] == b"<[secret:vault]>"
    lines = forms_of(b"-----BEGIN-----\nshort\n-----END-------\n")
    assert b"-----BEGIN-----" in lines
    assert b"short" not in lines


def test_places_of_a_secret_in_a_text_are_found_one_behind_the_other() -> None:
    assert list(spans_of("aabaaba", ("aab",))) == [Span(0, 3, Secret.VAULT), Span(3, 6, Secret.VAULT)]
