"""All that serving processes share, made by their parent and handed to each when it is started."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tidings.errors import InputError
from tidings.news.web.common import ATTEMPTS, READINGS, VISITORS, Common
from tidings.news.workers import places as seats
from tidings.news.workers.memory import Memory
from tidings.news.workers.places import Places, SharedAge
from tidings.news.workers.shared_ledger import SharedLedger, size_for


@dataclass(frozen=True, slots=True)
class Shared:
    """Memory for what is small and changes with every request, and a folder for measures."""

    memory: Memory
    count: int  # of the processes
    folder: Path
    secret: bytes = field(repr=False)

    @property
    def places(self) -> Places:
        """How each of the processes is."""
        return Places(self.memory, self.count)

    def common(self, place: int) -> Common:
        """What the one in a place has in common with the others."""
        places = self.places
        turns, attempts, readings = self._ledgers()
        return Common(
            turns=turns,
            attempts=attempts,
            readings=readings,
            age=SharedAge(places, place),
            processes=self.count,
            serving=lambda: places.serving,
            replaced=lambda: places.replaced,
            measures=self.folder,
        )

    def _ledgers(self) -> list[SharedLedger]:
        made, start = [], seats.SIZE
        for size in _sizes():
            made.append(SharedLedger(self.memory, start, size, self.secret))
            start += size
        return made


def _sizes() -> list[int]:
    return [size_for(entries) for entries in (VISITORS, ATTEMPTS, READINGS)]


@contextmanager
def shared(count: int) -> Iterator[Shared]:
    """What so many processes share, for as long as the block runs.

    Raises:
        InputError: there is nowhere to write measures.
    """
    memory = Memory.made(seats.SIZE + sum(_sizes()))
    try:
        with _folder() as folder:
            made = Shared(memory, count, Path(folder), secrets.token_bytes(32))
            for place in range(count):
                made.places.note_connections(place, None)
            yield made
    finally:
        memory.close()


def _folder() -> tempfile.TemporaryDirectory[str]:
    try:
        return tempfile.TemporaryDirectory(prefix="tidings-", ignore_cleanup_errors=True)
    except OSError as error:
        raise InputError(f"several processes need a folder for temporary files; set TMPDIR to one ({error})") from error
