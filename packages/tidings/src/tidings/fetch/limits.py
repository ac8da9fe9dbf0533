"""Limits of a fetcher: decompressed bytes by kind of resource, the deadline, redirects and connections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from tidings.fetch.messages import Kind


class Over(StrEnum):
    """What happens to a response body that exceeds its size limit or is incomplete."""

    CUT = "cut"  # return the beginning, marked as truncated
    REFUSE = "refuse"  # return an error


@dataclass(frozen=True, slots=True)
class Cap:
    """The limit on decompressed bytes of a response body."""

    size: int
    over: Over


_MB: Final = 1024 * 1024
#: Half a page is useful; half a feed would lose items unnoticed; half a picture is useless.
CAPS: Final[Mapping[Kind, Cap]] = MappingProxyType(
    {
        Kind.PAGE: Cap(16 * _MB, Over.CUT),
        Kind.FEED: Cap(32 * _MB, Over.REFUSE),
        Kind.SITEMAP: Cap(50 * _MB, Over.REFUSE),  # sitemaps.org: 50 MB uncompressed
        Kind.PICTURE: Cap(16 * _MB, Over.REFUSE),
        Kind.ROBOTS: Cap(500 * 1024, Over.CUT),  # RFC 9309, 2.5
    }
)
#: Pages compress 5 to 20 times. A body that reaches its limit after growing more than this is a bomb.
BOMB: Final = 200


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a fetcher."""

    deadline: float = 60.0  # seconds for a request without waiting for turns
    connect: float = 10.0  # seconds for connecting
    redirects: int = 10  # RFC 9110 has no number; browsers allow 20, feed readers 5 to 10
    connections: int = 64  # concurrent, over all hosts
    caps: Mapping[Kind, Cap] = field(default_factory=lambda: CAPS)

    def cap(self, kind: Kind) -> Cap:
        """Return the size limit for a kind of resource."""
        return self.caps.get(kind) or CAPS[kind]
