"""Tables of labelled blocks from pages.

A page has hundreds of uninformative blocks and one main block. The hybrid paper drew its two sets with balanced classes
(section 4.2, table 2: 675 main blocks and 1,352 of article information). Here a page contributes all blocks of the
three informative classes and a random sample of the others. The alternative is all blocks of a page, with the parts of
the story among the uninformative ones, which is what a tree meets when it reads a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.published.block_tree.features import AFTER, COUNTED, FEATURES, TAGS, BlockClass
from tidings.page import Page
from tidings_lab.learners.blocks.instances import Attribute, BlockInstances
from tidings_lab.learners.blocks.labels import PART, label
from tidings_lab.learners.blocks.page_gold import PageGold

Floats = NDArray[np.float64]
ATTRIBUTES: Final = (
    *(Attribute(name) for name in (*COUNTED, *AFTER)),
    Attribute("tn", TAGS),
    Attribute("id", ("no", "yes")),
    Attribute("class", ("no", "yes")),
)
CLASSES: Final = tuple(kind.label for kind in BlockClass)
#: The number of uninformative blocks per page in a sample.
DRAWN: Final = 16
#: The least F measure of the main blocks; other pages are not used for training.
EXPLAINED: Final = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class BlockPage:
    """The blocks of a page with their classes, without the page itself."""

    site: str
    explained: float  # F measure of the main blocks against the ground-truth text
    rows: Floats
    label: NDArray[np.int8]
    field: NDArray[np.int8]


def taught(html: bytes, url: str, site: str, gold: PageGold) -> BlockPage:
    """Parse a page and label its blocks from the ground truth."""
    labelled = label(Page(html, url), gold)
    return BlockPage(site, labelled.main.f1, labelled.blocks.rows.astype(np.float64), labelled.label, labelled.field)


def draw(
    pages: Sequence[BlockPage], drawn: int | None = DRAWN, *, parts: bool = False, seed: int = 1
) -> BlockInstances:
    """Return a table of the blocks of pages that have a main block.

    Args:
        pages: the pages.
        drawn: the number of uninformative blocks per page; None for all.
        parts: whether to include the parts of the story, as uninformative.
        seed: the seed of the sample.
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
        informative = np.flatnonzero((classes >= 0) & (classes != BlockClass.UNINFORMATIVE))
        rest = np.flatnonzero(classes == BlockClass.UNINFORMATIVE)
        if drawn is not None and len(rest) > drawn:
            rest = random.choice(rest, drawn, replace=False)
        chosen = np.sort(np.concatenate((informative, rest)))
        rows.append(page.rows[chosen])
        labels.append(classes[chosen])
        numbers.append(np.full(len(chosen), number))
        places.append(np.full(len(chosen), sites[page.site]))
    empty = [np.zeros(0, np.int64)]
    return BlockInstances(
        ATTRIBUTES,
        CLASSES,
        np.concatenate(rows),
        np.concatenate(labels),
        np.concatenate(numbers or empty),
        np.concatenate(places or empty),
    )
