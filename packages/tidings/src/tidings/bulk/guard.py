"""The guard: pages are read in a child, which a page may hang, or end, at the cost of that page's row.

A child reads a chunk of pages out of the split itself, so that no page goes through a pipe. If a chunk takes too long,
or brings its child to an end, its pages are read one at a time by the next child, and the one that does it again is a
row that says so.
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

#: A chunk is full at so many pages, or so many bytes of them.
_PAGES: Final = 64
_BYTES: Final = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ChunkJob:
    """Some pages of a split to read; none of them: only say what the next one is."""

    split: InputSplit
    place: Place
    pages: int
    unread: tuple[str, str] | None = None  # status and reason of a page that is not to be read


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """Rows, and where to go on."""

    batch: Any
    place: Place
    is_last: bool
    seconds: float = 0.0  # of processor time
    reading: float = 0.0  # of it that pages took


@dataclass(frozen=True, slots=True)
class ChunkSetup:
    """What a child opens."""

    settings: BulkSettings
    reader: type[PageReader] = PageReader

    def open(self) -> ChunkReader:
        """Load all that pages need.

        Raises:
            TidingsError: something of it cannot be had.
        """
        pa = arrow()
        # Others reserve address space far beyond what they use, and that is what a limit counts.
        pa.set_memory_pool(pa.system_memory_pool())
        pa.set_cpu_count(1)
        pa.set_io_thread_count(1)
        made = ChunkReader(self.reader.open(self.settings))
        made.reader.batch([PageRecord("http://a.test/", b"<p>One page, so that all is loaded.</p>", "")])
        return made


@dataclass(slots=True)
class ChunkReader:
    """Reads chunks of splits, one after the other where they follow each other."""

    reader: PageReader
    _split: InputSplit | None = None
    _place: Place = (0, 0)
    _records: Iterator[PageRecord] = field(default_factory=lambda: iter(()))

    def do(self, job: ChunkJob) -> ChunkResult:
        """Read some pages.

        Raises:
            InputError: the split cannot be read.
        """
        begun = process_time()
        if job.split != self._split or job.place != self._place:
            self._records = pages(job.split, job.place, largest=self.reader.settings.largest)
            self._split = job.split
        self._place = (-1, -1)  # if this goes wrong, the next begins anew
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
        return ChunkResult(self.reader.table(rows), place, is_last, process_time() - begun, reading)

    def close(self) -> None:
        """There is nothing to let go of but the file."""
        self._records = iter(())


class BulkGuard:
    """Reads splits in a child with limits; or in this process, where settings have none.

    Args:
        settings: how pages are read.
        reader: by whom, as where another library is to be measured under the same guard.
    """

    def __init__(self, settings: BulkSettings, reader: type[PageReader] = PageReader) -> None:
        self._inline = ChunkReader(reader.open(settings)) if settings.seconds is None else None
        limits = JobLimits(settings.seconds, settings.memory)
        self._pool: ProcessPool[ChunkJob, ChunkResult] | None = (
            None if self._inline else ProcessPool(ChunkSetup(settings, reader), 1, limits)
        )
        self.seconds = self.reading = 0.0  # of processor time: of its children, and what pages took

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        if self._pool is not None:
            self._pool.__exit__(*raised)

    def batches(self, split: InputSplit) -> Iterator[Any]:
        """The rows of a split, in batches.

        Raises:
            InputError: it cannot be read, from some page on.
        """
        place: Place = (0, 0)
        left = 0  # pages that are read one at a time
        while True:
            job = ChunkJob(split, place, 1 if left else _PAGES)
            try:
                done = self._do(job)
            except JobFailed as failure:
                if failure.ending is Ending.RAISED:
                    if isinstance(failure.error, TidingsError):
                        raise failure.error from failure
                    raise InputError(f"{split.source} cannot be read: {failure}") from failure
                if job.pages > 1:
                    left = _PAGES
                    continue
                done = self._unread(job, failure)
            left = max(0, left - 1)
            place = done.place
            if self._pool is not None:  # what is done here, whoever asked counts
                self.seconds += done.seconds
            self.reading += done.reading
            if done.batch.num_rows:
                yield done.batch
            if done.is_last:
                return

    def _unread(self, job: ChunkJob, failure: JobFailed) -> ChunkResult:
        """The row of a page that cannot be read: what its record says of it, and what became of its reader.

        Raises:
            InputError: not even that can be had.
        """
        said = ("late" if failure.ending is Ending.TIME else "died", str(failure))
        try:
            return self._do(ChunkJob(job.split, job.place, 1, said))
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
