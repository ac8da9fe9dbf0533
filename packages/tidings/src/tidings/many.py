"""Extraction of many pages in worker processes, in order, with errors as values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, NamedTuple, Self

from tidings import budget, reading
from tidings.article import Article
from tidings.errors import BadArgument, TidingsError, require_str
from tidings.inputs import PageInput, page_data, page_of
from tidings.options import ExtractOptions
from tidings.page import Page
from tidings.processes import JobFailed, ProcessPool, cores

#: Pages that a worker gets at once.
_GROUP: Final = 8


class _ManyPagesJob(NamedTuple):
    """A page in a form that can be sent to a worker, or the error that it already has."""

    data: bytes | str | Page
    url: str | None = None
    error: TidingsError | None = None


class _ManyPagesTask(NamedTuple):
    """The setup of a worker and its job runner."""

    options: ExtractOptions | None

    def open(self) -> Self:
        return self

    def do(self, job: _ManyPagesJob) -> Article:
        """Return the article of a page.

        Raises:
            TidingsError: the page cannot be extracted.
        """
        if job.error is not None:
            raise job.error
        with budget.limit(self.options.timeout if self.options is not None else None):
            return reading.extract(page_of(job.data, job.url, self.options), self.options)

    def close(self) -> None:
        """Do nothing; there is nothing to close."""


def extract_many(
    pages: Iterable[PageInput | tuple[PageInput, str | None]], workers: int, options: ExtractOptions | None
) -> Iterator[Article | TidingsError]:
    """Return an iterator over the article or error of each page; the implementation of `tidings.extract_many`.

    Raises:
        BadArgument: `workers` is not a number from 0.
    """
    number: object = workers
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise BadArgument(f"workers must be a number from 0, not {workers!r:.60}")
    jobs = map(_job, pages)
    size = workers or cores()
    return _in_this_process(jobs, options) if size == 1 else _in_processes(jobs, size, options)


def _job(page: Any) -> _ManyPagesJob:
    source, url = page if isinstance(page, tuple) and len(page) == 2 else (page, None)
    try:
        require_str(url=url)
        return _ManyPagesJob(page_data(source), url)
    except TidingsError as error:
        return _ManyPagesJob(b"", None, error)


def _in_this_process(jobs: Iterable[_ManyPagesJob], options: ExtractOptions | None) -> Iterator[Article | TidingsError]:
    extraction = _ManyPagesTask(options)
    for job in jobs:
        try:
            yield extraction.do(job)
        except TidingsError as error:
            yield error
        except Exception as error:  # a page may trigger any bug of ours; the others go on
            yield JobFailed.by(error)


def _in_processes(
    jobs: Iterator[_ManyPagesJob], workers: int, options: ExtractOptions | None
) -> Iterator[Article | TidingsError]:
    groups = iter(lambda: list(islice(jobs, _GROUP)), [])
    with ProcessPool(_ManyPagesTask(options), workers) as pool:
        for done in pool.run(groups, ordered=True):
            if done.result is not None:
                yield done.result
            else:
                error = done.failure.error if done.failure is not None else None
                yield error if isinstance(error, TidingsError) else done.failure or JobFailed("the page was not read")
