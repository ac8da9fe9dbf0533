"""The first pass of a bulk run: count the pages of every host, and learn rules for hosts with enough pages.

The pages to learn from are those with the smallest identifiers of each host, so the selection depends only on the
input, not on how it is divided. Rules are tested on further pages of the host before they are accepted.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

from tidings import extractors
from tidings.bulk.readers import PageRecord, Place, pages
from tidings.bulk.rules import TOLERANCE, SiteRules, write_rules
from tidings.bulk.splits import InputSplit
from tidings.errors import PageError
from tidings.processes import JobLimits, ProcessPool, cores
from tidings.sites.extraction.article_text import cut_text
from tidings.sites.extraction.cut import RuleMismatch
from tidings.sites.learning import induce
from tidings.sites.learning.lesson import Lesson
from tidings.sites.reader import is_confirmed, teaches
from tidings.sites.templates.rule import Template
from tidings.sites.templates.site import Site, TrackedTemplate
from tidings.urls import site_of

#: Least number of pages of a host to learn rules.
LEAST: Final = 20
#: Least and largest number of pages to learn from, and number of test pages.
_FEWEST, _MOST, _TRIED = 8, 16, 10
#: Number of candidate pages per host, because some are not suitable.
_SAMPLE: Final = 40
#: A page: its identifier, the number of its split, and its place there.
Sample = tuple[str, int, Place]


@dataclass(slots=True)
class HostCount:
    """The number of pages of a host, and a sample of them to learn its rules from."""

    pages: int = 0
    sample: list[Sample] = field(default_factory=list)

    def add(self, other: HostCount) -> None:
        """Add the page count and the sample of the same host from another split of the input."""
        self.pages += other.pages
        self.sample = heapq.nsmallest(_SAMPLE, self.sample + other.sample)


@dataclass(frozen=True, slots=True)
class LearnJob:
    """A task of the learning pass: a split of the input to count, or a host to learn."""

    number: int  # number of the split
    site: str = ""
    sample: tuple[Sample, ...] = ()


@dataclass(frozen=True, slots=True)
class LearnReport:
    """The result of a learning pass: numbers of pages, hosts and learned sites."""

    hosts: int  # all hosts
    pages: int
    enough: int  # hosts with enough pages to learn from
    learned: int
    rules: SiteRules
    reasons: dict[str, str] = field(default_factory=dict)  # why hosts with enough pages have no rules
    unread: dict[str, str] = field(default_factory=dict)  # why files could not be read


@dataclass(frozen=True, slots=True)
class LearnWorker:
    """Counts pages and learns hosts in a worker process."""

    splits: tuple[InputSplit, ...]
    largest: int

    def open(self) -> Self:
        """Return the worker itself; there is nothing to open."""
        return self

    def do(self, job: LearnJob) -> Any:
        """Return the page counts of a split, or the rules of a host."""
        if job.site:
            return learn_site(job, self.splits, self.largest)
        return page_counts(job.number, self.splits, self.largest)

    def close(self) -> None:
        """Do nothing; there is nothing to close."""


def page_counts(number: int, splits: Sequence[InputSplit], largest: int) -> dict[str, HostCount]:
    """Return the page counts of a split of the input by host, with a sample of pages."""
    counts: dict[str, HostCount] = {}
    for record in pages(splits[number], largest=largest):
        site = site_of(record.url)
        if site and not record.status:
            count = counts.setdefault(site, HostCount())
            count.pages += 1
            count.sample.append((record.id, number, record.place))
            if len(count.sample) > 4 * _SAMPLE:
                count.sample = heapq.nsmallest(_SAMPLE, count.sample)
    for count in counts.values():
        count.sample = heapq.nsmallest(_SAMPLE, count.sample)
    return counts


def learn_site(job: LearnJob, splits: Sequence[InputSplit], largest: int) -> tuple[Site | None, str]:
    """Return the rules of a host, or the reason why there are none."""
    extractor = extractors.extractor(extractors.DEFAULT)
    lessons: list[Lesson] = []
    for record in _records(job.sample, splits, largest):
        try:
            lesson = Lesson.read(record.content, record.url, extractor)
        except PageError:
            continue
        if teaches(lesson):
            lessons.append(lesson)
        if len(lessons) == _MOST + _TRIED:
            break
    if len(lessons) < _FEWEST:
        return None, f"{len(lessons)} of {len(job.sample)} pages are surely articles; {_FEWEST} are needed"
    training = lessons[:_MOST]
    templates = induce(training, by=extractors.DEFAULT)
    accepted = [template for template in templates if _passes_tests(template, lessons[_MOST:])]
    if not accepted:
        why = "no rule serves them alike" if not templates else "rules gave another text on further pages"
        return None, f"{len(training)} pages: {why}"
    return Site(job.site, tuple(map(TrackedTemplate, accepted))), ""


def _records(sample: Iterable[Sample], splits: Sequence[InputSplit], largest: int) -> Iterator[PageRecord]:
    for _, number, place in sample:
        record = next(iter(pages(splits[number], place, largest=largest)), None)
        if record is not None and not record.status:
            yield record


def _passes_tests(template: Template, lessons: Sequence[Lesson]) -> bool:
    """Return whether a template agrees with the full extraction on test pages. Pages with another layout do not
    count.
    """
    for lesson in lessons:
        try:
            cutting = cut_text(template, lesson.data, lesson.page.url or "", TOLERANCE)
        except RuleMismatch:
            continue
        if not is_confirmed(cutting, template, lesson):
            return False
    return True


def learn(
    splits: Sequence[InputSplit],
    to: str,
    *,
    workers: int = 0,
    least: int = LEAST,
    largest: int = 16 * 1024 * 1024,
    seconds: float = 120.0,
    tell: Callable[[str, int, int], None] = lambda _what, _done, _of: None,
) -> LearnReport:
    """Learn the rules of all hosts with enough pages and write them to a file.

    Args:
        splits: the input (`plan`).
        to: the output file, such as `rules.parquet`.
        workers: number of processes; 0 for the number of cores.
        least: least number of pages of a host.
        largest: largest page in bytes; larger ones are skipped.
        seconds: limit of processor time per host; counting a split may take a hundred times that.
        tell: progress callback with the phase, the number done, and the total.

    Raises:
        ExportError: the file cannot be written.
    """
    setup = LearnWorker(tuple(splits), largest)
    hosts: dict[str, HostCount] = {}
    unread: dict[str, str] = {}
    many = max(1, workers or cores())
    with ProcessPool(setup, many, JobLimits(100 * seconds)) as pool:
        for at, done in enumerate(pool.run([LearnJob(number)] for number in range(len(splits)))):
            if done.failure is not None:
                unread[splits[done.job.number].source] = done.reason
            for site, count in (done.result or {}).items():
                hosts.setdefault(site, HostCount()).add(count)
            tell("counting", at + 1, len(splits))
    enough = {site: count for site, count in sorted(hosts.items()) if count.pages >= least}
    sites: list[Site] = []
    reasons: dict[str, str] = {}
    with ProcessPool(setup, many, JobLimits(seconds)) as pool:
        jobs = ([LearnJob(0, site, tuple(count.sample))] for site, count in enough.items())
        for at, result in enumerate(pool.run(jobs)):
            site, reason = result.result or (None, result.reason)
            if site is None:
                reasons[result.job.site] = reason
            else:
                sites.append(site)
            tell("learning", at + 1, len(enough))
    rules = write_rules(to, sites)
    total = sum(count.pages for count in hosts.values())
    return LearnReport(len(hosts), total, len(enough), len(rules.texts), rules, dict(sorted(reasons.items())), unread)
