"""Names of files from headlines in any script: readable, safe on every system, and never the same for two articles."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path, PurePosixPath
from typing import Final

from tidings.news.store.records_of_articles import KeptArticle
from tidings.text import fold_case

#: Bytes: file systems take 255, and synchronised folders put their own words behind a name.
_LONGEST: Final = 120
_NUMBER: Final = re.compile(r"-(\d{1,18})\.md\Z", re.ASCII)


def slug(title: str, language: str = "") -> str:
    """The letters and digits of a title in small letters, with hyphens between; empty where it has none.

    Letters of every script stay, with the marks that belong to them; all else goes: slashes, dots, colons, controls,
    marks of direction.
    """
    parts: list[str] = []
    size = 0
    for sign in fold_case(unicodedata.normalize("NFC", title[:1000]), language):
        kind = unicodedata.category(sign)[0]
        if kind == "M" and not (parts and parts[-1] != "-"):
            continue  # a mark with nothing to stand on
        shown = sign if kind in "LNM" else "-"
        if shown == "-" and (not parts or parts[-1] == "-"):
            continue
        size += len(shown.encode())
        if size > _LONGEST:
            break
        parts.append(shown)
    return "".join(parts).strip("-")


def file_name(kept: KeptArticle) -> PurePosixPath:
    """The month and the headline of an article, with its number: `2024-03/seals-are-back-17.md`."""
    words = slug(kept.article.title, kept.article.language) or "article"
    month = kept.headline.time
    return PurePosixPath(f"{month.year:04d}-{month.month:02d}", f"{words}-{kept.headline.id}.md")


def number_of(path: Path) -> int | None:
    """The number in the name of a file."""
    found = _NUMBER.search(path.name)
    return int(found[1]) if found else None
