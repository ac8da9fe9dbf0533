"""JSON lines: each is an article as `render(article, "jsonl")` writes it, and `store`, what the store knows of it.

A name that ends in `.gz` or `.zst` is compressed.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO

import zstandard

from tidings.article import render
from tidings.news.exports.columns import Sources, Value, in_utc, of_store
from tidings.news.store.quarantine import Quarantine, article_name
from tidings.news.store.records_of_articles import KeptArticle


def write_jsonl(
    articles: Iterable[KeptArticle], part: Path, name: Path, sources: Sources, aside: Quarantine | None = None
) -> None:
    """Articles, one a line.

    Args:
        articles: what to write.
        part: the file to write to.
        name: what it will be called: says how it is compressed.
        sources: addresses of sources.
        aside: takes those that cannot be written; without it they raise.
    """
    with part.open("wb") as file, _compressed(file, name.suffix.lower()) as stream:

        def line(kept: KeptArticle) -> bytes:
            return json_line(kept, sources).encode() + b"\n"

        for written in map(line, articles) if aside is None else aside.each(articles, line, article_name):
            stream.write(written)


def json_line(kept: KeptArticle, sources: Sources) -> str:
    """An article on one line, with what the store knows of it."""
    known = {name: _plain(value) for name, value in of_store(kept, sources).items()}
    # Half characters cannot be in what the store cleaned; `ensure_ascii` keeps line separators out as well.
    return f'{render(kept.article, "jsonl")[:-1]},"store":{json.dumps(known, separators=(",", ":"))}}}'


def _plain(value: Value) -> str | int | bool | list[str] | None:
    if isinstance(value, datetime):
        return in_utc(value)
    return list(value) if isinstance(value, tuple) else value


@contextmanager
def _compressed(file: IO[bytes], ending: str) -> Iterator[IO[bytes] | gzip.GzipFile]:
    if ending == ".gz":
        # No name and no time in it: the same articles give the same bytes.
        with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
            yield packed
    elif ending == ".zst":
        with zstandard.ZstdCompressor(level=6).stream_writer(file, closefd=False) as stream:
            yield stream
    else:
        yield file
