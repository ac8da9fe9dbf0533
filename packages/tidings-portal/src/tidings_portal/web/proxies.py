"""Client addresses behind reverse proxies (HOSTILE 31, 41).

Anybody can send forwarding headers, so they are used only if the connection comes from a trusted proxy. The client is
the rightmost address that is not a trusted proxy. Host names are never taken from these headers.
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
#: Networks in which reverse proxies usually are: loopback, private, carrier-grade NAT and link-local addresses.
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
    """The proxies whose forwarding headers are trusted."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()

    @classmethod
    def named(cls, names: Iterable[str]) -> Self:
        """Create from IP addresses and networks: 127.0.0.1, 10.0.0.0/24, ::1.

        Raises:
            InputError: a name is neither an address nor a network, or includes every address.
        """
        return cls(tuple(_network(name) for name in names))

    def trusts(self, address: IP) -> bool:
        """Return whether an address is a trusted proxy."""
        return any(address in network for network in self.networks)

    def visitor(self, peer: str, headers: Headers) -> str:
        """Return the client address of a connection from `peer`: from the headers if `peer` is trusted, else `peer`."""
        address = parse_address(peer)
        if address is None or not self.trusts(address):
            return peer
        clients = {
            self._first_untrusted(address, addresses)
            for name, addresses in (
                ("x-forwarded-for", _listed(headers)),
                ("forwarded", _forwarded(headers)),
            )
            if name in headers
        }
        # A proxy that sets one of the headers passes the other on unchanged. If they differ, either may be forged.
        return str(clients.pop()) if len(clients) == 1 else peer

    def _first_untrusted(self, peer: IP, addresses: Iterator[IP | None]) -> IP:
        """Return the first untrusted address from the right, or the last valid one before an invalid address."""
        last = peer
        for address in addresses:
            if address is None:
                return last
            last = address
            if not self.trusts(address):
                return last
        return last


def address_of(connection: HTTPConnection) -> str:
    """Return the rate limit key of a client: its address, or the /64 network for IPv6."""
    if connection.client is None:
        return ""
    address = parse_address(connection.client.host)
    if isinstance(address, IPv6Address) and not address.is_loopback:
        return str(IPv6Network((int(address), _IPV6_VISITOR), strict=False))
    return connection.client.host if address is None else str(address)


def may_be_proxy(address: str) -> bool:
    """Return whether a rate limit key may be the address of an unconfigured proxy."""
    parsed_address = parse_address(address.partition("/")[0])
    return parsed_address is not None and any(parsed_address in network for network in _INNER)


def parse_address(text: str) -> IP | None:
    """Return the IP address in a header or socket name, in a normal form, or None if it is invalid."""
    match = _NODE.fullmatch(text.strip().strip('"'))
    if match is None:
        return None
    try:
        address = ip_address(match[1] or match[2] or match[3])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return address if mapped is None else mapped


def _listed(headers: Headers) -> Iterator[IP | None]:
    """Yield the addresses of X-Forwarded-For, the nearest first."""
    for line in reversed(headers.getlist("x-forwarded-for")):
        yield from map(parse_address, reversed(line.split(",")))


def _forwarded(headers: Headers) -> Iterator[IP | None]:
    """Yield the addresses of Forwarded (RFC 7239), the nearest first. Obfuscated identifiers are None."""
    for line in reversed(headers.getlist("forwarded")):
        for element in reversed(line.split(",")):
            match = _FOR.search(element)
            yield None if match is None else parse_address(match[1])


def _network(name: str) -> IPv4Network | IPv6Network:
    address = parse_address(name)
    try:
        network = ip_network(name.strip() if address is None else address, strict=False)
    except ValueError:
        raise InputError(f"{name!r} is no address of a proxy; write 127.0.0.1, 10.0.0.0/24 or ::1") from None
    if not network.prefixlen:
        raise InputError(f"{name!r} is every address there is: anybody could say who they are; name your proxies")
    return network
