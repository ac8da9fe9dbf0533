"""Canonical URLs: one spelling for each page, whichever feed it comes from (HOSTILE 21).

`canonical` returns a URL that can be fetched. It is normalised by the URL standard (case of scheme and host, default
port, trailing dot, international names, dot segments, percent-encoding), without fragment, user name and tracking
parameters (`tracking_parameters.txt`), and unwrapped from redirectors. It is idempotent.

`key` is for comparison only and ignores more: scheme, leading "www.", trailing slash, order of parameters, AMP and
mobile forms, and parameters that are mostly used for tracking.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final
from urllib.parse import parse_qsl, quote, unquote

from tidings.fields.urls.sanitise import absolute
from tidings.urls import MOBILE_PREFIXES, URL, without_prefixes

#: A URL that needs no change, the common case.
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
#: Longer URLs are rejected.
LONGEST: Final = 4000
#: Redirectors: host, beginning of the path, and the parameter with the target.
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
    """Return the canonical absolute http URL for an address and a base; None if it cannot be fetched.

    With `tracking`, tracking parameters are preserved: some pages answer 404 without them.
    """
    for _ in range(3):  # a wrapper around a wrapper
        url = _normalised(address, base, tracking)
        inner = _unwrapped(url) if url else None
        if inner is None:
            return url
        address, base = inner, ""
    return _normalised(address, base, tracking)


def _normalised(address: str | None, base: str, tracking: bool) -> str | None:
    if not address or len(address) > LONGEST:
        return None
    front, mark, query = address.partition("?")
    if _PLAIN.fullmatch(front) and _PLAIN_QUERY.fullmatch(query):
        clean_query = query if tracking else _without_tracking(query.split("&")) if mark else ""
        return f"{front}?{clean_query}" if clean_query else front
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
        resolved: list[str] = []
        segments = path.split("/")[1:]
        for segment in segments:
            if segment == "..":
                del resolved[-1:]
            elif segment != ".":
                resolved.append(segment)
        path = "/" + "/".join(resolved) + ("/" if segments[-1] in {".", ".."} and resolved else "")
    return path if path.startswith("/") else "/" + path


def _percent_query(pair: str) -> str:
    return _percent(pair, _IN_QUERY)


def _percent(text: str, allowed: str) -> str:
    """Normalise percent-encoding: upper-case digits, unreserved ASCII never encoded, other characters always."""
    if "%" in text:
        text = _HEXADECIMAL.sub(_digits, _BAD_PERCENT.sub("%25", text))
    return quote(text, safe=allowed, errors="replace")


def _digits(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return chr(code) if code in _UNRESERVED else match[0].upper()


def _unwrapped(address: str) -> str | None:
    """Return the target in the URL of a redirecting service, or None."""
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
            values = dict(parse_qsl(parts.query, max_num_fields=100)) if parts.query.count("&") < 100 else {}
            for parameter in parameters:
                if values.get(parameter, "").startswith(("http://", "https://")):
                    return values[parameter]
    if host.startswith("google.") or host.endswith(".cdn.ampproject.org"):
        copy = _AMP_COPY.match(parts.path)
        if copy:
            return f"http{'s' if copy[1] else ''}://{copy[2]}" + (f"?{parts.query}" if parts.query else "")
    return None


@cache
def _parameters() -> tuple[frozenset[str], tuple[str, ...], frozenset[str]]:
    """Return names of tracking parameters, prefixes of such names, and names that are mostly for tracking."""
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
    """Return whether a parameter (`name=value`) is for tracking."""
    name = pair.partition("=")[0].lower()
    if "%" in name:
        name = unquote(name).lower()
    names, beginnings, _ = _parameters()
    return name in names or name.startswith(beginnings)


def _mostly_tracks(pair: str) -> bool:
    name, _, value = pair.partition("=")
    return name.lower() in _parameters()[2] and _WORD.fullmatch(value) is not None


def key(address: str) -> str:
    """Return a key for comparing pages by their canonical URLs, without tracking parameters, mobile hosts and AMP
    paths. It is not a URL to fetch.
    """
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
    """Return whether a URL is that of a home page."""
    return names_a_site(key(address))


def names_a_site(url_key: str) -> bool:
    """Return whether a URL key (see `key`) is that of a home page."""
    return "/" not in url_key and "?" not in url_key and "#" not in url_key
