"""Worker processes that extract pages sent by visitors, with limits on memory and time.

A malicious page can take all memory or minutes of processor time, so server processes do not parse it. A worker that
exceeds its limits is ended and replaced, and its request fails (HOSTILE 30). All inputs have the same size limit.

A job is a module-level function with its arguments, so that it can be pickled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from functools import partial
from importlib import import_module
from typing import Any, Final, Protocol, TypeVar

from anyio import from_thread

import tidings
from tidings import Article, Hints, Page, extractors
from tidings.budget import limit
from tidings.errors import BadExpression, PageTooCostly, PageTooLarge, ReaderDied, ReadersBusy, TidingsError
from tidings.extractors.learned.choice import Preference
from tidings.extractors.registry import Extractor
from tidings.options import ExtractOptions
from tidings.processes import Ending, JobFailed, JobLimits, ProcessPool
from tidings.reading import read

LONGEST_EXPRESSION: Final = 300
#: Maximum number of extractors in a combination.
MOST_EXTRACTORS: Final = 8
#: Maximum value of a numeric parameter, against endless loops.
LARGEST_PARAMETER: Final = 1000


def asked_extractor(expression: str = "", prefer: Preference | None = None) -> Extractor:
    """Return an extractor by the name or expression that a visitor requested, or the default extractor.

    Args:
        expression: the name or expression; empty: the default.
        prefer: precision or recall of the default extractor; not allowed with an expression.

    Raises:
        ExtractorError: it does not exist, or is not allowed for visitors.
    """
    text = expression.strip()
    if not text:
        prefer = prefer or Preference.BALANCED
        return extractors.extractor(f"{extractors.DEFAULT}(preference={prefer.value})")
    if prefer is not None:
        raise BadExpression(text, 0, f"a preference is for the usual extractor, {extractors.DEFAULT}; give one of both")
    if len(text) > LONGEST_EXPRESSION:
        raise BadExpression(text[:80] + "…", 0, f"it has {len(text)} characters; {LONGEST_EXPRESSION} is the most here")
    extractor = extractors.extractor(text)
    parts = list(_parts(extractor))
    if sum(not _holds_others(part) for part in parts) > MOST_EXTRACTORS:
        raise BadExpression(text, 0, f"a combination has at most {MOST_EXTRACTORS} extractors here")
    for part in parts:
        for one in fields(part):
            value = getattr(part, one.name)
            if isinstance(value, str) and not isinstance(value, Enum) and value != one.default is not MISSING:
                at = max(text.find(one.name), 0)
                raise BadExpression(text, at, f"{one.name} can be set on the command line and in Python only")
            is_number = isinstance(value, int | float) and not isinstance(value, Enum) and value != one.default
            if is_number and not abs(value) <= LARGEST_PARAMETER:
                at = max(text.find(one.name), 0)
                raise BadExpression(text, at, f"{one.name} is at most {LARGEST_PARAMETER} here")
    return extractor


def _parts(extractor: Any) -> Iterator[Any]:
    """Return an extractor and all extractors inside it."""
    waiting = [extractor]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting += one
        elif callable(one) and hasattr(one, "__dataclass_fields__"):
            yield one
            waiting += [getattr(one, field.name) for field in fields(one)]


def _holds_others(part: Any) -> bool:
    inner = [getattr(part, field.name) for field in fields(part)]
    return any(isinstance(one, Extractor) or (isinstance(one, tuple) and one) for one in inner)


T = TypeVar("T")

#: Maximum page size: any extractor needs seconds for it. The longest articles have a tenth of it.
MOST_BYTES: Final = 5_000_000
#: Number of workers, and seconds to wait for a free worker and for the result.
AT_ONCE, PATIENCE = 2, 30.0
#: Queue length per worker. Further requests are refused.
_WAITING: Final = 8
#: Memory for one page, beyond what a worker has anyway: 60 MB and 40 times the largest, and 140 MB for the blocks of
#: the article and the form it is sent in, or for an extractor that needs more. And seconds of processor time.
MEMORY: Final = 400_000_000
SECONDS: Final = 20.0
#: Seconds until workers start without a request.
_BEFORE_START: Final = 3.0
#: Modules that a worker imports before its first job.
_LOADED: Final = (
    "tidings_portal.reader.article_view",
    "tidings_portal.api.extraction",
    "tidings_portal.portal.extraction_page",
)
_WARM: Final = (
    "<title>Seals are back</title><h1>Seals are back</h1>" + 9 * "<p>Seals are back in the estuary, they say.</p>"
)


@dataclass(frozen=True, slots=True)
class SentPage:
    """A page sent by a visitor or fetched for one.

    Raises:
        PageTooLarge: on creation, if it exceeds the size limit.
    """

    data: bytes | str
    url: str | None = None
    hints: Hints = field(default_factory=Hints)

    def __post_init__(self) -> None:
        if len(self.data) > MOST_BYTES or self.hints.is_cut:
            name = self.url or "the page"
            raise PageTooLarge(
                f"{name} has more than {MOST_BYTES:,} bytes, which is too much to be read here; cut it down"
            )

    def page(self) -> Page:
        """Return the parsed page.

        Raises:
            PageError: it is not a page.
        """
        return Page(self.data, self.url, self.hints)


def hints_of(options: ExtractOptions, content_type: str | None = None) -> Hints:
    """Return the hints for a page: title and summary of the options, and the type that its response declares."""
    return Hints(title=options.title, description=options.summary, content_type=content_type)


def read_with_options(page: SentPage, extractor: Extractor, options: ExtractOptions) -> Article:
    """Return the article on a page, with the options of a request.

    Raises:
        PageError: it is not a page.
        ExtractionTimeout: the page takes more than the option `timeout`.
    """
    with limit(options.timeout):
        document = page.page()
        return read(document, extractor) if options.is_default else read(document, extractor, options=options)


class ReadingPool(Protocol):
    """A pool that runs extraction jobs for the server."""

    async def run(self, work: Callable[..., T], *values: object) -> T:
        """Run a function in a worker and return its result.

        Raises:
            TidingsError: raised by the function.
            PageTooCostly: the job exceeds the limit of memory or time.
            ReadersBusy: too many jobs are waiting.
        """
        ...

    def wait(self, work: Callable[..., T], *values: object) -> T:
        """Run a function from a thread of the server. Blocks."""
        ...

    def prepare(self) -> None:
        """Start the workers while a page is being fetched."""
        ...

    async def close(self) -> None:
        """Stop the workers."""
        ...


class ReadingThreads:
    """A pool of threads without a memory limit, for tests and trusted input."""

    def __init__(self) -> None:
        self._places: tuple[asyncio.AbstractEventLoop, asyncio.Semaphore] | None = None

    async def run(self, work: Callable[..., T], *values: object) -> T:
        """Run a function in a thread and return its result."""
        places = self._free()
        try:
            async with asyncio.timeout(PATIENCE):
                await places.acquire()
            # Threads cannot be cancelled: the slot is free when the thread ends, not when its caller gives up.
            doing = asyncio.ensure_future(asyncio.to_thread(work, *values))
            doing.add_done_callback(lambda _: places.release())
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(doing)
        except TimeoutError as error:
            raise _busy() from error

    def wait(self, work: Callable[..., T], *values: object) -> T:
        """Call a function in this thread and return its result."""
        return work(*values)

    def prepare(self) -> None:
        """Do nothing: threads need no start."""

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _free(self) -> asyncio.Semaphore:
        """Return a semaphore for the running event loop."""
        loop = asyncio.get_running_loop()
        if self._places is None or self._places[0] is not loop:
            self._places = (loop, asyncio.Semaphore(AT_ONCE))
        return self._places[1]


@dataclass(frozen=True, slots=True)
class _PageJob:
    function: Callable[..., Any]
    values: tuple[object, ...]


class _CallRunner:
    """Runs jobs inside a worker process."""

    def do(self, job: _PageJob) -> object:
        """Run a job and return its result."""
        return job.function(*job.values)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


@dataclass(frozen=True, slots=True)
class _RunnerSetup:
    modules: tuple[str, ...]

    def open(self) -> _CallRunner:
        for name in self.modules:
            import_module(name)
        tidings.extract(_WARM)
        return _CallRunner()


class ReadingProcesses:
    """A pool of worker processes.

    They start with the first job or after some seconds, so that the server is ready first.

    Args:
        size: number of workers.
        memory: memory limit per job in bytes.
        seconds: limit of processor time per job.
        modules: modules to import on start.
    """

    def __init__(
        self,
        size: int = AT_ONCE,
        memory: int = MEMORY,
        seconds: float = SECONDS,
        modules: tuple[str, ...] = _LOADED,
    ) -> None:
        self._memory, self._seconds = memory, seconds
        self._most = size * (1 + _WAITING)
        self._under_way = 0
        self._size, self._modules = size, modules
        self._pool: ProcessPool[_PageJob, object] | None = None
        self._starting = asyncio.get_running_loop().call_later(_BEFORE_START, self.start)

    def start(self) -> ProcessPool[_PageJob, object]:
        """Return the pool of worker processes, started if necessary."""
        if self._pool is None:
            self._pool = ProcessPool(_RunnerSetup(self._modules), self._size, JobLimits(self._seconds, self._memory))
            self._pool.start()
        return self._pool

    async def run(self, work: Callable[..., T], *values: object) -> T:
        """Run a function in a worker and return its result."""
        if self._under_way >= self._most:
            raise _busy()
        self._under_way += 1
        # A worker finishes a job even if its caller gives up, and is free only then.
        doing = asyncio.ensure_future(self._done(_PageJob(work, values)))
        doing.add_done_callback(self._finished)
        try:
            async with asyncio.timeout(2 * PATIENCE):
                result: Any = await asyncio.shield(doing)
        except TimeoutError as error:
            raise _busy() from error
        typed: T = result
        return typed

    def wait(self, work: Callable[..., T], *values: object) -> T:
        """Run a function in a worker from a thread of the server. Blocks."""
        return from_thread.run(partial(self.run, work, *values))

    def prepare(self) -> None:
        """Start the workers, which takes about as long as fetching a page."""
        self.start()

    @property
    def processes(self) -> list[int]:
        """Return the process ids of the workers."""
        return self.start().processes

    async def close(self) -> None:
        """Stop the workers."""
        self._starting.cancel()
        if self._pool is not None:
            await self._pool.close()

    async def _done(self, work: _PageJob) -> object:
        try:
            return await self.start().do(work)
        except JobFailed as failed:
            if isinstance(failed.error, TidingsError):
                raise failed.error from failed
            if failed.ending is Ending.RAISED:  # a bug: goes to the log
                raise RuntimeError(str(failed)) from failed.error
            if failed.ending is Ending.MEMORY:
                megabytes = self._memory / 1e6
                raise PageTooCostly(
                    f"reading the page takes more than the {megabytes:,.0f} MB of memory that are given for one; send a"
                    " smaller one, or name one method only"
                ) from failed
            if failed.ending is Ending.TIME:
                raise PageTooCostly(
                    f"reading the page takes more than the {self._seconds:,.0f} seconds of processor time that are"
                    " given for one; send a smaller one, or name one method only"
                ) from failed
            raise ReaderDied(f"the page was not read: {failed}; try again in a few seconds") from failed

    def _finished(self, doing: asyncio.Future[object]) -> None:
        self._under_way -= 1
        if not doing.cancelled():
            doing.exception()  # retrieve the exception even if the caller has given up


def _busy() -> ReadersBusy:
    return ReadersBusy("too many pages are being read; try again in half a minute")
