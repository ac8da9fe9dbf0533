"""Protection from pages that hang or crash the extractor: pages are read in a child process.

The child reads chunks of pages from the split itself, so that pages need not be sent. If a chunk takes too long or
crashes the child, the next child reads its pages one at a time, and the page that fails again becomes a row with the
reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import process_time
from typing import Any, Final, Self

from tidings.bulk.batches import PageReader
from tidings.bulk.readers import PageRecord, Place, pages
from tidings.bulk.schema import arrow
from tidings.bulk.settings import BulkSettings
from tidings.bulk.splits import InputSplit
from tidings.errors import InputError, TidingsError
from tidings.processes import Ending, JobFailed, JobLimits, ProcessPool

#: Limits on the pages and bytes of a chunk.
_PAGES: Final = 64
_BYTES: Final = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ChunkJob:
    """A request for some pages of a split; with zero pages only the position of the next page is returned."""

    split: InputSplit
    place: Place
    pages: int
    unread: tuple[str, str] | None = None  # status and reason for a page to skip


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """The rows of a chunk of pages, and the position to continue at."""

    batch: Any
    place: Place
    is_last: bool
    seconds: float = 0.0  # processor time
    reading: float = 0.0  # processor time spent on pages


@dataclass(frozen=True, slots=True)
class ChunkSetup:
    """What a child process needs to begin: the settings of a run."""

    settings: BulkSettings
    reader: type[PageReader] = PageReader

    def open(self) -> ChunkReader:
        """Load rules and extractors in the child process.

        Raises:
            TidingsError: a rule file or an extractor cannot be loaded.
        """
        pa = arrow()
        # Other memory pools reserve far more address space than they use, and the limit counts address space.
        pa.set_memory_pool(pa.system_memory_pool())
        pa.set_cpu_count(1)
        pa.set_io_thread_count(1)
        chunk_reader = ChunkReader(self.reader.open(self.settings))
        chunk_reader.reader.batch([PageRecord("http://a.test/", b"<p>One page, so that all is loaded.</p>", "")])
        return chunk_reader


@dataclass(slots=True)
class ChunkReader:
    """Reads chunks of splits; consecutive chunks continue the open file."""

    reader: PageReader
    _split: InputSplit | None = None
    _place: Place = (0, 0)
    _records: Iterator[PageRecord] = field(default_factory=lambda: iter(()))

    def do(self, job: ChunkJob) -> ChunkResult:
        """Extract a chunk of pages.

        Raises:
            InputError: the split cannot be read.
        """
        start = process_time()
        if job.split != self._split or job.place != self._place:
            self._records = pages(job.split, job.place, largest=self.reader.settings.largest)
            self._split = job.split
        self._place = (-1, -1)  # after an error the next chunk must reopen the file
        rows: list[dict[str, Any]] = []
        place, size, is_last, reading = job.place, 0, False, 0.0
        while len(rows) < job.pages and size < _BYTES:
            record = next(self._records, None)
            if record is None:
                is_last = True
                break
            if job.unread is not None:
                row = self.reader.beginning(record)
                rows.append(row | {"status": job.unread[0], "reason": job.unread[1]})
            else:
                since = process_time()
                rows.append(self.reader.row(record))
                reading += process_time() - since
            size += len(record.content)
            place = record.next
        self._place = place
        return ChunkResult(self.reader.table(rows), place, is_last, process_time() - start, reading)

    def close(self) -> None:
        """Close the file that is open."""
        self._records = iter(())


class BulkGuard:
    """Extracts splits in a child process with limits on time and memory, or in this process if no limits are set.

    Args:
        settings: the extraction settings.
        reader: the page reader, for measuring other libraries under the same guard.
    """

    def __init__(self, settings: BulkSettings, reader: type[PageReader] = PageReader) -> None:
        self._inline = ChunkReader(reader.open(settings)) if settings.seconds is None else None
        limits = JobLimits(settings.seconds, settings.memory)
        self._pool: ProcessPool[ChunkJob, ChunkResult] | None = (
            None if self._inline else ProcessPool(ChunkSetup(settings, reader), 1, limits)
        )
        self.seconds = self.reading = 0.0  # processor time of child processes, and of pages

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._pool is not None:
            self._pool.__exit__(*raised)

    def batches(self, split: InputSplit) -> Iterator[Any]:
        """Yield the extracted rows of a split in batches.

        Raises:
            InputError: the split cannot be read, or not completely.
        """
        place: Place = (0, 0)
        single_pages = 0  # number of pages to read one at a time
        while True:
            job = ChunkJob(split, place, 1 if single_pages else _PAGES)
            try:
                done = self._do(job)
            except JobFailed as failure:
                if failure.ending is Ending.RAISED:
                    if isinstance(failure.error, TidingsError):
                        raise failure.error from failure
                    raise InputError(f"{split.source} cannot be read: {failure}") from failure
                if job.pages > 1:
                    single_pages = _PAGES
                    continue
                done = self._unread(job, failure)
            single_pages = max(0, single_pages - 1)
            place = done.place
            if self._pool is not None:  # inline work is counted by the caller
                self.seconds += done.seconds
            self.reading += done.reading
            if done.batch.num_rows:
                yield done.batch
            if done.is_last:
                return

    def _unread(self, job: ChunkJob, failure: JobFailed) -> ChunkResult:
        """Return the row of a page that cannot be read, with a reason.

        Raises:
            InputError: the record cannot be read either.
        """
        unread = ("late" if failure.ending is Ending.TIME else "died", str(failure))
        try:
            return self._do(ChunkJob(job.split, job.place, 1, unread))
        except JobFailed as error:
            raise InputError(f"{job.split.source} cannot be read from {job.place} on: {error}") from error

    def _do(self, job: ChunkJob) -> ChunkResult:
        if self._inline is not None:
            return self._inline.do(job)
        assert self._pool is not None  # noqa: S101  # one of the two is always there
        done = next(iter(self._pool.run([[job]])))
        if done.failure is not None:
            raise done.failure
        assert done.result is not None  # noqa: S101  # it did not fail
        return done.result
