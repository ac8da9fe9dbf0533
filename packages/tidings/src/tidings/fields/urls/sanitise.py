r"""URL sanitising: absolute URLs with a harmless scheme and without characters that could end an attribute or a link.

Follows the WHATWG URL standard (4.4), as browsers do: white space and controls around a URL and tabs and line feeds
inside it are ignored. Attackers use this to write `java\nscript:`.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from tidings.fields.memo import memoized
from tidings.page import Page, tags
from tidings.page.columns import any_set
from tidings.text.patterns import late_pattern
from tidings.urls import URL, resolve

_BASE: Final = tags.NUMBERS["base"]
#: Characters of a base URL, at most.
LONGEST_BASE: Final = 1000
_AROUND: Final = "".join(map(chr, range(33)))
_DROPPED: Final = re.compile(r"[\t\n\r]")
_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.\-]*):")
_WEB: Final = re.compile(r"https?://[^/?#\s]", re.IGNORECASE)
_MAIL: Final = re.compile(r"mailto:[^\s]", re.IGNORECASE)
#: Fast paths: an absolute URL that needs no change, a rooted path, and the origin of a base URL.
_PLAIN: Final = re.compile(r"https?://[a-zA-Z0-9][\w\-.~:/?#@!$&'()*+,;=%]*+", re.ASCII)
_ROOTED: Final = re.compile(r"/(?:[\w\-~+,:@=&%]++[\w\-.~+,:@=&%]*+/?+)*+(?:[?#][\w\-.~+,:@=&%/]++)?+", re.ASCII)
_ORIGIN: Final = re.compile(r"(https?://[a-zA-Z0-9][a-zA-Z0-9.\-]*+)(?:/[\w\-.~+,:@=&%/?]*+)?+", re.ASCII)
#: Percent-encoded: white space, controls, lone surrogates and characters that could end an attribute or Markdown link.
_UNSAFE: Final = late_pattern(r"[\s\x00-\x20\x7f-\x9f<>\"`{}|^\\\ud800-\udfff\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def safe(address: str | None) -> str | None:
    """Return an absolute URL that is safe to show as a link, or None."""
    if not address:
        return None
    if _PLAIN.fullmatch(address):
        return address
    cleaned = _DROPPED.sub("", address.strip(_AROUND))
    if _WEB.match(cleaned):
        front, mark, query = cleaned.partition("?")
        cleaned = front.replace("\\", "/") + mark + query  # as browsers do
        if "[" in front and URL.try_parse(cleaned) is None:
            return None
    elif not _MAIL.match(cleaned):
        return None
    return _UNSAFE.sub(lambda match: quote(match[0], errors="replace"), cleaned)


def safe_picture(address: str | None) -> str | None:
    """Return an image URL that is safe to load, or None. Unlike `safe`, it rejects mail addresses."""
    cleaned = safe(address)
    return cleaned if cleaned and _WEB.match(cleaned) else None


def absolute(address: str | None, base: str) -> str | None:
    """Resolve a URL against a base and return it if it is safe to show, else None."""
    if address is None:
        return None
    if _PLAIN.fullmatch(address):
        return address
    if _ROOTED.fullmatch(address) and (origin := _ORIGIN.fullmatch(base)):
        return origin[1] + address
    if not base and ":" not in address:  # relative, and there is no base
        return None
    cleaned = _DROPPED.sub("", address.strip(_AROUND))
    if not _WEB.match(cleaned) and (not _SCHEME.match(cleaned) or cleaned.lower().startswith(("http:", "https:"))):
        return safe(resolve(cleaned, base))
    return safe(cleaned)


def usual_origin(base: str) -> str:
    """Return the origin of a base URL if it has a common form, else an empty string."""
    match = _ORIGIN.fullmatch(base)
    return match[1] if match else ""


def picture_address(address: str, base: str) -> str | None:
    """Resolve an image URL against a base and return it if it is safe to load, else None."""
    if address.startswith("data:"):  # a placeholder, thousands of characters long
        return None
    return address if _PLAIN.fullmatch(address) else safe_picture(absolute(address, base))


@memoized
def base_of(page: Page) -> str:
    """Return the URL to which the links of a page are relative; empty if it is too long.

    Every resolved link repeats the base: a `<base>` of 100 KB and 3,000 short links would become 300 MB of URLs.
    """
    own_url = page.url or ""
    if len(own_url) > LONGEST_BASE:
        own_url = own_url[: min((at for char in "?#" if (at := own_url.find(char)) >= 0), default=len(own_url))]
        own_url = own_url if len(own_url) <= LONGEST_BASE else ""
    if not any_set(page.elements.tag == _BASE):  # most pages
        return own_url
    declared = page.signals.base
    base = absolute(declared, own_url) if declared and len(declared) <= LONGEST_BASE else None
    return base if base and len(base) <= LONGEST_BASE else own_url
