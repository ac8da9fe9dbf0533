"""Whose an address is, decided once for everybody.

Two questions are asked, and they have two names. `site_of`: which pages are made alike? Those of one host; a mobile
site (`m.`, `amp.`) has other templates than the one for desks, so it is a site of its own, and so is another port.
`outlet_of`: whose pages are these? There a mobile form is the same newspaper.

In both, `www.` does not count, nor do capitals, a dot at the end, user names and the usual port; names in other scripts
are as they are looked up. Without a port and without `m.` both answer what stores of version 0.1 hold.
"""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import IPv6Address
from typing import Final
from urllib.parse import SplitResult, urlsplit

USUAL_PORTS: Final = {"http": 80, "https": 443}
#: What newspapers put before the name of their host for small screens.
SMALL_SCREENS: Final = ("m.", "mobile.", "amp.", "mobil.")
_WEB: Final = ("http://", "https://")
_BEHIND_SCHEME: Final = 8  # at the second character of a host at most
#: An address whose host needs no closer look, as most have it.
_PLAIN: Final = re.compile(r"https?://(?:www\.(?=[a-z0-9-]++\.))?+([a-z0-9-]++(?:\.[a-z0-9-]++)*+)(?=[/?#]|\Z)")


def site_of(address: str | None) -> str:
    """The site that a page belongs to: its host, and its port where that is not the usual one; empty if it has none."""
    if not address:
        return ""
    if address.startswith(_WEB):
        end = address.find("/", _BEHIND_SCHEME)
        return _site_of_origin(address if end < 0 else address[:end])
    return _site_of(address)


@lru_cache(maxsize=4096)
def _site_of_origin(origin: str) -> str:
    """The pages of a site are many, and their addresses begin alike."""
    return _site_of(origin)


def _site_of(address: str) -> str:
    if (plain := _PLAIN.match(address)) is not None:
        return plain[1]
    parts = _split(address)
    return "" if parts is None else without_prefixes(_place(parts), ("www.",))


def outlet_of(address: str | None) -> str:
    """Whose page it is: as `site_of`, without what tells the site for small screens; empty if there is none."""
    return without_prefixes(site_of(address), SMALL_SCREENS)


def origin_of(address: str | None) -> str:
    """Where an address leads, before its path: scheme, host and port; empty if it is none of the web."""
    parts = _split(address or "")
    place = "" if parts is None else _place(parts)
    return f"{parts.scheme}://{place}" if parts is not None and parts.scheme in USUAL_PORTS and place else ""


def ascii_host(host: str) -> str:
    """A host in lower case, without trailing dot, international names as they are looked up; empty if it is none."""
    host = host.rstrip(".").lower()
    if ":" in host:  # in brackets nothing else can stand; what is left of others, such as `[:`, is no host
        return f"[{host}]" if _is_ipv6(host) else ""
    if "[" in host or "]" in host:  # what `http://[::]@]` leaves
        return ""
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode("ascii").rstrip(".")
    except UnicodeError:  # a label too long or with nothing in it
        return ""


def _is_ipv6(host: str) -> bool:
    try:
        IPv6Address(host)
    except ValueError:
        return False
    return True


def without_prefixes(host: str, prefixes: tuple[str, ...]) -> str:
    """A host without the first parts that do not count, as far as a name with a dot in it is left."""
    for prefix in prefixes:
        if host.startswith(prefix) and host.count(".") > 1:
            host = host.removeprefix(prefix)
    return host


def _split(address: str) -> SplitResult | None:
    try:
        return urlsplit(address)
    except ValueError:
        return None


def _place(parts: SplitResult) -> str:
    """Host and, where it is not the usual one, port."""
    host = ascii_host(parts.hostname or "")
    try:
        port = parts.port
    except ValueError:  # no number, or one that no port has
        port = None
    return f"{host}:{port}" if host and port and port != USUAL_PORTS.get(parts.scheme) else host
