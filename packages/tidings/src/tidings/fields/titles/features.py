"""Features of headline candidates.

There are four kinds: the sources of a candidate, alone and combined; its similarity to the title element and to other
candidates; its relation to the site's name; and the position of its heading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from tidings.fields.declared import declared, types
from tidings.fields.keys import key, squashed
from tidings.fields.titles.candidates import Candidate, Heading, heading_of
from tidings.fields.titles.site_names import site_names
from tidings.page import Page, Spans
from tidings.page.columns import kept

_DECLARED: Final = frozenset({"og", "twitter", "ld", "meta", "ld name"})
_WITH_NEWS: Final = {source: f"news {source}" for source in ("h1", "og", "ld", "twitter", "title front")}
_WORD: Final = re.compile(r"\w+")
#: Longest distance of a heading "near content", in characters.
_NEXT_TO: Final = 500
#: Characters of a long headline.
_LONG: Final = 120
#: A name with this few letters may be a part of any word.
_SHORT: Final = 3

Features = dict[str, float]


def features(page: Page, candidates: Sequence[Candidate], content: Spans | None) -> list[Features]:
    """Return for each headline candidate its features that are not 0."""
    evidence = TitleEvidence(page, candidates, content)
    return [evidence.row(at) for at in range(len(candidates))]


class MostGained:
    """Upper bounds of what features can add to a candidate's score.

    Args:
        learned: the weight of each feature.
    """

    def __init__(self, learned: dict[str, float]) -> None:
        def gain(*names: str) -> float:
            """Return the largest amount that some features can add to a score, if each feature occurs only together
            with those before it.
            """
            return max(0.0, *accumulate(learned.get(name, 0.0) for name in names))

        self.learned = learned
        self.by_news = {source: learned.get(name, 0.0) for source, name in _WITH_NEWS.items()}
        self.sources, self.loose = learned.get("sources", 0.0) / 4, learned.get("loose sources", 0.0) / 4
        self.declared = learned.get("declared sources", 0.0) / 2
        self.alone, self.h1 = learned.get("alone", 0.0), gain("h1 in title")
        self.h1_agrees, self.h1_not_declared = learned.get("h1 agrees", 0.0), learned.get("h1 not declared", 0.0)
        self.pair = gain("news h1 alone") + gain("news declared pair")
        self.inside, self.long, self.rest = gain("inside another"), gain("long", "very long"), gain("cut off site")
        self.placed = gain("linked") + max(gain("before content"), gain("behind content"))
        self.placed += gain("near content") + gain("in nav")
        self.always = gain("title cover") + gain("words covered") + gain("in title", "title starts so")
        self.always += gain("few words", "one word") + max(gain("ends badly"), gain("cut short")) + gain("upper")
        self.always += gain("holds another") + max(gain("site's name"), gain("ends with site"))


class TitleEvidence:
    """The features of a page's headline candidates, computed on demand.

    Args:
        page: the page.
        candidates: all candidates, because they are compared with each other.
        content: the main content, if it is known.
    """

    def __init__(self, page: Page, candidates: Sequence[Candidate], content: Spans | None) -> None:
        self._page, self._candidates, self._content = page, candidates, content
        self._news = any(kind.endswith("NewsArticle") for kind in types(declared(page).story))
        self._keys = [key(candidate.text) for candidate in candidates]
        self._agreed: dict[str, dict[str, None]] = {}
        for same, candidate in zip(self._keys, candidates, strict=True):
            self._agreed.setdefault(same, {}).update(dict.fromkeys(candidate.by))
        self._headings = _of_headings(candidates)

    def bounds(self, most: MostGained) -> list[float]:
        """Return an upper bound of each candidate's score. Features that are slow to compute count fully."""
        all_keys = "\0".join(self._agreed)
        result = []
        for at, (candidate, same) in enumerate(zip(self._candidates, self._keys, strict=True)):
            total = self._bound_of_sources(candidate, self._agreed[same], most)
            if all_keys.find(same, all_keys.find(same) + 1) >= 0:
                total += most.inside
            if len(same) > _LONG:
                total += most.long
            if candidate.rest:
                total += most.rest
            if candidate.element:
                total += most.placed
            if at in self._headings:
                total += sum([most.learned.get(name, 0.0) for name in self._headings[at]])
            result.append(total)
        return result

    def _bound_of_sources(self, candidate: Candidate, agreed: dict[str, None], most: MostGained) -> float:
        by, declared = candidate.by, len(_DECLARED & agreed.keys())
        total = most.always + len(by) * most.sources + len(agreed) * most.loose + declared * most.declared
        for source in by:
            total += most.learned.get(source, 0.0)
        if len(by) == 1:
            total += most.alone
        if "h1" in by:
            total += most.h1 if declared else most.h1 + most.h1_not_declared
        if declared and "h1" in agreed:
            total += most.h1_agrees
        if self._news:
            total += most.pair
            for source in by:
                total += most.by_news.get(source, 0.0)
        return total

    def row(self, at: int) -> Features:
        """Return the features of a candidate that are not 0, always in the same order of summation."""
        candidate, same = self._candidates[at], self._keys[at]
        names, long_names, title, title_words = self._site_and_title
        row = self._sources(at)
        _of_words(row, same, title, title_words)
        _of_rivals(row, same, self._agreed)
        _of_site(row, candidate, names, long_names)
        row.update(self._headings.get(at, {}))
        if candidate.element:
            _of_place(row, heading_of(self._page, candidate.element), self._content)
        return row

    def _sources(self, at: int) -> Features:
        candidate = self._candidates[at]
        row = dict.fromkeys(candidate.by, 1.0)
        _of_agreement(row, candidate, self._agreed[self._keys[at]], news=self._news)
        return row

    @kept
    def _site_and_title(self) -> tuple[frozenset[str], tuple[str, ...], str, set[str]]:
        """Return the names of the site, the long ones among them, the normalised title element, and its set of
        words.
        """
        names = site_names(self._page)
        title = key(self._page.signals.title)
        return names, tuple([name for name in names if len(name) > _SHORT]), title, set(_WORD.findall(title))


def _of_agreement(row: Features, candidate: Candidate, agreed: dict[str, None], *, news: bool) -> None:
    declared = len(_DECLARED & agreed.keys())
    row["sources"] = len(candidate.by) / 4
    row["loose sources"] = len(agreed) / 4
    row["declared sources"] = declared / 2
    if len(candidate.by) == 1:
        row["alone"] = 1.0
    if declared and "h1" in agreed:
        row["h1 agrees"] = 1.0
    if not declared and "h1" in candidate.by:
        row["h1 not declared"] = 1.0
    if news:
        row.update({_WITH_NEWS[source]: 1.0 for source in candidate.by if source in _WITH_NEWS})
        if not declared and "h1" in candidate.by:
            row["news h1 alone"] = 1.0
        if declared > 1 and "h1" not in candidate.by:
            row["news declared pair"] = 1.0
    if candidate.text.isupper():
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
    if len(same) > _LONG:
        row["long"] = 1.0
        if len(same) > 200:
            row["very long"] = 1.0
    if same.endswith((":", "-", ",")):
        row["ends badly"] = 1.0
    elif same.endswith("..."):
        row["cut short"] = 1.0


def _of_rivals(row: Features, same: str, rivals: dict[str, dict[str, None]]) -> None:
    for rival in rivals:
        if same in rival and same != rival:
            row["inside another"] = 1.0
        elif rival in same and same != rival and len(rival) > 15:
            row["holds another"] = 1.0


def _of_site(row: Features, candidate: Candidate, names: frozenset[str], long_names: tuple[str, ...]) -> None:
    flat = squashed(candidate.text)
    if flat in names:
        row["site's name"] = 1.0
    elif flat.endswith(long_names):
        row["ends with site"] = 1.0
    if candidate.rest:
        rest = squashed(candidate.rest)
        is_long = len(rest) > _SHORT
        if (
            rest in names
            or any(name in rest for name in long_names)
            or (is_long and any(rest in name for name in names))
        ):
            row["cut off site"] = 1.0


def _of_headings(candidates: Sequence[Candidate]) -> dict[int, Features]:
    """Return the features "first" and "only heading of its level" of candidates that are headings."""
    rows: dict[int, Features] = {}
    firsts = [at for at, candidate in enumerate(candidates) if "h1" in candidate.by]
    seconds = [at for at, candidate in enumerate(candidates) if "h2" in candidate.by]
    for which, places in (("h1", firsts), ("h2", seconds)):
        if places:
            first = min(places, key=lambda at: candidates[at].element)
            row = rows.setdefault(first, {})
            row[f"first {which}"] = 1.0
            if len(places) == 1:
                row[f"only {which}"] = 1.0
    if not firsts:
        for at in seconds:
            rows.setdefault(at, {})["h2 for want of h1"] = 1.0
    return rows


def _of_place(row: Features, heading: Heading, content: Spans | None) -> None:
    """Add features of a heading's position: relative to the content, and in which part of the page."""
    if heading.is_linked:
        row["linked"] = 1.0
    if content:
        begin, at = content.starts.item(0), heading.start
        if at < begin:
            row["before content"] = 1.0
        elif at > content.ends.item(-1):
            row["behind content"] = 1.0
        if abs(at - begin) < _NEXT_TO:
            row["near content"] = 1.0
    if heading.is_around:
        row["in nav"] = 1.0
