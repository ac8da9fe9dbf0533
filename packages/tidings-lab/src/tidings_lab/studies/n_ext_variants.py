"""Variants of N-EXT: with and without link text, with and without stemming, four similarity measures, in ten folds.

Source: N-EXT thesis 6.2: without link text more blocks are right (table 6.5: 0.959 against 0.856 on Turkish pages,
0.920 against 0.820 on English ones); stemming helps slightly (table 6.6: text F 0.922 against 0.914); Dice is best,
then Jaccard, Cosine, Overlap, and all pairs except Dice and Jaccard differ significantly over ten folds (table 6.3).
Here folds are of whole sites. The means of folds are compared like in the thesis; since all variants read the same
pages, the differences from the thesis's choice are also computed by page, with an interval by site.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from tidings.charts import Chart, ChartKind, Series
from tidings.extractors.published.largest_block import BlockKind
from tidings.extractors.published.n_ext import NEXT
from tidings.page import Page
from tidings.text import Measure
from tidings_lab.corpora import Sample
from tidings_lab.statistics.paired_tests import bootstrap_difference
from tidings_lab.studies.n_ext_beta import FOLDS
from tidings_lab.studies.n_ext_blocks import Detection, detect
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.studies.variance_tables import analysed
from tidings_lab.tables import Cell, Table
from tidings_lab.validation import (
    Fixed,
    cross_validate,
    fold_means,
    grouped_k_fold,
)

#: The measures of the thesis.
_MEASURES: Final = (Measure.COSINE, Measure.DICE, Measure.JACCARD, Measure.OVERLAP)
VARIANTS: Final = tuple(
    NEXT(link_text=link_text, stemmed=stemmed, measure=measure, blocks=blocks)
    for blocks, link_text, stemmed, measure in product(BlockKind, (False, True), (True, False), _MEASURES)
)
_PUBLISHED: Final = NEXT()


@dataclass(frozen=True, slots=True)
class VariantsTrial:
    """The results of each variant on a page, in the order of `VARIANTS`."""

    site: str
    detections: tuple[Detection, ...]


@dataclass(frozen=True, slots=True)
class Variants:
    """The scores of all variants."""

    trials: tuple[VariantsTrial, ...]

    def folds(self, variant: NEXT, what: str) -> list[float]:
        """Return the mean of a variant in each fold: of `right` (block accuracy) or `text` (text F)."""
        place = VARIANTS.index(variant)
        splits = grouped_k_fold(self.trials, FOLDS)
        return fold_means(
            cross_validate(Fixed(place), splits, lambda model, trial: float(getattr(trial.detections[model], what)))
        )

    def values(self, variant: NEXT, what: str) -> list[float]:
        """Return the value of each page for a variant."""
        place = VARIANTS.index(variant)
        return [float(getattr(trial.detections[place], what)) for trial in self.trials]

    def tables(self) -> tuple[Table, ...]:
        """Return tables of all variants, and of the similarity measures on both kinds of blocks."""
        sites = [trial.site for trial in self.trials]
        rows: list[tuple[Cell, ...]] = []
        for variant in VARIANTS:
            base = _like(variant)
            right, text = (float(np.mean(self.values(variant, what))) for what in ("right", "text"))
            gain = bootstrap_difference(self.values(variant, "text"), self.values(base, "text"), sites)
            rows.append((*_described(variant), right, text, gain.signed))
        columns = ("blocks", "link text", "stems", "measure", "block accuracy", "text F", "text F against the thesis's")
        tables = [Table(f"N-EXT's variants, {len(self.trials)} pages", columns, tuple(rows))]
        for blocks in BlockKind:
            for what, name in (("right", "block accuracy"), ("text", "text F")):
                groups = [self.folds(NEXT(measure=measure, blocks=blocks), what) for measure in _MEASURES]
                title = f"Measures, {name}, {_short(blocks)}, {FOLDS} folds"
                tables += analysed(title, [measure.name.lower() for measure in _MEASURES], groups)
        return tuple(tables)

    def charts(self) -> tuple[Chart, ...]:
        """Return charts of block accuracy and text F of each similarity measure, with and without link text and
        stemming.
        """
        charts = []
        for what, name in (("right", "block accuracy"), ("text", "text F")):
            series = tuple(
                Series(
                    f"link text {_yes(link_text)}, stems {_yes(stemmed)}",
                    tuple(
                        float(np.mean(self.values(NEXT(0.6, measure, link_text, stemmed, BlockKind.OWN_TEXT), what)))
                        for measure in _MEASURES
                    ),
                )
                for link_text, stemmed in product((False, True), (True, False))
            )
            names = tuple(measure.name.lower() for measure in _MEASURES)
            title = f"N-EXT's variants: {name}, blocks by own text"
            charts.append(Chart(f"n-ext-variants-{what}", title, "", name, names, series, ChartKind.BARS))
        return tuple(charts)


def run_variants(samples: Sequence[Sample], each: Each = in_turn) -> Variants:
    """Measure every variant on every page."""
    return Variants(tuple(each(_try_variants, samples, "variants")))


def _try_variants(sample: Sample) -> VariantsTrial:
    return VariantsTrial(sample.site, tuple(detect(sample, Page(sample.html), VARIANTS)))


def _like(variant: NEXT) -> NEXT:
    """Return N-EXT with the thesis's settings and the blocks of a variant."""
    return NEXT(_PUBLISHED.beta, _PUBLISHED.measure, _PUBLISHED.link_text, _PUBLISHED.stemmed, variant.blocks)


def _described(variant: NEXT) -> tuple[str, str, str, str]:
    return _short(variant.blocks), _yes(variant.link_text), _yes(variant.stemmed), variant.measure.name.lower()


def _short(blocks: BlockKind) -> str:
    return "leaves" if blocks is BlockKind.LEAVES else "own text"


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


VARIANT_STUDY: Final = Study(
    "n-ext-variants",
    "N-EXT with and without link text and stemming, by each measure, in ten folds",
    "N-EXT thesis 6.2, tables 6.3, 6.5, 6.6",
    run_variants,
)
