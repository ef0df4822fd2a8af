"""Storages that are real servers on this computer, each in a process: S3 by moto, WebDAV by wsgidav."""

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from scriptorium.clock import monotonic, pause

__all__ = ["s3_address", "webdav_address"]

_WEBDAV = """
import sys
from cheroot import wsgi
from wsgidav.wsgidav_app import WsgiDAVApp
app = WsgiDAVApp({
    "provider_mapping": {"/": sys.argv[1]}, "simple_dc": {"user_mapping": {"*": True}},
    "verbose": 0, "logging": {"enable": False},
})
wsgi.Server(("127.0.0.1", int(sys.argv[2])), app).start()
"""


@pytest.fixture(scope="session")
def s3_address() -> Iterator[str]:
    """The address of an S3 server that lives as long as the tests."""
    pytest.importorskip("s3fs", reason="s3fs is not installed")
    pytest.importorskip("moto", reason="moto is not installed")
    port = _free()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with _running(command, f"http://127.0.0.1:{port}/moto-api/"):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def webdav_address(tmp_path: Path) -> Iterator[str]:
    """The address of a WebDAV server over an empty folder."""
    pytest.importorskip("webdav4", reason="webdav4 is not installed")
    pytest.importorskip("wsgidav", reason="wsgidav is not installed")
    pytest.importorskip("cheroot", reason="cheroot is not installed")
    folder, port = tmp_path / "dav", _free()
    folder.mkdir()
    with _running([sys.executable, "-c", _WEBDAV, str(folder), str(port)], f"http://127.0.0.1:{port}/"):
        yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def _running(command: list[str], address: str) -> Iterator[None]:
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, env={**os.environ}) as server:
        try:
            _wait(server, address)
            yield
        finally:
            server.kill()


def _wait(server: "subprocess.Popen[bytes]", address: str) -> None:
    limit = monotonic() + 120
    while monotonic() < limit:
        assert server.poll() is None, f"the server ended: {server.args!r}"
        with contextlib.suppress(URLError, OSError):
            urlopen(address, timeout=5).close()
            return
        pause(0.1)
    raise AssertionError(f"nothing answers at {address}")


def _free() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
