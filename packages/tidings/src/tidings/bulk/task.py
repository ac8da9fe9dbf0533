"""The task: one split becomes one Parquet file, renamed when it is complete, and a manifest.

The same split produces the same bytes at any time and place, so an interrupted task can be repeated.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, thread_time
from typing import Any, BinaryIO, Final

from tidings.bulk import files
from tidings.bulk.guard import BulkGuard
from tidings.bulk.output import OutputFolder, SplitManifest
from tidings.bulk.rules import read_rules
from tidings.bulk.schema import arrow, article_schema, parquet
from tidings.bulk.settings import BulkSettings
from tidings.bulk.splits import InputSplit
from tidings.errors import TidingsError

#: Rows per row group, whatever the batches.
_ROWS: Final = 1024

#: Progress callback with the number of pages by status.
Tell = Callable[[InputSplit, Counter[str]], None]


def run_split(
    split: InputSplit, to: str, settings: BulkSettings, tell: Tell | None = None, guard: BulkGuard | None = None
) -> SplitManifest:
    """Read a split into a file. A finished split is skipped.

    Errors are recorded in the manifest and no file remains, so that other splits can go on.

    Args:
        split: the split to read.
        to: the folder of the run, created by `OutputFolder.begin`.
        settings: how pages are read.
        tell: progress callback.
        guard: reads the pages; None creates one.
    """
    folder = OutputFolder(to)
    done = folder.done(split)
    if done is not None:
        return done
    start = monotonic()
    try:
        if guard is None:
            with BulkGuard(settings) as own:
                return _write_articles(split, folder, settings, own, tell, start)
        return _write_articles(split, folder, settings, guard, tell, start)
    except TidingsError as error:
        files.remove(folder.articles(split))
        failed = SplitManifest(split, seconds=monotonic() - start, failure=str(error))
        try:
            folder.write(failed)
        except TidingsError:  # for example if the disk is full
            files.remove(folder.manifest(split))
        return failed


def _write_articles(
    split: InputSplit, folder: OutputFolder, settings: BulkSettings, guard: BulkGuard, tell: Tell | None, start: float
) -> SplitManifest:
    pa = arrow()
    schema = article_schema(settings)
    statuses: Counter[str] = Counter()
    by_rules = 0
    before, read, own = guard.seconds, guard.reading, thread_time()
    with files.whole_file(folder.articles(split)) as stream:
        hashed = _Hashed(stream)
        pending: list[Any] = []
        rows = 0
        # Other memory pools do not return memory to the system.
        with parquet().ParquetWriter(
            pa.PythonFile(hashed, mode="w"), schema, compression="zstd", memory_pool=pa.system_memory_pool()
        ) as writer:
            for batch in guard.batches(split):
                batch_statuses = Counter(batch.column("status").to_pylist())
                statuses.update(batch_statuses)
                by_rules += sum(
                    1 for provenance in batch.column("by").to_pylist() if provenance and provenance.startswith("rule ")
                )
                if tell is not None:
                    tell(split, batch_statuses)
                pending.append(batch)
                rows += batch.num_rows
                while rows >= _ROWS:
                    table = pa.Table.from_batches(pending, schema)
                    writer.write_table(table.slice(0, _ROWS).combine_chunks(), row_group_size=_ROWS)
                    pending = table.slice(_ROWS).combine_chunks().to_batches()
                    rows -= _ROWS
            if rows:
                writer.write_table(pa.Table.from_batches(pending, schema).combine_chunks(), row_group_size=_ROWS)
    manifest = SplitManifest(
        split,
        dict(sorted(statuses.items())),
        by_rules,
        monotonic() - start,
        guard.seconds - before + thread_time() - own,
        guard.reading - read,
        hashed.size,
        hashed.digest.hexdigest(),
        rules=read_rules(settings.rules).version if settings.rules else "",
    )
    folder.write(manifest)
    return manifest


@dataclass(slots=True)
class _Hashed:
    """A write-only file with its size and digest."""

    stream: BinaryIO
    size: int = 0
    digest: Any = None
    closed: bool = False

    def __post_init__(self) -> None:
        self.digest = hashlib.sha256()

    def write(self, data: Any) -> int:
        piece = memoryview(data)
        self.stream.write(piece)
        self.digest.update(piece)
        self.size += piece.nbytes
        return piece.nbytes

    def flush(self) -> None:
        self.stream.flush()

    def tell(self) -> int:
        return self.size

    def close(self) -> None:
        """Do nothing; the caller closes the stream."""

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False
