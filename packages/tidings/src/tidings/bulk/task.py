"""The task: one split becomes one Parquet file, written aside and renamed when it is whole, and a manifest.

The same split gives the same bytes, whenever and wherever it is done: so a task that was ended half-way is done again.
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

#: Rows of a group, whatever batches they came in.
_ROWS: Final = 1024

#: Called with pages by status as they are done.
Tell = Callable[[InputSplit, Counter[str]], None]


def run_split(
    split: InputSplit, to: str, settings: BulkSettings, tell: Tell | None = None, guard: BulkGuard | None = None
) -> SplitManifest:
    """Read a split into one file of a folder; one that is done is not done again.

    What goes wrong with the split is in its manifest, and no file is left behind: other splits go on.

    Args:
        split: what to read.
        to: the folder of the run, which `OutputFolder.begin` has made.
        settings: how pages are read.
        tell: called as pages are done.
        guard: reads the pages; else one of its own does.
    """
    folder = OutputFolder(to)
    done = folder.done(split)
    if done is not None:
        return done
    begun = monotonic()
    try:
        if guard is None:
            with BulkGuard(settings) as own:
                return _made(split, folder, settings, own, tell, begun)
        return _made(split, folder, settings, guard, tell, begun)
    except TidingsError as error:
        files.remove(folder.articles(split))
        failed = SplitManifest(split, seconds=monotonic() - begun, failure=str(error))
        try:
            folder.write(failed)
        except TidingsError:  # as where the disk is full
            files.remove(folder.manifest(split))
        return failed


def _made(
    split: InputSplit, folder: OutputFolder, settings: BulkSettings, guard: BulkGuard, tell: Tell | None, begun: float
) -> SplitManifest:
    pa = arrow()
    schema = article_schema(settings)
    statuses: Counter[str] = Counter()
    by_rules = 0
    before, read, own = guard.seconds, guard.reading, thread_time()
    with files.whole_file(folder.articles(split)) as stream:
        written = _Hashed(stream)
        held: list[Any] = []
        rows = 0
        # A pool of its own kind of memory keeps what it had; the system's gives it back.
        with parquet().ParquetWriter(
            pa.PythonFile(written, mode="w"), schema, compression="zstd", memory_pool=pa.system_memory_pool()
        ) as writer:
            for batch in guard.batches(split):
                found = Counter(batch.column("status").to_pylist())
                statuses.update(found)
                by_rules += sum(1 for one in batch.column("by").to_pylist() if one and one.startswith("rule "))
                if tell is not None:
                    tell(split, found)
                held.append(batch)
                rows += batch.num_rows
                while rows >= _ROWS:
                    table = pa.Table.from_batches(held, schema)
                    writer.write_table(table.slice(0, _ROWS).combine_chunks(), row_group_size=_ROWS)
                    held = table.slice(_ROWS).combine_chunks().to_batches()
                    rows -= _ROWS
            if rows:
                writer.write_table(pa.Table.from_batches(held, schema).combine_chunks(), row_group_size=_ROWS)
    manifest = SplitManifest(
        split,
        dict(sorted(statuses.items())),
        by_rules,
        monotonic() - begun,
        guard.seconds - before + thread_time() - own,
        guard.reading - read,
        written.size,
        written.digest.hexdigest(),
        rules=read_rules(settings.rules).version if settings.rules else "",
    )
    folder.write(manifest)
    return manifest


@dataclass(slots=True)
class _Hashed:
    """A file that is written from front to back, with its size and digest."""

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
        """The stream is closed by whoever opened it."""

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False
