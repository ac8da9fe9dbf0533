"""No network for what is measured: a page is read from the bytes at hand, and nothing is fetched for it."""

from __future__ import annotations

import socket
from typing import Any, NoReturn


def refuse_network() -> None:
    """From now on this process makes no connection and looks up no address. For worker processes only."""
    setattr(socket.socket, "connect", _refuse)  # noqa: B010  # mypy: a method is not to be set, and here it is
    setattr(socket.socket, "connect_ex", _refuse)  # noqa: B010
    setattr(socket, "getaddrinfo", _refuse)  # noqa: B010


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise OSError("there is no network while systems are measured")
