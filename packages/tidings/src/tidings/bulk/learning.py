"""The first pass: count the pages of every host, and learn rules for those that have enough of them.

Of each host the pages that are learned from are those whose identifiers are least: the same for the same input, whoever
counts which part of it. Rules are tried on further pages of the host before they are taken.
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
from tidings.sites.article_text import cut_text
from tidings.sites.cut import RuleMismatch
from tidings.sites.induce import induce
from tidings.sites.lesson import Lesson
from tidings.sites.reader import is_confirmed, teaches
from tidings.sites.rule import Template
from tidings.sites.site import Site, TrackedTemplate
from tidings.urls import site_of

#: A host with fewer pages is not worth learning.
LEAST: Final = 20
#: Pages that rules are learned from: at least and at most; and those that they are tried on.
_FEWEST, _MOST, _TRIED = 8, 16, 10
#: Pages of a host that are looked at: some of them are none to learn from.
_SAMPLE: Final = 40
#: A page by its identifier, the split it is in and its place there.
Sample = tuple[str, int, Place]


@dataclass(slots=True)
class HostCount:
    """The pages of a host, and those to learn from."""

    pages: int = 0
    sample: list[Sample] = field(default_factory=list)

    def add(self, other: HostCount) -> None:
        """With what was counted elsewhere."""
        self.pages += other.pages
        self.sample = heapq.nsmallest(_SAMPLE, self.sample + other.sample)


@dataclass(frozen=True, slots=True)
class LearnJob:
    """A split to count, or a host to learn."""

    number: int  # of the split
    site: str = ""
    sample: tuple[Sample, ...] = ()


@dataclass(frozen=True, slots=True)
class LearnReport:
    """What a pass has learned."""

    hosts: int  # all that were met
    pages: int
    enough: int  # hosts with enough pages to learn from
    learned: int
    rules: SiteRules
    reasons: dict[str, str] = field(default_factory=dict)  # of hosts with enough pages and no rules
    unread: dict[str, str] = field(default_factory=dict)  # of files that could not be read


@dataclass(frozen=True, slots=True)
class LearnWorker:
    """Counts splits and learns hosts, in a process of its own."""

    splits: tuple[InputSplit, ...]
    largest: int

    def open(self) -> Self:
        """There is nothing to open."""
        return self

    def do(self, job: LearnJob) -> Any:
        """What was counted, or learned."""
        if job.site:
            return learned_site(job, self.splits, self.largest)
        return counted(job.number, self.splits, self.largest)

    def close(self) -> None:
        """There is nothing to let go of."""


def counted(number: int, splits: Sequence[InputSplit], largest: int) -> dict[str, HostCount]:
    """The pages of a split by host."""
    found: dict[str, HostCount] = {}
    for record in pages(splits[number], largest=largest):
        site = site_of(record.url)
        if site and not record.status:
            count = found.setdefault(site, HostCount())
            count.pages += 1
            count.sample.append((record.id, number, record.place))
            if len(count.sample) > 4 * _SAMPLE:
                count.sample = heapq.nsmallest(_SAMPLE, count.sample)
    for count in found.values():
        count.sample = heapq.nsmallest(_SAMPLE, count.sample)
    return found


def learned_site(job: LearnJob, splits: Sequence[InputSplit], largest: int) -> tuple[Site | None, str]:
    """The rules of a host, or why there are none."""
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
    shown = lessons[:_MOST]
    templates = induce(shown, by=extractors.DEFAULT)
    kept = [one for one in templates if _is_kept(one, lessons[_MOST:])]
    if not kept:
        why = "no rule serves them alike" if not templates else "rules gave another text on further pages"
        return None, f"{len(shown)} pages: {why}"
    return Site(job.site, tuple(map(TrackedTemplate, kept))), ""


def _records(sample: Iterable[Sample], splits: Sequence[InputSplit], largest: int) -> Iterator[PageRecord]:
    for _, number, place in sample:
        record = next(iter(pages(splits[number], place, largest=largest)), None)
        if record is not None and not record.status:
            yield record


def _is_kept(template: Template, lessons: Sequence[Lesson]) -> bool:
    """Whether rules bear being tried on pages that they were not learned from. Pages of another make do not count."""
    for lesson in lessons:
        try:
            found = cut_text(template, lesson.data, lesson.page.url or "", TOLERANCE)
        except RuleMismatch:
            continue
        if not is_confirmed(found, template, lesson):
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
    """Learn the rules of all hosts with enough pages, into one file.

    Args:
        splits: the input, as of `plan`.
        to: the file, `rules.parquet`.
        workers: processes; 0 for one a core.
        least: pages that a host must have.
        largest: a page of more bytes is passed over.
        seconds: of processor time that a host may take; counting a split may take a hundred times that.
        tell: called with what is done, how much of it, and of how much.

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
        for at, one in enumerate(pool.run(jobs)):
            site, reason = one.result or (None, one.reason)
            if site is None:
                reasons[one.job.site] = reason
            else:
                sites.append(site)
            tell("learning", at + 1, len(enough))
    rules = write_rules(to, sites)
    total = sum(count.pages for count in hosts.values())
    return LearnReport(len(hosts), total, len(enough), len(rules.texts), rules, dict(sorted(reasons.items())), unread)
