"""The SSRF guard (against server-side request forgery): to which IP addresses connections are allowed.

A page, a feed, a redirect or a script can contain any address, and hosts of one's own network answer because of where
we run. So every connection is decided by the resolved address, using the IANA registries of special-purpose addresses
(RFC 6890 and its updates). An IPv6 address is decided first by its prefix and then by every IPv4 address that it may
embed: a public embedded address does not make a private prefix public.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final

from tidings.errors import RefusedAddress
from tidings.urls import IP, host_name

#: The IANA IPv4 special-purpose registry, with multicast and reserved networks.
_IPV4: Final = tuple(
    (IPv4Network(network), what)
    for network, what in (
        ("0.0.0.0/8", "this machine"),
        ("10.0.0.0/8", "a private network"),
        ("100.64.0.0/10", "a provider's inner network"),
        ("127.0.0.0/8", "this machine"),
        ("169.254.0.0/16", "the local link"),
        ("172.16.0.0/12", "a private network"),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.31.196.0/24", "protocol assignments"),
        ("192.52.193.0/24", "protocol assignments"),
        ("192.88.99.0/24", "6to4 relays"),
        ("192.168.0.0/16", "a private network"),
        ("192.175.48.0/24", "protocol assignments"),
        ("198.18.0.0/15", "benchmarks"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "nothing yet"),  # with broadcast
    )
)
#: The IPv6 registry inside 2000::/3. Outside of it only NAT64 and mapped IPv4 addresses are public.
_IPV6: Final = tuple(
    (IPv6Network(network), what)
    for network, what in (
        ("2001::/23", "protocol assignments, Teredo among them"),
        ("2001:db8::/32", "documentation"),
        ("2620:4f:8000::/48", "protocol assignments"),
        ("3fff::/20", "documentation"),
    )
)
_PUBLIC_IPV6: Final = IPv6Network("2000::/3")
_NAMED_IPV6: Final = tuple(
    (IPv6Network(network), what)
    for network, what in (
        ("::/128", "this machine"),
        ("::1/128", "this machine"),
        ("fc00::/7", "a private network"),
        ("fe80::/10", "the local link"),
        ("fec0::/10", "a private network"),
        ("ff00::/8", "multicast"),
        ("100::/64", "nothing: what is sent there is dropped"),
        ("64:ff9b:1::/48", "a private network"),
    )
)
#: Networks whose IPv6 addresses are only other spellings of IPv4 addresses (RFC 4291, 2.5.5.2; RFC 6052, 2.1).
_SPELLINGS: Final = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))
#: Networks with embedded IPv4 addresses, with the offset in bits from the right: also the local NAT64 prefix of /96
#: (RFC 8215), IPv4-compatible and translated addresses (RFC 4291, 2.5.5.1; RFC 2765, 2.1), 6to4 (RFC 3056, 2), Teredo's
#: server.
_CARRIERS: Final = tuple(
    (IPv6Network(network), bits)
    for network, bits in (
        ("::ffff:0:0/96", 0),
        ("64:ff9b::/96", 0),
        ("64:ff9b:1::/48", 0),
        ("::/96", 0),
        ("::ffff:0:0:0/96", 0),
        ("2002::/16", 80),
        ("2001::/32", 64),
    )
)
#: Teredo's client address is at the end, with all bits inverted (RFC 4380, 4).
_TEREDO: Final = IPv6Network("2001::/32")
#: Interface identifiers of ISATAP (RFC 5214, 6.1) end in an IPv4 address; two bits, "universal" and "group", vary.
_ISATAP: Final = 0x0000_5EFE
_ISATAP_BITS: Final = 0xFCFF_FFFF

#: Ports of other protocols (Fetch Standard, 2.9), because a request may look like their commands.
BAD_PORTS: Final = frozenset(
    int(port)
    for port in (
        "1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 "
        "123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 "
        "990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
    ).split()
)


def why_refused(address: IP) -> str | None:
    """Return the purpose of an address that is not public; None if connecting is allowed."""
    if isinstance(address, IPv4Address):
        return next((what for network, what in _IPV4 if address in network), None)
    refused = _why_prefix_refused(address)
    if refused is not None:
        return refused
    return next((what for inside in carried(address) if (what := why_refused(inside))), None)


def _why_prefix_refused(address: IPv6Address) -> str | None:
    if any(address in network for network in _SPELLINGS):
        return None
    if address not in _PUBLIC_IPV6:
        return next((what for network, what in _NAMED_IPV6 if address in network), "no public network")
    return next((what for network, what in _IPV6 if address in network), None)


def carried(address: IPv6Address) -> tuple[IPv4Address, ...]:
    """Return every IPv4 address embedded in an IPv6 address, to which a host or router might forward packets."""
    number = int(address)
    numbers = [number >> bits for network, bits in _CARRIERS if address in network]
    if address in _TEREDO:
        numbers.append(~number)
    if (number >> 32) & _ISATAP_BITS == _ISATAP:
        numbers.append(number)
    return tuple(dict.fromkeys(IPv4Address(number_inside & 0xFFFF_FFFF) for number_inside in numbers))


@dataclass(frozen=True, slots=True)
class Guard:
    """The SSRF guard: decides whether a connection is allowed, for every redirect anew.

    Args:
        allowed: hosts that are allowed whatever they resolve to, by name ("intranet.example") or with a port
            ("localhost:8000"). Only the name counts: allowing `localhost` does not allow `127.0.0.1`.
    """

    allowed: frozenset[str] = frozenset()

    @classmethod
    def allowing(cls, hosts: Iterable[str]) -> Guard:
        """Return a guard that also allows these hosts, written as in options of the user."""
        return cls(frozenset(_entry(host) for host in hosts))

    def exempts(self, host: str, port: int) -> bool:
        """Return whether the user allowed this host by name."""
        return host in self.allowed or f"{host}:{port}" in self.allowed

    def check(self, host: str, port: int, addresses: Sequence[IP]) -> None:
        """Raise RefusedAddress unless a connection is allowed. All addresses of a host must be public.

        Raises:
            RefusedAddress: an address or the port is not for the public web.
        """
        if self.exempts(host, port):
            return
        if port in BAD_PORTS:
            raise RefusedAddress(host, f"is refused: port {port} is not for web pages; {self._how(host)}")
        for address in addresses:
            if what := why_refused(address):
                where = f"{address} is" if str(address) == host else f"it leads to {address}, which is"
                raise RefusedAddress(host, f"is refused: {where} for {what}; {self._how(host)}")

    @staticmethod
    def _how(host: str) -> str:
        return f"if you mean it, allow the host {host} by name"


def _entry(text: str) -> str:
    name, colon, port = text.rpartition(":")
    if colon and port.isdigit() and (name.endswith("]") or ":" not in name):
        return f"{host_name(name)}:{port}"
    return host_name(f"[{text}]" if ":" in text and not text.startswith("[") else text)
