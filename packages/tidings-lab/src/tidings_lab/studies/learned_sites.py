"""Site rules learned while reading: rules from five pages, measured on the site's other pages.

Rules: hybrid paper, section 5: usable on 71.9 % of pages, 240 times faster than the learner. Here a site's first pages,
in the order of the corpus, teach a reader; on the others the share of pages with matching rules is measured, and the
scores of rules and default extractor. Then the same pages are read again, with knowledge of the site's repeated texts.
A site of which the corpus has copies of several years (`year`) counts as one for each year.

Times: hybrid paper 5.1, table 9: rule induction (a DOM tree, features, the learner) takes 240 times as long as
extraction by rules. Here the tree teaches a site's rules from five of its pages; on the others with matching rules all
steps are timed in turn, each from the bytes, in processor time; the order rotates by page, and the second round counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import Final

import numpy as np

from tidings.article import Article
from tidings.charts import Chart, ChartKind, Series
from tidings.errors import InputError, TidingsError
from tidings.extractors import DEFAULT, extractor
from tidings.extractors.published.block_tree.extractor import BlockTree
from tidings.extractors.published.block_tree.features import features
from tidings.page import Page
from tidings.reading import read
from tidings.sites import Reader
from tidings.urls import URL
from tidings_lab.corpora import Sample
from tidings_lab.metrics.page_scores import text_score
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.tables import Table

LESSONS: Final = 5
#: A site is measured when so many pages are left.
LEFT: Final = 3
FIELDS: Final = tuple("title authors published language site canonical summary section tags image".split())


_MEASURES: Final = {
    "default": "default F1",
    "rules": "rules F1",
    "knowing": "rules F1, noise known",
    "default_precision": "default precision",
    "rules_precision": "rules precision",
}


@dataclass(frozen=True, slots=True)
class SiteResult:
    """The scores of rules that were learned from some pages of a site, on its other pages."""

    site: str
    pages: int
    default: tuple[float, ...] = ()  # word F1 of the pages with matching rules
    rules: tuple[float, ...] = ()
    knowing: tuple[float, ...] = ()  # rules with knowledge of the site's repeated texts
    default_precision: tuple[float, ...] = ()
    rules_precision: tuple[float, ...] = ()
    equal_fields: Counter[str] = field(default_factory=Counter)  # fields with equal values from rules and default
    fields: Counter[str] = field(default_factory=Counter)  # fields with a value from either

    @property
    def served(self) -> int:
        """Return the number of pages with matching rules."""
        return len(self.rules)


@dataclass(frozen=True, slots=True)
class SiteResults:
    """The scores of rules on all sites."""

    sites: tuple[SiteResult, ...]

    def tables(self) -> tuple[Table, ...]:
        """Return the results for all sites, by site, and by field."""
        pages = sum(site.pages for site in self.sites)
        served = sum(site.served for site in self.sites)
        means = [_mean([score for site in self.sites for score in getattr(site, name)]) for name in _MEASURES]
        whole = (len(self.sites), pages, served / max(pages, 1), *means)
        columns = ("sites", "pages", "served", *_MEASURES.values())
        rows: tuple[tuple[str | int | float, ...], ...] = tuple(
            (site.site, site.pages, site.served / site.pages, *(_mean(getattr(site, name)) for name in _MEASURES))
            for site in self.sites
        )
        total = sum((site.fields for site in self.sites), Counter())
        equal = sum((site.equal_fields for site in self.sites), Counter())
        fields = tuple((name, total[name], equal[name] / total[name]) for name in FIELDS if total[name])
        return (
            Table(f"Rules learned from {LESSONS} pages of each site, on its other pages", columns, (whole,)),
            Table("Site by site", ("site", *columns[1:]), rows),
            Table("Fields: rules and default tell the same", ("field", "pages", "share"), fields),
        )

    def charts(self) -> tuple[Chart, ...]:
        """Return the scores of default and rules on each site."""
        sites = [one for one in self.sites if one.served]
        series = (
            Series("default extractor", tuple(_mean(one.default) for one in sites)),
            Series("rules, noise known", tuple(_mean(one.knowing) for one in sites)),
        )
        title = "Word F1 on the pages that rules serve"
        return (
            Chart(
                "learned-sites", title, "site", "word F1", tuple(one.site for one in sites), series, ChartKind.POINTS
            ),
        )


def _mean(scores: Sequence[float] | np.ndarray) -> float:
    return float(np.mean(scores)) if len(scores) else float("nan")


def groups(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    """Group samples by site, and by year if the corpus has years; return the groups with enough pages."""
    result: dict[str, list[Sample]] = {}
    for sample in samples:
        year = sample.more.get("year")
        name = f"{sample.corpus} {sample.site}" + (f" {year}" if year else "")
        result.setdefault(name, []).append(sample)
    return {name: members for name, members in sorted(result.items()) if len(members) >= LESSONS + LEFT}


def address(sample: Sample) -> str:
    """Return a page's URL, with the same host for all pages of a site."""
    url = URL.try_parse(sample.url)
    if url is None or url.path == "/":
        return f"http://{sample.site}/article/{sum(sample.id.encode()) % 1000}.html"
    return f"http://{sample.site}{url.target}"


def run(samples: Sequence[Sample], each: Each = in_turn) -> SiteResults:
    """Learn and measure each site."""
    return SiteResults(tuple(each(_site, list(groups(samples).items()), "sites")))


def _site(named: tuple[str, list[Sample]]) -> SiteResult:
    name, samples = named
    with Reader(learn_from=LESSONS, audit_every=0) as reader:
        for sample in samples[:LESSONS]:
            _extracted(reader, sample)
        others = samples[LESSONS:]
        if not reader.memory.names():
            reader.learn(samples[0].site)
        first = [_extracted(reader, sample, learn=False) for sample in others]
        default = [read(Page(sample.html, address(sample)), extractor(DEFAULT)) for sample in others]
        for sample in others:
            _extracted(reader, sample)
        reader.memory.flush()
        second = [_extracted(reader, sample, learn=False) for sample in others]
    return _result(name, others, default, first, second)


def _extracted(reader: Reader, sample: Sample, *, learn: bool = True) -> Article | None:
    """Return the article of a sample; with `learn=False`, None unless learned rules match."""
    try:
        if learn:
            return reader.extract(sample.html, address(sample))
        return reader.cut(sample.html, address(sample))
    except TidingsError:
        return None


def _result(
    name: str,
    samples: Sequence[Sample],
    default: Sequence[Article],
    first: Sequence[Article | None],
    second: Sequence[Article | None],
) -> SiteResult:
    scores: dict[str, list[float]] = {name: [] for name in _MEASURES}
    equal: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for sample, full, cut, again in zip(samples, default, first, second, strict=True):
        if cut is None:
            continue
        for kind, article in (("default", full), ("rules", cut), ("knowing", again or cut)):
            score = text_score(sample, article.text, article.title)
            if score is not None:
                scores[kind].append(score.f1)
                if kind != "knowing":
                    scores[f"{kind}_precision"].append(score.precision)
        for field_name in FIELDS:
            first_value, second_value = getattr(full, field_name), getattr(cut, field_name)
            if first_value or second_value:
                total[field_name] += 1
                equal[field_name] += first_value == second_value
    score_tuples = {kind: tuple(values) for kind, values in scores.items()}
    return SiteResult(name, len(samples), equal_fields=equal, fields=total, **score_tuples)


STUDY: Final = Study("learned-sites", "Sites learned as they are read", "Hybrid paper, section 5", run)


#: The factor of the paper's table 9: extraction without rules relative to extraction with rules.
PUBLISHED: Final = 240
RULES, RULES_TEXT, TREE = "rules", "rules, text and fields alone", "page, features and tree"
_STEPS: Final = (RULES_TEXT, RULES, "page", "page and features", TREE, "article by the tree", "article by the default")
#: The number of timed pages of a site.
_MOST: Final = 10


@dataclass(frozen=True, slots=True)
class StepTimes:
    """The time of each processing step for a page, in seconds."""

    site: str
    bytes: int
    seconds: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class HybridTimes:
    """The times of all pages with matching rules."""

    pages: tuple[StepTimes, ...]
    tried: int

    def mean(self, step: str) -> float:
        """Return the mean milliseconds of a step per page."""
        return 1000 * float(np.mean([page.seconds[step] for page in self.pages]))

    def tables(self) -> tuple[Table, ...]:
        """Return table 9."""
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
        """Return the milliseconds of each step."""
        series = (Series("ms a page", tuple(self.mean(step) for step in _STEPS)),)
        title = "Rules, tree and whole extraction"
        return (Chart("hybrid-times", title, "", "ms a page", _STEPS, series, ChartKind.BARS),)


def run_times(samples: Sequence[Sample], each: Each = in_turn) -> HybridTimes:
    """Learn rules of each site, then time the processing steps on its other pages.

    Raises:
        InputError: rules serve no page.
    """
    named = list(groups(samples).items())
    found = list(each.alone()(_site_times, named, "timing"))
    pages = tuple(page for some, _ in found for page in some)
    if not pages:
        raise InputError("no page here is served by rules: this study needs several pages of a site")
    return HybridTimes(pages, sum(tried for _, tried in found))


def _site_times(named: tuple[str, list[Sample]]) -> tuple[list[StepTimes], int]:
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


TIMES: Final = Study(
    "hybrid-times", "Rules against the tree against whole extraction", "hybrid rules 5.1, table 9", run_times
)
