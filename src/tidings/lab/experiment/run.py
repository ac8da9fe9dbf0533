"""Systems × pages → one table. What was measured before is taken from the cache; the rest runs on worker processes."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from time import process_time
from typing import Final

from tidings.errors import InputError
from tidings.lab.corpora import Sample
from tidings.lab.experiment.cache import Cache, digest
from tidings.lab.experiment.pool import StepDone, StepPool, StepTask
from tidings.lab.experiment.rows import Examiner, ResultRow, RowMeasures, StepOutcome, from_record, settled, to_record
from tidings.lab.experiment.systems import Document, Reading, System

#: Seconds that a system may take for a page: far longer than any page in the public corpora needs.
TIMEOUT: Final = 60.0
MEASURES: Final = ("words", "lcs")
_SCORING: Final = "tidings.lab.experiment.rows"
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
    for sample in samples:
        page = _PageWork(sample, sample.digest if cache else "")
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

    def __call__(self, page: _PageWork, steps: tuple[str, ...], /) -> Iterator[_Taken]:
        document = Document(page.sample.html, page.sample.url)
        examine = Examiner(settled(page.sample, document), self.measures)
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
        about = [page.sample.lang, page.sample.url, page.sample.headline_in_text]
        parts = [page.digest, about, self.identities[system], self.scoring]
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
