"""What speaks for and against a candidate being the headline, as named numbers.

The features are of four kinds: who says so, alone and together; how the text lies to the title element and to the other
candidates; what is known of the site's name; and where the heading stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from tidings.fields.declared import declared, types
from tidings.fields.keys import key, squashed
from tidings.fields.site_names import site_names
from tidings.fields.title_candidates import Candidate, Heading, heading_of
from tidings.page import Page, Spans
from tidings.page.columns import kept

_DECLARED: Final = frozenset({"og", "twitter", "ld", "meta", "ld name"})
_WITH_NEWS: Final = {one: f"news {one}" for one in ("h1", "og", "ld", "twitter", "title front")}
_WORD: Final = re.compile(r"\w+")
#: A heading so near to the beginning of the content is next to it.
_NEXT_TO: Final = 500
#: A headline of more characters is long.
_LONG: Final = 120
#: A name of so few letters may be a part of any word.
_SHORT: Final = 3

Features = dict[str, float]


def features(page: Page, candidates: Sequence[Candidate], content: Spans | None) -> list[Features]:
    """For each candidate the features that are not 0."""
    evidence = TitleEvidence(page, candidates, content)
    return [evidence.row(at) for at in range(len(candidates))]


class MostGained:
    """What the features of a candidate can add to its score at most, by weights.

    Args:
        learned: the weight of each feature.
    """

    def __init__(self, learned: dict[str, float]) -> None:
        def gain(*names: str) -> float:
            """What features can add of which each goes with all before it."""
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
    """What speaks for and against the candidates of a page, to be asked for one by one.

    Args:
        page: the page.
        candidates: all of them: they are compared with each other.
        content: the main content, if it is known.
    """

    def __init__(self, page: Page, candidates: Sequence[Candidate], content: Spans | None) -> None:
        self._page, self._candidates, self._content = page, candidates, content
        self._news = any(kind.endswith("NewsArticle") for kind in types(declared(page).story))
        self._keys = [key(one.text) for one in candidates]
        self._agreed: dict[str, dict[str, None]] = {}
        for same, one in zip(self._keys, candidates, strict=True):
            self._agreed.setdefault(same, {}).update(dict.fromkeys(one.by))
        self._headings = _of_headings(candidates)

    def bounds(self, most: MostGained) -> list[float]:
        """For each candidate a score that its own is not above: what takes time to tell counts as speaking for it."""
        joined = "\0".join(self._agreed)
        found = []
        for at, (one, same) in enumerate(zip(self._candidates, self._keys, strict=True)):
            total = self._bound_of_sources(one, self._agreed[same], most)
            if joined.find(same, joined.find(same) + 1) >= 0:
                total += most.inside
            if len(same) > _LONG:
                total += most.long
            if one.rest:
                total += most.rest
            if one.element:
                total += most.placed
            if at in self._headings:
                total += sum([most.learned.get(name, 0.0) for name in self._headings[at]])
            found.append(total)
        return found

    def _bound_of_sources(self, one: Candidate, agreed: dict[str, None], most: MostGained) -> float:
        by, declared = one.by, len(_DECLARED & agreed.keys())
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
        """Return all features of a candidate that are not 0, always in the same order, in which they are added up."""
        one, same = self._candidates[at], self._keys[at]
        names, long_names, title, title_words = self._known
        row = self._sources(at)
        _of_words(row, same, title, title_words)
        _of_others(row, same, self._agreed)
        _of_site(row, one, names, long_names)
        row.update(self._headings.get(at, {}))
        if one.element:
            _of_place(row, heading_of(self._page, one.element), self._content)
        return row

    def _sources(self, at: int) -> Features:
        one = self._candidates[at]
        row = dict.fromkeys(one.by, 1.0)
        _of_agreement(row, one, self._agreed[self._keys[at]], news=self._news)
        return row

    @kept
    def _known(self) -> tuple[frozenset[str], tuple[str, ...], str, set[str]]:
        """Return the names of the site, the long ones among them, the title and its words."""
        names = site_names(self._page)
        title = key(self._page.signals.title)
        return names, tuple([name for name in names if len(name) > _SHORT]), title, set(_WORD.findall(title))


def _of_agreement(row: Features, one: Candidate, agreed: dict[str, None], *, news: bool) -> None:
    declared = len(_DECLARED & agreed.keys())
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
    if len(same) > _LONG:
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


def _of_headings(candidates: Sequence[Candidate]) -> dict[int, Features]:
    """Return the first heading of its order, and the only one."""
    rows: dict[int, Features] = {}
    firsts = [at for at, one in enumerate(candidates) if "h1" in one.by]
    seconds = [at for at, one in enumerate(candidates) if "h2" in one.by]
    for which, found in (("h1", firsts), ("h2", seconds)):
        if found:
            first = min(found, key=lambda at: candidates[at].element)
            row = rows.setdefault(first, {})
            row[f"first {which}"] = 1.0
            if len(found) == 1:
                row[f"only {which}"] = 1.0
    if not firsts:
        for at in seconds:
            rows.setdefault(at, {})["h2 for want of h1"] = 1.0
    return rows


def _of_place(row: Features, heading: Heading, content: Spans | None) -> None:
    """Where a heading stands: to the content, and in which part of the page."""
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
