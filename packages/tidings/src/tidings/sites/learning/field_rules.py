"""Rules for the metadata fields, learned by searching the values of the full extraction in each page's source.

A value is searched for in several spellings: plain, with character references, as a JSON string. Around each match, the
text left and right is a candidate for a pair of delimiters (WIEN's LR wrappers), and an element with exactly this text
is a candidate for a selector. Each candidate is tried on all pages, and the one that is right most often becomes the
rule. A value that is the same on all pages becomes a constant.
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
from tidings.fields.authors.names import names
from tidings.fields.date_parsing import parsing
from tidings.sites.extraction.compiled import cutter
from tidings.sites.extraction.cut import field_value
from tidings.sites.extraction.pieces import field_ranges
from tidings.sites.extraction.values import text_of
from tidings.sites.learning.lesson import Lesson
from tidings.sites.learning.selectors import anchors
from tidings.sites.learning.title_element import in_title_element
from tidings.sites.templates.anchor import Anchor
from tidings.sites.templates.rule import LONGEST, SEVERAL, Rule, Syntax, Way

#: Fields that may be constant on a site.
_MAY_BE_CONSTANT: Final = frozenset(("language", "site", "section"))
#: Least share of pages with the right value (of those that have one), and largest share with a wrong value.
_RIGHT: Final = 0.75
_WRONG: Final = 0.2
_PART: Final = 0.4
_PLACES: Final = 8
_MOST_TRIED: Final = 200
_BEHIND: Final = 4096
_BEFORE: Final = 240
_LONGEST_LINE: Final = 200  # of a line with a date or with author names
_KEY: Final = re.compile(rb'"[\w@:.-]{1,40}"\s*:\s*(?:\[\s*)?(?:\{[^{}\[\]]{0,120}?"name"\s*:\s*)?"$')
#: Strings that may be dates: quoted, or the short text of an element.
_DATE: Final = re.compile(rb"[\"'>]([^\"'<>]{0,60}\d[^\"'<>]{3,60})(?=[\"'<])")
_MOST_DATES: Final = 400
_LIST: Final = re.compile(rb'"[\w@:.-]{1,40}"\s*:\s*\[\s*$')


def value_rules(lessons: Sequence[Lesson], fields: Sequence[str]) -> list[Rule]:
    """Return a rule for each article field that can be learned."""
    return [_reaching(rule, lessons) for name in fields if (rule := _rule(lessons, name)) is not None]


def _reaching(rule: Rule, lessons: Sequence[Lesson]) -> Rule:
    """Return a rule that searches only the first part of a page, as far as its matches on the training pages suggest,
    so that the search for missing values is fast.
    """
    if rule.way not in (Way.ELEMENT, Way.DELIMITERS) or rule.inside is not None:
        return rule
    furthest = 0
    whole = replace(rule, attribute="")
    for lesson in lessons:
        ranges = field_ranges(cutter(whole, lesson.encoding), lesson.encoding, lesson.data)
        if ranges:
            last = ranges[-1] if rule.each else ranges[0]
            furthest = max(furthest, last[1])
    far = 2 * furthest + _BEHIND
    return replace(rule, reach=far) if furthest and far < min(len(lesson.data) for lesson in lessons) else rule


def value_in_article(article: Article, name: str) -> Any:
    """Return the value of a field in the form that rules produce."""
    value = getattr(article, name)
    return value.src if name == "image" and value is not None else value


def _rule(lessons: Sequence[Lesson], name: str) -> Rule | None:
    values = [value_in_article(lesson.article, name) for lesson in lessons]
    present = [value for value in values if value]
    if not present:
        return None
    if name in _MAY_BE_CONSTANT and len(present) == len(values) and len(set(present)) == 1:
        return Rule(name, value=str(present[0])) if len(str(present[0])) <= LONGEST else None
    if name != "title":
        return _best(lessons, name, values)
    varied = len(set(values)) >= len(values) / 2  # a value that is the same on most pages is not the headline
    return (_best(lessons, name, values) if varied else None) or in_title_element(lessons)


def _best(lessons: Sequence[Lesson], name: str, values: Sequence[Any]) -> Rule | None:
    """Return the candidate rule that yields the right value on most training pages, the first of equal ones."""
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
    """Return the number of training pages on which a rule yields the right value; 0 if the number is too small or not
    above `best`, or if wrong values are frequent.

    Args:
        rule: the candidate rule.
        lessons: the training pages.
        values: the right value for each page; empty if the page has none.
        best: the score of the best rule so far.
    """
    needed = max(_RIGHT * sum(map(bool, values)), best + 1)
    right = wrong = 0
    ready = {encoding: cutter(rule, encoding) for encoding in {lesson.encoding for lesson in lessons}}
    for remaining, lesson, value in zip(range(len(lessons), 0, -1), lessons, values, strict=True):
        if right + remaining < needed or wrong > _WRONG * len(lessons):
            return 0
        url, language = lesson.page.url or "", lesson.article.language
        compiled_rule = ready[lesson.encoding]
        value_found = field_value(
            compiled_rule,
            lesson.data,
            field_ranges(compiled_rule, lesson.encoding, lesson.data),
            lesson.encoding,
            url,
            language,
        )
        if value_found and (value_found == value or (rule.field == "title" and _is_part(value_found, value))):
            right += 1
        elif value_found:
            wrong += 1
    return right if right >= needed and wrong <= _WRONG * len(lessons) else 0


def _is_part(headline: str, value: Any) -> bool:
    """Return whether one headline is a prefix or suffix of the other, such as one without the site's name."""
    shorter, longer = sorted((headline, str(value)), key=len)
    return len(shorter) >= _PART * len(longer) and (longer.startswith(shorter) or longer.endswith(shorter))


def _candidates(lesson: Lesson, name: str, value: Any) -> Iterator[Rule]:
    data, encoding = lesson.data, lesson.encoding
    for text in value if isinstance(value, tuple) else (value,):
        for start, end in _places(data, text, encoding, lesson.article.language):
            yield from _delimiters_around(data, start, end, name, encoding)
    if name in ("title", "authors", "published", "section"):
        yield from _elements(lesson, name, value)
    if name == "published" and isinstance(value, date):
        yield Rule(name, address=True)
    if name in SEVERAL:
        yield from _lists(data, name, value, encoding)


def _places(data: bytes, value: Any, encoding: str, language: str = "") -> Iterator[tuple[int, int]]:
    """Yield the byte ranges at which a field's value occurs in the source of a page, in any spelling (HTML-escaped,
    JSON, or a date in other formats).
    """
    if isinstance(value, date):
        year = str(value.year).encode()
        count = 0
        dated = (match for match in _DATE.finditer(data) if year in match[1] or not match[1].isascii())
        for match in islice(dated, _MOST_DATES):
            if parsing.read(text_of(match[1].decode(encoding, "replace")), language) == value:
                yield match.span(1)
                count += 1
                if count >= _PLACES:
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


def _delimiters_around(data: bytes, start: int, end: int, name: str, encoding: str) -> Iterator[Rule]:
    """Yield delimiters around a range: of an attribute, a JSON string, or the text of an element."""
    before = data[max(0, start - _BEFORE) : start]
    opened, closed = before.rfind(b"<"), before.rfind(b">")
    key = _KEY.search(before)
    if key:
        yield from _pair(key[0], b'"', name, "json", encoding)
    elif opened > closed and before[-1:] in (b'"', b"'"):
        quote = before[-1:]
        close = data.find(quote, end)
        if 0 <= close <= end + LONGEST:
            yield from _pair(before[opened:], data[end : close + 1], name, "html", encoding)
    elif closed > opened >= 0:
        close = data.find(b"<", end, end + LONGEST)
        gap = before[closed + 1 :]
        if close >= 0 and len(gap) <= 60:
            ending = data.find(b">", close, close + 80)
            for right in (data[end : close + 2], data[end : ending + 1]):
                if right.strip():
                    yield from _pair(before[opened:], right, name, "html", encoding)
                    further = before.rfind(b"<", 0, opened)
                    if further >= 0:
                        yield from _pair(before[further:], right, name, "html", encoding)


def _pair(left_bytes: bytes, right_bytes: bytes, name: str, syntax: Syntax, encoding: str) -> Iterator[Rule]:
    try:
        a, b = left_bytes.decode(encoding), right_bytes.decode(encoding)
    except UnicodeDecodeError:
        return
    if a and b and len(a) <= LONGEST and len(b) <= LONGEST:
        yield Rule(name, left=a, right=b, syntax=syntax, each=name in SEVERAL)


def _lists(data: bytes, name: str, value: tuple[str, ...], encoding: str) -> Iterator[Rule]:
    """Yield rules for several values in one piece: a JSON list, or a comma-separated string."""
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
    """Yield rules for elements whose whole text is a given field value."""
    each = name in SEVERAL
    for element in _elements_with_value(lesson, value):
        own = lesson.tag(element)
        for anchor in anchors(own, lesson.start_tags[element]):
            yield Rule(name, anchor, each=each)
        if own == "h1":
            yield Rule(name, Anchor(own))
        parent = int(lesson.page.elements.parent[element])
        if parent > 0:
            for parent_anchor in anchors(lesson.tag(parent), lesson.start_tags[parent]):
                yield Rule(name, Anchor(own), parent_anchor, each=each)


def _elements_with_value(lesson: Lesson, value: Any) -> Iterator[int]:
    """Yield the elements whose text is one of some values, a date, or all of some names."""
    page = lesson.page
    values = value if isinstance(value, tuple) else (value,)
    people = isinstance(value, tuple)
    longest = _LONGEST_LINE if people or isinstance(value, date) else max(len(text) for text in values) + 2
    first, last = page.elements.first, page.elements.last
    with_text = np.flatnonzero(first < last)
    begins, ends = page.runs.text_start[first[with_text]], page.runs.text_end[last[with_text] - 1]
    short = (ends - begins <= longest) & (with_text > 0)
    for element, begin, end in zip(
        with_text[short].tolist(), begins[short].tolist(), ends[short].tolist(), strict=True
    ):
        text = " ".join(page.text[begin:end].split())
        if isinstance(value, date):
            if any(map(str.isdigit, text)) and parsing.read(text, lesson.article.language) == value:
                yield element
        elif text in values or (people and value[0] in text and names(text) == value):
            yield element
