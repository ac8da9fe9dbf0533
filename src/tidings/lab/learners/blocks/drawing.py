"""From labelled pages to a table of blocks.

A page has hundreds of uninformative blocks and one main one. The hybrid paper drew its two sets so that the classes
are in balance (section 4.2, table 2; it had 675 main blocks and 1,352 of article information); here a page gives all
blocks of the three classes that matter and so many of the rest, drawn at random. All blocks of a page, the parts of the
story among the uninformative ones, are the other reading: what a tree meets when it reads a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.published.block_tree.classes import BlockClass
from tidings.extractors.published.block_tree.features import AFTER, COUNTED, FEATURES, TAGS
from tidings.lab.learners.blocks.gold import PageGold
from tidings.lab.learners.blocks.instances import Attribute, Floats, Instances
from tidings.lab.learners.blocks.labels import PART, label
from tidings.page import Page

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
class TaughtPage:
    """The blocks of a page with their classes, without the page."""

    site: str
    explained: float  # how well the main blocks are the gold text, as an F measure
    rows: Floats
    label: NDArray[np.int8]
    field: NDArray[np.int8]


def taught(html: bytes, url: str, site: str, gold: PageGold) -> TaughtPage:
    """Label a page."""
    found = label(Page(html, url), gold)
    return TaughtPage(site, found.main.f1, found.blocks.rows.astype(np.float64), found.label, found.field)


def draw(pages: Sequence[TaughtPage], drawn: int | None = DRAWN, *, parts: bool = False, seed: int = 1) -> Instances:
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
    return Instances(
        ATTRIBUTES,
        CLASSES,
        np.concatenate(rows),
        np.concatenate(labels),
        np.concatenate(numbers or none),
        np.concatenate(places or none),
    )
