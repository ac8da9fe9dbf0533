"""Instances of a learner over blocks, and how much a feature says of the class.

Blocks of many pages as one table to learn from, and what a learner of them is.

From labelled pages to a table of blocks.

A page has hundreds of uninformative blocks and one main one. The hybrid paper drew its two sets so that the classes
are in balance (section 4.2, table 2; it had 675 main blocks and 1,352 of article information); here a page gives all
blocks of the three classes that matter and so many of the rest, drawn at random. All blocks of a page, the parts of the
story among the uninformative ones, are the other reading: what a tree meets when it reads a page.

How much a feature tells of the class: entropy, information gain, gain ratio (Quinlan 1993; Cover and Thomas 2006).

All of them are taken from counts, in bits: a row a value of the feature, a column a class. Numbers are cut into
intervals first (`learn.blocks.discretise`), or are asked whether they are above a border.

Numbers cut into intervals by what they tell of the class.

Fayyad and Irani 1993 ("Multi-interval discretization of continuous-valued attributes"), as Weka has it: cut where the
entropy of the class falls most, go on in both halves, and stop where a cut does not pay for its own description.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tidings.extractors.published.block_tree.features import AFTER, COUNTED, FEATURES, TAGS, BlockClass
from tidings.page import Page
from tidings.page.columns import Ints
from tidings_lab.learners.blocks.labels import PART, PageGold, label

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Attribute:
    """A column: numbers, or one of several names, which stand in the table by their place."""

    name: str
    values: tuple[str, ...] = ()

    @property
    def numeric(self) -> bool:
        """Whether it is a number."""
        return not self.values


@dataclass(frozen=True, slots=True, eq=False)
class BlockInstances:
    """Rows with the class of each, and the page and site that each is from."""

    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]
    rows: Floats
    labels: Ints
    page: Ints
    site: Ints

    def __len__(self) -> int:
        return len(self.labels)

    def some(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> BlockInstances:
        """Some of the rows."""
        parts = (self.rows[chosen], self.labels[chosen], self.page[chosen], self.site[chosen])
        return BlockInstances(self.attributes, self.classes, *parts)

    def only(self, names: Sequence[str]) -> BlockInstances:
        """Some of the columns, in the order of the table."""
        kept = [place for place, one in enumerate(self.attributes) if one.name in names]
        return replace(self, attributes=tuple(self.attributes[place] for place in kept), rows=self.rows[:, kept])

    @property
    def counts(self) -> Floats:
        """How often each class is there."""
        return np.bincount(self.labels, minlength=len(self.classes)).astype(np.float64)


class Classifier(Protocol):
    """What was learned: a class for each row."""

    def classify(self, rows: Floats, /) -> Ints:
        """The class of each row."""
        ...


class BlockLearner(Protocol):
    """A learner; its settings are its fields."""

    def fit(self, instances: BlockInstances, /) -> Classifier:
        """Learn from a table.

        Raises:
            InputError: there is nothing in it.
            MissingExtra: the library of the learner is not installed.
        """
        ...


ATTRIBUTES: Final = (
    *(Attribute(name) for name in (*COUNTED, *AFTER)),
    Attribute("tn", TAGS),
    Attribute("id", ("no", "yes")),
    Attribute("class", ("no", "yes")),
)
CLASSES: Final = tuple(kind.label for kind in BlockClass)
#: Uninformative blocks of each page in a drawn table.
DRAWN: Final = 16
#: A page whose story no DIV or TD explains this well (F measure) has no main block to learn from.
EXPLAINED: Final = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class BlockPage:
    """The blocks of a page with their classes, without the page."""

    site: str
    explained: float  # how well the main blocks are the gold text, as an F measure
    rows: Floats
    label: NDArray[np.int8]
    field: NDArray[np.int8]


def taught(html: bytes, url: str, site: str, gold: PageGold) -> BlockPage:
    """Label a page."""
    found = label(Page(html, url), gold)
    return BlockPage(site, found.main.f1, found.blocks.rows.astype(np.float64), found.label, found.field)


def draw(
    pages: Sequence[BlockPage], drawn: int | None = DRAWN, *, parts: bool = False, seed: int = 1
) -> BlockInstances:
    """A table of the blocks of pages that have a main block.

    Args:
        pages: the pages.
        drawn: how many uninformative blocks each page gives; None for all.
        parts: whether the parts of the story are taken, as uninformative.
        seed: decides which blocks are drawn.
    """
    random = np.random.default_rng(seed)
    sites = {site: number for number, site in enumerate(dict.fromkeys(page.site for page in pages))}
    rows, labels, numbers, places = [np.zeros((0, len(FEATURES)))], [np.zeros(0, np.int64)], [], []
    for number, page in enumerate(pages):
        if page.explained < EXPLAINED:
            continue
        classes = page.label.astype(np.int64)
        if parts:
            classes[classes == PART] = BlockClass.UNINFORMATIVE
        kept = np.flatnonzero((classes >= 0) & (classes != BlockClass.UNINFORMATIVE))
        rest = np.flatnonzero(classes == BlockClass.UNINFORMATIVE)
        if drawn is not None and len(rest) > drawn:
            rest = random.choice(rest, drawn, replace=False)
        chosen = np.sort(np.concatenate((kept, rest)))
        rows.append(page.rows[chosen])
        labels.append(classes[chosen])
        numbers.append(np.full(len(chosen), number))
        places.append(np.full(len(chosen), sites[page.site]))
    none = [np.zeros(0, np.int64)]
    return BlockInstances(
        ATTRIBUTES,
        CLASSES,
        np.concatenate(rows),
        np.concatenate(labels),
        np.concatenate(numbers or none),
        np.concatenate(places or none),
    )


def plogp(counts: ArrayLike) -> Floats:
    """X · log2 x of each count, 0 where there is nothing: what sums of entropies are made of."""
    given = np.asarray(counts, np.float64)
    return np.asarray(given * np.log2(np.where(given > 0, given, 1.0)))


def entropy(counts: ArrayLike, axis: int = -1) -> Floats:
    """Bits a case that are needed to tell the class, from how often each is there; 0 where nothing is."""
    given = np.asarray(counts, np.float64)
    total = given.sum(axis=axis)
    return np.asarray((plogp(total) - plogp(given).sum(axis=axis)) / np.where(total > 0, total, 1.0))


def information_gain(counts: ArrayLike) -> float:
    """The entropy of the class that goes when the feature is known."""
    given = np.asarray(counts, np.float64)
    total = given.sum()
    if not total:
        return 0.0
    left = float((given.sum(axis=1) / total) @ entropy(given))
    return max(float(entropy(given.sum(axis=0))) - left, 0.0)


def gain_ratio(counts: ArrayLike) -> float:
    """Information gain over the entropy of the feature itself, so that many values are no merit."""
    split = float(entropy(np.asarray(counts, np.float64).sum(axis=1)))
    return information_gain(counts) / split if split > 0 else 0.0


def cross_counts(values: NDArray[np.int64], classes: NDArray[np.int64], sizes: tuple[int, int]) -> Floats:
    """How often each value of a feature stands with each class."""
    counts = np.bincount(values * sizes[1] + classes, minlength=sizes[0] * sizes[1])
    return counts.reshape(sizes).astype(np.float64)


def cuts(values: Floats, labels: Ints, classes: int) -> Floats:
    """Where a column of numbers is cut; a value is below a cut if it is not greater."""
    order = np.argsort(values, kind="stable")
    values, labels = values[order], labels[order]
    before = np.zeros((len(labels) + 1, classes))
    np.cumsum(labels[:, None] == np.arange(classes), axis=0, out=before[1:])
    found: list[float] = []
    waiting = [(0, len(labels))]
    while waiting:
        first, last = waiting.pop()
        at = _cut(values, before, first, last)
        if at is not None:
            found.append(float(values[at] + values[at + 1]) / 2)
            waiting += [(first, at + 1), (at + 1, last)]
    return np.sort(np.array(found, np.float64))


def _cut(values: Floats, before: Floats, first: int, last: int) -> int | None:
    """The last row below the best cut of some rows, if it pays."""
    borders = first + np.flatnonzero(values[first : last - 1] < values[first + 1 : last])
    if not len(borders):
        return None
    every = before[last] - before[first]
    below = before[borders + 1] - before[first]
    size = last - first
    left, right = entropy(below), entropy(every - below)
    share = below.sum(axis=1) / size
    after = share * left + (1 - share) * right
    best = int(np.argmin(after))
    gain = float(entropy(every)) - float(after[best])
    if gain <= 0:
        return None
    kinds, kinds_left, kinds_right = (int((counts > 0).sum()) for counts in (every, below[best], every - below[best]))
    saved = kinds * float(entropy(every)) - kinds_left * float(left[best]) - kinds_right * float(right[best])
    price = np.log2(size - 1) + np.log2(3.0**kinds - 2) - saved
    return int(borders[best]) if gain > price / size else None


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """The cuts of each column of numbers; names stay as they are."""

    attributes: tuple[Attribute, ...]  # after cutting: all of them names
    cuts: tuple[Floats | None, ...]

    @classmethod
    def of(cls, instances: BlockInstances) -> Intervals:
        """Learn cuts from a table."""
        found = tuple(
            cuts(instances.rows[:, place], instances.labels, len(instances.classes)) if one.numeric else None
            for place, one in enumerate(instances.attributes)
        )
        names = tuple(
            one if some is None else Attribute(one.name, (*(f"to {cut:g}" for cut in some), "above"))
            for one, some in zip(instances.attributes, found, strict=True)
        )
        return cls(names, found)

    def cut(self, rows: Floats) -> Ints:
        """Rows with a place of an interval, or of a name, in each column."""
        columns = [
            rows[:, place].astype(np.int64) if some is None else np.searchsorted(some, rows[:, place], side="left")
            for place, some in enumerate(self.cuts)
        ]
        return np.column_stack(columns) if columns else np.zeros((len(rows), 0), np.int64)

    def apply(self, instances: BlockInstances) -> BlockInstances:
        """A table of names only."""
        return replace(instances, attributes=self.attributes, rows=self.cut(instances.rows).astype(np.float64))


def gains(instances: BlockInstances) -> dict[str, float]:
    """The information gain of every column, numbers cut into intervals first (hybrid rules, figure 6)."""
    found = Intervals.of(instances)
    rows, classes = found.cut(instances.rows), len(instances.classes)
    return {
        one.name: information_gain(cross_counts(rows[:, place], instances.labels, (len(one.values), classes)))
        for place, one in enumerate(found.attributes)
    }
