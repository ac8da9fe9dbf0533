"""Settings of the portal: what whoever runs it has decided."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from tidings.news.web.proxies import TrustedProxies

#: Names of this machine that a browser may call it by.
LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")


class ReadAccess(StrEnum):
    """Who may read."""

    OPEN = "open"
    CLOSED = "closed"  # those who are signed in, or hold a token


@dataclass(frozen=True, slots=True)
class PortalSettings:
    """What is offered, and to whom."""

    name: str = "Tidings"
    accounts: bool = False  # persons sign in; else there is one nameless reader, whoever sits at this machine
    sign_up: bool = False  # anybody may open an account; else only the first one
    reading: ReadAccess = ReadAccess.OPEN
    address: str = ""  # where the world finds it, as https://news.example; else as each request says
    hosts: tuple[str, ...] = LOOPBACK  # names it answers to: another site's name that leads here is refused
    origins: tuple[str, ...] = ()  # other sites whose pages may read the API, as https://tools.example
    proxies: TrustedProxies = field(default_factory=TrustedProxies)  # that may tell who a visitor is
    language: str = ""  # of those whose browser asks for none that there is
    forms_bytes: int = 1_000_000  # of a form; HOSTILE 26
    upload_bytes: int = 5_000_000  # of an OPML file or a page
    minute_fetches: int = 30  # pages that one visitor may have fetched in a minute
    minute_reads: int = 600  # requests of one visitor in a minute

    @property
    def is_secure(self) -> bool:
        """Whether it is reached by https, so that cookies are sent by nothing else."""
        return urlsplit(self.address).scheme == "https"

    def answers_to(self, host: str) -> bool:
        """Whether a Host header names this portal. `*` answers to every name."""
        name = host.rsplit(":", 1)[0] if host.rsplit(":", 1)[-1].isdigit() else host
        own = urlsplit(self.address).hostname or ""
        return "*" in self.hosts or name.lower() in {*(one.lower() for one in self.hosts), own}
