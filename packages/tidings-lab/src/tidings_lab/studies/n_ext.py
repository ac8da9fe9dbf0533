"""News block detection on pages whose blocks nobody labelled (N-EXT thesis 5.1).

The thesis had people mark the news block of 1,100 pages. Here the gold text tells it: of the blocks that may be chosen,
the one whose words, as a set, are nearest to it. The block that N-EXT chooses is the one of most weight.

N-EXT's one coefficient: block accuracy and text F for beta from 0 to 1, and beta chosen by cross-validation.

N-EXT thesis 6.2.1, tables 6.2, 6.4 and 6.5: ten folds, beta chosen on nine of them and measured on the tenth; the best
is 0.6 on most, with 0.959 of the Turkish and 0.920 of the English news blocks right. Here folds are of whole sites, the
query is the page's own headline, as there is no feed, and blocks are told by gold (`gold_block`). Leaf blocks, as
published, are measured beside blocks by their own text, which today's pages need.

N-EXT with and without link text, with and without stemming, by each of four similarity measures, in ten folds.

N-EXT thesis 6.2: without link text more blocks are right (table 6.5: 0.959 against 0.856 on Turkish pages, 0.920
against 0.820 on English ones); stemming helps a little (table 6.6: text F 0.922 against 0.914); Dice is best, then
Jaccard, Cosine, Overlap, and all pairs but Dice and Jaccard differ significantly over ten folds (table 6.3). Folds here
are of whole sites. The means of folds are compared as in the thesis; since all variants read the same pages, the
differences from the thesis's choice are also taken page by page, with an interval that draws whole sites.

The same curve when the feed asks, as in the thesis: its title, its description, or the page's own headline.

N-EXT thesis 4.1.1, 6.2.1, tables 6.2 and 6.4: the title of the feed is the query, Turkish and English apart. Pages of a
corpus whose folder has `feeds` are matched with the items there by their address; the bundled newspaper has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np

from tidings.charts import Chart, ChartKind, Series
from tidings.errors import InputError
from tidings.extractors.published.largest_block import DIV, TABLE, BlockKind, cleaned, owners
from tidings.extractors.published.largest_block import blocks as blocks_of
from tidings.extractors.published.n_ext import NEXT
from tidings.page import Hints, Page, Spans
from tidings.page.columns import Ints
from tidings.sources.feeds import read_feed
from tidings.text import FloatArray, Measure, base_language
from tidings_lab.corpora import Sample
from tidings_lab.metrics.texts import units_for, word_set_score
from tidings_lab.statistics.paired_tests import bootstrap_difference
from tidings_lab.studies.study import Each, Study, Trials, analysed, in_turn
from tidings_lab.tables import Cell, Table
from tidings_lab.validation import (
    BestColumn,
    Fixed,
    ScoreRow,
    cross_validate,
    fold_means,
    grouped_k_fold,
    mean,
    score_of,
)

#: Weights of a page's blocks that have been worked out already, by setting.
Weights = dict[NEXT, FloatArray]

_BLOCKING: Final = frozenset({DIV, TABLE})


@dataclass(frozen=True, slots=True)
class Detection:
    """What N-EXT did on one page with one setting."""

    right: bool  # whether its news block is the one nearest to gold
    text: float  # word-set F of its text (thesis 5.2)


def detect(sample: Sample, page: Page, settings: tuple[NEXT, ...]) -> list[Detection]:
    """The news block and the text for each setting; settings that differ in beta alone share the work."""
    owner = owners(page, _BLOCKING)
    gold = str(sample.gold["text"])
    units = units_for(gold, sample.lang)
    wanted = {which: gold_block(page, owner, gold, sample.lang, which) for which in {one.blocks for one in settings}}
    found: list[Detection] = []
    texts: dict[tuple[NEXT, int], float] = {}
    known: Weights = {}
    for setting in settings:
        block = news_block(page, owner, setting, known)
        alike = replace(setting, beta=0.0), block
        if alike not in texts:
            texts[alike] = word_set_score(setting(page).text(page), gold, units).f1
        found.append(Detection(block == wanted[setting.blocks], texts[alike]))
    return found


def news_block(page: Page, owner: Ints, setting: NEXT, known: Weights) -> int:
    """The element that N-EXT takes for the news block; -1 on a page without text.

    A weight is `beta` times what it is for size alone and the rest times what it is for likeness alone (eq. 4.1), so
    two rankings serve every beta, and the one by size every measure; `known` keeps them.
    """
    by_likeness = _weights(page, replace(setting, beta=0.0), known)
    by_size = _weights(page, replace(setting, beta=1.0, measure=Measure.DICE, stemmed=False), known)
    weights = setting.beta * by_size + (1 - setting.beta) * by_likeness
    if not weights.any():
        return -1
    return int(owner[page.blocks.first[int(np.argmax(weights))]])


def gold_block(page: Page, owner: Ints, gold: str, language: str, which: BlockKind) -> int:
    """Of the elements that may be the news block, the one whose own words are nearest to gold; -1 if none has any."""
    units = units_for(gold, language)
    shown = cleaned(page, link_text=True)
    best, nearest = -1, 0.0
    for element in np.intersect1d(owner[shown], blocks_of(page, _BLOCKING, which)).tolist():
        text = Spans.of_runs(page, (owner == element) & shown).text(page)
        score = word_set_score(text, gold, units).f1
        if score > nearest:
            best, nearest = element, score
    return best


def _weights(page: Page, setting: NEXT, known: Weights) -> FloatArray:
    if setting not in known:
        known[setting] = setting.score(page)
    return known[setting]


BETAS: Final = tuple(round(0.1 * step, 1) for step in range(11))
FOLDS: Final = 10
_NAMES: Final = {BlockKind.LEAVES: "leaf blocks", BlockKind.OWN_TEXT: "blocks by own text"}


@dataclass(frozen=True, slots=True)
class BetaCurve:
    """One way to cut blocks: a row for each page with a score for each beta."""

    blocks: BlockKind
    right: tuple[ScoreRow, ...]  # 1 where the news block is right
    text: tuple[ScoreRow, ...]  # word-set F

    @property
    def accuracy(self) -> tuple[float, ...]:
        """Block accuracy for each beta (eq. 5.1)."""
        return _means(self.right)

    @property
    def text_f(self) -> tuple[float, ...]:
        """Mean text F for each beta."""
        return _means(self.text)

    def chosen(self, rows: tuple[ScoreRow, ...]) -> tuple[Counter[float], float]:
        """How often each beta is the best on nine folds, and the mean score on the tenth."""
        splits = grouped_k_fold(rows, FOLDS)
        betas = Counter(BETAS[BestColumn().fit(split.train)] for split in splits)
        return betas, mean(cross_validate(BestColumn(), splits, score_of))


@dataclass(frozen=True, slots=True)
class BetaCurves:
    """What the sweep found."""

    pages: int
    curves: tuple[BetaCurve, ...]

    def tables(self) -> tuple[Table, ...]:
        """Scores by beta (tables 6.2 and 6.4), and beta chosen on other sites."""
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
        """All curves in one picture."""
        series = [
            Series(f"{what},\n{_NAMES[curve.blocks]}", values) for curve in self.curves for what, values in _both(curve)
        ]
        published = ((0.6, "thesis: 0.6"),)
        title, x, y = "N-EXT by share of block size in the weight", "beta (0: likeness alone, 1: size alone)", "mean"
        return (Chart("n-ext-beta", title, x, y, BETAS, tuple(series), marked=published),)


def run_beta(samples: Sequence[Sample], each: Each = in_turn) -> BetaCurves:
    """Every beta on every page."""
    found = list(each(partial(_try, betas=BETAS), samples, "beta"))
    curves = tuple(
        BetaCurve(blocks, tuple(rows[place][0] for rows in found), tuple(rows[place][1] for rows in found))
        for place, blocks in enumerate(BlockKind)
    )
    return BetaCurves(len(found), curves)


def _try(sample: Sample, betas: tuple[float, ...]) -> list[tuple[ScoreRow, ScoreRow]]:
    """For each way to cut blocks a row of block accuracies and one of text scores."""
    page = Page(sample.html)
    rows = []
    for blocks in BlockKind:
        found = detect(sample, page, tuple(NEXT(beta=beta, blocks=blocks) for beta in betas))
        right = ScoreRow(sample.site, tuple(float(one.right) for one in found))
        rows.append((right, ScoreRow(sample.site, tuple(one.text for one in found))))
    return rows


def _means(rows: tuple[ScoreRow, ...]) -> tuple[float, ...]:
    return tuple(np.mean([row.scores for row in rows], axis=0).tolist())


def _both(curve: BetaCurve) -> tuple[tuple[str, tuple[float, ...]], tuple[str, tuple[float, ...]]]:
    return ("block accuracy", curve.accuracy), ("text F", curve.text_f)


BETA: Final = Study(
    "n-ext-beta", "N-EXT's beta curve: block accuracy and text F", "N-EXT thesis 6.2.1, tables 6.2, 6.4, 6.5", run_beta
)


#: Those that the thesis measured.
_MEASURES: Final = (Measure.COSINE, Measure.DICE, Measure.JACCARD, Measure.OVERLAP)
VARIANTS: Final = tuple(
    NEXT(link_text=link_text, stemmed=stemmed, measure=measure, blocks=blocks)
    for blocks, link_text, stemmed, measure in product(BlockKind, (False, True), (True, False), _MEASURES)
)
_PUBLISHED: Final = NEXT()


@dataclass(frozen=True, slots=True)
class VariantsTrial:
    """One page: what each variant did, in the order of `VARIANTS`."""

    site: str
    found: tuple[Detection, ...]


@dataclass(frozen=True, slots=True)
class Variants:
    """What the comparison found."""

    trials: tuple[VariantsTrial, ...]

    def folds(self, variant: NEXT, what: str) -> list[float]:
        """The mean of each fold: of `right` (block accuracy) or `text` (text F)."""
        place = VARIANTS.index(variant)
        splits = grouped_k_fold(self.trials, FOLDS)
        return fold_means(
            cross_validate(Fixed(place), splits, lambda one, trial: float(getattr(trial.found[one], what)))
        )

    def values(self, variant: NEXT, what: str) -> list[float]:
        """The value of each page."""
        place = VARIANTS.index(variant)
        return [float(getattr(trial.found[place], what)) for trial in self.trials]

    def tables(self) -> tuple[Table, ...]:
        """All variants; then the measures compared as in the thesis, on leaf blocks and on blocks by own text."""
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
        """Block accuracy and text F of each measure, with and without link text and stemming."""
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
    """Every variant on every page."""
    return Variants(tuple(each(_try_variants, samples, "variants")))


def _try_variants(sample: Sample) -> VariantsTrial:
    return VariantsTrial(sample.site, tuple(detect(sample, Page(sample.html), VARIANTS)))


def _like(variant: NEXT) -> NEXT:
    """The thesis's choice, with the blocks of a variant."""
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


#: What asks for the story.
QUERIES: Final = ("feed's title", "feed's description", "own headline")
_BLOCKS: Final = {BlockKind.OWN_TEXT: "blocks by own text", BlockKind.LEAVES: "leaf blocks"}
#: A language with fewer pages stands only in the row of all.
_FEWEST: Final = 3
ALL: Final = "all"
_LINES: Final = 4  # more cannot be told apart in one picture


@dataclass(frozen=True, slots=True)
class FeedPage:
    """A page, and what its feed says of it."""

    sample: Sample
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class FeedTrial:
    """One page asked for in one way: block accuracy and text F for each beta."""

    language: str
    query: str
    blocks: BlockKind
    right: ScoreRow
    text: ScoreRow


@dataclass(frozen=True, slots=True)
class FeedCurves:
    """What each query finds, by language."""

    pages: int
    trials: Trials[FeedTrial]

    def languages(self) -> list[str]:
        """All pages, then those languages that have enough of them, the most first."""
        each = self.trials.where(query=QUERIES[0]).column("language")
        counts = {name: each.count(name) // len(_BLOCKS) for name in set(each)}
        return [ALL, *sorted((one for one in counts if counts[one] >= _FEWEST), key=lambda one: (-counts[one], one))]

    def curve(self, language: str, query: str, blocks: BlockKind, what: str) -> tuple[float, ...]:
        """The mean of `right` or `text` for each beta."""
        trials = self.trials.where(query=query, blocks=blocks)
        return (trials if language == ALL else trials.where(language=language)).means(f"{what}.scores")

    def tables(self) -> tuple[Table, ...]:
        """The best beta of each query and language, then whole curves of all pages and of each language."""
        best: list[tuple[Cell, ...]] = []
        for language in self.languages():
            for query in QUERIES:
                for blocks, name in _BLOCKS.items():
                    right, text = (self.curve(language, query, blocks, what) for what in ("right", "text"))
                    at = int(np.argmax(right))
                    published = BETAS.index(0.6)
                    best.append(
                        (language, query, name, BETAS[at], right[at], right[published], text[published], max(text))
                    )
        columns = ("language", "query", "blocks", "best beta", "block accuracy", "at 0.6", "text F at 0.6", "best F")
        tables = [Table(f"N-EXT asked by feeds, {self.pages} pages", columns, tuple(best))]
        for language in self.languages():
            named = [(query, self.curve(language, query, BlockKind.OWN_TEXT, "right")) for query in QUERIES]
            rows = tuple((beta, *(values[at] for _, values in named)) for at, beta in enumerate(BETAS))
            tables.append(Table(f"Block accuracy by beta, own text: {language}", ("beta", *QUERIES), rows))
        return tuple(tables)

    def charts(self) -> tuple[Chart, ...]:
        """Block accuracy with the feed's title: all pages, and the languages with most of them."""
        series = tuple(
            Series(language, self.curve(language, QUERIES[0], BlockKind.OWN_TEXT, "right"))
            for language in self.languages()[:_LINES]
        )
        title, x = "N-EXT by beta, asked by the feed's title", "beta (0: likeness alone, 1: size alone)"
        return (Chart("n-ext-feeds", title, x, "block accuracy", BETAS, series, marked=((0.6, "thesis: 0.6"),)),)


def run_feeds(samples: Sequence[Sample], each: Each = in_turn) -> FeedCurves:
    """Every beta on every page that a feed of its corpus names.

    Raises:
        InputError: the corpora have no feeds, or these name none of the pages.
    """
    asked = list(feed_pages(samples))
    if not asked:
        raise InputError("no feed names any of these pages: the corpus has a folder `feeds`, as the newspaper has")
    return FeedCurves(len(asked), Trials.of(partial(_try_feed, betas=BETAS), asked, "feeds", each))


def feed_pages(samples: Iterable[Sample]) -> Iterable[FeedPage]:
    """The pages that feeds of their corpus name, with what these say."""
    known: dict[Path, dict[str, tuple[str, str]]] = {}
    for sample in samples:
        folder = next((one / "feeds" for one in sample.file.parents if (one / "pages.jsonl").is_file()), None)
        if folder is None or not sample.gold.get("text"):
            continue
        if folder not in known:
            known[folder] = _items(folder)
        if (said := known[folder].get(sample.url)) is not None:
            yield FeedPage(sample, *said)


def _items(folder: Path) -> dict[str, tuple[str, str]]:
    """Title and description of each item, by its address."""
    found: dict[str, tuple[str, str]] = {}
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        for link in read_feed(file.read_bytes()).items:  # a sitemap or a list of feeds has none
            if link.title:
                found |= dict.fromkeys((link.declared_address, link.address), (link.title, link.summary))
    return found


def _try_feed(page: FeedPage, betas: tuple[float, ...]) -> list[FeedTrial]:
    sample = page.sample
    hints = (Hints(title=page.title), Hints(description=page.description or page.title), Hints())
    trials = []
    for query, known in zip(QUERIES, hints, strict=True):
        held = Page(sample.html, sample.url or None, known)
        for blocks in _BLOCKS:
            found = detect(sample, held, tuple(NEXT(beta=beta, blocks=blocks) for beta in betas))
            right = ScoreRow(sample.site, tuple(float(one.right) for one in found))
            text = ScoreRow(sample.site, tuple(one.text for one in found))
            trials.append(FeedTrial(base_language(sample.lang), query, blocks, right, text))
    return trials


FEEDS: Final = Study(
    "n-ext-feeds", "N-EXT's beta curve with titles of feeds, languages apart", "N-EXT thesis 4.1.1, 6.2.1", run_feeds
)
