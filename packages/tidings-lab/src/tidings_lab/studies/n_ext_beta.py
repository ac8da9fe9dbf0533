"""N-EXT's coefficient beta: block accuracy and text F for beta from 0 to 1, and beta chosen by cross-validation.

Source: N-EXT thesis 6.2.1, tables 6.2, 6.4 and 6.5: ten folds, beta chosen on nine of them and measured on the tenth;
the best is mostly 0.6, with 0.959 of the Turkish and 0.920 of the English news blocks right. Here folds are of whole
sites, the query is the page's own headline because there is no feed, and the right block comes from the ground truth
(`gold_block`). Leaf blocks, as published, are compared with blocks by own text, which current pages need.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from tidings.charts import Chart, Series
from tidings.extractors.published.largest_block import BlockKind
from tidings.extractors.published.n_ext import NEXT
from tidings.page import Page
from tidings_lab.corpora import Sample
from tidings_lab.studies.n_ext_blocks import detect
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.tables import Table
from tidings_lab.validation import (
    BestColumn,
    ScoreRow,
    cross_validate,
    grouped_k_fold,
    mean,
    score_of,
)

BETAS: Final = tuple(round(0.1 * step, 1) for step in range(11))
FOLDS: Final = 10
_NAMES: Final = {BlockKind.LEAVES: "leaf blocks", BlockKind.OWN_TEXT: "blocks by own text"}


@dataclass(frozen=True, slots=True)
class BetaCurve:
    """The scores of N-EXT for each beta, by page, for one kind of blocks."""

    blocks: BlockKind
    right: tuple[ScoreRow, ...]  # 1 if the news block is right
    text: tuple[ScoreRow, ...]  # word-set F

    @property
    def accuracy(self) -> tuple[float, ...]:
        """The block accuracy for each beta (eq. 5.1)."""
        return _means(self.right)

    @property
    def text_f(self) -> tuple[float, ...]:
        """The mean text F for each beta."""
        return _means(self.text)

    def chosen(self, rows: tuple[ScoreRow, ...]) -> tuple[Counter[float], float]:
        """Cross-validate the choice of beta in ten folds of sites.

        Returns how often each beta is the best on nine folds, and the mean score of the chosen one on the tenth.
        """
        splits = grouped_k_fold(rows, FOLDS)
        betas = Counter(BETAS[BestColumn().fit(split.train)] for split in splits)
        return betas, mean(cross_validate(BestColumn(), splits, score_of))


@dataclass(frozen=True, slots=True)
class BetaCurves:
    """Scores by beta."""

    pages: int
    curves: tuple[BetaCurve, ...]

    def tables(self) -> tuple[Table, ...]:
        """Return tables of scores by beta (tables 6.2 and 6.4), and of the beta chosen on other sites."""
        columns = [
            (f"{what}, {_NAMES[curve.blocks]}", values) for curve in self.curves for what, values in _both(curve)
        ]
        rows = tuple((beta, *(values[place] for _, values in columns)) for place, beta in enumerate(BETAS))
        chosen = []
        for curve in self.curves:
            for what, scores in (("block accuracy", curve.right), ("text F", curve.text)):
                betas, elsewhere = curve.chosen(scores)
                often = ", ".join(f"{beta} ({count})" for beta, count in betas.most_common())
                chosen.append((what, _NAMES[curve.blocks], often, elsewhere))
        return (
            Table(f"N-EXT by beta, {self.pages} pages", ("beta", *(name for name, _ in columns)), rows),
            Table(
                "beta chosen on other sites, in folds of sites",
                ("measure", "blocks", "beta (folds)", "measured on the other sites"),
                tuple(chosen),
            ),
        )

    def charts(self) -> tuple[Chart, ...]:
        """Return a chart of all curves."""
        series = [
            Series(f"{what},\n{_NAMES[curve.blocks]}", values) for curve in self.curves for what, values in _both(curve)
        ]
        published = ((0.6, "thesis: 0.6"),)
        title, x, y = "N-EXT by share of block size in the weight", "beta (0: likeness alone, 1: size alone)", "mean"
        return (Chart("n-ext-beta", title, x, y, BETAS, tuple(series), marked=published),)


def run_beta(samples: Sequence[Sample], each: Each = in_turn) -> BetaCurves:
    """Measure every beta on every page."""
    rows_by_page = list(each(partial(_try, betas=BETAS), samples, "beta"))
    curves = tuple(
        BetaCurve(
            blocks, tuple(rows[place][0] for rows in rows_by_page), tuple(rows[place][1] for rows in rows_by_page)
        )
        for place, blocks in enumerate(BlockKind)
    )
    return BetaCurves(len(rows_by_page), curves)


def _try(sample: Sample, betas: tuple[float, ...]) -> list[tuple[ScoreRow, ScoreRow]]:
    """Return for each kind of blocks a row of block accuracies and a row of text scores."""
    page = Page(sample.html)
    rows = []
    for blocks in BlockKind:
        detections = detect(sample, page, tuple(NEXT(beta=beta, blocks=blocks) for beta in betas))
        right = ScoreRow(sample.site, tuple(float(detection.right) for detection in detections))
        rows.append((right, ScoreRow(sample.site, tuple(detection.text for detection in detections))))
    return rows


def _means(rows: tuple[ScoreRow, ...]) -> tuple[float, ...]:
    return tuple(np.mean([row.scores for row in rows], axis=0).tolist())


def _both(curve: BetaCurve) -> tuple[tuple[str, tuple[float, ...]], tuple[str, tuple[float, ...]]]:
    return ("block accuracy", curve.accuracy), ("text F", curve.text_f)


BETA: Final = Study(
    "n-ext-beta", "N-EXT's beta curve: block accuracy and text F", "N-EXT thesis 6.2.1, tables 6.2, 6.4, 6.5", run_beta
)
