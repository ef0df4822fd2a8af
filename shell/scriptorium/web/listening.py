"""Where is served: at an address of this computer, and at no other."""

import socket

from scriptorium_core.problem import Code, Problem

from ..refused import Refused

__all__ = ["HOSTS", "bound"]

HOSTS = ("127.0.0.1", "::1", "localhost")
"""Whoever wants it from elsewhere takes a tunnel that encrypts."""

_BACKLOG = 256


def bound(host: str, port: int) -> socket.socket:
    """A socket at an address of this computer; port 0 takes any. Raises Refused for another address."""
    if host not in HOSTS:
        message = f"{host} may be reached from other computers, and requests are not encrypted"
        remedy = f"serve on one of {', '.join(HOSTS)}, and let others in by a tunnel: ssh -L"
        raise Refused(Problem(Code.INVALID_ARGUMENT, message, "--host", remedy=remedy))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named: for TCP_NODELAY
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1" if host == "localhost" else host, port))
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        message = f"port {port} of {host} cannot be used: {error.strerror}"
        raise Refused(
            Problem(Code.INVALID_ARGUMENT, message, "--port", remedy="give another --port")
        ) from error
    return listening
