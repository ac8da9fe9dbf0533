"""Pages to measure on: the real ones of ../shared/data where they are, the bundled newspaper otherwise."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def load(corpus: str, languages: tuple[str, ...] = (), every: int = 1) -> list[bytes]:
    """The pages of a corpus as bytes, of some languages only, or every n-th."""
    return list(each(corpus, languages, every))


def each(corpus: str, languages: tuple[str, ...] = (), every: int = 1) -> Iterator[bytes]:
    """As `load`, one page after the other."""
    index = SHARED / corpus / "pages.jsonl"
    if not index.exists():
        return
    rows = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
    chosen = [row for row in rows if not languages or row["lang"] in languages][::every]
    for row in chosen:
        yield gzip.decompress((SHARED / corpus / row["html_file"]).read_bytes())


def newspaper() -> list[bytes]:
    """The pages of the bundled newspaper."""
    from tidings import newspaper as bundled

    return [page.html for page in bundled.pages()]
