"""What is done in processes: jobs, what they may take, what becomes of them, and who does them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from tidings.errors import TidingsError

J = TypeVar("J")
R = TypeVar("R")
J_contra = TypeVar("J_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)

_LONGEST_REASON: Final = 300  # some errors quote the whole page


class Ending(StrEnum):
    """What a job failed by."""

    RAISED = "raised"  # it raised; its worker goes on
    TIME = "time"  # it took longer than it may
    MEMORY = "memory"  # it needed more than it may
    DIED = "died"  # somebody ended the worker, or a mistake in a library did


class JobFailed(TidingsError):
    """A job was not done: it raised, or its worker died or was ended over it."""

    def __init__(self, reason: str, ending: Ending = Ending.DIED, error: BaseException | None = None) -> None:
        super().__init__(reason)
        self.ending = ending
        self.error = error

    @classmethod
    def by(cls, error: BaseException) -> JobFailed:
        """Something that was raised."""
        if isinstance(error, JobFailed):
            return error
        sentence = str(error) if isinstance(error, TidingsError) else f"it raised {type(error).__name__}: {error}"
        return cls(" ".join(sentence.split())[:_LONGEST_REASON], Ending.RAISED, error)


class JobLimits(NamedTuple):
    """What one job may take."""

    seconds: float | None = None  # that it runs or waits for something, not those in which others run
    memory: int | None = None  # bytes beyond what a worker has when it is ready, where the platform counts them (Linux)


class JobResult(NamedTuple, Generic[J, R]):
    """A job and what came of it: a result, or the reason why there is none."""

    job: J
    result: R | None
    failure: JobFailed | None = None

    @property
    def reason(self) -> str:
        """Why there is no result."""
        return str(self.failure) if self.failure else ""


class JobRunner(Protocol[J_contra, R_co]):
    """Does jobs in a worker."""

    def do(self, job: J_contra) -> R_co:
        """Return the result of a job."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


class WorkerSetup(Protocol[J_contra, R_co]):
    """Makes what does the jobs; it is sent to each worker once, so it must be picklable."""

    def open(self) -> JobRunner[J_contra, R_co]:
        """Open it, there.

        Raises:
            TidingsError: it cannot be opened.
        """
        ...


class WorkerPool(Protocol[J_contra, R_co]):
    """Does jobs."""

    async def do(self, job: J_contra, worker: int | None = None) -> R_co:
        """Return the result of a job.

        Args:
            job: what is to be done.
            worker: which of them is to do it, where that matters.

        Raises:
            JobFailed: it could not be done.
        """
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...
