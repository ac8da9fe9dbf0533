"""What speaks for and against a candidate being the headline, as named numbers.

The features are of four kinds: who says so, alone and together; how the text lies to the title element and to the other
candidates; what is known of the site's name; and where the heading stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tidings.fields.declared import declared, types
from tidings.fields.keys import key, squashed
from tidings.fields.site_names import site_names
from tidings.fields.title_candidates import Candidate
from tidings.page import Page, Spans, tags

_DECLARED: Final = frozenset({"og", "twitter", "ld", "meta", "ld name"})
_WITH_NEWS: Final = {one: f"news {one}" for one in ("h1", "og", "ld", "twitter", "title front")}
_AROUND: Final = tags.numbers("nav aside footer header")
_WORD: Final = re.compile(r"\w+")
#: A heading so near to the beginning of the content is next to it.
_NEXT_TO: Final = 500
#: A name of so few letters may be a part of any word.
_SHORT: Final = 3

Features = dict[str, float]


def features(page: Page, candidates: Sequence[Candidate], content: Spans | None) -> list[Features]:
    """For each candidate the features that are not 0."""
    names = site_names(page)
    long_names = tuple([name for name in names if len(name) > _SHORT])
    title = key(page.signals.title)
    title_words = set(_WORD.findall(title))
    news = any(kind.endswith("NewsArticle") for kind in types(declared(page).story))
    keys = [key(one.text) for one in candidates]
    agreed: dict[str, dict[str, None]] = {}
    for same, one in zip(keys, candidates, strict=True):
        agreed.setdefault(same, {}).update(dict.fromkeys(one.by))
    rows: list[Features] = []
    for one, same in zip(candidates, keys, strict=True):
        row = dict.fromkeys(one.by, 1.0)
        _of_agreement(row, one, agreed[same], news=news)
        _of_words(row, same, title, title_words)
        _of_others(row, same, agreed)
        _of_site(row, one, names, long_names)
        rows.append(row)
    _of_headings(rows, candidates)
    _of_places(rows, page, candidates, content)
    return rows


def _of_agreement(row: Features, one: Candidate, agreed: dict[str, None], *, news: bool) -> None:
    declared = sum(source in _DECLARED for source in agreed)
    row["sources"] = len(one.by) / 4
    row["loose sources"] = len(agreed) / 4
    row["declared sources"] = declared / 2
    if len(one.by) == 1:
        row["alone"] = 1.0
    if declared and "h1" in agreed:
        row["h1 agrees"] = 1.0
    if not declared and "h1" in one.by:
        row["h1 not declared"] = 1.0
    if news:
        row.update({_WITH_NEWS[source]: 1.0 for source in one.by if source in _WITH_NEWS})
        if not declared and "h1" in one.by:
            row["news h1 alone"] = 1.0
        if declared > 1 and "h1" not in one.by:
            row["news declared pair"] = 1.0
    if one.text.isupper():
        row["upper"] = 1.0


def _of_words(row: Features, same: str, title: str, title_words: set[str]) -> None:
    words = set(_WORD.findall(same))
    shared = len(title_words & words)
    row["title cover"] = shared / (len(title_words) or 1)
    row["words covered"] = shared / (len(words) or 1)
    if same in title:
        row["in title"] = 1.0
        if "h1" in row:
            row["h1 in title"] = 1.0
        if title.startswith(same):
            row["title starts so"] = 1.0
    if len(words) <= 3:
        row["few words"] = 1.0
        if len(words) <= 1:
            row["one word"] = 1.0
    if len(same) > 120:
        row["long"] = 1.0
        if len(same) > 200:
            row["very long"] = 1.0
    if same.endswith((":", "-", ",")):
        row["ends badly"] = 1.0
    elif same.endswith("..."):
        row["cut short"] = 1.0


def _of_others(row: Features, same: str, others: dict[str, dict[str, None]]) -> None:
    for other in others:
        if same in other and same != other:
            row["inside another"] = 1.0
        elif other in same and same != other and len(other) > 15:
            row["holds another"] = 1.0


def _of_site(row: Features, one: Candidate, names: frozenset[str], long_names: tuple[str, ...]) -> None:
    flat = squashed(one.text)
    if flat in names:
        row["site's name"] = 1.0
    elif flat.endswith(long_names):
        row["ends with site"] = 1.0
    if one.rest:
        rest = squashed(one.rest)
        is_long = len(rest) > _SHORT
        if (
            rest in names
            or any(name in rest for name in long_names)
            or (is_long and any(rest in name for name in names))
        ):
            row["cut off site"] = 1.0


def _of_headings(rows: Sequence[Features], candidates: Sequence[Candidate]) -> None:
    """The first heading of its order, and the only one."""
    for which in ("h1", "h2"):
        found = [at for at, one in enumerate(candidates) if which in one.by]
        if found:
            first = min(found, key=lambda at: candidates[at].element)
            rows[first][f"first {which}"] = 1.0
            if len(found) == 1:
                rows[first][f"only {which}"] = 1.0
    if not any("h1" in one.by for one in candidates):
        for row in rows:
            if "h2" in row:
                row["h2 for want of h1"] = 1.0


def _of_places(rows: Sequence[Features], page: Page, candidates: Sequence[Candidate], content: Spans | None) -> None:
    """Where headings stand: to the content, and in which parts of the page."""
    elements, runs = page.elements, page.runs
    begin, end = (content.starts.item(0), content.ends.item(-1)) if content else (-1, -1)
    around: dict[int, bool] = {0: False, -1: False}  # elements that are one of `_AROUND` or stand in one
    for row, one in zip(rows, candidates, strict=True):
        if not one.element:
            continue
        first = elements.first.item(one.element)
        if runs.in_link.item(first):
            row["linked"] = 1.0
        if content:
            at = runs.text_start.item(first)
            if at < begin:
                row["before content"] = 1.0
            elif at > end:
                row["behind content"] = 1.0
            if abs(at - begin) < _NEXT_TO:
                row["near content"] = 1.0
        if _is_around(elements.parent.item(one.element), page, around):
            row["in nav"] = 1.0


def _is_around(element: int, page: Page, known: dict[int, bool]) -> bool:
    """Whether an element is one of `_AROUND` or stands in one; what is known of others is kept."""
    passed: list[int] = []
    while element not in known:
        passed.append(element)
        if page.elements.tag.item(element) in _AROUND:
            known[element] = True
        else:
            element = page.elements.parent.item(element)
    known.update(dict.fromkeys(passed, known[element]))
    return known[element]
