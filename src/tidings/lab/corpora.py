"""Pages with gold, as they lie on disk: `pages.jsonl` with one page a line, and the gzipped HTML beside it."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tidings.errors import InputError


@dataclass(frozen=True, slots=True)
class Sample:
    """One page of a corpus and what a perfect reader takes out of it."""

    id: str
    site: str
    lang: str
    page_type: str
    file: Path
    gold: Mapping[str, Any]

    @property
    def html(self) -> bytes:
        """The page's bytes."""
        data = self.file.read_bytes()
        return gzip.decompress(data) if self.file.suffix == ".gz" else data

    @property
    def half(self) -> int:
        """0 or 1, the same for all pages of a site: what is tuned on one half is measured on the other."""
        return hashlib.sha1(self.site.encode(), usedforsecurity=False).digest()[-1] % 2


def load(folder: Path, page_type: str | None = None) -> list[Sample]:
    """The pages of a corpus that have gold text, all of them or those of one type.

    Raises:
        InputError: the folder is no corpus.
    """
    index = folder / "pages.jsonl"
    if not index.is_file():
        raise InputError(f"{folder} is no corpus: there is no pages.jsonl in it")
    samples = []
    for line in index.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row.get("gold", {}).get("text") and page_type in (None, row["page_type"]):
            samples.append(
                Sample(
                    row["id"],
                    row.get("site") or row.get("outlet", ""),
                    row["lang"],
                    row["page_type"],
                    folder / row["html_file"],
                    row["gold"],
                )
            )
    return samples
