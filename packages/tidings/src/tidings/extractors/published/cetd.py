"""CETD: content is where much text stands in few tags.

Sun, Song and Liao 2011 ("DOM based content extraction via text density"); DANA thesis 3.2.7. Three forms:

- text density: the characters of an element for each tag in it (eq. 3.1, Algorithm 4);
- composite text density: the same, weighed by how much of it is links (eq. 3.2, garbled in print; SPEC 2 has it);
- density sum (of the publication only): content gathers under the element whose children are densest together.

The first two keep what is at least as dense as `body`, from the top down: an element that is less dense goes with
all that is in it. Only block-level elements are judged, since a bold word has no tag in it and a link no text
outside links; on half of the sites of wcxb-dev, judging every element costs 0.003 to 0.006 of word F1, and only the
innermost block 0.026 to 0.048.

The third takes the element with the largest density sum. The lowest density from there up to `body` is the threshold;
in each other part of the page that reaches it from the top down, the one with the largest density sum is taken too.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.charts import Profile
from tidings.extractors.parameters import checked
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.tag_sets import among, tag_set

Floats = NDArray[np.float64]

_LINK: Final = tags.NUMBERS["a"]
_BODY: Final = tags.NUMBERS["body"]
_BLOCK: Final = tag_set(tags.BLOCK)
#: No markup of text: taken out before anything is counted.
_NO_MARKUP: Final = tag_set(tags.numbers("script style noscript template head title meta link"))


@dataclass(frozen=True, slots=True, eq=False)
class TextCounts:
    """What eq. 3.1 and 3.2 are made of, for each element, or for each run taken as a node."""

    chars: Ints  # C
    tags: Ints  # T
    link_chars: Ints  # LC
    link_tags: Ints  # LT

    def text_density(self) -> Floats:
        """Eq. 3.1; an element with no tag in it counts as one (Algorithm 4)."""
        return self.chars / _some(self.tags)

    def composite_density(self, link_share: float) -> Floats:
        """Eq. 3.2, given LC / C of the body. A denominator that is 0 is taken as 1, that of the logarithm too."""
        chars, outside = self.chars, self.chars - self.link_chars
        base = np.log(chars * self.link_chars / _some(outside) + link_share * chars + np.e)
        # Without text the argument would be 0; the density is 0 then.
        argument = np.maximum(chars, 1) / _some(self.link_chars) * (_some(self.tags) / _some(self.link_tags))
        density: Floats = self.text_density() * np.log(argument) / _some(np.log(base))
        return density


def _some(values: Ints | Floats) -> Ints | Floats:
    return np.where(values == 0, 1, values)


def element_counts(page: Page) -> TextCounts:
    """Return the counts of each element; of text, what a reader can see."""
    elements, runs = page.elements, page.runs
    seen = runs.chars * ~runs.hidden
    text, linked = sums(seen), sums(seen * runs.in_link)
    markup, links = sums(~among(elements.tag, _NO_MARKUP)), sums(elements.tag == _LINK)
    inside = np.arange(1, len(elements) + 1)
    behind = np.maximum(np.searchsorted(elements.start, elements.end, side="left"), inside)
    return TextCounts(
        chars=text[elements.last] - text[elements.first],
        tags=markup[behind] - markup[inside],
        link_chars=linked[elements.last] - linked[elements.first],
        link_tags=links[behind] - links[inside],
    )


def run_counts(page: Page) -> TextCounts:
    """Return the counts of each run as a text node: it has no tags."""
    runs = page.runs
    seen = runs.chars * ~runs.hidden
    none = np.zeros(len(runs), np.int64)
    return TextCounts(chars=seen, tags=none, link_chars=seen * runs.in_link, link_tags=none)


def body(page: Page) -> int:
    """Return the body element, or the document where there is none."""
    found = np.flatnonzero(page.elements.tag == _BODY)
    return int(found[0]) if len(found) else 0


def along(page: Page, values: Bools, rule: np.ufunc) -> Bools:
    """Return the values of each element and of all elements around it, put together by an idempotent rule."""
    step = np.maximum(page.elements.parent, 0)
    while step.any():  # each round doubles the distance
        values = rule(values, values[step])
        step = step[step]
    return values


@dataclass(frozen=True, slots=True)
class _DensityMethod(ABC):
    """What the forms share: a density for each element, a threshold, and the elements that are content."""

    threshold: float | None

    @abstractmethod
    def densities(self, page: Page, /) -> Floats:
        """Return the density of each element."""

    def limit(self, page: Page, /) -> float:
        """Return the density that content has to reach: that of the body, unless one is set."""
        return float(self.densities(page)[body(page)]) if self.threshold is None else self.threshold

    def content(self, page: Page, /) -> Bools:
        """Return which elements are content."""
        dense = self.densities(page) >= self.limit(page)
        dense |= ~among(page.elements.tag, _BLOCK)
        dense[_upwards(page, body(page))] = True
        return along(page, dense, np.logical_and)

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the elements that are content."""
        chosen = self.content(page)[page.runs.element]
        return page.shown(Spans.of_runs(page, chosen)) & page.scope

    def score(self, page: Page, /) -> Floats:
        """For each block the density of its element."""
        return self.densities(page)[page.blocks.element]

    def picture(self, page: Page, /) -> Profile:
        """Figures 3.2 and 3.3: the density of each node."""
        return Profile(
            title=f"{type(self).__name__}: density of each node",
            x="node",
            y="density",
            series=(("density", self.densities(page)),),
            thresholds=(("threshold", self.limit(page)),),
            chosen=self.content(page),
        )


def _upwards(page: Page, element: int) -> list[int]:
    """Return an element and those around it."""
    parent, path = page.elements.parent, [element]
    while path[-1] > 0:
        path.append(int(parent[path[-1]]))
    return path


@checked
@dataclass(frozen=True, slots=True)
class CETD(_DensityMethod):
    """Elements with at least as many characters for each tag as the body."""

    threshold: float | None = None  # None: the density of the body (thesis 3.2.7)

    def densities(self, page: Page, /) -> Floats:
        """Return text density (eq. 3.1)."""
        return element_counts(page).text_density()


@dataclass(frozen=True, slots=True)
class _Composite(_DensityMethod):
    def densities(self, page: Page, /) -> Floats:
        """Composite text density (eq. 3.2)."""
        return element_counts(page).composite_density(self.link_share(page))

    def link_share(self, page: Page) -> float:
        """LC / C of the body."""
        counts, whole = element_counts(page), body(page)
        return float(counts.link_chars[whole] / max(counts.chars[whole], 1))


@checked
@dataclass(frozen=True, slots=True)
class CompositeCETD(_Composite):
    """Elements at least as dense as the body, link text counting against them."""

    threshold: float | None = None


@checked
@dataclass(frozen=True, slots=True)
class DensitySum(_Composite):
    """The element whose children are densest together, and the best of every other dense part."""

    threshold: float | None = None  # None: the lowest density between that element and the body (Sun et al. 2011)

    def density_sums(self, page: Page, /) -> Floats:
        """For each element the densities of its children together, text nodes included."""
        elements, count = page.elements, len(page.elements)
        text = run_counts(page).composite_density(self.link_share(page))
        total = np.zeros(count)
        total += np.bincount(elements.parent[1:], self.densities(page)[1:], count)
        total += np.bincount(page.runs.element, text, count)
        return total

    def limit(self, page: Page, /) -> float:
        """Return the lowest density from the element with the largest density sum up to the body."""
        if self.threshold is not None:
            return self.threshold
        path, whole = _upwards(page, int(self.density_sums(page).argmax())), body(page)
        if whole in path:
            path = path[: path.index(whole) + 1]
        return float(self.densities(page)[path].min())

    def content(self, page: Page, /) -> Bools:
        """What stands in the elements with the largest density sum of each part that reaches the threshold."""
        elements, total = page.elements, self.density_sums(page)
        reaches = self.densities(page) >= self.limit(page)
        reaches[_upwards(page, body(page))] = True
        part = np.where(along(page, reaches, np.logical_and), np.arange(len(elements)), elements.parent)
        while not np.array_equal(further := part[part], part):  # up to the innermost part that does
            part = further
        return along(page, (total == _largest_inside(elements.parent, total)[part]) & (total > 0), np.logical_or)


def _largest_inside(parent: Ints, values: Floats) -> Floats:
    """Return the largest value in each subtree, level by level from the leaves."""
    level = (parent >= 0).astype(np.int64)  # not `depth`, which misnested tags bend
    step = np.maximum(parent, 0)
    while step.any():
        level = level + level[step]
        step = step[step]
    order = np.argsort(level, kind="stable")
    largest = values.copy()
    for one in np.split(order, np.flatnonzero(np.diff(level[order])) + 1)[:0:-1]:
        np.maximum.at(largest, parent[one], largest[one])
    return largest
