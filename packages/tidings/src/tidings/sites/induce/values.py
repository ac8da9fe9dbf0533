"""Rules for the fields: where the value that the long way found stands in the source of each page.

A value is looked for as the page may write it (as it is, with character references, as a string of JSON). Around each
place it is found at, what stands left and right of it is a candidate for a pair of delimiters (WIEN's LR wrappers), and
the element it is the whole text of a candidate for an anchor. Each candidate is tried on all pages; the one that
gives the value most often is the rule. A value that is the same on all pages needs no place.

The headline as the part of the title element that differs from page to page.

For sites that mark their headlines in no other way, or on which the long way found the same words on every page: what
all title elements begin or end with is the site's name, not the headline.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from html import escape
from itertools import islice
from typing import Any, Final

import numpy as np

from tidings.article import Article
from tidings.fields import moments
from tidings.fields.names import names
from tidings.sites.anchor import Anchor
from tidings.sites.compiled import cutter
from tidings.sites.cut import field_value
from tidings.sites.induce.markers import anchors, common_beginning
from tidings.sites.lesson import Lesson
from tidings.sites.pieces import field_ranges
from tidings.sites.rule import LONGEST, SEVERAL, Rule, Syntax, Way
from tidings.sites.values import text_of

_TITLE: Final = re.compile(r"<title\b[^>]*>[^<]*</title", re.IGNORECASE)


def in_title_element(lessons: Sequence[Lesson]) -> Rule | None:
    """Return delimiters of the headline in the title element; None if a page has no title element."""
    found = [_TITLE.search(lesson.page.source) for lesson in lessons]
    elements = [match[0] for match in found if match is not None]
    if not elements or len(elements) < len(lessons):
        return None
    if len(set(elements)) == 1:
        left, right = elements[0][: elements[0].index(">") + 1], "</"
    else:
        left = _to_border(common_beginning(elements))
        right = _to_border(common_beginning([text[::-1] for text in elements]))[::-1]
    if not left or not right or max(len(left), len(right)) > LONGEST:
        return None
    return Rule("title", left=left, right=right)


def _to_border(shared: str) -> str:
    """Return a common beginning up to where a word may begin: two headlines may begin with the same letters."""
    while shared and shared[-1].isalnum():
        shared = shared[:-1]
    return shared


#: Fields that are the same on all pages of a site, when they are.
_MAY_BE_CONSTANT: Final = frozenset(("language", "site", "section"))
#: A rule must give the value on so many of the pages that have it, and no other on so many of all.
_RIGHT: Final = 0.75
_WRONG: Final = 0.2
_PART: Final = 0.4
_PLACES: Final = 8
_MOST_TRIED: Final = 200
_BEHIND: Final = 4096
_BEFORE: Final = 240
_LONGEST_LINE: Final = 200  # with a date or with the names of authors
_KEY: Final = re.compile(rb'"[\w@:.-]{1,40}"\s*:\s*(?:\[\s*)?(?:\{[^{}\[\]]{0,120}?"name"\s*:\s*)?"$')
#: Strings that may be dates: in quotes, or the short text of an element.
_DATE: Final = re.compile(rb"[\"'>]([^\"'<>]{0,60}\d[^\"'<>]{3,60})(?=[\"'<])")
_MOST_DATES: Final = 400
_LIST: Final = re.compile(rb'"[\w@:.-]{1,40}"\s*:\s*\[\s*$')


def value_rules(lessons: Sequence[Lesson], fields: Sequence[str]) -> list[Rule]:
    """Return a rule for each field that one can be learned for."""
    return [_reaching(rule, lessons) for name in fields if (rule := _rule(lessons, name)) is not None]


def _reaching(rule: Rule, lessons: Sequence[Lesson]) -> Rule:
    """Return the rule with how far into a page it has to look: what is not there is then soon known."""
    if rule.way not in (Way.ELEMENT, Way.DELIMITERS) or rule.inside is not None:
        return rule
    furthest = 0
    whole = replace(rule, attribute="")
    for lesson in lessons:
        found = field_ranges(cutter(whole, lesson.encoding), lesson.encoding, lesson.data)
        if found:
            last = found[-1] if rule.each else found[0]
            furthest = max(furthest, last[1])
    far = 2 * furthest + _BEHIND
    return replace(rule, reach=far) if furthest and far < min(len(lesson.data) for lesson in lessons) else rule


def told(article: Article, name: str) -> Any:
    """Return the value of a field as rules give it."""
    value = getattr(article, name)
    return value.src if name == "image" and value is not None else value


def _rule(lessons: Sequence[Lesson], name: str) -> Rule | None:
    values = [told(lesson.article, name) for lesson in lessons]
    present = [value for value in values if value]
    if not present:
        return None
    if name in _MAY_BE_CONSTANT and len(present) == len(values) and len(set(present)) == 1:
        return Rule(name, value=str(present[0])) if len(str(present[0])) <= LONGEST else None
    if name != "title":
        return _best(lessons, name, values)
    varied = len(set(values)) >= len(values) / 2  # what is the same on most pages is no headline
    return (_best(lessons, name, values) if varied else None) or in_title_element(lessons)


def _best(lessons: Sequence[Lesson], name: str, values: Sequence[Any]) -> Rule | None:
    """Of the candidates of all pages the one that is right most often, of equals the first."""
    best: tuple[int, Rule | None] = (0, None)
    tried: set[Rule] = set()
    for lesson, value in zip(lessons, values, strict=True):
        for rule in _candidates(lesson, name, value) if value else ():
            if rule not in tried and len(tried) < _MOST_TRIED:
                tried.add(rule)
                score = _score(rule, lessons, values, best[0])
                best = (score, rule) if score > best[0] else best
        if best[0] >= sum(map(bool, values)):
            break
    return best[1]


def _score(rule: Rule, lessons: Sequence[Lesson], values: Sequence[Any], best: int) -> int:
    """On how many pages a rule is right; 0 if on too few, or on no more than the best yet, or if it is often wrong."""
    wanted = max(_RIGHT * sum(map(bool, values)), best + 1)
    right = wrong = 0
    ready = {encoding: cutter(rule, encoding) for encoding in {lesson.encoding for lesson in lessons}}
    for left, lesson, value in zip(range(len(lessons), 0, -1), lessons, values, strict=True):
        if right + left < wanted or wrong > _WRONG * len(lessons):
            return 0
        url, language = lesson.page.url or "", lesson.article.language
        one = ready[lesson.encoding]
        found = field_value(
            one, lesson.data, field_ranges(one, lesson.encoding, lesson.data), lesson.encoding, url, language
        )
        if found and (found == value or (rule.field == "title" and _is_part(found, value))):
            right += 1
        elif found:
            wrong += 1
    return right if right >= wanted and wrong <= _WRONG * len(lessons) else 0


def _is_part(found: str, value: Any) -> bool:
    """Return whether one headline is the other without something before or behind it, such as the name of the site."""
    shorter, longer = sorted((found, str(value)), key=len)
    return len(shorter) >= _PART * len(longer) and (longer.startswith(shorter) or longer.endswith(shorter))


def _candidates(lesson: Lesson, name: str, value: Any) -> Iterator[Rule]:
    data, encoding = lesson.data, lesson.encoding
    for text in value if isinstance(value, tuple) else (value,):
        for start, end in _places(data, text, encoding, lesson.article.language):
            yield from _around(data, start, end, name, encoding)
    if name in ("title", "authors", "published", "section"):
        yield from _elements(lesson, name, value)
    if name == "published" and isinstance(value, date):
        yield Rule(name, address=True)
    if name in SEVERAL:
        yield from _joined(data, name, value, encoding)


def _places(data: bytes, value: Any, encoding: str, language: str = "") -> Iterator[tuple[int, int]]:
    """Yield where a value stands in the source."""
    if isinstance(value, date):
        year = str(value.year).encode()
        found = 0
        dated = (match for match in _DATE.finditer(data) if year in match[1] or not match[1].isascii())
        for match in islice(dated, _MOST_DATES):
            if moments.read(text_of(match[1].decode(encoding, "replace")), language) == value:
                yield match.span(1)
                found += 1
                if found >= _PLACES:
                    return
        return
    forms = [value, escape(value, quote=True), escape(value, quote=False), json.dumps(value)[1:-1]]
    forms += [json.dumps(value, ensure_ascii=False)[1:-1], value.replace("/", "\\/"), value.replace("&", "&amp;")]
    forms += [forms[1].replace("&#x27;", "&#39;"), forms[1].replace("&#x27;", "&#039;").replace("&quot;", "&#034;")]
    if value.startswith("http"):
        forms.append("/" + value.split("/", 3)[-1])
    for form in dict.fromkeys(forms):
        raw = form.encode(encoding, "ignore")
        if len(raw) < 2:
            continue
        place = data.find(raw)
        for _ in range(_PLACES):
            if place < 0:
                break
            yield place, place + len(raw)
            place = data.find(raw, place + len(raw))


def _around(data: bytes, start: int, end: int, name: str, encoding: str) -> Iterator[Rule]:
    """Yield delimiters around a place: of an attribute, of a string of JSON, or of the text of an element."""
    before = data[max(0, start - _BEFORE) : start]
    opened, closed = before.rfind(b"<"), before.rfind(b">")
    key = _KEY.search(before)
    if key:
        yield from _pair(key[0], b'"', name, "json", encoding)
    elif opened > closed and before[-1:] in (b'"', b"'"):
        quote = before[-1:]
        behind = data.find(quote, end)
        if 0 <= behind <= end + LONGEST:
            yield from _pair(before[opened:], data[end : behind + 1], name, "html", encoding)
    elif closed > opened >= 0:
        behind = data.find(b"<", end, end + LONGEST)
        gap = before[closed + 1 :]
        if behind >= 0 and len(gap) <= 60:
            ending = data.find(b">", behind, behind + 80)
            for right in (data[end : behind + 2], data[end : ending + 1]):
                if right.strip():
                    yield from _pair(before[opened:], right, name, "html", encoding)
                    further = before.rfind(b"<", 0, opened)
                    if further >= 0:
                        yield from _pair(before[further:], right, name, "html", encoding)


def _pair(left: bytes, right: bytes, name: str, syntax: Syntax, encoding: str) -> Iterator[Rule]:
    try:
        a, b = left.decode(encoding), right.decode(encoding)
    except UnicodeDecodeError:
        return
    if a and b and len(a) <= LONGEST and len(b) <= LONGEST:
        yield Rule(name, left=a, right=b, syntax=syntax, each=name in SEVERAL)


def _joined(data: bytes, name: str, value: tuple[str, ...], encoding: str) -> Iterator[Rule]:
    """Yield several values in one piece: a list of JSON, or words with commas between them."""
    for start, _ in _places(data, value[0], encoding):
        before = data[max(0, start - _BEFORE) : start]
        opened, closed = before.rfind(b"<"), before.rfind(b">")
        if before.endswith(b'"') and (key := _LIST.search(before[:-1])):
            yield from _pair(key[0], b"]", name, "json list", encoding)
        if (key := _KEY.search(before)) is not None:
            yield from _pair(key[0], b'"', name, "json", encoding)
        elif opened > closed and before[-1:] in (b'"', b"'"):
            yield from _pair(before[opened:], before[-1:], name, "html", encoding)
        elif closed > opened >= 0 and len(before) - closed < 40:
            yield from _pair(before[opened : closed + 1], b"</", name, "html", encoding)


def _elements(lesson: Lesson, name: str, value: Any) -> Iterator[Rule]:
    """Yield elements whose whole text is the value."""
    each = name in SEVERAL
    for element in _saying(lesson, value):
        own = lesson.tag(element)
        for anchor in anchors(own, lesson.start_tags[element]):
            yield Rule(name, anchor, each=each)
        if own == "h1":
            yield Rule(name, Anchor(own))
        parent = int(lesson.page.elements.parent[element])
        if parent > 0:
            for around in anchors(lesson.tag(parent), lesson.start_tags[parent]):
                yield Rule(name, Anchor(own), around, each=each)


def _saying(lesson: Lesson, value: Any) -> Iterator[int]:
    """Yield the elements whose text is one of the values, or tells the date or all the names."""
    page = lesson.page
    wanted = value if isinstance(value, tuple) else (value,)
    people = isinstance(value, tuple)
    longest = _LONGEST_LINE if people or isinstance(value, date) else max(len(text) for text in wanted) + 2
    first, last = page.elements.first, page.elements.last
    held = np.flatnonzero(first < last)
    begins, ends = page.runs.text_start[first[held]], page.runs.text_end[last[held] - 1]
    short = (ends - begins <= longest) & (held > 0)
    for element, begin, end in zip(held[short].tolist(), begins[short].tolist(), ends[short].tolist(), strict=True):
        text = " ".join(page.text[begin:end].split())
        if isinstance(value, date):
            if any(map(str.isdigit, text)) and moments.read(text, lesson.article.language) == value:
                yield element
        elif text in wanted or (people and value[0] in text and names(text) == value):
            yield element
