"""Engines: what distributes the splits (parts) of the input: processes, Ray or Spark. They handle only paths and
manifests; pages go from files to child processes.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from functools import partial
from typing import Any, Final

from tidings.bulk.guard import BulkGuard
from tidings.bulk.output import OutputFolder, SplitManifest
from tidings.bulk.rules import read_rules
from tidings.bulk.settings import BulkSettings
from tidings.bulk.splits import InputSplit
from tidings.bulk.task import Tell, run_split
from tidings.errors import BadParameter, needs
from tidings.processes import cores

#: Number of attempts to start a local engine.
_ATTEMPTS: Final = 3
#: Size of Ray's local object store, through which only paths and manifests go.
_OBJECT_STORE: Final = 100 * 1024 * 1024

#: Runs splits and yields their manifests as they finish.
Engine = Callable[[Sequence[InputSplit], str, BulkSettings, int, Tell | None], Iterator[SplitManifest]]


def run(
    splits: Iterable[InputSplit],
    to: str,
    settings: BulkSettings | None = None,
    *,
    engine: str = "plain",
    workers: int = 0,
    tell: Tell | None = None,
) -> Iterator[SplitManifest]:
    """Extract splits (parts of the input) into a folder, and yield their manifests as they finish. Finished splits are
    skipped.

    Args:
        splits: the splits to read (`plan`).
        to: the output folder.
        settings: the extraction settings.
        engine: plain, ray or spark.
        workers: number of concurrent splits; 0 for the number of cores.
        tell: progress callback; only used by `plain`.

    Raises:
        TargetExists: the folder belongs to another run.
        MissingExtra: the engine is not installed.
    """
    if engine not in ENGINES:
        raise BadParameter(f"there is no engine called {engine!r}; there are: {', '.join(ENGINES)}")
    settings = (settings or BulkSettings()).checked()
    version = read_rules(settings.rules).version if settings.rules else ""
    OutputFolder(to).begin(settings, version)
    return ENGINES[engine](list(splits), to, settings, workers, tell)


def plain(
    splits: Sequence[InputSplit], to: str, settings: BulkSettings, workers: int = 0, tell: Tell | None = None
) -> Iterator[SplitManifest]:
    """Extract splits in processes of this machine: a thread and a child process for each running split."""
    guards = threading.local()
    with ExitStack() as opened, ThreadPoolExecutor(max(1, workers or cores()), "tidings: split") as threads:
        lock = threading.Lock()
        stopped = threading.Event()

        def task(split: InputSplit) -> SplitManifest:
            if stopped.is_set():
                return SplitManifest(split, failure="it was stopped before this was begun")
            done = OutputFolder(to).done(split)
            if done is not None:
                return done
            if not hasattr(guards, "own"):  # a child process is reused for further splits
                guards.own = BulkGuard(settings)
                with lock:
                    opened.enter_context(guards.own)
            return run_split(split, to, settings, report_progress, guards.own)

        def report_progress(split: InputSplit, statuses: Counter[str]) -> None:
            if stopped.is_set():
                raise KeyboardInterrupt
            if tell is not None:
                with lock:
                    tell(split, statuses)

        waiting = [threads.submit(task, split) for split in splits]
        try:
            for future in as_completed(waiting):
                yield future.result()
        finally:
            stopped.set()
            for future in waiting:
                future.cancel()


def ray(
    splits: Sequence[InputSplit],
    to: str,
    settings: BulkSettings,
    workers: int = 0,
    tell: Tell | None = None,  # noqa: ARG001  # progress is only known when a split finishes
) -> Iterator[SplitManifest]:
    """Extract splits on Ray, one task for each, so that only lost splits are repeated. Uses a cluster or this machine.

    Raises:
        MissingExtra: Ray is not installed.
    """
    with needs("the engine ray", "ray"):
        import ray as engine
    ours = not engine.is_initialized()
    if ours:
        start = partial(
            engine.init,
            num_cpus=workers or None,
            include_dashboard=False,
            configure_logging=False,
            log_to_driver=False,
            object_store_memory=_OBJECT_STORE,
        )
        started(start, engine.shutdown)
    try:
        task = engine.remote(run_split).options(num_cpus=1, max_retries=3)
        waiting: list[Any] = [task.remote(split, to, settings) for split in splits]
        while waiting:
            done, waiting = engine.wait(waiting, num_returns=1)
            yield from engine.get(done)
    finally:
        if ours:
            engine.shutdown()


def spark(
    splits: Sequence[InputSplit],
    to: str,
    settings: BulkSettings,
    workers: int = 0,
    tell: Tell | None = None,  # noqa: ARG001
) -> Iterator[SplitManifest]:
    """Extract splits on Spark, one partition for each, in the active session or a local one.

    Raises:
        MissingExtra: Spark is not installed.
    """
    with needs("the engine spark", "spark"):
        from pyspark.sql import SparkSession
    active = SparkSession.getActiveSession()
    builder = (
        SparkSession.builder.master(f"local[{workers or cores()}]")
        .appName("tidings")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
    )
    session: Any = active or started(builder.getOrCreate, lambda: None)
    if active is None:
        session.sparkContext.pythonExec = sys.executable  # else the first `python3` that is found
    try:
        if splits:
            made = session.sparkContext.parallelize(list(splits), len(splits)).map(
                partial(run_split, to=to, settings=settings)
            )
            yield from made.toLocalIterator() if len(splits) > 10_000 else made.collect()
    finally:
        if active is None:
            session.stop()


def started(start: Callable[[], Any], stop: Callable[[], None]) -> Any:
    """Return the result of `start`; on an error call `stop` and retry, up to `_ATTEMPTS` times. On a busy machine Ray
    and Spark may exceed their own start-up timeouts, for which they have no specific error class.
    """
    for _ in range(_ATTEMPTS - 1):
        try:
            return start()
        except Exception:
            stop()
    return start()


ENGINES: Final[dict[str, Engine]] = {"plain": plain, "ray": ray, "spark": spark}
