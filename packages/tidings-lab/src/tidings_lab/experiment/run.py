"""Runs of systems on pages: cached results are reused, the rest is computed by worker processes."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import Final

from tidings.errors import InputError, TidingsError
from tidings.page import Page
from tidings_lab.corpora import Sample
from tidings_lab.experiment.cache import Cache
from tidings_lab.experiment.code_digest import digest
from tidings_lab.experiment.examiner import Examiner, settled
from tidings_lab.experiment.pool import StepDone, StepPool, StepTask
from tidings_lab.experiment.rows import ResultRow, RowMeasures, StepOutcome, from_record, to_record
from tidings_lab.experiment.systems import Document, Reading, System

#: The timeout in seconds per page and system: far longer than any page in the public corpora needs.
TIMEOUT: Final = 60.0
MEASURES: Final = ("words", "lcs")
_SCORING: Final = "tidings_lab.experiment.examiner"
#: Outcomes to cache. Errors and crashes may be due to missing memory or packages; repeating a hang costs too much.
_CACHED_OUTCOMES: Final = frozenset({StepOutcome.READ, StepOutcome.KILLED})

#: A callback after each row: number of finished rows, number of all rows.
Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Ignore progress reports."""


def run(
    systems: Sequence[System],
    samples: Sequence[Sample],
    *,
    measures: tuple[str, ...] = MEASURES,
    cache: Cache | None = None,
    jobs: int = 1,
    timeout: float = TIMEOUT,
    progress: Progress = silent,
) -> Generator[ResultRow, None, None]:
    """Yield one row for each system on each page; cached rows come first.

    A system that raises an error, exceeds the timeout or ends the process gets a row with that outcome.

    Args:
        systems: the systems; `system_names.find` creates them from names.
        samples: the pages, of one corpus or several.
        measures: text measures, names in `metrics.texts.MEASURES`.
        cache: the cache of rows.
        jobs: the number of worker processes.
        timeout: seconds per page and system.
        progress: a progress callback.

    Raises:
        InputError: two systems have the same name.
        MissingExtra: another project's extractor is not installed.
    """
    named = {system.name: system for system in systems}
    if len(named) < len(systems):
        raise InputError("two systems of a run have the same name; give each its own")
    total, done = len(systems) * len(samples), 0
    keys = _Keys.of(systems, measures)
    tasks: list[StepTask[_PageWork]] = []
    comparing = frozenset(name for name, system in named.items() if getattr(system, "needs_siblings", False))
    siblings_of = siblings(samples) if comparing else {}
    for sample in samples:
        site_pages = siblings_of.get(id(sample), ())
        siblings_digest = " ".join(one.digest for one in site_pages) if cache else ""
        page = _PageWork(sample, sample.digest if cache else "", comparing, site_pages, siblings_digest)
        cached = _cached(cache, keys, page, timeout) if cache else {}
        yield from cached.values()
        done += len(cached)
        progress(done, total)
        tasks.append(StepTask(page, tuple(name for name in named if name not in cached)))
    if done == total:
        return
    with StepPool(_Measuring(named, measures), min(jobs, len(samples)), timeout) as pool:
        for step in pool.run(tasks):
            row = _row(step, measures, timeout)
            if cache and row.outcome in _CACHED_OUTCOMES:
                cache.put({keys.key(step.item, row.system): to_record(row)})
            yield row
            done += 1
            progress(done, total)


@dataclass(frozen=True, slots=True)
class _PageWork:
    """A sample, with the cache keys of its rows."""

    sample: Sample
    digest: str
    comparing: frozenset[str] = frozenset()  # systems that compare pages of a site
    siblings: tuple[Sample, ...] = ()
    siblings_digest: str = ""


#: The maximal number of pages of the same site to compare with.
MOST_SIBLINGS: Final = 6


def siblings(samples: Sequence[Sample]) -> dict[int, tuple[Sample, ...]]:
    """Return for each sample, by its `id()`, a few other pages of its site.

    They are those that follow it in the corpus; after the last page of the site comes the first.
    """
    sites: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in samples:
        if sample.site:
            sites[sample.corpus, sample.site].append(sample)
    result = {}
    for pages in sites.values():
        for at, sample in enumerate(pages):
            result[id(sample)] = (*pages[at + 1 :], *pages[:at])[:MOST_SIBLINGS]
    return result


def pages_of(samples: Sequence[Sample], cache: dict[Path, Page | None]) -> tuple[Page, ...]:
    """Parse samples; unreadable ones are skipped.

    Args:
        samples: the samples to parse.
        cache: parsed pages of previous calls; updated by this function.
    """
    for sample in samples:
        if sample.file not in cache:
            try:
                cache[sample.file] = Page(sample.html, sample.url or None)
            except TidingsError:
                cache[sample.file] = None
    while len(cache) > 4 * MOST_SIBLINGS:
        del cache[next(iter(cache))]
    return tuple(page for sample in samples if (page := cache.get(sample.file)) is not None)


@dataclass(frozen=True, slots=True)
class _Measured:
    """The measures that a worker returns: a row without its sample."""

    measured: RowMeasures
    seconds: float
    page_seconds: float
    bytes: int


@dataclass(frozen=True, slots=True)
class _Measuring:
    """The work function of a worker process: runs one system after the other on a page."""

    systems: dict[str, System]
    measures: tuple[str, ...]
    read: dict[Path, Page | None] = field(default_factory=dict)

    def __call__(self, page: _PageWork, steps: tuple[str, ...], /) -> Iterator[_Measured]:
        site_pages = page.siblings if not page.comparing.isdisjoint(steps) else ()
        sample = page.sample
        wants_markdown = bool(sample.gold.get("units"))
        document = Document(
            sample.html, sample.url, pages_of(site_pages, self.read), site=sample.site, wants_markdown=wants_markdown
        )
        examine = Examiner(settled(sample, document), self.measures)
        page_seconds = 0.0
        for name in steps:
            system = self.systems[name]
            if system.shares_page and not page_seconds:
                begin = process_time()
                _ = document.page
                page_seconds = process_time() - begin
            begin = process_time()
            reading = system(document)
            seconds = process_time() - begin
            shared = page_seconds if system.shares_page else 0.0
            yield _Measured(examine(reading), seconds, shared, len(document.data))


def _row(step: StepDone[_PageWork, _Measured], measures: tuple[str, ...], timeout: float) -> ResultRow:
    """Return the table row of a step; a failed step has the measures of an empty result."""
    sample, result = step.item.sample, step.result
    if result is not None:
        times = (result.seconds, result.page_seconds, result.bytes)
        return ResultRow(step.step, sample, step.outcome, result.measured, step.reason, *times)
    # The page is not parsed here, because it may have crashed the worker.
    nothing = Examiner(replace(sample, headline_in_text=False), measures)(Reading(""))
    seconds = timeout if step.outcome is StepOutcome.KILLED else 0.0
    return ResultRow(step.step, sample, step.outcome, nothing, step.reason, seconds)


@dataclass(frozen=True, slots=True)
class _Keys:
    """Cache keys of rows: a digest of everything that a row depends on."""

    identities: dict[str, str]
    scoring: str

    @classmethod
    def of(cls, systems: Sequence[System], measures: tuple[str, ...]) -> _Keys:
        scoring = f"{digest([_SCORING])} {measures!r}"
        return cls({system.name: system.identity for system in systems}, scoring)

    def key(self, page: _PageWork, system: str) -> str:
        metadata = [page.sample.lang, page.sample.url, page.sample.site, page.sample.headline_in_text]
        parts = [page.digest, metadata, self.identities[system], self.scoring]
        if system in page.comparing:
            parts.append(page.siblings_digest)
        return sha256(json.dumps(parts).encode()).hexdigest()


def _cached(cache: Cache, keys: _Keys, page: _PageWork, timeout: float) -> dict[str, ResultRow]:
    """Return the cached rows of a page. A killed row counts if it would exceed the current timeout too."""
    by_key = {keys.key(page, system): system for system in keys.identities}
    rows: dict[str, ResultRow] = {}
    for key, record in cache.get(by_key).items():
        try:
            row = from_record(record, by_key[key], page.sample)
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
        if row.outcome is not StepOutcome.KILLED or row.seconds >= timeout:
            rows[row.system] = row
    return rows
