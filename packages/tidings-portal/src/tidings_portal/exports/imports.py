"""Import of JSON lines: an export of a store, or the output of `tidings extract --format jsonl`.

Articles are identified by canonical URL, as in the pipeline. Importing twice changes nothing, and imported articles are
not fetched again. An article that the store has in a newer version is skipped.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final

import zstandard

from tidings.article import Article, article_from_json
from tidings.errors import BadExport, InputError, printable
from tidings.sources import canonical, key
from tidings.sources.addresses import is_home
from tidings.urls import without_credentials
from tidings_portal.store import Store
from tidings_portal.store.codec import article_bytes, digest
from tidings_portal.store.quarantine import bisect, reason_of
from tidings_portal.store.records_of_articles import Fate, NewArticle

#: No article is longer; what is, is something else.
_LONGEST: Final = 64 * 1024 * 1024
_AT_ONCE: Final = 100
_MOST_PROBLEMS: Final = 100


@dataclass(slots=True)
class Imported:
    """The result of an import: numbers of lines by outcome, and problems."""

    lines: int = 0
    fates: dict[Fate, int] = field(default_factory=dict)
    older: int = 0  # left, for the store has a newer version
    problems: list[str] = field(default_factory=list)  # the first hundred
    unread: int = 0


def import_jsonl(
    store: Store, where: str | Path, *, now: datetime | None = None, tell: Callable[[int], None] = lambda _bytes: None
) -> Imported:
    """Store the articles of a JSON lines file, compressed or not. Invalid lines are reported and skipped.

    Args:
        store: the store to import into.
        where: the file.
        now: the extraction time of articles without one; None: the current time.
        tell: called with the number of bytes read so far.

    Raises:
        InputError: the file cannot be read.
        BadExport: the file has no valid article.
    """
    path = Path(where)
    done = Imported()
    reading = _LineReader(store, now or datetime.now(UTC))
    waiting: list[NewArticle] = []
    try:
        with path.open("rb") as file, _unpacked(file, path.suffix.lower()) as stream:
            for line in _lines(stream):
                done.lines += 1
                try:
                    found = reading.article(line)
                except (InputError, BadExport) as error:
                    done.unread += 1
                    if len(done.problems) < _MOST_PROBLEMS:
                        done.problems.append(f"line {done.lines}: {printable(str(error), 300)}")
                    continue
                if found is None:
                    done.older += 1
                    continue
                waiting.append(found)
                if len(waiting) == _AT_ONCE:
                    _keep(store, waiting, done)
                    tell(file.tell())
            _keep(store, waiting, done)
            tell(file.tell())
    except (OSError, EOFError, zstandard.ZstdError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path} cannot be read after line {done.lines:,}: {reason}") from error
    if done.unread and done.unread == done.lines:
        raise BadExport(f"{path} holds no article in JSON lines; {done.problems[0]}")
    return done


def _keep(store: Store, waiting: list[NewArticle], done: Imported) -> None:
    kept, bad = bisect(waiting, store.keep)
    for part in kept:
        for saved in part:
            done.fates[saved.fate] = done.fates.get(saved.fate, 0) + 1
    for new, error in bad:
        done.unread += 1
        if len(done.problems) < _MOST_PROBLEMS:
            done.problems.append(f"{printable(new.article.url, 200)}: {printable(reason_of(error), 300)}")
    waiting.clear()


class _LineReader:
    """A parser of export lines. It remembers URLs, because two articles of an export may have the same URL."""

    def __init__(self, store: Store, now: datetime) -> None:
        self._store = store
        self._now = now
        self._sources = {without_credentials(source.settings.address): source.id for source in store.sources()}
        self._of_address: dict[int, int] = {}  # digests of addresses, and the article each belongs to

    def article(self, line: bytes) -> NewArticle | None:
        """Return the article of a JSON line, or None if the store has a newer version."""
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            raise BadExport("it is not UTF-8") from error
        article = article_from_json(text)
        _check(article)
        known = _store_metadata(text)
        at = _moment(known.get("extracted")) or self._now
        name = self._name(article, known)
        number = self._store.article_for(name)
        if number is not None:
            current = next(
                iter(self._store.articles_by_number([number])), None
            )  # none where it cannot be read any more
            if current is not None and at < current.extracted:
                return None
        sources = tuple(self._sources[one] for one in _texts(known, "sources") if one in self._sources)
        return NewArticle(article, at, _text(known, "maker"), None, (name,), _text(known, "category"), sources)

    def _name(self, article: Article, metadata: dict[str, Any]) -> str:
        """Return the key of an article: its URL, with its id if the exported store had two articles with that URL."""
        found = canonical(article.url) or canonical(article.canonical)
        if not found:
            return "article:" + digest(article_bytes(article))
        name = "address:" + key(found)
        number = metadata.get("number")
        if isinstance(number, int) and (is_home(found) or self._of_address.setdefault(hash(name), number) != number):
            return f"{name} number {number}"
        return name


def _check(article: Article) -> None:
    """Raise an error unless the fields of an imported article have the right types, because JSON allows a number as a
    title.
    """
    texts = (article.url, article.canonical, article.title, article.summary, article.section, article.language)
    names = (*article.authors, *article.tags, *(inline.text for block in article.blocks for inline in block.inlines))
    if not all(isinstance(one, str) for one in (*texts, *names)):
        raise BadExport("a text of it is no text")
    if not article.title and not article.blocks:
        raise BadExport("it has neither title nor text")


def _store_metadata(text: str) -> dict[str, Any]:
    """Return the columns that the exported store had for the article."""
    metadata = json.loads(text).get("store")
    return metadata if isinstance(metadata, dict) else {}


def _text(metadata: dict[str, Any], name: str) -> str:
    value = metadata.get(name)
    return value if isinstance(value, str) else ""


def _texts(metadata: dict[str, Any], name: str) -> list[str]:
    values = metadata.get(name)
    return [one for one in values if isinstance(one, str)] if isinstance(values, list) else []


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return moment if moment is None or moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _lines(stream: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    while line := stream.readline(_LONGEST + 1):
        if len(line) > _LONGEST:
            raise BadExport(f"a line is longer than {_LONGEST:,} bytes; this is no file of articles")
        if line.strip():
            yield line


@contextmanager
def _unpacked(file: IO[bytes], ending: str) -> Iterator[IO[bytes] | gzip.GzipFile]:
    if ending == ".gz":
        with gzip.GzipFile(fileobj=file, mode="rb") as stream:
            yield stream
    elif ending == ".zst":
        with (
            zstandard.ZstdDecompressor().stream_reader(file, closefd=False) as packed,
            io.BufferedReader(packed) as buffered,
        ):
            yield buffered
    else:
        yield file
