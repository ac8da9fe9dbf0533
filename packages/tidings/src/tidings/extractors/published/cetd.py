"""CETD, content extraction via text density: content has much text and few tags.

Source: Sun, Song and Liao 2011 ("DOM based content extraction via text density"); DANA thesis 3.2.7. Three forms:

- text density: the characters of an element per tag in it (eq. 3.1, Algorithm 4);
- composite text density: the same, weighted by the share of links (eq. 3.2, misprinted; SPEC 2 has the formula);
- density sum (only in the publication): content is the element whose children have the greatest sum of densities.

The first two select elements that are at least as dense as `body`, from the top down: a less dense element is dropped
with all its content. Only block-level elements are judged, because a bold word contains no tag and a link no text
outside links. On half of the sites of wcxb-dev, judging every element costs 0.003 to 0.006 of word F1, and judging only
the innermost block 0.026 to 0.048.

The third selects the element with the largest density sum. The threshold is the lowest density between it and `body`.
In each other part of the page that reaches the threshold from the top down, the element with the largest density sum is
selected too.
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
#: Elements that are no markup of text: removed before counting.
_NO_MARKUP: Final = tag_set(tags.numbers("script style noscript template head title meta link"))


@dataclass(frozen=True, slots=True, eq=False)
class TextCounts:
    """Numbers of characters, tags, and characters and tags in links, for each element or run (eq. 3.1 and 3.2)."""

    chars: Ints  # C
    tags: Ints  # T
    link_chars: Ints  # LC
    link_tags: Ints  # LT

    def text_density(self) -> Floats:
        """Return the text density, characters per tag (eq. 3.1); an element without tags counts as one tag (Algorithm
        4).
        """
        return self.chars / _nonzero(self.tags)

    def composite_density(self, link_share: float) -> Floats:
        """Return the composite text density, which link text lowers (eq. 3.2).

        Denominators of 0 are replaced by 1, also that of the logarithm. `link_share` is the share of link characters in
        the body (LC / C).
        """
        chars, outside = self.chars, self.chars - self.link_chars
        base = np.log(chars * self.link_chars / _nonzero(outside) + link_share * chars + np.e)
        # Without text the argument would be 0; the density is 0 then.
        argument = np.maximum(chars, 1) / _nonzero(self.link_chars) * (_nonzero(self.tags) / _nonzero(self.link_tags))
        density: Floats = self.text_density() * np.log(argument) / _nonzero(np.log(base))
        return density


def _nonzero(values: Ints | Floats) -> Ints | Floats:
    return np.where(values == 0, 1, values)


def element_counts(page: Page) -> TextCounts:
    """Return the counts of each element, of visible text only."""
    elements, runs = page.elements, page.runs
    visible = runs.chars * ~runs.hidden
    text, linked = sums(visible), sums(visible * runs.in_link)
    markup, links = sums(~among(elements.tag, _NO_MARKUP)), sums(elements.tag == _LINK)
    inside = np.arange(1, len(elements) + 1)
    after = np.maximum(np.searchsorted(elements.start, elements.end, side="left"), inside)
    return TextCounts(
        chars=text[elements.last] - text[elements.first],
        tags=markup[after] - markup[inside],
        link_chars=linked[elements.last] - linked[elements.first],
        link_tags=links[after] - links[inside],
    )


def run_counts(page: Page) -> TextCounts:
    """Return the counts of each run as a text node without tags."""
    runs = page.runs
    visible = runs.chars * ~runs.hidden
    none = np.zeros(len(runs), np.int64)
    return TextCounts(chars=visible, tags=none, link_chars=visible * runs.in_link, link_tags=none)


def body(page: Page) -> int:
    """Return the body element, or the document if there is none."""
    bodies = np.flatnonzero(page.elements.tag == _BODY)
    return int(bodies[0]) if len(bodies) else 0


def along(page: Page, values: Bools, rule: np.ufunc) -> Bools:
    """Combine the value of each element with the values of all its ancestors.

    Args:
        page: the page.
        values: a value for each element.
        rule: how two values are combined, such as numpy.logical_or.
    """
    step = np.maximum(page.elements.parent, 0)
    while step.any():  # each iteration doubles the distance
        values = rule(values, values[step])
        step = step[step]
    return values


@dataclass(frozen=True, slots=True)
class _DensityMethod(ABC):
    """Base of all variants: a density for each element, a threshold, and the elements that are content."""

    threshold: float | None

    @abstractmethod
    def densities(self, page: Page, /) -> Floats:
        """Return the density of each element."""

    def limit(self, page: Page, /) -> float:
        """Return the density threshold: the density of the body, unless one is set."""
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
        """Return for each block the density of its element."""
        return self.densities(page)[page.blocks.element]

    def picture(self, page: Page, /) -> Profile:
        """Return the data of figures 3.2 and 3.3: the density of each node."""
        return Profile(
            title=f"{type(self).__name__}: density of each node",
            x="node",
            y="density",
            series=(("density", self.densities(page)),),
            thresholds=(("threshold", self.limit(page)),),
            chosen=self.content(page),
        )


def _upwards(page: Page, element: int) -> list[int]:
    """Return an element and its ancestors."""
    parent, path = page.elements.parent, [element]
    while path[-1] > 0:
        path.append(int(parent[path[-1]]))
    return path


@checked
@dataclass(frozen=True, slots=True)
class CETD(_DensityMethod):
    """Elements with at least as many characters per tag as the body."""

    threshold: float | None = None  # None: the density of the body (thesis 3.2.7)

    def densities(self, page: Page, /) -> Floats:
        """Return the text density (eq. 3.1)."""
        return element_counts(page).text_density()


@dataclass(frozen=True, slots=True)
class _Composite(_DensityMethod):
    def densities(self, page: Page, /) -> Floats:
        """Return the composite text density (eq. 3.2)."""
        return element_counts(page).composite_density(self.link_share(page))

    def link_share(self, page: Page) -> float:
        """Return the share of the body's characters that are in links (LC / C)."""
        counts, whole = element_counts(page), body(page)
        return float(counts.link_chars[whole] / max(counts.chars[whole], 1))


@checked
@dataclass(frozen=True, slots=True)
class CompositeCETD(_Composite):
    """Elements at least as dense as the body, where link text lowers the density."""

    threshold: float | None = None


@checked
@dataclass(frozen=True, slots=True)
class DensitySum(_Composite):
    """Text of the element with the largest sum of child densities, and of the best element in other dense parts."""

    threshold: float | None = None  # None: the lowest density between that element and the body (Sun et al. 2011)

    def density_sums(self, page: Page, /) -> Floats:
        """Return for each element the sum of the densities of its children, text nodes included."""
        elements, count = page.elements, len(page.elements)
        text = run_counts(page).composite_density(self.link_share(page))
        total = np.zeros(count)
        total += np.bincount(elements.parent[1:], self.densities(page)[1:], count)
        total += np.bincount(page.runs.element, text, count)
        return total

    def limit(self, page: Page, /) -> float:
        """Return the density threshold: the lowest density on the path from the element with the largest density sum up
        to the body.
        """
        if self.threshold is not None:
            return self.threshold
        path, whole = _upwards(page, int(self.density_sums(page).argmax())), body(page)
        if whole in path:
            path = path[: path.index(whole) + 1]
        return float(self.densities(page)[path].min())

    def content(self, page: Page, /) -> Bools:
        """Return the elements with the largest density sum in each part above the threshold, with their content."""
        elements, total = page.elements, self.density_sums(page)
        reaches = self.densities(page) >= self.limit(page)
        reaches[_upwards(page, body(page))] = True
        part = np.where(along(page, reaches, np.logical_and), np.arange(len(elements)), elements.parent)
        while not np.array_equal(further := part[part], part):  # up to the innermost dense ancestor
            part = further
        return along(page, (total == _largest_inside(elements.parent, total)[part]) & (total > 0), np.logical_or)


def _largest_inside(parent: Ints, values: Floats) -> Floats:
    """Return the largest value in the subtree of each element, level by level from the leaves."""
    level = (parent >= 0).astype(np.int64)  # not `depth`, which is wrong for misnested tags
    step = np.maximum(parent, 0)
    while step.any():
        level = level + level[step]
        step = step[step]
    order = np.argsort(level, kind="stable")
    largest = values.copy()
    for nodes in np.split(order, np.flatnonzero(np.diff(level[order])) + 1)[:0:-1]:
        np.maximum.at(largest, parent[nodes], largest[nodes])
    return largest
