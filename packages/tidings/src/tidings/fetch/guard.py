"""The one guard: which addresses may be connected to.

A page, a feed, a redirect or a script can name any address; those inside one's own network answer to us because of
where we stand (server-side request forgery). So every connection is decided on the address that a name resolved to,
by the IANA registries of special-purpose addresses (RFC 6890 and its updates). An IPv6 address is decided by its prefix
first and then by every IPv4 address that it may carry inside: one that looks public makes no private prefix public.

From names to addresses, without a thread that outlives its lookup or a lookup that outlives its deadline.

The C library's lookup cannot be interrupted, and the event loop's own pool of threads is waited for when the loop
ends. Here each lookup has a daemon thread of its own: who waits may give up, and nothing waits for it at the end.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

from tidings.errors import RefusedAddress, UnknownHost
from tidings.urls import IP, host_name, literal

#: IANA IPv4 special-purpose registry, and what is multicast or reserved.
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
#: The same for IPv6, inside 2000::/3; all else but NAT64 and mapped IPv4 is no address on the public net.
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
#: Where an IPv6 address is but another spelling of the IPv4 address at its end (RFC 4291, 2.5.5.2; RFC 6052, 2.1).
_SPELLINGS: Final = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))
#: Where an IPv4 address stands inside, as bits from the right: besides those, the local NAT64 prefix where it is /96
#: long (RFC 8215), IPv4-compatible and translated addresses (RFC 4291, 2.5.5.1; RFC 2765, 2.1), 6to4 (RFC 3056, 2), the
#: server of Teredo.
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
#: Its client stands at the end, every bit of it turned round (RFC 4380, 4).
_TEREDO: Final = IPv6Network("2001::/32")
#: Interface identifiers of ISATAP (RFC 5214, 6.1) end in an IPv4 address; two bits, "universal" and "group", vary.
_ISATAP: Final = 0x0000_5EFE
_ISATAP_BITS: Final = 0xFCFF_FFFF

#: Ports that speak something other than HTTP (Fetch Standard, 2.9): a request can be made to look like their commands.
BAD_PORTS: Final = frozenset(
    int(port)
    for port in (
        "1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 "
        "123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 "
        "990 993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
    ).split()
)


def why_refused(address: IP) -> str | None:
    """What an address is for, if it is not for the public web; None if it may be connected to."""
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
    """Return every IPv4 address inside an IPv6 one that some host or router on the way might send its packets to."""
    number = int(address)
    found = [number >> bits for network, bits in _CARRIERS if address in network]
    if address in _TEREDO:
        found.append(~number)
    if (number >> 32) & _ISATAP_BITS == _ISATAP:
        found.append(number)
    return tuple(dict.fromkeys(IPv4Address(one & 0xFFFF_FFFF) for one in found))


@dataclass(frozen=True, slots=True)
class Guard:
    """Decides for every connection, on every hop.

    Args:
        allowed: hosts that are let through whatever they resolve to, by name ("intranet.example") or with a port
            ("localhost:8000"). Only that name: allowing `localhost` does not allow `127.0.0.1`.
    """

    allowed: frozenset[str] = frozenset()

    @classmethod
    def allowing(cls, hosts: Iterable[str]) -> Guard:
        """Return a guard that lets some hosts through, as people write them."""
        return cls(frozenset(_entry(host) for host in hosts))

    def exempts(self, host: str, port: int) -> bool:
        """Return whether the user has let this host through by name."""
        return host in self.allowed or f"{host}:{port}" in self.allowed

    def check(self, host: str, port: int, addresses: Sequence[IP]) -> None:
        """Let a connection through, or not; a name with one bad address among its addresses is bad.

        Raises:
            RefusedAddress: one of the addresses, or the port, is not for the public web.
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


#: Gives all addresses of a host in the order they are to be tried.
Resolver = Callable[[str], Awaitable[tuple[IP, ...]]]


async def resolve(host: str) -> tuple[IP, ...]:
    """Return the addresses of a host, as the system knows them.

    Raises:
        UnknownHost: there are none.
    """
    written = literal(host)
    if written is not None:
        return (written,)
    loop = asyncio.get_running_loop()
    found: asyncio.Future[tuple[IP, ...]] = loop.create_future()

    def look_up() -> None:
        try:
            answer = _look_up(host)
        except UnknownHost as error:
            _tell(loop, found, None, error)
        else:
            _tell(loop, found, answer, None)

    threading.Thread(target=look_up, name=f"resolving {host}", daemon=True).start()
    return await found


def _look_up(host: str) -> tuple[IP, ...]:
    try:
        answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "no name that can be looked up"
        raise UnknownHost(host, f"cannot be found ({reason}); check the name and the connection") from error
    names = [str(answer[4][0]).partition("%")[0] for answer in answers]
    return tuple(dict.fromkeys(ip_address(name) for name in names))


def _tell(
    loop: asyncio.AbstractEventLoop,
    found: asyncio.Future[tuple[IP, ...]],
    answer: tuple[IP, ...] | None,
    error: UnknownHost | None,
) -> None:
    """Hand the answer to whoever still waits for it."""

    def settle() -> None:
        if found.done():
            return
        if error is not None:
            found.set_exception(error)
        elif answer is not None:
            found.set_result(answer)

    try:
        loop.call_soon_threadsafe(settle)
    except RuntimeError:
        return  # the loop has ended: nobody waits
