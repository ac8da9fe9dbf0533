"""How an input is made: samples bent by structure (tags, attributes, lines, JSON values, numbers) and by bytes."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

Growth = tuple[tuple[int, float], ...]
#: Sizes that a repetition may grow an input to, and how often: most cases are small, few reach a megabyte.
_GROWTH: Final[Growth] = ((24_000, 0.93), (128_000, 0.99), (1_000_000, 1.0))

_TAG: Final = re.compile(rb"<[^<>]{0,300}>")
_NAME: Final = re.compile(rb"</?([A-Za-z][\w:.-]*)")
_ATTRIBUTE: Final = re.compile(
    rb"""(?<![\w:-])([\w:-]++)\s*+=\s*+("[^"<>]*+"|'[^'<>]*+')"""
)  # linear in any run of letters
_NUMBER: Final = re.compile(rb"-?\d+(?:\.\d+)?")
_CHARSET: Final = re.compile(rb"(?i)(charset|encoding)(\s*=\s*[\"']?)[\w-]+")

NUMBERS: Final = (
    *(b"0", b"-1", b"1", b"0.5", b"-0", b"1e999", b"-1e999", b"NaN", b"Infinity", b"1e-999", b"2147483648"),
    *(b"9223372036854775808", b"18446744073709551616", b"1" * 400, b"1" * 5000, b"0x7f", b"1_000", "٣".encode()),
)
#: Characters that are none, that combine, turn, hide, or stand outside the basic plane.
LETTERS: Final = (
    *(b"\x00", b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xc0\xaf", b"\x80"),
    *(b"\xf4\x90\x80\x80", b"\x1b[2J", b"\x0b", b"\x0c", b"\x85", "\u2028\u2029".encode(), "\u202e".encode()),
    *("\u200b\u200d\ufeff".encode(), "e\u0301\u0301\u0301".encode(), "\U0001f9ad\U000e0041".encode()),
    *("ιού έως εις".encode(), "İIıi ǅ ß ﬃ".encode(), "漢字かな".encode(), "العربية\u0640".encode(), "\uffff".encode()),
)
REFERENCES: Final = (
    *(b"&#1114112;", b"&#xd800;", b"&#xD83E;&#xDDAD;", b"&#0;", b"&#x80;", b"&#99999999999999999999;", b"&#x;"),
    *(
        b"&#;",
        b"&#-1;",
        b"&amp;amp;",
        b"&lt",
        b"&nbsp",
        b"&unknown;",
        b"&" + b"a" * 300 + b";",
        b"&notit;",
        b"&#x0000041;",
    ),
)
HTML: Final = tuple(
    "div p span a b i em table tr td th tbody ul ol li dl dt dd h1 h2 h3 article section main header footer nav aside "
    "figure figcaption picture img video audio source iframe object embed svg math foreignObject annotation-xml style "
    "script noscript template textarea title select option button form input label pre code blockquote br hr ruby rt "
    "details summary dialog frameset frame plaintext xmp listing center font base meta link html head body time "
    "custom-tag".split()
)
ATTRIBUTES: Final = tuple(
    "class id style hidden aria-hidden href src srcset alt title lang dir rel itemprop itemscope itemtype datetime "
    "content name property http-equiv colspan rowspan width height start value type open role charset".split()
)
VALUES: Final = (
    *("display:none", "display:/**/none", "opacity:.0", "font:0/0 a", "position:absolute;left:-9999px", "story body"),
    *("hidden", "sr-only", "headline", "2024-02-30T25:61:00+99:00", "1402/12/30", "javascript:alert(1)", "http://[::1"),
    *("//", "http://a.example:99999/", "data:text/html,x", "article-body", "byline author", "x" * 3000, "", "0", "-1"),
    *("99999999", "1e999", "text/html; charset=utf-7", "0;url=http://b.example/", "application/ld+json", "ltr", "NaN"),
    *("datePublished", "https://schema.org/NewsArticle", "a b c " * 50, "\u202ertl", "&quot;&#0;&lt;", "<", "'", '"'),
)
ENCODINGS: Final = (
    *("utf-16", "utf-16-le", "utf-32", "utf-7", "latin-1", "cp1252", "cp1254", "cp1256", "shift_jis", "euc-jp"),
    *("gb18030", "big5", "koi8-r", "iso2022_jp", "utf-8-sig", "unicode_escape", "hz", "cp037", "punycode"),
)
TEXTS: Final = (
    *(
        "Seals",
        "the estuary",
        "ιού",
        "غازیته",
        "狸",
        "Kıyı",
        "naïve",
        "ﷺ",
        "word " * 40,
        "x" * 400,
        ".",
        "—",
        "“",
        "5 March 2024",
    ),
    *(
        "By Ann Example",
        "03/04/05",
        "1404-12-30",
        "Comments",
        "said on March 4, 2013:",
        "read more",
        "\t\n",
        "\u00ad",
        "©",
    ),
)


def mutated(rng: Random, samples: Sequence[bytes], tokens: Sequence[bytes] = (), growth: Growth = _GROWTH) -> bytes:
    """A sample after one to six changes. In one of three only such as keep its structure: the rest is read further."""
    changes = _GENTLE if rng.random() < 0.35 else _CHANGES
    data = rng.choice(samples)
    chance = rng.random()
    largest = next(size for size, share in growth if chance <= share)
    chosen = [rng.choice(changes) for _ in range(rng.choice((1, 1, 2, 2, 3, 4, 6)))]
    if largest > _GROWTH[0][0]:
        chosen.append(rng.choice((_repeat, _repeat, _nest)))  # those are meant to be large
    for change in chosen:
        data = change(rng, data, samples, tokens, largest) or b" "
        if len(data) > largest:
            data = data[: max(largest, len(samples[0]))]
    return data


def composed(rng: Random, tokens: Sequence[bytes], most: int = 24) -> bytes:
    """Tokens of a small language in any order: for queries, expressions, addresses and the like."""
    parts = []
    for _ in range(rng.randint(1, most)):
        chance = rng.random()
        pool: Sequence[bytes] = tokens if chance < 0.8 else NUMBERS if chance < 0.9 else LETTERS
        parts.append(rng.choice(pool))
    return rng.choice((b"", b"", b" ")).join(parts)


def soup(rng: Random, most: int = 120) -> bytes:
    """A page that nobody would write: tags, attributes and texts in any order, few of them closed."""
    parts = []
    for _ in range(rng.randint(1, most)):
        chance = rng.random()
        if chance < 0.45:
            parts.append(_start(rng))
        elif chance < 0.6:
            parts.append(f"</{rng.choice(HTML)}>".encode())
        elif chance < 0.92:
            parts.append(rng.choice(TEXTS).encode())
        elif chance < 0.96:
            parts.append(
                rng.choice((b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<!DOCTYPE x [", b"<?xml ", b"<", b"</", b"&"))
            )
        else:
            parts.append(rng.choice((*REFERENCES, *LETTERS)))
    return b"".join(parts)


def _start(rng: Random) -> bytes:
    quotes = ('"', "'", "")
    told = "".join(
        f" {rng.choice(ATTRIBUTES)}={rng.choice(quotes)}{rng.choice(VALUES)}{rng.choice(quotes)}"
        for _ in range(rng.choice((0, 0, 1, 2)))
    )
    return f"<{rng.choice(HTML)}{told}>".encode()


# Each change takes the random numbers, the input, the samples, the tokens and the largest size; it gives the new input.
Change = Callable[[Random, bytes, Sequence[bytes], Sequence[bytes], int], bytes]


def _range(rng: Random, data: bytes) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + int(2 ** rng.uniform(0, 12)))


def _at(data: bytes, start: int, end: int, new: bytes) -> bytes:
    return data[:start] + new + data[end:]


def _noise(rng: Random, data: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes], _largest: int) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 2, 8, 64))):
        if changed:
            changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _insert(rng: Random, data: bytes, _samples: Sequence[bytes], tokens: Sequence[bytes], _largest: int) -> bytes:
    for _ in range(rng.choice((1, 1, 3, 12))):
        pool = rng.choice((tokens or LETTERS, LETTERS, REFERENCES, NUMBERS))
        at = rng.randrange(len(data) + 1)
        data = _at(data, at, at, rng.choice(pool))
    return data


def _remove(rng: Random, data: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes], _largest: int) -> bytes:
    return _at(data, *_range(rng, data), b"")


def _cut_off(rng: Random, data: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes], _largest: int) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] if rng.random() < 0.8 else data[at:]


def _splice(rng: Random, data: bytes, samples: Sequence[bytes], _tokens: Sequence[bytes], _largest: int) -> bytes:
    other = rng.choice(samples)
    start, end = _range(rng, other)
    at = rng.randrange(len(data) + 1)
    return _at(data, at, at, other[start:end])


def _repeat(rng: Random, data: bytes, _samples: Sequence[bytes], tokens: Sequence[bytes], largest: int) -> bytes:
    start, end = _range(rng, data)
    piece = data[start:end]
    tags = list(_TAG.finditer(data))
    if tags and rng.random() < 0.6:  # whole tags, with what stands between them
        first = rng.randrange(len(tags))
        last = min(len(tags) - 1, first + rng.choice((0, 1, 2, 5)))
        piece = data[tags[first].start() : tags[last].end()]
    elif tokens and rng.random() < 0.3:
        piece = rng.choice(tokens)
    room = max(0, largest - len(data)) // max(1, len(piece))
    return _at(data, start, start, piece * int(room ** _share(rng, largest)))


def _share(rng: Random, largest: int) -> float:
    """The exponent of how often: anything from once to as often as there is room for."""
    return rng.uniform(0.8, 1.0) if largest > _GROWTH[0][0] else rng.random()


def _nest(rng: Random, data: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes], largest: int) -> bytes:
    names = _NAME.findall(data) or [name.encode() for name in HTML]
    name = rng.choice(names)
    open_, close = rng.choice(((b"<%b>" % name, b"</%b>" % name), (b"[", b"]"), (b'{"a":', b"}"), (b"(", b")")))
    times = int(max(1, largest // (2 * len(open_))) ** _share(rng, largest))
    start, end = _range(rng, data)
    return _at(data, start, end, open_ * times + data[start:end] + close * rng.choice((times, times, 0, times // 2)))


def _tags(rng: Random, data: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes], _largest: int) -> bytes:
    tags = list(_TAG.finditer(data))
    if not tags:
        return data
    one, other = rng.choice(tags), rng.choice(tags)
    act = rng.randrange(4)
    if act == 0:
        return _at(data, *one.span(), b"")
    if act == 1:
        return _at(data, *one.span(), other[0])
    if act == 2:
        at = rng.choice(tags).end()
        return _at(data, at, at, data[min(one.start(), other.start()) : max(one.end(), other.end())][:20_000])
    name = _NAME.match(one[0])
    return _at(data, *one.span(), one[0].replace(name[1], rng.choice(HTML).encode(), 1)) if name else data


def _attributes(rng: Random, data: bytes, _samples: Sequence[bytes], tokens: Sequence[bytes], _largest: int) -> bytes:
    found = list(_ATTRIBUTE.finditer(data))
    if not found:
        return data
    for one in sorted(rng.sample(found, min(len(found), rng.choice((1, 2, 8)))), key=lambda one: -one.start()):
        value = rng.choice((rng.choice(VALUES).encode(), rng.choice(tokens or NUMBERS), rng.choice(REFERENCES)))
        name = one[1] if rng.random() < 0.7 else rng.choice(ATTRIBUTES).encode()
        data = _at(data, *one.span(), b'%b="%b"' % (name, value))
    return data


def _numbers(rng: Random, data: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes], _largest: int) -> bytes:
    found = list(_NUMBER.finditer(data))
    if not found:
        return data
    for one in sorted(rng.sample(found, min(len(found), rng.choice((1, 2, 6)))), key=lambda one: -one.start()):
        data = _at(data, *one.span(), rng.choice(NUMBERS))
    return data


def _lines(rng: Random, data: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes], _largest: int) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) < 2:
        return data
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    act = rng.randrange(3)
    if act == 0:
        del lines[one]
    elif act == 1:
        lines[one], lines[other] = lines[other], lines[one]
    else:
        lines.insert(one, lines[other])
    return b"".join(lines)


def _json(rng: Random, data: bytes, samples: Sequence[bytes], tokens: Sequence[bytes], largest: int) -> bytes:
    """One value of a JSON text changed into one of another type; what is no JSON has its lines changed."""
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return _lines(rng, data, samples, tokens, largest)
    places = list(_places(tree))
    if not places:
        return data
    odd: tuple[Any, ...] = (
        None,
        True,
        -1,
        0.5,
        10**30,
        float("nan"),
        float("inf"),
        "",
        "x",
        "\ud800",
        [],
        {},
        [[]],
        {"a": 1},
    )
    holder, at = rng.choice(places)
    if rng.random() < 0.15:
        del holder[at]
    else:
        holder[at] = rng.choice((*odd, tree if len(data) < 4000 else None))
    try:
        return json.dumps(tree, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    except ValueError:  # the tree now holds itself
        holder[at] = 0
        return json.dumps(tree).encode()


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """Every place of a JSON value in its list or object."""
    places: list[tuple[Any, Any]] = []
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        keys = range(len(one)) if isinstance(one, list) else list(one) if isinstance(one, dict) else ()
        for key in keys:
            places.append((one, key))
            waiting.append(one[key])
    return places


def _recode(rng: Random, data: bytes, _samples: Sequence[bytes], _tokens: Sequence[bytes], _largest: int) -> bytes:
    """Another encoding, with or without saying so; half of it in another one; packed."""
    if rng.random() < 0.1:
        return gzip.compress(data[:200_000], 1, mtime=0)
    encoding = rng.choice(ENCODINGS)
    if rng.random() < 0.4:
        return _CHARSET.sub(rb"\1\2" + encoding.encode(), data, count=2)
    text = data.decode("utf-8", "replace")
    at = rng.choice((0, 0, len(text) // 2))
    if encoding == "punycode":
        text = text[:2000]  # its codec takes quadratic time
    return text[:at].encode() + text[at:].encode(encoding, "ignore")


_CHANGES: Final[tuple[Change, ...]] = (
    *(_noise, _insert, _insert, _remove, _cut_off, _splice, _repeat, _nest),
    *(_tags, _tags, _attributes, _attributes, _numbers, _lines, _json, _json, _recode),
)
_GENTLE: Final[tuple[Change, ...]] = (_attributes, _numbers, _json, _json, _lines, _tags)
