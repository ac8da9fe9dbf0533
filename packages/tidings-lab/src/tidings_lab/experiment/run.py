"""Systems × pages → one table. What was measured before is taken from the cache; the rest runs on worker processes."""

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
from tidings_lab.experiment.cache import Cache, digest
from tidings_lab.experiment.pool import StepDone, StepPool, StepTask
from tidings_lab.experiment.rows import Examiner, ResultRow, RowMeasures, StepOutcome, from_record, settled, to_record
from tidings_lab.experiment.systems import Document, Reading, System

#: Seconds that a system may take for a page: far longer than any page in the public corpora needs.
TIMEOUT: Final = 60.0
MEASURES: Final = ("words", "lcs")
_SCORING: Final = "tidings_lab.experiment.rows"
#: What raised or died may have lacked memory or a package that is there the next time; a hang costs too much to repeat.
_KEPT: Final = frozenset({StepOutcome.READ, StepOutcome.KILLED})

#: Told after each row: rows done, rows in all.
Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Tell nobody."""


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
    """One row for each system on each page, as they come; those of the cache first.

    A system that raises on a page, takes longer than `timeout` seconds or ends the process has a row that says so.

    Args:
        systems: what to measure; `names.find` makes them of names.
        samples: the pages, of one corpus or several.
        measures: text measures, names of `lab.metrics.MEASURES`.
        cache: where rows are kept.
        jobs: worker processes.
        timeout: seconds that a system may take for a page.
        progress: told how far it is.

    Raises:
        InputError: two systems have the same name.
        MissingExtra: a peer is not installed.
    """
    named = {system.name: system for system in systems}
    if len(named) < len(systems):
        raise InputError("two systems of a run have the same name; give each its own")
    total, done = len(systems) * len(samples), 0
    keys = _Keys.of(systems, measures)
    tasks: list[StepTask[_PageWork]] = []
    comparing = frozenset(name for name, system in named.items() if getattr(system, "needs_siblings", False))
    beside = siblings(samples) if comparing else {}
    for sample in samples:
        others = beside.get(id(sample), ())
        shown = " ".join(one.digest for one in others) if cache else ""
        page = _PageWork(sample, sample.digest if cache else "", comparing, others, shown)
        kept = _kept(cache, keys, page, timeout) if cache else {}
        yield from kept.values()
        done += len(kept)
        progress(done, total)
        tasks.append(StepTask(page, tuple(name for name in named if name not in kept)))
    if done == total:
        return
    with StepPool(_Measuring(named, measures), min(jobs, len(samples)), timeout) as pool:
        for step in pool.run(tasks):
            row = _row(step, measures, timeout)
            if cache and row.outcome in _KEPT:
                cache.put({keys.key(step.item, row.system): to_record(row)})
            yield row
            done += 1
            progress(done, total)


@dataclass(frozen=True, slots=True)
class _PageWork:
    """A sample, and what stands for it in the cache."""

    sample: Sample
    digest: str
    comparing: frozenset[str] = frozenset()  # systems that compare pages of a site
    siblings: tuple[Sample, ...] = ()
    siblings_digest: str = ""


#: Pages of its site that one is compared with.
MOST_SIBLINGS: Final = 6


def siblings(samples: Sequence[Sample]) -> dict[int, tuple[Sample, ...]]:
    """For each sample, by its `id()`, the pages of the same site that follow it in the corpus, in a ring."""
    sites: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in samples:
        if sample.site:
            sites[sample.corpus, sample.site].append(sample)
    found = {}
    for some in sites.values():
        for at, sample in enumerate(some):
            found[id(sample)] = (*some[at + 1 :], *some[:at])[:MOST_SIBLINGS]
    return found


def pages_of(samples: Sequence[Sample], known: dict[Path, Page | None]) -> tuple[Page, ...]:
    """The pages of samples that can be read; `known` keeps the last ones, for each is needed several times in a row."""
    for sample in samples:
        if sample.file not in known:
            try:
                known[sample.file] = Page(sample.html, sample.url or None)
            except TidingsError:
                known[sample.file] = None
    while len(known) > 4 * MOST_SIBLINGS:
        del known[next(iter(known))]
    return tuple(page for sample in samples if (page := known.get(sample.file)) is not None)


@dataclass(frozen=True, slots=True)
class _Taken:
    """What a worker sends back: a row without the sample, which is at hand."""

    measured: RowMeasures
    seconds: float
    page_seconds: float
    bytes: int


@dataclass(frozen=True, slots=True)
class _Measuring:
    """The work of a worker: one page, one system after the other."""

    systems: dict[str, System]
    measures: tuple[str, ...]
    read: dict[Path, Page | None] = field(default_factory=dict)

    def __call__(self, page: _PageWork, steps: tuple[str, ...], /) -> Iterator[_Taken]:
        beside = page.siblings if not page.comparing.isdisjoint(steps) else ()
        sample = page.sample
        wants = bool(sample.gold.get("units"))
        document = Document(
            sample.html, sample.url, pages_of(beside, self.read), site=sample.site, wants_markdown=wants
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
            yield _Taken(examine(reading), seconds, shared, len(document.data))


def _row(step: StepDone[_PageWork, _Taken], measures: tuple[str, ...], timeout: float) -> ResultRow:
    """The row of a step; a failure scores as an empty result does."""
    sample, taken = step.item.sample, step.result
    if taken is not None:
        times = (taken.seconds, taken.page_seconds, taken.bytes)
        return ResultRow(step.step, sample, step.outcome, taken.measured, step.reason, *times)
    # Nothing of the page is looked at here: it may be what the worker choked on.
    nothing = Examiner(replace(sample, headline_in_text=False), measures)(Reading(""))
    seconds = timeout if step.outcome is StepOutcome.KILLED else 0.0
    return ResultRow(step.step, sample, step.outcome, nothing, step.reason, seconds)


@dataclass(frozen=True, slots=True)
class _Keys:
    """Names of rows in the cache: a digest of everything that a row depends on."""

    identities: dict[str, str]
    scoring: str

    @classmethod
    def of(cls, systems: Sequence[System], measures: tuple[str, ...]) -> _Keys:
        scoring = f"{digest([_SCORING])} {measures!r}"
        return cls({system.name: system.identity for system in systems}, scoring)

    def key(self, page: _PageWork, system: str) -> str:
        about = [page.sample.lang, page.sample.url, page.sample.site, page.sample.headline_in_text]
        parts = [page.digest, about, self.identities[system], self.scoring]
        if system in page.comparing:
            parts.append(page.siblings_digest)
        return sha256(json.dumps(parts).encode()).hexdigest()


def _kept(cache: Cache, keys: _Keys, page: _PageWork, timeout: float) -> dict[str, ResultRow]:
    """The rows of a page that the cache has. One that was killed counts if it would be killed again."""
    by_key = {keys.key(page, system): system for system in keys.identities}
    found: dict[str, ResultRow] = {}
    for key, record in cache.get(by_key).items():
        try:
            row = from_record(record, by_key[key], page.sample)
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
        if row.outcome is not StepOutcome.KILLED or row.seconds >= timeout:
            found[row.system] = row
    return found
