"""Training of the block tree of the hybrid approach, and its cross-validation by site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from tidings.extractors.published.block_tree.extractor import main_text
from tidings.extractors.published.block_tree.features import FEATURES, TAGS, BlockClass
from tidings.extractors.published.block_tree.tree import BlockDecisionTree
from tidings.page import Page
from tidings.processes import results
from tidings_lab.corpora import Sample
from tidings_lab.learners.blocks.c45 import C45, Pruning
from tidings_lab.learners.blocks.labelled_tables import DRAWN, EXPLAINED, BlockPage, draw, taught
from tidings_lab.learners.blocks.page_gold import PageGold
from tidings_lab.learners.site_folds import fold_of
from tidings_lab.metrics.texts import word_score
from tidings_lab.tables import Cell, Table
from tidings_lab.training.settings import with_settings
from tidings_lab.training.trainers import TrainingOrder

#: The page type with a headline, an author and a date.
_KIND: Final = "article"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of training a block tree: those of C4.5, and the sample of uninformative blocks."""

    pruning: Pruning = Pruning.DEFAULT
    confidence: float = 0.25
    least: int = 5
    drawn: int = DRAWN
    parts: bool = False

    def fit(self, pages: Sequence[BlockPage]) -> BlockDecisionTree:
        """Train a decision tree on the labelled blocks of pages."""
        table = draw(pages, self.drawn, parts=self.parts)
        return C45(self.pruning, self.confidence, self.least).fit(table)


def block_tree(order: TrainingOrder) -> Table | None:
    """Train the tree on all pages; with folds, return the scores of trees trained without each fold.

    Raises:
        InputError: no page has a main block.
    """
    settings = with_settings(Settings(), order.settings)
    samples = [sample for sample in order.samples if sample.page_type in (_KIND, "")]
    order.report(f"labelling the blocks of {len(samples)} articles")
    pages = results(taught_sample, samples, order.jobs)
    order.report("growing the tree")
    tree = settings.fit(pages)
    tree.save(order.out, _card(settings, samples, pages))
    if not order.folds:
        return None
    rows: list[tuple[Cell, ...]] = []
    for out in range(order.folds):
        order.report(f"fold {out + 1}: growing a tree without it, and reading its pages")
        fold = [fold_of(sample.site, order.folds) for sample in samples]
        without = settings.fit([page for page, page_fold in zip(pages, fold, strict=True) if page_fold != out])
        inside = [place for place, page_fold in enumerate(fold) if page_fold == out]
        scores = results(partial(text_f1, tree=without), [samples[place] for place in inside], order.jobs)
        rows.append(
            (f"fold {out + 1}", len(inside), _accuracy(without, [pages[place] for place in inside]), _mean(scores))
        )
    counts = np.array([row[1] for row in rows], np.float64)
    means = (float(np.average([row[column] for row in rows], weights=counts)) for column in (2, 3))
    rows.append(("all", len(samples), *means))
    return Table(
        "Measured on sites that were not learned from", ("sites", "pages", "block accuracy", "word F1"), tuple(rows)
    )


def taught_sample(sample: Sample) -> BlockPage:
    """Return a sample's page with labelled blocks."""
    return taught(sample.html, sample.url, sample.site, PageGold.of(dict(sample.gold), sample.lang))


def text_f1(sample: Sample, tree: BlockDecisionTree) -> float:
    """Return word F1 of the main block that a tree selects."""
    page = Page(sample.html, sample.url)
    return word_score(main_text(page, tree).text(page), str(sample.gold["text"])).f1


def _accuracy(tree: BlockDecisionTree, pages: Sequence[BlockPage]) -> float:
    """Return the share of sampled blocks that are classified correctly."""
    table = draw(pages)
    return float(np.mean(tree.classify(table.rows) == table.labels)) if len(table) else 0.0


def _card(settings: Settings, samples: Sequence[Sample], pages: Sequence[BlockPage]) -> dict[str, Any]:
    """Return the metadata of a decision tree: features, classes, training data and settings."""
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
