"""The one pass over the source: from a string to tags and the pieces of text between them.

One regular expression follows the tokeniser of the HTML standard (13.2.5): comments, raw text (script, style …),
quoted attributes with `>` in them. It is our own because no DOM library keeps the offset of every tag and
every piece of text, and a regular expression is the one loop over characters that Python runs in C.
"""

from __future__ import annotations

import re
from bisect import bisect
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.page import tags
from tidings.page.tags import NUMBERS

Ints = NDArray[np.int64]
Strings = NDArray[np.object_]

# Possessive quantifiers: no backtracking, so every input takes linear time. ASCII: names and white space are.
# A quote opens a value only behind `=`; a `=` with no name before it begins a name. First what nearly all look like:
# quotes in pairs behind a name and `=`, and no other `=`, quote or `>`.
_USUAL = r"""(?:[^"'>=]*+(?<![\s/"])="[^"]*+")*+[^"'>=]*+>"""
_ATTRIBUTES = (
    r"""(?:\s++[^\s/>="'][^\s/>=]*+="[^"]*+")*+"""
    r"""(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\s>"'][^\s>]*+)?+)?+)*+"""
    r"[\s/]*+(?:>|\Z)"
)
# Inside a script, `<!--` followed by `<script` hides the next `</script>` (13.2.5.17 ff., double escaped).
_SCRIPT = (
    rf"script(?=[\s/>]){_ATTRIBUTES}[^<]*+(?:<(?!/script[\s/>])(?:!--(?!-?>)(?:(?!-->|</?script[\s/>]).)*+"
    r"(?:<script[\s/>](?:(?!-->|</script[\s/>]).)*+(?:</script[\s/>])?+)?+)?+[^<]*+)*+"
)
# The first three letters of raw text elements, each by itself: quickly told from nearly all others.
_MAY_BE_RAW: Final = "(?=[sStTiInNxX][cCtTiIeEfFoOmM][rRyYtTxXeEfFpP])"
_RAW_NAMES: Final = tuple(sorted(tags.NAMES[number] for number in tags.RAW - {NUMBERS["script"]}))


@cache
def _tag(raw_names: tuple[str, ...] = _RAW_NAMES) -> re.Pattern[str]:
    """A tag, a comment, or a raw text element up to its end tag; the second group is the name of a plain tag."""
    raw = "".join(rf"|{name}(?=[\s/>]){_ATTRIBUTES}[^<]*+(?:<(?!/{name}[\s/>])[^<]*+)*+" for name in raw_names)
    return re.compile(
        rf"""(
          <(?:
            {_MAY_BE_RAW}(?i:{_SCRIPT}{raw})
            | (/?[a-zA-Z][^\s/>]*+)(?:>|{_USUAL}|{_ATTRIBUTES})
            | !--(?:-?>|[^-]*+(?:-(?!-!?>)[^-]*+)*+(?:--!?>|\Z))
            | [!?/][^>]*+(?:>|\Z)
          )
        )""",
        re.VERBOSE | re.DOTALL | re.ASCII,
    )


#: Tags that are told apart; what stands behind them is not read, and the page is marked as cut off. Each costs some
#: hundred bytes, and 16 MB hold five million. Of 3,916 pages of news sites the largest has 22,675.
MAX_TAGS: Final = 250_000
#: Tags that are cut out at a time; one time is enough for all but one of those pages.
_TOGETHER: Final = 20_000
_RAW_NAME: Final = re.compile(r"<([a-zA-Z]+)")
# Patterns that few pages need are compiled when first used: `import tidings` is to be quick.
_ENDED: Final = r"""(?xsai)<(?:
        /?[a-z][^\s/>]*+(?:[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>"'][^\s>]*+)?+)?+)*+[\s/]*+>
        | [!?/].*
    )"""
_WITHOUT_QUOTES: Final = r"(?a)(<(?:(/?[a-zA-Z][^\s/>]*+)|[!?/])[^>]*+(?:>|\Z))"
#: How often what is behind a tag that never ends is read again: there are eight raw text elements and two quotes.
_ROUNDS: Final = 12
# In <svg> a tag can close itself, even one whose content would be raw text elsewhere.
_SELF_CLOSED_RAW: Final = r"(?i)<(?:style|script|title)(?:\s[^<>]*)?/>"
_SVG_BORDER: Final = r"(?i)</?svg(?=[\s/>])"

#: Numbers by name as it stands in a tag: negative with the slash of an end tag, 0 for no name.
_CODES: Final[dict[str, int]] = {
    "": 0,
    **{name: number for name, number in NUMBERS.items() if name},
    **{"/" + name: -number for name, number in NUMBERS.items() if name},
}


@dataclass(frozen=True, eq=False)
class Cut:
    """A source taken apart: piece 0, tag 0, piece 1, tag 1, …, piece n. Pieces are raw text, maybe empty."""

    source: str
    codes: Ints  # per tag: number of its name, negative for an end tag, 0 for comments and the like
    names: tuple[str, ...]  # tag names by number
    bounds: Ints  # 0, then where each piece and each tag ends, one behind the other
    is_short: bool = False  # the last "tag" is all the rest, behind the most tags that a page may have

    @property
    def piece_start(self) -> Ints:
        """Where each piece begins."""
        return self.bounds[0::2]

    @property
    def piece_end(self) -> Ints:
        """Where each piece ends."""
        return self.bounds[1::2]

    @property
    def tag_start(self) -> Ints:
        """Where each tag begins."""
        return self.bounds[1:-1:2]

    @property
    def tag_end(self) -> Ints:
        """Where each tag ends."""
        return self.bounds[2::2]

    def tag(self, at: int) -> str:
        """A tag as it stands in the source."""
        return self.source[self.bounds[2 * at + 1] : self.bounds[2 * at + 2]]

    def tags(self, places: Ints) -> list[str]:
        """Several tags."""
        source, starts, ends = self.source, self.tag_start[places].tolist(), self.tag_end[places].tolist()
        return [source[start:end] for start, end in zip(starts, ends, strict=True)]

    @cached_property
    def pieces(self) -> Strings:
        """The pieces of text.

        In an array and not in a list: Python's garbage collector would look at each of them, again and again.
        """
        source, starts, ends = self.source, self.piece_start.tolist(), self.piece_end.tolist()
        return np.array([source[start:end] for start, end in zip(starts, ends, strict=True)], object)


def cut(source: str) -> Cut:
    """Take the source apart into tags and the pieces of text between them."""
    parts = _split(source)
    numbers, unknown = _numbered(parts)
    nameless = [place for place in unknown if parts[3 * place + 2] is None]  # raw text, or a comment
    if any(_closes_itself(parts[3 * place + 1]) for place in nameless):
        source = blunt_foreign(source)
        parts = _split(source)
        numbers, unknown = _numbered(parts)
    if _end_what_never_ends(parts):
        numbers, unknown = _numbered(parts)
    is_short = _leave_the_rest(parts)
    if is_short:
        numbers.append(0)
    local = _Local()
    for place in unknown:
        name = parts[3 * place + 2]
        if name is None:
            raw = _RAW_NAME.match(parts[3 * place + 1])
            name = raw[1].lower() if raw else ""
            if name == "xmp":  # the one raw text that is shown: its content becomes a piece
                start, sign, parts[3 * place + 3] = parts[3 * place + 1].partition(">")
                parts[3 * place + 1] = start + sign
        numbers[place] = local[name]
    del parts[2::3]
    bounds = np.zeros(len(parts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)), out=bounds[1:])
    found = Cut(source, np.array(numbers, np.int64), tags.NAMES + tuple(local.names), bounds, is_short)
    found.__dict__["pieces"] = np.array(parts[0::2], object)
    return found


def _split(source: str) -> list[Any]:
    """Piece, tag, name, piece, …; at most so many tags as a page may have, and all the rest in the last piece."""
    together = min(_TOGETHER, MAX_TAGS)
    parts: list[Any] = _tag().split(source, together)
    if len(parts) <= 3 * together:
        return parts
    # The same spelling again and again is held once: small strings are larger than what they say.
    spelled: dict[str | None, str | None] = {}
    some, parts = parts, []
    while True:
        rest = some.pop()
        for column in (slice(1, None, 3), slice(2, None, 3)):
            some[column] = map(spelled.setdefault, some[column], some[column])
        parts += some
        if len(some) < 3 * together or len(parts) >= 3 * MAX_TAGS:
            return [*parts, rest]
        if len(spelled) > together:
            spelled.clear()
        some = _tag().split(rest, min(together, MAX_TAGS - len(parts) // 3))


def _leave_the_rest(parts: list[Any]) -> bool:
    """Behind the most tags that a page may have, make all the rest one that says nothing; whether there is a rest."""
    if len(parts) <= 3 * MAX_TAGS or (match := _tag().search(parts[-1])) is None:
        return False
    rest = parts[-1]
    parts[-1:] = [rest[: match.start()], rest[match.start() :], "", ""]
    return True


def _numbered(parts: list[Any]) -> tuple[list[Any], list[int]]:
    """The numbers of the names in piece, tag, name, piece, …, and which of them have none yet."""
    numbers = list(map(_CODES.get, parts[2::3]))
    return numbers, [place for place, number in enumerate(numbers) if number is None]


def _closes_itself(tag: str) -> bool:
    return tag.startswith("/>", tag.find(">") - 1) and re.match(_SELF_CLOSED_RAW, tag) is not None


def blunt_foreign(source: str) -> str:
    """Rename self-closed raw text tags inside <svg>, lengths kept, so that they do not swallow the page."""
    borders = [(match.start(), match[0][1] != "/") for match in re.finditer(_SVG_BORDER, source)]
    parts, done = [], 0
    for match in re.finditer(_SELF_CLOSED_RAW, source):
        start, end = match.span()
        border = bisect(borders, (start, True)) - 1
        if border >= 0 and borders[border][1]:
            parts += [source[done:start], "<x", " " * (end - start - 4), "/>"]
            done = end
    return "".join(parts) + source[done:]


def _end_what_never_ends(parts: list[Any]) -> bool:
    """End a last tag that swallows the rest of the source at its first `>`, so that the rest is kept.

    That is: an attribute whose quote is never closed, a title, textarea or frame with no end tag. A browser shows
    nothing of the rest. A comment, script or style sheet that never ends hides it here too, for what follows is most
    often code; a tag with no `>` at all was broken off. If one raw text element has no end tag in the rest, none of
    its name has, and a quote that is never closed is mostly the last of its kind: so few rounds are enough. Where they
    are not, quotes mean nothing in the rest.
    Returns whether there was something to end.
    """
    raw_names = _RAW_NAMES
    ended = False
    for left in reversed(range(_ROUNDS)):
        if len(parts) <= 3 or parts[-1]:
            break
        last, name = parts[-3], parts[-2]
        raw = _RAW_NAME.match(last) if name is None else None
        end = last.find(">") + 1
        if not end or (raw[1].lower() not in raw_names if raw else re.fullmatch(_ENDED, last)):
            break
        if raw and raw[1].lower() == "style":
            break
        if raw:
            raw_names = tuple(one for one in raw_names if one != raw[1].lower())
        rest_tag = _tag(raw_names) if left else re.compile(_WITHOUT_QUOTES)
        rest: list[Any] = rest_tag.split(last[end:], max(MAX_TAGS - len(parts) // 3, 1))
        not_raw = set(_RAW_NAMES).difference(raw_names)
        for place in range(2, len(rest), 3):  # what is not raw text any more is nothing at all
            if rest[place] and rest[place].lower().lstrip("/") in not_raw:
                rest[place] = ""
        parts[-3:] = [last[:end], name or "", *rest]
        ended = True
    return ended


class _Local(dict[str, int]):
    """Numbers of names as a page writes them; those outside the standard are given out page by page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, int] = {}

    def __missing__(self, name: str) -> int:
        lower = name.lower()
        code = _CODES.get(lower)
        if code is None:
            number = self.names.setdefault(lower.removeprefix("/"), len(tags.NAMES) + len(self.names))
            code = -number if lower.startswith("/") else number
        self[name] = code
        return code
