"""Blocks of many pages as one table to learn from, and what a learner of them is.

From labelled pages to a table of blocks.

A page has hundreds of uninformative blocks and one main one. The hybrid paper drew its two sets so that the classes
are in balance (section 4.2, table 2; it had 675 main blocks and 1,352 of article information); here a page gives all
blocks of the three classes that matter and so many of the rest, drawn at random. All blocks of a page, the parts of the
story among the uninformative ones, are the other reading: what a tree meets when it reads a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.published.block_tree.classes import BlockClass
from tidings.extractors.published.block_tree.features import AFTER, COUNTED, FEATURES, TAGS
from tidings.lab.learners.blocks.labels import PART, PageGold, label
from tidings.page import Page
from tidings.page.columns import Ints

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
