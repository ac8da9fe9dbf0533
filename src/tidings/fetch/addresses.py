"""Addresses on the web, read once and strictly, so that what is checked is what is asked for.

As browsers read them (WHATWG URL Standard, 4.4): white space and tabs gone, a backslash is a slash, the last @ ends
the user's name, a host that ends in a number is an IPv4 address in any of its spellings (127.1, 0x7f.1, 2130706433),
names in other scripts become their ASCII form. What several programs would read differently is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final
from urllib.parse import quote, unquote, urljoin

import idna

from tidings.errors import BadAddress

IP = IPv4Address | IPv6Address

#: Longer ones are attacks or mistakes; servers commonly stop at 8 KB.
MAX_URL: Final = 16_384
DEFAULT_PORTS: Final = {"http": 80, "https": 443}

_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")
_NAME: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_.\-]*[a-z0-9_])?")
_ENDS_IN_A_NUMBER: Final = re.compile(r"(?:.*\.)?(?:[0-9]+|0[xX][0-9a-fA-F]*)", re.DOTALL)
#: What may stand in a target as it is; the rest is percent-encoded. "%" stays, since it begins what is encoded already.
_SAFE: Final = "!#$%&'()*+,/:;=?@[]~|"


@dataclass(frozen=True, slots=True)
class Address:
    """An http or https address in parts, each in the one form it is compared and sent in."""

    scheme: str
    host: str  # in ASCII and lower case, no dot at the end; IPv6 without brackets
    port: int
    target: str  # path and query, as sent
    user: str | None = None  # what stood before the @, never part of `url`

    @classmethod
    def parse(cls, text: str, base: Address | None = None) -> Address:
        """Read an address, relative to another one where there is one.

        Raises:
            BadAddress: it is none, or not of http or https.
        """
        return _parsed(text) if base is None else _read(text, base)

    @property
    def authority(self) -> str:
        """Host and, where it is not the usual one, port, as in the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port: what credentials and robots.txt belong to."""
        return f"{self.scheme}://{self.authority}"

    @property
    def url(self) -> str:
        """The whole address, without user name, password and fragment."""
        return self.origin + self.target

    @property
    def credentials(self) -> tuple[str, str] | None:
        """User name and password that stood in the address."""
        if not self.user:
            return None
        name, _, password = self.user.partition(":")
        return unquote(name), unquote(password)


@lru_cache(maxsize=512)
def _parsed(text: str) -> Address:
    """The same address is asked for by politeness, by robots.txt and by the connection."""
    return _read(text, None)


def _read(text: str, base: Address | None) -> Address:
    given = text
    if len(text) > MAX_URL:
        raise BadAddress(given, f"is no address: it has {len(text):,} characters, and {MAX_URL:,} are the most")
    text = re.sub(r"[\t\n\r]", "", text.strip("".join(map(chr, range(33)))))
    scheme = _SCHEME.match(text)
    if scheme and scheme[1].lower() not in DEFAULT_PORTS:
        name = scheme[1].lower()
        if base is None and re.match(r"\d{2,5}(?:/|$)", text[scheme.end() :]):  # localhost:8000
            raise BadAddress(given, f"has no scheme; write https://{text}")
        raise BadAddress(given, f"is refused: only http and https addresses are fetched, not {name}:")
    if not scheme and base is None:
        raise BadAddress(given, f"has no scheme; write https://{text.lstrip('/') or 'host/path'}")
    text = _slashes(text)
    if base is not None:
        text = urljoin(base.url, text)
        scheme = _SCHEME.match(text)
    if scheme is None:
        raise BadAddress(given, "is no address that can be read")
    kind = scheme[1].lower()
    rest = text[scheme.end() :].lstrip("/").partition("#")[0]
    authority = re.split(r"[/?]", rest, maxsplit=1)[0]
    user, at, place = authority.rpartition("@")
    host, port = _place(given, place)
    return Address(kind, host, port or DEFAULT_PORTS[kind], _target(rest[len(authority) :]), user if at else None)


def host_name(text: str) -> str:
    """A host as `Address.host` has it.

    Raises:
        BadAddress: it is no host.
    """
    return _host(text, text.strip())


def literal(host: str) -> IP | None:
    """The address that a host of `Address` is written as, if it is not a name."""
    try:
        return IPv6Address(host) if ":" in host else IPv4Address(host)
    except AddressValueError:
        return None


def _slashes(text: str) -> str:
    """Backslashes before the query as slashes, which is what browsers take them for."""
    end = min((text.find(char) for char in "?#" if char in text), default=len(text))
    return text[:end].replace("\\", "/") + text[end:]


def _place(given: str, place: str) -> tuple[str, int | None]:
    if place.startswith("["):
        inside, closed, rest = place[1:].partition("]")
        if not closed or (rest and not rest.startswith(":")):
            raise BadAddress(given, "has a bracket in its host that does not close")
        host, port = f"[{inside}]", rest[1:]
    else:
        host, _, port = place.partition(":")
    if port and not (port.isascii() and port.isdigit() and len(port) <= 5 and 0 < int(port) < 65_536):
        raise BadAddress(given, "has no port between 1 and 65535 behind its host")
    return _host(given, host), int(port) if port else None


def _host(given: str, host: str) -> str:
    if host.startswith("["):
        try:
            return str(IPv6Address(host[1:-1])) if "%" not in host else _no_zone(given)
        except AddressValueError as error:
            raise BadAddress(given, "has brackets that hold no IPv6 address") from error
    if "%" in host:
        host = unquote(host)
    name = _ascii(given, host).lower().removesuffix(".")
    if not name or len(name) > 253 or ".." in name or not _NAME.fullmatch(name):
        raise BadAddress(given, "names no host that there could be")
    if _ENDS_IN_A_NUMBER.fullmatch(name):
        return str(_ipv4(given, name))
    return name


def _no_zone(given: str) -> str:
    raise BadAddress(given, "names a zone of this machine in its host")


def _ascii(given: str, host: str) -> str:
    if host.isascii():
        return host
    if len(host) > 253:
        raise BadAddress(given, "names no host that there could be")
    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError:
        pass
    try:
        return host.encode("idna").decode("ascii")  # the older rules, by which there are hosts named ☃
    except UnicodeError as error:
        raise BadAddress(given, "names a host with characters that hosts cannot have") from error


def _ipv4(given: str, host: str) -> IPv4Address:
    """An IPv4 address in any spelling that the C library takes (WHATWG URL, 3.5; inet_aton)."""
    parts = host.split(".")
    try:
        numbers = [_number(part) for part in parts]
    except ValueError as error:
        raise BadAddress(given, "names a host that ends in a number and is no IPv4 address") from error
    *first, last = numbers
    if len(numbers) > 4 or any(number > 255 for number in first) or last >= 256 ** (5 - len(numbers)):
        raise BadAddress(given, "names a host that ends in a number and is no IPv4 address")
    return IPv4Address(sum(number << (24 - 8 * place) for place, number in enumerate(first)) + last)


def _number(part: str) -> int:
    if len(part) > 40 or not part or not part.isascii() or "_" in part:
        raise ValueError(part)
    if part[:2] in ("0x", "0X"):
        return int(part, 0) if part[2:] else 0
    return int(part, 8) if part[0] == "0" and len(part) > 1 else int(part)


def _target(rest: str) -> str:
    """Path and query as they are sent: dots resolved, so that robots.txt is asked about the path that is meant."""
    path, mark, query = rest.partition("?")
    kept: list[str] = []
    parts = path.split("/")[1:] or [""]
    for number, part in enumerate(parts):
        plain = part.lower().replace("%2e", ".") if "%" in part else part
        if plain == "..":
            del kept[-1:]
        if plain not in (".", ".."):
            kept.append(part)
        elif number == len(parts) - 1:
            kept.append("")
    return quote("/" + "/".join(kept) + mark + query, safe=_SAFE)
