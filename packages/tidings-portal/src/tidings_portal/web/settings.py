"""Settings of the portal, as its operator chose them on the command line or in the environment."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from tidings.urls import URL
from tidings_portal.web.proxies import TrustedProxies

#: Host names of this machine.
LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")


class ReadAccess(StrEnum):
    """Who may read articles."""

    OPEN = "open"
    CLOSED = "closed"  # signed-in users and API tokens


@dataclass(frozen=True, slots=True)
class OpenIdProvider:
    """An OpenID Connect provider that users may sign in with."""

    issuer: str
    client: str
    secret: str = field(default="", repr=False)
    name: str = ""  # on the sign-in button


@dataclass(frozen=True, slots=True)
class PortalSettings:
    """Settings of a portal."""

    name: str = "Tidings"
    accounts: bool = False  # users sign in; else there is a single local reader
    sign_up: bool = False  # anybody may create an account; else only the first user
    reading: ReadAccess = ReadAccess.OPEN
    address: str = ""  # public URL, as https://news.example; default: that of each request
    hosts: tuple[str, ...] = LOOPBACK  # accepted Host headers (guards against DNS rebinding)
    origins: tuple[str, ...] = ()  # CORS: other sites that may read the API, as https://tools.example
    proxies: TrustedProxies = field(default_factory=TrustedProxies)  # whose forwarding headers are trusted
    user_header: str = ""  # in which a trusted proxy names the user; empty: none
    openid: OpenIdProvider | None = None
    sends: tuple[str, ...] = ("webhook",)  # delivery methods; mail and files only if configured
    language: str = ""  # default, for browsers that ask for no supported language
    forms_bytes: int = 1_000_000  # maximum size of a form; HOSTILE 26
    upload_bytes: int = 5_000_000  # maximum size of an OPML file or a page
    minute_fetches: int = 30  # pages fetched per client and minute
    minute_reads: int = 600  # requests per client and minute

    @property
    def is_secure(self) -> bool:
        """Return whether the public URL is https, so that cookies get the `Secure` flag."""
        return self.address.lower().startswith("https://")

    def answers_to(self, host: str) -> bool:
        """Return whether a Host header is accepted. `*` in `hosts` accepts every name."""
        name = host.rsplit(":", 1)[0] if host.rsplit(":", 1)[-1].isdigit() else host
        own = URL.try_parse(self.address)
        names = {host.lower() for host in self.hosts} | ({own.host, f"[{own.host}]"} if own else set())
        return "*" in self.hosts or name.lower() in names
