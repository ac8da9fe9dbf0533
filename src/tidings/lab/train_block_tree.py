"""Trains the tree of the extractor `block-tree` (hybrid rules 4), and measures it on sites it has not seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from tidings.extractors.published.block_tree.classes import BlockClass
from tidings.extractors.published.block_tree.extractor import main_text
from tidings.extractors.published.block_tree.features import FEATURES, TAGS
from tidings.extractors.published.block_tree.tree import BlockDecisionTree
from tidings.lab.corpora import Sample
from tidings.lab.learners.blocks.c45 import C45, Pruning
from tidings.lab.learners.blocks.instances import DRAWN, EXPLAINED, BlockPage, draw
from tidings.lab.learners.default import fold_of
from tidings.lab.metrics import word_score
from tidings.lab.studies.hybrid_pages import taught_sample
from tidings.lab.tables import Cell, Table
from tidings.lab.trainers import TrainingOrder, with_settings
from tidings.page import Page
from tidings.processes import results

#: The only kind of page that has a headline, an author and a date.
_KIND: Final = "article"


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set: the learner's own, and how many uninformative blocks of a page it learns from."""

    pruning: Pruning = Pruning.DEFAULT
    confidence: float = 0.25
    least: int = 5
    drawn: int = DRAWN
    parts: bool = False

    def fit(self, pages: Sequence[BlockPage]) -> BlockDecisionTree:
        """A tree of these pages."""
        table = draw(pages, self.drawn, parts=self.parts)
        return C45(self.pruning, self.confidence, self.least).fit(table)


def train(order: TrainingOrder) -> Table | None:
    """Grow the tree from all pages, write it, and where folds are asked for measure trees grown without each.

    Raises:
        InputError: no page has a main block.
    """
    settings = with_settings(Settings(), order.settings)
    samples = [sample for sample in order.samples if sample.page_type in (_KIND, "")]
    order.told(f"labelling the blocks of {len(samples)} articles")
    pages = results(taught_sample, samples, order.jobs)
    order.told("growing the tree")
    tree = settings.fit(pages)
    tree.save(order.out, _card(settings, samples, pages))
    if not order.folds:
        return None
    rows: list[tuple[Cell, ...]] = []
    for out in range(order.folds):
        order.told(f"fold {out + 1}: growing a tree without it, and reading its pages")
        fold = [fold_of(sample.site, order.folds) for sample in samples]
        without = settings.fit([page for page, where in zip(pages, fold, strict=True) if where != out])
        inside = [place for place, where in enumerate(fold) if where == out]
        scores = results(partial(text_f1, tree=without), [samples[place] for place in inside], order.jobs)
        rows.append(
            (f"fold {out + 1}", len(inside), _accuracy(without, [pages[place] for place in inside]), _mean(scores))
        )
    counts = np.array([row[1] for row in rows], np.float64)
    means = (float(np.average([row[at] for row in rows], weights=counts)) for at in (2, 3))
    rows.append(("all", len(samples), *means))
    return Table(
        "Measured on sites that were not learned from", ("sites", "pages", "block accuracy", "word F1"), tuple(rows)
    )


def text_f1(sample: Sample, tree: BlockDecisionTree) -> float:
    """Word F1 of the main block that a tree finds."""
    page = Page(sample.html, sample.url)
    return word_score(main_text(page, tree).text(page), str(sample.gold["text"])).f1


def _accuracy(tree: BlockDecisionTree, pages: Sequence[BlockPage]) -> float:
    """The share of drawn blocks that get their class."""
    table = draw(pages)
    return float(np.mean(tree.classify(table.rows) == table.labels)) if len(table) else 0.0


def _card(settings: Settings, samples: Sequence[Sample], pages: Sequence[BlockPage]) -> dict[str, Any]:
    """What is to be known of a tree: what it asks, what it tells, what it was grown from and how."""
    used = [sample for sample, page in zip(samples, pages, strict=True) if page.explained >= EXPLAINED]
    return {
        "what": "decision tree of the extractor block-tree: the class of a block of a page",
        "features": FEATURES,
        "tags": TAGS,
        "classes": [one.label for one in BlockClass],
        "learned_from": dict(sorted(Counter(f"{one.corpus} ({one.more.get('licence', '')})" for one in used).items())),
        "sites": len({one.site for one in used}),
        "settings": {
            "pruning": settings.pruning.value,
            "confidence": settings.confidence,
            "least": settings.least,
            "drawn": settings.drawn,
            "parts": settings.parts,
        },
    }


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0
