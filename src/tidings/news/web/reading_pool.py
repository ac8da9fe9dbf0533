"""Where pages that strangers send, or point at, are read: in processes of their own, with limits.

A page can be made so that reading it takes all the memory of a machine, or minutes. What serves everybody else must not
be what reads it: a worker that needs more than it is given ends, whoever asked is told so, and another takes its place
(HOSTILE 30). All ways in have the same cap of size.

Work is a function at the top of its module and what it is called with, so that both can be sent to a worker.
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
from tidings import Hints, Page, extractors
from tidings.errors import BadExpression, PageTooCostly, PageTooLarge, ReaderDied, ReadersBusy, TidingsError
from tidings.extractors.learned.choice import Preference
from tidings.extractors.registry import Extractor
from tidings.processes import Ending, JobFailed, JobLimits, ProcessPool

LONGEST_EXPRESSION: Final = 300
#: Extractors in one combination: each reads the page.
MOST_EXTRACTORS: Final = 8
#: Of a parameter: an extractor that goes over the page a billion times is never done.
LARGEST_PARAMETER: Final = 1000


def asked_extractor(expression: str = "", prefer: Preference | None = None) -> Extractor:
    """The extractor that a name or an expression stands for; without one, the usual extractor.

    Raises:
        ExtractorError: there is none, or it is not for use from outside.
    """
    said = expression.strip()
    if not said:
        prefer = prefer or Preference.BALANCED
        return extractors.extractor(f"{extractors.DEFAULT}(preference={prefer.value})")
    if prefer is not None:
        raise BadExpression(said, 0, f"a preference is for the usual extractor, {extractors.DEFAULT}; give one of both")
    if len(said) > LONGEST_EXPRESSION:
        raise BadExpression(said[:80] + "…", 0, f"it has {len(said)} characters; {LONGEST_EXPRESSION} is the most here")
    made = extractors.extractor(said)
    parts = list(_parts(made))
    if sum(not _holds_others(part) for part in parts) > MOST_EXTRACTORS:
        raise BadExpression(said, 0, f"a combination has at most {MOST_EXTRACTORS} extractors here")
    for part in parts:
        for one in fields(part):
            value = getattr(part, one.name)
            if isinstance(value, str) and not isinstance(value, Enum) and value != one.default is not MISSING:
                at = max(said.find(one.name), 0)
                raise BadExpression(said, at, f"{one.name} can be set on the command line and in Python only")
            is_number = isinstance(value, int | float) and not isinstance(value, Enum) and value != one.default
            if is_number and not abs(value) <= LARGEST_PARAMETER:
                at = max(said.find(one.name), 0)
                raise BadExpression(said, at, f"{one.name} is at most {LARGEST_PARAMETER} here")
    return made


def _parts(made: Any) -> Iterator[Any]:
    """An extractor and all those inside it."""
    waiting = [made]
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

#: A page of this size is read in seconds by any extractor. The longest articles have a tenth of it.
MOST_BYTES: Final = 5_000_000
#: Pages read at one time, and how long somebody waits for a place, and then for theirs, in seconds.
AT_ONCE, PATIENCE = 2, 30.0
#: For each place so many may wait; those who come then are told to come again.
_WAITING: Final = 8
#: Memory for one page, beyond what a worker has anyway: 60 MB and 40 times the largest, and 140 MB for the blocks of
#: the article and the form it is sent in, or for an extractor that needs more. And seconds of processor time.
MEMORY: Final = 400_000_000
SECONDS: Final = 20.0
#: Seconds until workers are started that nobody has asked for.
_BEFORE_START: Final = 3.0
#: What a worker loads before its first page, which otherwise would wait for it.
_LOADED: Final = (
    "tidings.news.reader.article_view",
    "tidings.news.api.extraction",
    "tidings.news.portal.extraction_page",
)
_WARM: Final = (
    "<title>Seals are back</title><h1>Seals are back</h1>" + 9 * "<p>Seals are back in the estuary, they say.</p>"
)


@dataclass(frozen=True, slots=True)
class SentPage:
    """A page as it came, on its way to where it is read.

    Raises:
        PageTooLarge: when it is made, if it is larger than any way in takes.
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
        """The page.

        Raises:
            PageError: it is none.
        """
        return Page(self.data, self.url, self.hints)


class ReadingPool(Protocol):
    """Reads pages for those who serve."""

    async def run(self, work: Callable[..., T], *values: object) -> T:
        """What a function returns for some values; it is called where pages are read.

        Raises:
            TidingsError: as the function raises it.
            PageTooCostly: it takes more memory or time than is given for one page.
            ReadingError: it cannot be done now.
        """
        ...

    def wait(self, work: Callable[..., T], *values: object) -> T:
        """The same for code that runs in a thread of the server."""
        ...

    def prepare(self) -> None:
        """A page is being fetched that will have to be read."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...


class ReadingThreads:
    """Pages are read in threads of this process, with no limit of memory: for tests, and where nobody is a stranger."""

    def __init__(self) -> None:
        self._places: tuple[asyncio.AbstractEventLoop, asyncio.Semaphore] | None = None

    async def run(self, work: Callable[..., T], *values: object) -> T:
        """What a function returns, when there is a place for it."""
        places = self._free()
        try:
            async with asyncio.timeout(PATIENCE):
                await places.acquire()
            # A thread cannot be ended: its place is given back when it is done, not when nobody waits any more.
            doing = asyncio.ensure_future(asyncio.to_thread(work, *values))
            doing.add_done_callback(lambda _: places.release())
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(doing)
        except TimeoutError as error:
            raise _busy() from error

    def wait(self, work: Callable[..., T], *values: object) -> T:
        """What a function returns; it is called here."""
        return work(*values)

    def prepare(self) -> None:
        """There is nothing to prepare."""

    async def close(self) -> None:
        """There is nothing to let go of."""

    def _free(self) -> asyncio.Semaphore:
        """Places to read at; they belong to the loop that serves."""
        loop = asyncio.get_running_loop()
        if self._places is None or self._places[0] is not loop:
            self._places = (loop, asyncio.Semaphore(AT_ONCE))
        return self._places[1]


@dataclass(frozen=True, slots=True)
class _PageJob:
    function: Callable[..., Any]
    values: tuple[object, ...]


class _CallRunner:
    """Calls functions, in a worker."""

    def do(self, job: _PageJob) -> object:
        """What the function returns."""
        return job.function(*job.values)

    def close(self) -> None:
        """There is nothing to let go of."""


@dataclass(frozen=True, slots=True)
class _RunnerSetup:
    modules: tuple[str, ...]

    def open(self) -> _CallRunner:
        for name in self.modules:
            import_module(name)
        tidings.extract(_WARM)
        return _CallRunner()


class ReadingProcesses:
    """Pages are read in worker processes, made by the loop that serves.

    They are started when the first page comes, or else after some seconds: what serves should be ready first.

    Args:
        size: how many.
        memory: bytes that one page may take.
        seconds: of processor time that one page may take.
        modules: what workers load beforehand.
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
        """The workers, which are started if they have not been."""
        if self._pool is None:
            self._pool = ProcessPool(_RunnerSetup(self._modules), self._size, JobLimits(self._seconds, self._memory))
            self._pool.start()
        return self._pool

    async def run(self, work: Callable[..., T], *values: object) -> T:
        """What a function returns, when a worker is free for it."""
        if self._under_way >= self._most:
            raise _busy()
        self._under_way += 1
        # A worker goes on with what nobody waits for any more, and is free only then.
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
        """The same from a thread of the server."""
        return from_thread.run(partial(self.run, work, *values))

    def prepare(self) -> None:
        """Start the workers, which takes as long as to fetch a page."""
        self.start()

    @property
    def processes(self) -> list[int]:
        """The numbers of the worker processes."""
        return self.start().processes

    async def close(self) -> None:
        """End the workers."""
        self._starting.cancel()
        if self._pool is not None:
            await self._pool.close()

    async def _done(self, work: _PageJob) -> object:
        try:
            return await self.start().do(work)
        except JobFailed as failed:
            if isinstance(failed.error, TidingsError):
                raise failed.error from failed
            if failed.ending is Ending.RAISED:  # a mistake of ours: it goes to the log
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
            doing.exception()  # whoever asked may be gone


def _busy() -> ReadersBusy:
    return ReadersBusy("too many pages are being read; try again in half a minute")
