"""Who is at the other end, where reverse proxies stand between (HOSTILE 31, 41).

A header can be written by anybody. What it says of a visitor is believed only if the connection comes from a proxy that
whoever runs the portal has named, and then as far back as named proxies tell it: the rightmost address that is none of
theirs. Names of hosts are never taken from such headers, for these a browser can be made to send.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, Self

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from tidings.errors import InputError

IP = IPv4Address | IPv6Address
#: One IPv6 subscriber has a network of this size at least (RFC 6177), and may take any address in it for each request.
_IPV6_VISITOR: Final = 64
#: `for=` in an element of the header Forwarded (RFC 7239, 4).
_FOR: Final = re.compile(r"(?:^|;)\s*for\s*=\s*(\"[^\"]*\"|[^;\s]*)", re.IGNORECASE)
#: An address with or without a port, as proxies write it.
_NODE: Final = re.compile(r"\[([0-9a-f:.]+)\](?::\d+)?|([0-9.]+)(?::\d+)?|([0-9a-f:.]+)(?:%.*)?", re.IGNORECASE)
#: Where reverse proxies commonly stand: on this machine, or in the network of a container, a house or a provider.
_INNER: Final = tuple(
    ip_network(network)
    for network in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "100.64.0.0/10",
        "169.254.0.0/16",
        "::1/128",
        "fc00::/7",
        "fe80::/10",
    )
)


@dataclass(frozen=True, slots=True)
class TrustedProxies:
    """The proxies whose word on their visitors counts."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    @classmethod
    def named(cls, names: Iterable[str]) -> Self:
        """Proxies as people name them: 127.0.0.1, 10.0.0.0/24, ::1.

        Raises:
            InputError: one of them is no address and no network, or is the whole of the net.
        """
        return cls(tuple(_network(name) for name in names))

    def trusts(self, address: IP) -> bool:
        """Whether an address is one of theirs."""
        return any(address in network for network in self.networks)

    def visitor(self, peer: str, headers: Headers) -> str:
        """The address of a visitor whose connection comes from `peer`; that one itself unless it may tell of others."""
        address = parsed(peer)
        if address is None or not self.trusts(address):
            return peer
        told = {
            self._outermost(address, addresses)
            for name, addresses in (
                ("x-forwarded-for", _listed(headers)),
                ("forwarded", _forwarded(headers)),
            )
            if name in headers
        }
        # A proxy that writes one of the two passes the other on as a visitor sent it: where they differ one is forged,
        # and nobody knows which.
        return str(told.pop()) if len(told) == 1 else peer

    def _outermost(self, peer: IP, addresses: Iterator[IP | None]) -> IP:
        """The first address that is not one of ours, from the right; where one cannot be read, who told it."""
        last = peer
        for address in addresses:
            if address is None:
                return last
            last = address
            if not self.trusts(address):
                return last
        return last


def address_of(connection: HTTPConnection) -> str:
    """What a visitor is counted by: the address, for IPv6 the network of one subscriber."""
    if connection.client is None:
        return ""
    address = parsed(connection.client.host)
    if isinstance(address, IPv6Address) and not address.is_loopback:
        return str(IPv6Network((int(address), _IPV6_VISITOR), strict=False))
    return connection.client.host if address is None else str(address)


def may_stand_for_many(address: str) -> bool:
    """Whether an address, as visitors are counted by, may be that of a proxy which nobody has named."""
    found = parsed(address.partition("/")[0])
    return found is not None and any(found in network for network in _INNER)


def parsed(text: str) -> IP | None:
    """An IP address as it stands in a header or is told by the system, in one form; None if it is none."""
    found = _NODE.fullmatch(text.strip().strip('"'))
    if found is None:
        return None
    try:
        address = ip_address(found[1] or found[2] or found[3])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return address if mapped is None else mapped


def _listed(headers: Headers) -> Iterator[IP | None]:
    """The addresses of X-Forwarded-For, the nearest first."""
    for line in reversed(headers.getlist("x-forwarded-for")):
        yield from map(parsed, reversed(line.split(",")))


def _forwarded(headers: Headers) -> Iterator[IP | None]:
    """The addresses of Forwarded (RFC 7239), the nearest first. What hides behind a word is none."""
    for line in reversed(headers.getlist("forwarded")):
        for element in reversed(line.split(",")):
            found = _FOR.search(element)
            yield None if found is None else parsed(found[1])


def _network(name: str) -> IPv4Network | IPv6Network:
    address = parsed(name)
    try:
        network = ip_network(name.strip() if address is None else address, strict=False)
    except ValueError:
        raise InputError(f"{name!r} is no address of a proxy; write 127.0.0.1, 10.0.0.0/24 or ::1") from None
    if not network.prefixlen:
        raise InputError(f"{name!r} is every address there is: anybody could say who they are; name your proxies")
    return network
