"""Features of links for the article model, and the vocabulary that they need.

There are features of the URL (depth, words and digits of its last segment, dates, section words) and of the text
(length, content, agreement with the URL). They use no words of any language except those in `words.txt`, so weights
learned on mostly English links work for other languages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Final
from urllib.parse import unquote

from tidings.text import content_words, count_words, fold_case, letter_runs

#: Limit on link text, for links that contain a whole teaser.
LONGEST_TEXT: Final = 600
_MARKS: Final = " \t\n.…·•|:»›>→←«‹<[]()＞▸▶►\u200e\u200f\u00a0+-–"
_SPACELESS: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class LinkVocabulary:
    """Words by category, such as sections and services."""

    section: frozenset[str]
    story: frozenset[str]
    paid: frozenset[str]
    stranger: frozenset[str]
    more: frozenset[str]
    service: frozenset[str]


@cache
def vocabulary() -> LinkVocabulary:
    """Load the word lists."""
    by_kind: dict[str, set[str]] = {}
    for line in files(__package__).joinpath("words.txt").read_text("utf-8").splitlines():
        kind, colon, words = line.partition(": ")
        if colon and not line.startswith("#"):
            by_kind.setdefault(kind, set()).update(words.split("|"))
    service = {" ".join(content_words(phrase)) for phrase in by_kind["service"]}
    more = {fold_case(phrase).strip(_MARKS) for phrase in by_kind["more"]}
    return LinkVocabulary(
        section=frozenset(by_kind["section"]),
        story=frozenset(by_kind["story"]),
        paid=frozenset(by_kind["paid"]),
        stranger=frozenset(by_kind["stranger"]),
        more=frozenset(more),
        service=frozenset(service),
    )


def says_more(text: str) -> bool:
    """Return whether a link text is only "Read more", "Full story" or the like (LBNEST II.C.2.ii)."""
    return len(text) < 60 and fold_case(text).strip(_MARKS) in vocabulary().more


def is_silent(text: str) -> bool:
    """Return whether a link text says nothing about the target page: it has no letters, or is like "Read more"."""
    return not any(char.isalpha() for char in text) or says_more(text)


def names_a_service(words: list[str]) -> bool:
    """Return whether the first twelve words (by `content_words`) name a service."""
    service = vocabulary().service
    some = words[:12]
    if not service.isdisjoint(some):
        return True
    pairs = [f"{first} {second}" for first, second in pairwise(some)]
    return not service.isdisjoint(pairs)


def word_count(text: str) -> int:
    """Return the number of words of a link text.

    In scripts without spaces two characters count as one word, so that "four words" (LBNEST II.C.2.ii) has the same
    meaning.
    """
    count = count_words(text)
    if text.isascii() or not (spaceless := len(_SPACELESS.findall(text))):
        return count
    return max(count - spaceless, 0) + (spaceless + 1) // 2 if spaceless < count else (count + 1) // 2


def tokens(text: str) -> set[str]:
    """Return the lower-case letter and digit sequences of a text or URL slug."""
    return set(letter_runs(fold_case(text)))


_ENDING: Final = re.compile(r"\.[a-z]{3,5}\Z")
_PARTS: Final = re.compile(r"[-_,+.~ ]+")
_YEAR: Final = r"(?:19|20)\d\d"
_DAY: Final = re.compile(
    rf"/{_YEAR}/(?:\d\d?|[a-z]{{3}})/\d\d?(?:/|\Z)|/{_YEAR}[-_]?[01]\d[-_]?[0-3]\d|\b[0-3]?\d[-/][01]?\d[-/]{_YEAR}\b"
)
_MONTH: Final = re.compile(rf"/{_YEAR}/(?:\d\d?|[a-z]{{3}})(?:/|\Z)")
_ONLY_DATE: Final = re.compile(rf"/{_YEAR}(?:(?:/(?:\d\d?|[a-z]{{3}})){{0,2}}|[-_]?[01]\d[-_]?[0-3]\d)/?\Z")
_LONG_CODE: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-|(?<![a-z])[0-9a-f]{16,}(?![a-z])")
_NUMBERED: Final = re.compile(r"[-_,.](?:[a-z]{1,4})?\d{4,}\Z|\A[a-z]{0,2}\d{4,}(?:[-_,]|\Z)")
#: A last path segment that is a number with hardly any letters.
_OPAQUE: Final = re.compile(r"(?=.*\d{4})[a-z]{0,8}+-?+(?:\d++|[a-z]{1,3}+(?![a-z])|[-_,])*+")
_DIGITS: Final = re.compile(r"\d+")
_QUERY_NUMBER: Final = re.compile(
    r"(?:\A|&)(?:\w{0,15}id|p|article\w*|story\w*|news\w*|haber\w*)=\d{2,}", re.IGNORECASE
)
#: File extensions of non-pages.
FILE: Final = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|pdf|zip|mp[34]|xml|rss|json|ics|apk|exe|docx?|xlsx?|css|js)\Z")
_COMMENTS: Final = re.compile(
    r"\A\W*\d*\s*(?:comments?|kommentare?|commentaires?|comentarios?|yorum|reacties)\s*\d*\W*\Z|\A[\d.,\s]+\Z",
    re.IGNORECASE,
)
_TIME: Final = re.compile(r"\d{1,2}:\d\d")
_EMPTY_LABELS: Final = frozenset("www m mobile com co org net gov edu ac or ne".split())


def _bucket(name: str, edges: tuple[int, ...]) -> tuple[str, ...]:
    """Return a lookup table from a count to the name of its bucket feature. `edges` are the lowest counts of the
    buckets.
    """
    return tuple(f"{name} {max(edge for edge in edges if edge <= number)}" for number in range(edges[-1] + 1))


_DEPTH: Final = _bucket("depth", (0, 1, 2, 3, 4, 5))
_SLUG: Final = _bucket("words of the last part", (0, 1, 2, 3, 4, 5, 7, 9))
_SLUGS: Final = _bucket("words of the longest part", (0, 1, 2, 3, 4, 5, 7, 9))
_LENGTH: Final = _bucket("length of the last part", (0, 1, 8, 16, 24, 40, 60))
_NUMBER: Final = _bucket("digits in a row", (0, 1, 3, 4, 5, 6, 8))
_WORDS: Final = _bucket("words", (0, 1, 2, 3, 4, 5, 6, 8, 11, 16, 26))
_CHARACTERS: Final = _bucket("characters", (0, 4, 10, 16, 24, 32, 48, 80, 140))
_AGREEING: Final = _bucket("words in text and address", (0, 1, 2, 3, 4, 5))


def _of(table: tuple[str, ...], number: int) -> str:
    return table[min(number, len(table) - 1)]


@lru_cache(maxsize=1024)
def owner(host: str) -> str:
    """Return the owner's name in a host: `www.harbour-times.co.uk` → harbourtimes."""
    labels = host.partition(":")[0].split(".")[:-1] or [host]
    named = [label for label in labels if label not in _EMPTY_LABELS] or labels
    return named[-1].replace("-", "").replace("_", "")


def split(address: str) -> tuple[str, str, str]:
    """Split a canonical URL into host, decoded lower-case path, and query."""
    host, _, tail = address.partition("://")[2].partition("/")
    path, _, query = tail.partition("#")[0].partition("?")
    if "%" in path:
        path = unquote(path)
    return host, "/" + path.lower(), query


def address_marks(address: str, home: str) -> tuple[list[str], set[str]]:
    """Return the features of a link's URL, and the words of its longest path segment. `home` is the host of the front
    page.
    """
    host, path, query = split(address)
    marks = [_whose(host, home)]
    segments = [segment for segment in path.split("/") if segment]
    words = [_words(segment) for segment in segments]
    counts = [len(segment_words) for segment_words in words]
    last = segments[-1] if segments else ""
    numbered = _QUERY_NUMBER.search(query) if query else None
    if numbered or (counts and max(counts) < 3 and _OPAQUE.fullmatch(_ENDING.sub("", last))):
        # `story.php?id=1234`, `/articles/c1234`: without a slug the text has to decide.
        marks.append("opaque")
    else:
        marks.append(_of(_DEPTH, len(segments)))
        marks += (_of(_SLUG, counts[-1] if counts else 0), _of(_SLUGS, max(counts, default=0)), _of(_LENGTH, len(last)))
        if _ENDING.search(last):
            marks.append("ending")
    marks += _dates(path)
    marks += _codes(path, last)
    if query:
        marks.append("numbered query" if numbered else "query")
    marks += _words_of_path(segments, bool(numbered))
    if host.partition(".")[0] in vocabulary().section:  # shop.…, jobs.…
        marks.append("section host")
    if FILE.search(path):
        marks.append("file")
    longest = max(words, key=len, default=[])
    return marks, set(longest)


def _words_of_path(segments: list[str], numbered: bool) -> list[str]:
    """Return the features for section words, article words and words of paid content in a URL path."""
    marks = []
    words = vocabulary()
    last = segments[-1] if segments else ""
    if not words.section.isdisjoint(segments):
        marks.append("section word")
        if last in words.section:
            marks.append("section word last")
        if segments[0] in words.section:
            marks.append("section word first")
    if not words.story.isdisjoint(segments[:-1]) or (numbered and not words.story.isdisjoint(_PARTS.split(last))):
        marks.append("story word")
    if any(not words.paid.isdisjoint(_PARTS.split(segment)) for segment in segments[:-1]):
        marks.append("paid word")
    return marks


def _codes(path: str, last: str) -> list[str]:
    """Return the features for article numbers and codes in a URL path."""
    marks = [_of(_NUMBER, max(map(len, _DIGITS.findall(last)), default=0))]
    if _LONG_CODE.search(path):
        marks.append("long code")
    elif _NUMBERED.search(_ENDING.sub("", last)):
        marks.append("numbered")
    return marks


def _whose(host: str, home: str) -> str:
    if host == home:
        return "same host"
    if owner(host) == owner(home):
        return "sister host"
    return "stranger" if not vocabulary().stranger.isdisjoint(host.split(".")[:-1]) else "other host"


def _words(segment: str) -> list[str]:
    """Return the words of a path segment without numbers."""
    return [word for word in _PARTS.split(_ENDING.sub("", segment)) if word and not word.isdigit()]


def _dates(path: str) -> list[str]:
    if _DAY.search(path):
        return ["only a date"] if _ONLY_DATE.search(path) else ["day"]
    if _MONTH.search(path):
        return ["only a date"] if _ONLY_DATE.search(path) else ["month"]
    return []


def text_marks(text: str, slug: set[str]) -> list[str]:
    """Return the features of a link's text. `slug` has the words of the URL's path, which usually agree with a
    headline.
    """
    text = text[:LONGEST_TEXT]
    count = word_count(text)
    marks = [_of(_WORDS, count), _of(_CHARACTERS, len(text))]
    if not text:
        return marks
    words = content_words(text)
    slug = {word for word in slug if len(word) > 2}
    if slug:
        marks.append(_of(_AGREEING, len(slug & tokens(text))))
    if says_more(text):
        marks.append("says more")
    elif names_a_service(words):
        marks.append("service" if count <= 5 else "service in a long text")
    if _COMMENTS.match(text):
        marks.append("count of comments")
    marks += _signs(text)
    if count > 2:
        capitals = sum(run[0].isupper() for run in text.split() if run)
        share = capitals / max(len(text.split()), 1)
        marks.append("all capitals" if text.isupper() else "capitalised" if share > 0.8 else "mixed case")
    elif text.isupper():
        marks.append("short capitals")
    return marks


#: Signs anywhere in a text, and the mark of each.
_ANYWHERE: Final = (
    (re.compile("[\"“”„«»‘’']"), "quotes"),
    (re.compile("[,،]"), "comma"),
    (re.compile("[$£€]"), "money"),
    (re.compile("&"), "ampersand"),
    (re.compile("[»>→›▸]"), "arrow"),
    (re.compile(r"\d"), "digits in the text"),
)


def _signs(text: str) -> list[str]:
    marks = [mark for sign, mark in _ANYWHERE if sign.search(text)]
    last = text.rstrip("\"'”’»)")[-1:]
    if last in {"?", "!", "؟", "！", "？"}:
        marks.append("asks or calls")
    elif last == "…" or text.endswith("..."):
        marks.append("trails off")
    elif last in {".", "。"}:
        marks.append("full stop")
    if ":" in text:
        marks.append("time" if _TIME.search(text) else "colon")
    return marks
