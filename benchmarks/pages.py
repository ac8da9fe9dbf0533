"""Pages to measure on: the real ones of ../shared/data where they are, the bundled newspaper otherwise."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def load(corpus: str, languages: tuple[str, ...] = (), every: int = 1) -> list[bytes]:
    """The pages of a corpus as bytes, of some languages only, or every n-th."""
    index = SHARED / corpus / "pages.jsonl"
    if not index.exists():
        return []
    rows = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
    chosen = [row for row in rows if not languages or row["lang"] in languages][::every]
    return [gzip.decompress((SHARED / corpus / row["html_file"]).read_bytes()) for row in chosen]


def newspaper() -> list[bytes]:
    """The pages of the bundled newspaper."""
    from tidings import newspaper as bundled

    return [page.html for page in bundled.pages()]
