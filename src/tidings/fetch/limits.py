"""How much and how long: caps on decompressed bytes by kind, and the deadline over everything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from tidings.fetch.exchange import Kind


class Over(StrEnum):
    """What happens to a body over its cap, or cut short by its server."""

    CUT = "cut"  # its beginning is kept and marked truncated
    REFUSE = "refuse"  # it is an error


@dataclass(frozen=True, slots=True)
class Cap:
    """The most decompressed bytes a body may have."""

    size: int
    over: Over


_MB: Final = 1024 * 1024
#: Half a page can be read; half a feed would lose items without anyone noticing; half a picture is none.
CAPS: Final[Mapping[Kind, Cap]] = MappingProxyType(
    {
        Kind.PAGE: Cap(16 * _MB, Over.CUT),
        Kind.FEED: Cap(32 * _MB, Over.REFUSE),
        Kind.SITEMAP: Cap(50 * _MB, Over.REFUSE),  # sitemaps.org: 50 MB uncompressed
        Kind.PICTURE: Cap(16 * _MB, Over.REFUSE),
        Kind.ROBOTS: Cap(500 * 1024, Over.CUT),  # RFC 9309, 2.5
    }
)
#: A page compresses five- to twentyfold; what reaches its cap after growing by more than this was made for it.
BOMB: Final = 200


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one fetcher."""

    deadline: float = 60.0  # seconds for all of a request but waiting for turns: robots.txt, retries, redirects, body
    connect: float = 10.0  # seconds for one connection
    redirects: int = 10  # RFC 9110 names no number; browsers take 20, feed readers 5 to 10
    connections: int = 64  # at once, over all hosts
    caps: Mapping[Kind, Cap] = field(default_factory=lambda: CAPS)

    def cap(self, kind: Kind) -> Cap:
        """The cap of a kind."""
        return self.caps.get(kind) or CAPS[kind]
