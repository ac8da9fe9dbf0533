"""The bundled newspaper on the loopback interface: every outlet under its own name, all on one real server.

Names are led to 127.0.0.1 by the fetcher's own resolver, and addresses in pages and feeds to the server's port.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from tests.fetch.server import AT_ONCE, Asked, Reply, Server, reply
from tidings import newspaper
from tidings.fetch import Guard, HostStates, Limits, Live, Pace
from tidings.fetch.clock import SYSTEM, Clock
from tidings_portal.watch.plan import Plan

#: One process, nobody waits.
QUICK = Plan(once=True, jobs=0, per_host=64, tick=0.05, hold=0.3, group=False)

_LENGTH = re.compile(rb"Content-Length: \d+")
_NAME = re.compile(rb"https://([a-z]+\.example)")


async def everybody_is_here(host: str) -> tuple[IPv4Address | IPv6Address, ...]:
    """Every name leads to this machine."""
    return (ip_address("127.0.0.1"),)


@dataclass
class Press:
    """Use it as `with Press() as press`; `more` answers before the newspaper does, by host and path."""

    more: dict[str, Reply] = field(default_factory=dict)
    server: Server = field(init=False)

    def __enter__(self) -> Self:
        self.pages = {_place(page.url): (page.html, f"text/html; charset={page.charset}") for page in newspaper.pages()}
        for source in newspaper.sources():
            self.pages[_place(source.url)] = (source.content, source.media_type)
        self.server = Server({"*": self._answer}).__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.server.__exit__(kind, error, traceback)

    def url(self, address: str) -> str:
        """Where an address of the newspaper is: `gazette.example/feeds/news.xml`."""
        host, _, path = address.removeprefix("https://").partition("/")
        return f"http://{host}:{self.server.port}/{path}"

    def live(
        self,
        pace: Pace = AT_ONCE,
        limits: Limits | None = None,
        host_states: HostStates | None = None,
        clock: Clock = SYSTEM,
        robots: bool = False,
    ) -> Live:
        """A fetcher for which all this is the web."""
        hosts = {place.partition("/")[0] for place in (*self.pages, *self.more)}
        guard = Guard.allowing([*hosts, "localhost"])
        return Live(
            guard=guard,
            pace=pace,
            limits=limits or Limits(),
            robots=robots,
            resolver=everybody_is_here,
            host_states=host_states,
            clock=clock,
        )

    def asked(self, address: str = "") -> list[str]:
        """What was asked for, as host and path."""
        places = [self._place(asked) for asked in self.server.asked]
        return [place for place in places if place.startswith(address)]

    def _place(self, asked: Asked) -> str:
        return asked.headers.get("host", "").partition(":")[0] + asked.target

    def _answer(self, asked: Asked) -> bytes:
        place = self._place(asked)
        more = self.more.get(place)
        if more is not None:
            told = more if isinstance(more, bytes) else more(asked)  # type: ignore[call-arg]  # none that misbehaves
            assert isinstance(told, bytes)
            head, _, body = self.here(told).partition(b"\r\n\r\n")
            return _LENGTH.sub(b"Content-Length: %d" % len(body), head) + b"\r\n\r\n" + body
        found = self.pages.get(place) or self.pages.get(place.partition("?")[0])
        if found is None:
            return reply(b"", 404)
        return reply(self.here(found[0]), 200, {"Content-Type": found[1]})

    def here(self, body: bytes) -> bytes:
        """With addresses that lead to this server."""
        return _NAME.sub(rb"http://\1:%d" % self.server.port, body)


def _place(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.hostname}{parts.path}" + (f"?{parts.query}" if parts.query else "")


def answers(*bodies: bytes, headers: Mapping[str, str] | None = None) -> Callable[[Asked], bytes]:
    """One answer after the other; the last one stays."""
    left = list(bodies)

    def answer(asked: Asked) -> bytes:
        return left.pop(0) if len(left) > 1 else left[0]

    return answer
