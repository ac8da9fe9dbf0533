"""Parsed URLs: the only module that splits or joins URLs (lint rule TID251).

`URL.parse` reads a URL as browsers do (WHATWG URL Standard, 4.4): white space and tabs removed, backslash as slash, the
last @ ends the user name, a host that ends in a number is an IPv4 address in any spelling (127.1, 0x7f.1, 2130706433),
international names in their ASCII form. A URL that several programs would read differently is invalid. Guard, client,
canonical URLs, sources and fields share this reading, so the host that is checked is the host that is connected to.

`site_of` returns the site of a page for templates: its host without the prefix "www."; mobile hosts ("m.", "amp.") and
other ports are separate sites. `outlet_of` returns the publisher: mobile hosts belong to the same outlet.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final
from urllib.parse import quote, unquote, urljoin

from tidings.errors import InvalidURL

IP = IPv4Address | IPv6Address

#: Longer ones are attacks or mistakes; servers commonly stop at 8 KB.
MAX_URL: Final = 16_384
DEFAULT_PORTS: Final = {"http": 80, "https": 443}
#: Prefixes of mobile hosts.
MOBILE_PREFIXES: Final = ("m.", "mobile.", "amp.", "mobil.")

_AROUND: Final = "".join(map(chr, range(33)))
_DROPPED: Final = re.compile(r"[\t\n\r]")
_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")
_PORT_AFTER_NAME: Final = re.compile(r"\d{2,5}(?:/|$)")  # localhost:8000
_AUTHORITY_END: Final = re.compile(r"[/?]")
_NAME: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_.\-]*[a-z0-9_])?")
_ENDS_IN_A_NUMBER: Final = re.compile(r"(?:.*\.)?(?:[0-9]+|0[xX][0-9a-fA-F]*)", re.DOTALL)
_MAX_HOST: Final = 253
#: Characters that are sent as they are; others are percent-encoded. "%" starts an encoded character.
_SAFE: Final = "!#$%&'()*+,/:;=?@[]~|"
_PLAIN_HOST: Final = r"((?:[a-z0-9][a-z0-9\-]*+\.)*+[a-z][a-z0-9\-]*+(?<!-))"
#: A URL that is already in its parsed form. Most are.
_PLAIN: Final = re.compile(
    rf"(https?)://{_PLAIN_HOST}(/(?!\.)[\w\-~!$&'()*+,;=:@]*+(?:\.[\w\-~!$&'()*+,;=:@]++|/(?!\.)[\w\-~!$&'()*+,;=:@]*+)*+)?+"
    r"(?:\?([\w\-~!$&'()*+,;=:@%./?]++))?+(?:#([\w\-~!$&'()*+,;=:@%./?]++))?+",
    re.ASCII,
)
_WEB: Final = ("http://", "https://")
_AFTER_SCHEME: Final = 8  # the second character of a host at most
_PLAIN_SITE: Final = re.compile(rf"https?://(?:www\.(?=[a-z0-9-]++\.))?+{_PLAIN_HOST}(?=[/?#]|\Z)")
_CREDENTIALS: Final = re.compile(r"\A([a-zA-Z][a-zA-Z0-9+.\-]*:)?(//)[^/?#]*@")
_PATH: Final = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.\-]*+:)?+(?://[^/?#]*+)?+([^?#]*+)")


@dataclass(frozen=True, slots=True)
class URL:
    """An absolute http or https URL in parts, each in the form in which it is compared and sent."""

    scheme: str
    host: str  # ASCII, lower case, no trailing dot; IPv6 without brackets
    port: int
    path: str = "/"
    query: str = ""
    fragment: str = ""
    userinfo: str | None = None  # never part of `url` or `str()`

    @classmethod
    def parse(cls, text: str) -> URL:
        """Parse an absolute URL.

        Raises:
            InvalidURL: it is not a URL, or its scheme is not http or https.
        """
        return _parse(text)

    @classmethod
    def try_parse(cls, text: str | None) -> URL | None:
        """Parse an absolute URL; return None if it is invalid."""
        if not text:
            return None
        try:
            return _parse(text)
        except InvalidURL:
            return None

    def join(self, reference: str) -> URL:
        """Resolve a reference, such as a Location header, against this URL.

        Raises:
            InvalidURL: the result is not an http or https URL.
        """
        return _read(reference, self)

    @property
    def authority(self) -> str:
        """Return the host, with the port if it is not the default: the value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Return scheme, host and port, to which credentials and robots.txt belong."""
        return f"{self.scheme}://{self.authority}"

    @property
    def target(self) -> str:
        """Return path and query, as sent in a request."""
        return f"{self.path}?{self.query}" if self.query else self.path

    @property
    def url(self) -> str:
        """Return the URL as text, without credentials and fragment."""
        return self.origin + self.target

    def __str__(self) -> str:
        return f"{self.url}#{self.fragment}" if self.fragment else self.url

    @property
    def credentials(self) -> tuple[str, str] | None:
        """Return the user name and password in the URL."""
        if not self.userinfo:
            return None
        name, _, password = self.userinfo.partition(":")
        return unquote(name), unquote(password)


def resolve(reference: str, base: str) -> str | None:
    """Resolve a reference against a base without parsing either; return None if that is impossible."""
    try:
        return urljoin(base, reference)
    except ValueError:  # brackets that hold no IPv6 address
        return None


def path_of(reference: str) -> str:
    """Return the path of a URL or relative reference as written."""
    match = _PATH.match(reference)
    return match[1] if match else ""


def without_credentials(text: str) -> str:
    """Return a URL of any scheme without user name and password."""
    return _CREDENTIALS.sub(r"\1\2", text) if "@" in text else text


def site_of(url: str | None) -> str:
    """Return the host of a URL without "www.", with the port if it is not the default; empty for an invalid URL."""
    if not url:
        return ""
    if url.startswith(_WEB):
        end = url.find("/", _AFTER_SCHEME)
        return _site_of_origin(url if end < 0 else url[:end])
    return _site_of(url)


@lru_cache(maxsize=4096)  # pages of a site share their origin
def _site_of_origin(origin: str) -> str:
    return _site_of(origin)


def _site_of(url: str) -> str:
    if (plain := _PLAIN_SITE.match(url)) is not None and len(plain[0]) < _MAX_HOST:
        return plain[1]
    parsed = URL.try_parse(url)
    return "" if parsed is None else without_prefixes(parsed.authority, ("www.",))


def outlet_of(url: str | None) -> str:
    """Return the site of a URL without the prefix of a mobile host; an empty string for an invalid URL."""
    return without_prefixes(site_of(url), MOBILE_PREFIXES)


def origin_of(url: str | None) -> str:
    """Return scheme, host and port of a URL; empty for an invalid URL."""
    parsed = URL.try_parse(url)
    return "" if parsed is None else parsed.origin


def without_prefixes(host: str, prefixes: tuple[str, ...]) -> str:
    """Remove prefixes from a host as long as a name with a dot remains."""
    for prefix in prefixes:
        if host.startswith(prefix) and host.count(".") > 1:
            host = host.removeprefix(prefix)
    return host


def host_name(text: str) -> str:
    """Return a host in the form of `URL.host`.

    Raises:
        InvalidURL: it is not a host.
    """
    return _host(text, text.strip())


def literal(host: str) -> IP | None:
    """Return the IP address that a `URL.host` is, or None for a name."""
    try:
        return IPv6Address(host) if ":" in host else IPv4Address(host)
    except AddressValueError:
        return None


@lru_cache(maxsize=2048)  # pace, robots.txt, client and fields parse the same URL
def _parse(text: str) -> URL:
    plain = _PLAIN.fullmatch(text)
    if plain is None or len(text) > MAX_URL or len(plain[2]) > _MAX_HOST:
        return _read(text, None)
    scheme, host, path, query, fragment = plain.groups()
    return URL(scheme, host, DEFAULT_PORTS[scheme], path or "/", query or "", fragment or "")


def _read(url: str, base: URL | None) -> URL:
    if len(url) > MAX_URL:
        raise InvalidURL(url, f"is too long: it has {len(url):,} characters, the limit is {MAX_URL:,}")
    text = _DROPPED.sub("", url.strip(_AROUND))
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise InvalidURL(url, "contains half of a surrogate pair")
    scheme = _SCHEME.match(text)
    if scheme and scheme[1].lower() not in DEFAULT_PORTS:
        name = scheme[1].lower()
        if base is None and _PORT_AFTER_NAME.match(text[scheme.end() :]):
            raise InvalidURL(url, f"has no scheme; write https://{text}")
        raise InvalidURL(url, f"is refused: only http and https URLs are fetched, not {name}:")
    if not scheme and base is None:
        raise InvalidURL(url, f"has no scheme; write https://{text.lstrip('/') or 'host/path'}")
    text = _slashes(text)
    if base is not None:
        text = resolve(text, base.url) or ""
        scheme = _SCHEME.match(text)
    if scheme is None:
        raise InvalidURL(url, "is not a valid URL")
    kind = scheme[1].lower()
    rest, _, fragment = text[scheme.end() :].lstrip("/").partition("#")
    authority = _AUTHORITY_END.split(rest, maxsplit=1)[0]
    userinfo, at, authority_host = authority.rpartition("@")
    host, port = _host_and_port(url, authority_host)
    path, _, query = rest[len(authority) :].partition("?")
    return URL(
        kind,
        host,
        port or DEFAULT_PORTS[kind],
        quote(_without_dots(path), safe=_SAFE),
        quote(query, safe=_SAFE),
        quote(fragment, safe=_SAFE),
        userinfo if at else None,
    )


def _slashes(text: str) -> str:
    """Replace backslashes before the query with slashes, as browsers do."""
    end = min((text.find(char) for char in "?#" if char in text), default=len(text))
    return text[:end].replace("\\", "/") + text[end:]


def _host_and_port(url: str, authority: str) -> tuple[str, int | None]:
    if authority.startswith("["):
        inside, closed, rest = authority[1:].partition("]")
        if not closed or (rest and not rest.startswith(":")):
            raise InvalidURL(url, "has an unclosed bracket in its host")
        host, port = f"[{inside}]", rest[1:]
    else:
        host, _, port = authority.partition(":")
    if port and not (port.isascii() and port.isdigit() and len(port) <= 5 and 0 < int(port) < 65_536):
        raise InvalidURL(url, "has an invalid port; ports are 1 to 65535")
    return _host(url, host), int(port) if port else None


def _host(url: str, host: str) -> str:
    if host.startswith("["):
        if "%" in host:
            raise InvalidURL(url, "has a zone ID in its host")
        try:
            return str(IPv6Address(host[1:-1]))
        except AddressValueError as error:
            raise InvalidURL(url, "has no valid IPv6 address in its brackets") from error
    if "%" in host:
        host = unquote(host)
    name = _ascii(url, host).lower().removesuffix(".")
    if not name or len(name) > _MAX_HOST or ".." in name or not _NAME.fullmatch(name):
        raise InvalidURL(url, "has no valid host")
    if _ENDS_IN_A_NUMBER.fullmatch(name):
        return str(_ipv4(url, name))
    return name


def _ascii(url: str, host: str) -> str:
    if host.isascii():
        return host
    if len(host) > _MAX_HOST:
        raise InvalidURL(url, "has no valid host")
    import idna  # tables of half a megabyte, for few hosts

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError:
        pass
    try:
        return host.encode("idna").decode("ascii")  # IDNA 2003 allows hosts such as ☃.net
    except UnicodeError as error:
        raise InvalidURL(url, "has invalid characters in its host") from error


def _ipv4(url: str, host: str) -> IPv4Address:
    """Read an IPv4 address in any spelling that the C library accepts (WHATWG URL, 3.5; inet_aton)."""
    parts = host.split(".")
    try:
        numbers = [_number(part) for part in parts]
    except ValueError as error:
        raise InvalidURL(url, "has a host that ends in a number and is not an IPv4 address") from error
    *first, last = numbers
    if len(numbers) > 4 or any(number > 255 for number in first) or last >= 256 ** (5 - len(numbers)):
        raise InvalidURL(url, "has a host that ends in a number and is not an IPv4 address")
    return IPv4Address(sum(number << (24 - 8 * place) for place, number in enumerate(first)) + last)


def _number(part: str) -> int:
    if len(part) > 40 or not part or not part.isascii() or "_" in part:
        raise ValueError(part)
    if part[:2] in ("0x", "0X"):
        return int(part, 0) if part[2:] else 0
    return int(part, 8) if part[0] == "0" and len(part) > 1 else int(part)


def _without_dots(path: str) -> str:
    """Resolve dot segments of a path, so that robots.txt rules are applied to the path that is requested."""
    segments: list[str] = []
    parts = path.split("/")[1:] or [""]
    for number, part in enumerate(parts):
        plain = part.lower().replace("%2e", ".") if "%" in part else part
        if plain == "..":
            del segments[-1:]
        if plain not in (".", ".."):
            segments.append(part)
        elif number == len(parts) - 1:
            segments.append("")
    return "/" + "/".join(segments)
