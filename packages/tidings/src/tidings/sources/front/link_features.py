"""What speaks for and against a link being one to a story, as named marks, and the words that tell it.

Two kinds of marks are learned from (`link_model`): of the address (depth, words and digits of its last part, dates,
words of sections) and of the text (its length, what it says, how it agrees with the address). They hold no words of any
language but those of `words.txt`, so weights learned on mostly English links serve others.
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

#: Longer than any text of a link; of a link around a whole teaser the beginning is looked at.
LONGEST_TEXT: Final = 600
_MARKS: Final = " \t\n.…·•|:»›>→←«‹<[]()＞▸▶►\u200e\u200f\u00a0+-–"
_SPACELESS: Final = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class LinkVocabulary:
    """Words by what they tell."""

    section: frozenset[str]
    story: frozenset[str]
    paid: frozenset[str]
    stranger: frozenset[str]
    more: frozenset[str]
    service: frozenset[str]


@cache
def vocabulary() -> LinkVocabulary:
    """Return the words of the data file."""
    found: dict[str, set[str]] = {}
    for line in files(__package__).joinpath("words.txt").read_text("utf-8").splitlines():
        kind, colon, words = line.partition(": ")
        if colon and not line.startswith("#"):
            found.setdefault(kind, set()).update(words.split("|"))
    service = {" ".join(content_words(phrase)) for phrase in found["service"]}
    more = {fold_case(phrase).strip(_MARKS) for phrase in found["more"]}
    return LinkVocabulary(
        section=frozenset(found["section"]),
        story=frozenset(found["story"]),
        paid=frozenset(found["paid"]),
        stranger=frozenset(found["stranger"]),
        more=frozenset(more),
        service=frozenset(service),
    )


def says_more(text: str) -> bool:
    """Return whether the text of a link only says that there is more: "Read more", "Full story" (LBNEST II.C.2.ii)."""
    return len(text) < 60 and fold_case(text).strip(_MARKS) in vocabulary().more


def is_silent(text: str) -> bool:
    """Return whether the text of a link tells nothing of where it leads."""
    return not any(one.isalpha() for one in text) or says_more(text)


def names_a_service(words: list[str]) -> bool:
    """Return whether words hold one that leads to no story. `words` as `content_words` gives them; the first twelve
    count.
    """
    service = vocabulary().service
    some = words[:12]
    if not service.isdisjoint(some):
        return True
    pairs = [f"{first} {second}" for first, second in pairwise(some)]
    return not service.isdisjoint(pairs)


def word_count(text: str) -> int:
    """Return the words of a link's text. In scripts without spaces two characters count as one word, which is what they
    mostly are: "four words" (LBNEST II.C.2.ii) means as much as elsewhere.
    """
    count = count_words(text)
    if text.isascii() or not (spaceless := len(_SPACELESS.findall(text))):
        return count
    return max(count - spaceless, 0) + (spaceless + 1) // 2 if spaceless < count else (count + 1) // 2


def tokens(text: str) -> set[str]:
    """Return words of a text and of a slug alike: letters and digits in a row, lower case."""
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
#: The last part of a path that is a number with hardly a letter.
_OPAQUE: Final = re.compile(r"(?=.*\d{4})[a-z]{0,8}+-?+(?:\d++|[a-z]{1,3}+(?![a-z])|[-_,])*+")
_DIGITS: Final = re.compile(r"\d+")
_QUERY_NUMBER: Final = re.compile(
    r"(?:\A|&)(?:\w{0,15}id|p|article\w*|story\w*|news\w*|haber\w*)=\d{2,}", re.IGNORECASE
)
#: Endings of what is no page.
FILE: Final = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|pdf|zip|mp[34]|xml|rss|json|ics|apk|exe|docx?|xlsx?|css|js)\Z")
_COMMENTS: Final = re.compile(
    r"\A\W*\d*\s*(?:comments?|kommentare?|commentaires?|comentarios?|yorum|reacties)\s*\d*\W*\Z|\A[\d.,\s]+\Z",
    re.IGNORECASE,
)
_TIME: Final = re.compile(r"\d{1,2}:\d\d")
_EMPTY_LABELS: Final = frozenset("www m mobile com co org net gov edu ac or ne".split())


def _bucket(name: str, edges: tuple[int, ...]) -> tuple[str, ...]:
    """Return a table from a number to the mark of the bucket it falls into."""
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
    """Return the name of who a host belongs to: `www.harbour-times.co.uk` → harbourtimes."""
    labels = host.partition(":")[0].split(".")[:-1] or [host]
    named = [label for label in labels if label not in _EMPTY_LABELS] or labels
    return named[-1].replace("-", "").replace("_", "")


def split(address: str) -> tuple[str, str, str]:
    """Return host, path and query of a canonical address; the path decoded, in lower case."""
    host, _, tail = address.partition("://")[2].partition("/")
    path, _, query = tail.partition("#")[0].partition("?")
    if "%" in path:
        path = unquote(path)
    return host, "/" + path.lower(), query


def address_marks(address: str, home: str) -> tuple[list[str], set[str]]:
    """Return the marks of a canonical address seen from the host of the front page, and the words of its longest
    part.
    """
    host, path, query = split(address)
    found = [_whose(host, home)]
    segments = [segment for segment in path.split("/") if segment]
    words = [_words(segment) for segment in segments]
    counts = [len(one) for one in words]
    last = segments[-1] if segments else ""
    numbered = _QUERY_NUMBER.search(query) if query else None
    if numbered or (counts and max(counts) < 3 and _OPAQUE.fullmatch(_ENDING.sub("", last))):
        # `story.php?id=1234`, `/articles/c1234`: there is no slug to judge by, so the text has to tell.
        found.append("opaque")
    else:
        found.append(_of(_DEPTH, len(segments)))
        found += (_of(_SLUG, counts[-1] if counts else 0), _of(_SLUGS, max(counts, default=0)), _of(_LENGTH, len(last)))
        if _ENDING.search(last):
            found.append("ending")
    found += _dates(path)
    found += _codes(path, last)
    if query:
        found.append("numbered query" if numbered else "query")
    found += _words_of_path(segments, bool(numbered))
    if host.partition(".")[0] in vocabulary().section:  # shop.…, jobs.…
        found.append("section host")
    if FILE.search(path):
        found.append("file")
    longest = max(words, key=len, default=[])
    return found, set(longest)


def _words_of_path(segments: list[str], numbered: bool) -> list[str]:
    """Return words of sections, of stories and of what is paid for."""
    found = []
    known = vocabulary()
    last = segments[-1] if segments else ""
    if not known.section.isdisjoint(segments):
        found.append("section word")
        if last in known.section:
            found.append("section word last")
        if segments[0] in known.section:
            found.append("section word first")
    if not known.story.isdisjoint(segments[:-1]) or (numbered and not known.story.isdisjoint(_PARTS.split(last))):
        found.append("story word")
    if any(not known.paid.isdisjoint(_PARTS.split(segment)) for segment in segments[:-1]):
        found.append("paid word")
    return found


def _codes(path: str, last: str) -> list[str]:
    """Return numbers and codes that systems give to stories."""
    found = [_of(_NUMBER, max(map(len, _DIGITS.findall(last)), default=0))]
    if _LONG_CODE.search(path):
        found.append("long code")
    elif _NUMBERED.search(_ENDING.sub("", last)):
        found.append("numbered")
    return found


def _whose(host: str, home: str) -> str:
    if host == home:
        return "same host"
    if owner(host) == owner(home):
        return "sister host"
    return "stranger" if not vocabulary().stranger.isdisjoint(host.split(".")[:-1]) else "other host"


def _words(segment: str) -> list[str]:
    """Return the words of a part of a path, numbers left out."""
    return [word for word in _PARTS.split(_ENDING.sub("", segment)) if word and not word.isdigit()]


def _dates(path: str) -> list[str]:
    if _DAY.search(path):
        return ["only a date"] if _ONLY_DATE.search(path) else ["day"]
    if _MONTH.search(path):
        return ["only a date"] if _ONLY_DATE.search(path) else ["month"]
    return []


def text_marks(text: str, slug: set[str]) -> list[str]:
    """Return the marks of a link's text, its words compared with those of the address."""
    text = text[:LONGEST_TEXT]
    count = word_count(text)
    found = [_of(_WORDS, count), _of(_CHARACTERS, len(text))]
    if not text:
        return found
    words = content_words(text)
    slug = {word for word in slug if len(word) > 2}
    if slug:
        found.append(_of(_AGREEING, len(slug & tokens(text))))
    if says_more(text):
        found.append("says more")
    elif names_a_service(words):
        found.append("service" if count <= 5 else "service in a long text")
    if _COMMENTS.match(text):
        found.append("count of comments")
    found += _signs(text)
    if count > 2:
        capitals = sum(run[0].isupper() for run in text.split() if run)
        share = capitals / max(len(text.split()), 1)
        found.append("all capitals" if text.isupper() else "capitalised" if share > 0.8 else "mixed case")
    elif text.isupper():
        found.append("short capitals")
    return found


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
    found = [mark for sign, mark in _ANYWHERE if sign.search(text)]
    last = text.rstrip("\"'”’»)")[-1:]
    if last in {"?", "!", "؟", "！", "？"}:
        found.append("asks or calls")
    elif last == "…" or text.endswith("..."):
        found.append("trails off")
    elif last in {".", "。"}:
        found.append("full stop")
    if ":" in text:
        found.append("time" if _TIME.search(text) else "colon")
    return found
