"""One spelling for each address: what a page is known by, whichever feed it came from (HOSTILE 21).

`canonical` gives an address that can be fetched: as the URL standard normalises it (case of scheme and host, default
port, trailing dot, international names, dot segments, percent-encoding), without fragment, user name and parameters
that only say where a reader came from (`tracking_parameters.txt`), and taken out of wrappers that redirect to it. It is
a fixed point: the canonical form of a canonical address is itself.

`key` is for comparing only, and goes further: neither scheme, `www.`, closing slash, order of parameters, AMP and
mobile forms, nor parameters that mostly track, count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final
from urllib.parse import parse_qsl, quote, unquote

from tidings.fields.addresses import absolute
from tidings.urls import MOBILE_PREFIXES, URL, without_prefixes

#: An address of which nothing has to be changed; most are such.
_PLAIN: Final = re.compile(
    r"https?://[a-z0-9](?:[a-z0-9\-]*+\.)+[a-z0-9\-]*[a-z0-9](?:/(?!\.)[\w~\-]*+(?:[.](?!\.|/|\Z)[\w~\-]*+)*+)++",
    re.ASCII,
)
_PLAIN_QUERY: Final = re.compile(r"[\w=&\-.~]*+", re.ASCII)
_HEXADECIMAL: Final = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_BAD_PERCENT: Final = re.compile(r"%(?![0-9a-fA-F]{2})")
_IN_PATH: Final = "/:@!$&'()*+,;=%~"
_IN_QUERY: Final = _IN_PATH + "?[]|"
#: Longer addresses lead nowhere, and cost time.
LONGEST: Final = 4000
#: Addresses that only redirect: host, beginning of the path, the parameter with the target.
_WRAPPERS: Final = (
    ("google.", "/url", ("url", "q")),
    ("news.google.", "/news/url", ("url",)),
    ("l.facebook.com", "/l.php", ("u",)),
    ("lm.facebook.com", "/l.php", ("u",)),
    ("out.reddit.com", "/", ("url",)),
    ("bing.com", "/news/apiclick.aspx", ("url",)),
    ("getpocket.com", "/redirect", ("url",)),
    ("flipboard.com", "/redirect", ("url",)),
)
_MAY_WRAP: Final = re.compile(
    r"//[\w.\-]*(?:google\.|facebook\.|reddit\.|bing\.|getpocket\.|flipboard\.|ampproject\.)", re.ASCII
)
#: Google's copies of AMP pages: `…google.com/amp/s/host/path`, `…cdn.ampproject.org/c/s/host/path`.
_AMP_COPY: Final = re.compile(r"/(?:amp|[cvi])/(s/)?([\w.\-]+\.[a-z]{2,}/.*+)", re.ASCII)
_AMP_PATH: Final = re.compile(r"(?:/amp(?:/|\.html)?|\.amp(?:\.html)?|/amp-?\d*\.html)\Z|\A/amp(?=/)|(?<=-)amp\.html\Z")
_MOBILE_HOSTS: Final = ("www.", *MOBILE_PREFIXES)
_WORD: Final = re.compile(r"[A-Za-z_\-.+ ]*")


def canonical(address: str | None, base: str = "", *, tracking: bool = False) -> str | None:
    """Return an absolute http address in its one spelling, seen from a base; None if it is none that can be fetched.

    With `tracking` its tracking parameters stay: some pages answer 404 without them.
    """
    for _ in range(3):  # a wrapper around a wrapper
        found = _normalised(address, base, tracking)
        inner = _unwrapped(found) if found else None
        if inner is None:
            return found
        address, base = inner, ""
    return _normalised(address, base, tracking)


def _normalised(address: str | None, base: str, tracking: bool) -> str | None:
    if not address or len(address) > LONGEST:
        return None
    front, mark, query = address.partition("?")
    if _PLAIN.fullmatch(front) and _PLAIN_QUERY.fullmatch(query):
        kept = query if tracking else _without_tracking(query.split("&")) if mark else ""
        return f"{front}?{kept}" if kept else front
    whole = absolute(address, base)
    if not whole or len(whole) > LONGEST:
        return None
    url = URL.try_parse(whole)
    if url is None:
        return None
    pairs = map(_percent_query, url.query.split("&"))
    query = "&".join(filter(None, pairs)) if tracking else _without_tracking(pairs)
    fragment = "#" + _percent_query(url.fragment) if url.fragment.startswith("!") else ""
    return url.origin + _path(url.path) + (f"?{query}" if query else "") + fragment


def _without_tracking(pairs: Iterable[str]) -> str:
    return "&".join(pair for pair in pairs if pair and not is_tracking(pair))


def _path(path: str) -> str:
    path = _percent(path, _IN_PATH)
    if "/." in path:
        kept: list[str] = []
        segments = path.split("/")[1:]
        for segment in segments:
            if segment == "..":
                del kept[-1:]
            elif segment != ".":
                kept.append(segment)
        path = "/" + "/".join(kept) + ("/" if segments[-1] in {".", ".."} and kept else "")
    return path if path.startswith("/") else "/" + path


def _percent_query(pair: str) -> str:
    return _percent(pair, _IN_QUERY)


def _percent(text: str, allowed: str) -> str:
    """Return percent-encoding in its one spelling: capital digits; ASCII letters and digits never encoded, others
    always.
    """
    if "%" in text:
        text = _HEXADECIMAL.sub(_digits, _BAD_PERCENT.sub("%25", text))
    return quote(text, safe=allowed, errors="replace")


def _digits(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return chr(code) if code in _UNRESERVED else match[0].upper()


def _unwrapped(address: str) -> str | None:
    """What a redirecting address leads to."""
    if not _MAY_WRAP.search(address):
        return None
    parts = URL.try_parse(address)
    if parts is None:
        return None
    host = parts.host.removeprefix("www.")
    for name, path, parameters in _WRAPPERS:
        if host.startswith(name) if name[-1] == "." else host == name:
            if not parts.path.startswith(path):
                continue
            given = dict(parse_qsl(parts.query, max_num_fields=100)) if parts.query.count("&") < 100 else {}
            for parameter in parameters:
                if given.get(parameter, "").startswith(("http://", "https://")):
                    return given[parameter]
    if host.startswith("google.") or host.endswith(".cdn.ampproject.org"):
        copy = _AMP_COPY.match(parts.path)
        if copy:
            return f"http{'s' if copy[1] else ''}://{copy[2]}" + (f"?{parts.query}" if parts.query else "")
    return None


@cache
def _parameters() -> tuple[frozenset[str], tuple[str, ...], frozenset[str]]:
    """Return names that track, beginnings of such names, and names that mostly do."""
    names, beginnings, weak = set(), [], set()
    for line in files(__package__).joinpath("tracking_parameters.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            if line.startswith("weak "):
                weak.add(line[5:])
            elif line.endswith("*"):
                beginnings.append(line[:-1])
            else:
                names.add(line)
    return frozenset(names), tuple(beginnings), frozenset(weak)


def is_tracking(pair: str) -> bool:
    """Return whether a parameter (`name=value`) only says where a reader came from."""
    name = pair.partition("=")[0].lower()
    if "%" in name:
        name = unquote(name).lower()
    names, beginnings, _ = _parameters()
    return name in names or name.startswith(beginnings)


def _mostly_tracks(pair: str) -> bool:
    name, _, value = pair.partition("=")
    return name.lower() in _parameters()[2] and _WORD.fullmatch(value) is not None


def key(address: str) -> str:
    """What two addresses of one page have in common. For comparing, not for fetching; takes a canonical address."""
    parts = URL.try_parse(address)
    if parts is None:
        return address
    host = without_prefixes(parts.authority, _MOBILE_HOSTS)
    path = _AMP_PATH.sub("", parts.path) if "amp" in parts.path else parts.path
    pairs = sorted(
        pair
        for pair in parts.query.split("&")
        if pair and not is_tracking(pair) and not _mostly_tracks(pair) and pair != "amp=1"
    )
    fragment = "#" + parts.fragment if parts.fragment.startswith("!") else ""
    return host + path.rstrip("/") + ("?" + "&".join(pairs) if pairs else "") + fragment


def is_home(address: str) -> bool:
    """Return whether an address names a site and no page of it."""
    return names_a_site(key(address))


def names_a_site(found: str) -> bool:
    """Return whether a key is that of a home page."""
    return "/" not in found and "?" not in found and "#" not in found
