"""What each step of the hybrid approach takes: rules against the tree against whole extraction.

Hybrid paper 5.1, table 9: rule induction (a DOM tree, features, the learner) takes 240 times as long as extraction by
rules. Here the tree teaches a site's rules from five of its pages; on the others that the rules serve, all steps are
taken in turn, each from the bytes, in processor time; who goes first changes from page to page, and the second round
counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Final

import numpy as np

from tidings.charts import Chart, ChartKind, Series
from tidings.errors import InputError, TidingsError
from tidings.extractors import DEFAULT, extractor
from tidings.extractors.published.block_tree.extractor import BlockTree
from tidings.extractors.published.block_tree.features import features
from tidings.lab.corpora import Sample
from tidings.lab.studies.learned_sites import LESSONS, address, groups
from tidings.lab.studies.study import Each, Study, in_turn
from tidings.lab.tables import Table
from tidings.page import Page
from tidings.reading import read
from tidings.sites import Reader

#: In the paper's table 9 the step without rules takes so many times as long.
PUBLISHED: Final = 240
RULES, RULES_TEXT, TREE = "rules", "rules, text and fields alone", "page, features and tree"
_STEPS: Final = (RULES_TEXT, RULES, "page", "page and features", TREE, "article by the tree", "article by the default")
#: Pages of one site that are timed.
_MOST: Final = 10


@dataclass(frozen=True, slots=True)
class StepTimes:
    """One page: the seconds of each step."""

    site: str
    bytes: int
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class HybridTimes:
    """All pages that rules serve."""

    pages: tuple[StepTimes, ...]
    tried: int

    def mean(self, step: str) -> float:
        """Milliseconds of a step for a page."""
        return 1000 * float(np.mean([page.seconds[step] for page in self.pages]))

    def tables(self) -> tuple[Table, ...]:
        """Table 9."""
        size = sum(page.bytes for page in self.pages)
        rows = tuple(
            (
                step,
                self.mean(step),
                1000 * float(np.median([page.seconds[step] for page in self.pages])),
                size / 1e6 / max(sum(page.seconds[step] for page in self.pages), 1e-9),
                self.mean(step) / self.mean(RULES),
                self.mean(step) / self.mean(RULES_TEXT),
            )
            for step in _STEPS
        )
        columns = ("step", "ms a page", "median", "MB/s", "times rules", "times rules without blocks")
        where = f"{len(self.pages)} of {self.tried} pages, {len({one.site for one in self.pages})} sites"
        return (Table(f"Time of each step (table 9: {PUBLISHED} times as long without rules); {where}", columns, rows),)

    def charts(self) -> tuple[Chart, ...]:
        """Milliseconds of each step."""
        series = (Series("ms a page", tuple(self.mean(step) for step in _STEPS)),)
        title = "Rules, tree and whole extraction"
        return (Chart("hybrid-times", title, "", "ms a page", _STEPS, series, ChartKind.BARS),)


def run(samples: Sequence[Sample], each: Each = in_turn) -> HybridTimes:
    """Teach each site, then time the steps on its other pages.

    Raises:
        InputError: rules serve no page.
    """
    named = list(groups(samples).items())
    found = list(each.alone()(_site, named, "timing"))
    pages = tuple(page for some, _ in found for page in some)
    if not pages:
        raise InputError("no page here is served by rules: this study needs several pages of a site")
    return HybridTimes(pages, sum(tried for _, tried in found))


def _site(named: tuple[str, list[Sample]]) -> tuple[list[StepTimes], int]:
    _, samples = named
    teacher = BlockTree()
    reader = Reader(learn_from=LESSONS, audit_every=0, teacher=teacher)
    for sample in samples[:LESSONS]:
        try:
            reader.extract(sample.html, address(sample))
        except TidingsError:
            continue
    left = samples[LESSONS:][:_MOST]
    timed = [_timed(reader, sample, number) for number, sample in enumerate(left)]
    return [one for one in timed if one is not None], len(left)


def _timed(reader: Reader, sample: Sample, number: int) -> StepTimes | None:
    data, url, teacher, default = sample.html, address(sample), BlockTree(), extractor(DEFAULT)
    if reader.cut(data, url) is None:
        return None
    steps: dict[str, Callable[[], object]] = {
        RULES_TEXT: lambda: reader.text(data, url),
        RULES: lambda: reader.cut(data, url),
        "page": lambda: Page(data, url),
        "page and features": lambda: features(Page(data, url)),
        TREE: lambda: teacher.classified(Page(data, url)),
        "article by the tree": lambda: read(Page(data, url), teacher),
        "article by the default": lambda: read(Page(data, url), default),
    }
    names = [*_STEPS[number % len(_STEPS) :], *_STEPS[: number % len(_STEPS)]]
    seconds: dict[str, float] = {}
    for _ in range(2):
        for name in names:
            begin = process_time()
            steps[name]()
            seconds[name] = process_time() - begin
    return StepTimes(sample.site, len(data), seconds)


STUDY: Final = Study(
    "hybrid-times", "Rules against the tree against whole extraction", "hybrid rules 5.1, table 9", run
)
