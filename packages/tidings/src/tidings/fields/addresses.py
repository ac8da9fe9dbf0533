r"""Addresses that may be shown: absolute, of a scheme that runs nothing, with nothing in them that could break out.

Read as a browser reads them (WHATWG URL standard 4.4): white space and controls around an address and tabs and line
feeds inside it do not count, which is how `java\nscript:` is written on purpose.
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
#: An address of which nothing has to be changed, and one that is seen from such an address: most are one of these.
_PLAIN: Final = re.compile(r"https?://[a-zA-Z0-9][\w\-.~:/?#@!$&'()*+,;=%]*+", re.ASCII)
_ROOTED: Final = re.compile(r"/(?:[\w\-~+,:@=&%]++[\w\-.~+,:@=&%]*+/?+)*+(?:[?#][\w\-.~+,:@=&%/]++)?+", re.ASCII)
_ORIGIN: Final = re.compile(r"(https?://[a-zA-Z0-9][a-zA-Z0-9.\-]*+)(?:/[\w\-.~+,:@=&%/?]*+)?+", re.ASCII)
#: White space, controls, lone surrogates and what could end an attribute or a Markdown link are percent-encoded.
_UNSAFE: Final = late_pattern(r"[\s\x00-\x20\x7f-\x9f<>\"`{}|^\\\ud800-\udfff\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def safe(address: str | None) -> str | None:
    """Return an absolute address that may be shown as a link, or None."""
    if not address:
        return None
    if _PLAIN.fullmatch(address):
        return address
    found = _DROPPED.sub("", address.strip(_AROUND))
    if _WEB.match(found):
        front, mark, query = found.partition("?")
        found = front.replace("\\", "/") + mark + query  # as browsers do
        if "[" in front and URL.try_parse(found) is None:
            return None
    elif not _MAIL.match(found):
        return None
    return _UNSAFE.sub(lambda match: quote(match[0], errors="replace"), found)


def safe_picture(address: str | None) -> str | None:
    """As `safe`, for what is loaded: never a mail address."""
    found = safe(address)
    return found if found and _WEB.match(found) else None


def absolute(address: str | None, base: str) -> str | None:
    """Return the address seen from a base, if it is one that may be shown."""
    if address is None:
        return None
    if _PLAIN.fullmatch(address):
        return address
    if _ROOTED.fullmatch(address) and (origin := _ORIGIN.fullmatch(base)):
        return origin[1] + address
    if not base and ":" not in address:  # seen from nowhere it leads nowhere
        return None
    found = _DROPPED.sub("", address.strip(_AROUND))
    if not _WEB.match(found) and (not _SCHEME.match(found) or found.lower().startswith(("http:", "https:"))):
        return safe(resolve(found, base))
    return safe(found)


def usual_origin(base: str) -> str:
    """Return how addresses on the same site as a base begin, if it is as most are written; else nothing."""
    found = _ORIGIN.fullmatch(base)
    return found[1] if found else ""


def picture_address(address: str, base: str) -> str | None:
    """Return the address of a picture seen from a base, if it is one that may be loaded."""
    if address.startswith("data:"):  # a stand-in, thousands of characters long
        return None
    return address if _PLAIN.fullmatch(address) else safe_picture(absolute(address, base))


@memoized
def base_of(page: Page) -> str:
    """Return the URL to which the links of a page are relative; empty if it is too long.

    Each link repeats it: a `<base>` of 100 KB with 3,000 short links behind it would become 300 MB of URLs.
    """
    here = page.url or ""
    if len(here) > LONGEST_BASE:
        here = here[: min((at for char in "?#" if (at := here.find(char)) >= 0), default=len(here))]
        here = here if len(here) <= LONGEST_BASE else ""
    if not any_set(page.elements.tag == _BASE):  # most pages
        return here
    declared = page.signals.base
    base = absolute(declared, here) if declared and len(declared) <= LONGEST_BASE else None
    return base if base and len(base) <= LONGEST_BASE else here
