"""Jobs for worker processes: their limits, results and failures, and the protocols of workers and pools."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from tidings.errors import TidingsError

J = TypeVar("J")
R = TypeVar("R")
J_contra = TypeVar("J_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)

_LONGEST_REASON: Final = 300  # some errors contain the whole page


class Ending(StrEnum):
    """How a job failed."""

    RAISED = "raised"  # it raised an error; its worker goes on
    TIME = "time"  # it exceeded the time limit
    MEMORY = "memory"  # it exceeded the memory limit
    DIED = "died"  # the worker was killed, or crashed in a library


class JobFailed(TidingsError):
    """A failed job: it raised an error, or its worker crashed or was ended."""

    def __init__(self, reason: str, ending: Ending = Ending.DIED, error: BaseException | None = None) -> None:
        super().__init__(reason)
        self.ending = ending
        self.error = error

    @classmethod
    def by(cls, error: BaseException) -> JobFailed:
        """Create a failure from an exception."""
        if isinstance(error, JobFailed):
            return error
        sentence = str(error) if isinstance(error, TidingsError) else f"it raised {type(error).__name__}: {error}"
        return cls(" ".join(sentence.split())[:_LONGEST_REASON], Ending.RAISED, error)


class JobLimits(NamedTuple):
    """The limits of a job."""

    seconds: float | None = None  # running or waiting, without the time of other processes
    memory: int | None = None  # bytes above the memory of an idle worker (Linux only)


class JobResult(NamedTuple, Generic[J, R]):
    """A job with its result, or with its failure."""

    job: J
    result: R | None
    failure: JobFailed | None = None

    @property
    def reason(self) -> str:
        """Return the reason of the failure."""
        return str(self.failure) if self.failure else ""


class JobRunner(Protocol[J_contra, R_co]):
    """Runs jobs in a worker."""

    def do(self, job: J_contra) -> R_co:
        """Return the result of a job."""
        ...

    def close(self) -> None:
        """Release resources."""
        ...


class WorkerSetup(Protocol[J_contra, R_co]):
    """Creates the job runner in a worker. It is sent to each worker once, so it must be picklable."""

    def open(self) -> JobRunner[J_contra, R_co]:
        """Create the job runner in the worker.

        Raises:
            TidingsError: a resource cannot be opened.
        """
        ...


class WorkerPool(Protocol[J_contra, R_co]):
    """Runs jobs in workers."""

    async def do(self, job: J_contra, worker: int | None = None) -> R_co:
        """Return the result of a job.

        Args:
            job: the job.
            worker: the number of the worker, if it matters.

        Raises:
            JobFailed: the job failed.
        """
        ...

    async def close(self) -> None:
        """Release resources."""
        ...
