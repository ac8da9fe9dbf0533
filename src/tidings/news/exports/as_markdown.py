"""Markdown files with front matter, one an article, in folders of months.

A folder can be gone on with: what is there in the same version is left, what has changed is written anew. Each file is
written under a temporary name and moved, so an interrupted export holds whole files only.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Final

from tidings.article import Options, render
from tidings.article.characters import legal
from tidings.errors import TargetExists
from tidings.news.exports.columns import Sources, Value, in_utc, row
from tidings.news.store.quarantine import Quarantine, article_name
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


_SHOWN: Final = Options(images=True)
#: In this order; those that say nothing are left out. The first two tell what a file holds, when going on.
_FIELDS: Final = (
    "number", "version", "title", "address", "authors", "published_told", "modified_told", "first_seen", "site_name",
    "language", "direction", "category", "tags", "summary", "image", "kind", "words", "story", "sources",
)  # fmt: skip
_NAMES: Final = {"published_told": "published", "modified_told": "modified", "site_name": "site", "address": "link"}
_VERSION: Final = re.compile(rb"---\nnumber: \d+\nversion: (\d{1,9})\n")
#: At these YAML 1.1 breaks a line, even in quotes.
_BREAKS: Final = re.compile("[\x85\u2028\u2029\ufeff]")


def write_markdown(
    articles: Iterable[KeptArticle],
    folder: Path,
    sources: Sources,
    aside: Quarantine,
    *,
    force: bool = False,
    go_on: bool = False,
) -> None:
    """Articles as files in a folder. Nothing is removed but the older file of an article whose name has changed.

    Raises:
        TargetExists: the folder is not empty, and it was said neither to go on nor to write over it.
    """
    if folder.exists() and not folder.is_dir():
        raise TargetExists(f"{folder} is a file; name a folder")
    if folder.is_dir() and any(folder.iterdir()) and not (force or go_on):
        raise TargetExists(f"{folder} is not empty; add --continue to go on with it, or --force to write all anew")
    folder.mkdir(parents=True, exist_ok=True)
    there = {number: path for path in folder.rglob("*.md") if (number := number_of(path)) is not None}

    def write(kept: KeptArticle) -> None:
        path = folder / file_name(kept)
        before = there.get(kept.headline.id)
        if go_on and before is not None and _version(before) == kept.version:
            return
        path.parent.mkdir(exist_ok=True)
        part = path.parent / f".{kept.headline.id}.{os.getpid()}.part"
        try:
            part.write_bytes(markdown(kept, sources).encode())
            part.replace(path)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)
        if before is not None and before != path and _version(before) is not None:
            before.unlink(missing_ok=True)

    deque(aside.each(articles, write, article_name), maxlen=0)


def markdown(kept: KeptArticle, sources: Sources) -> str:
    """An article as Markdown behind its front matter."""
    told = row(kept, sources)
    lines = [f"{_NAMES.get(name, name)}: {_yaml(told[name])}" for name in _FIELDS if told[name] not in ("", None, ())]
    return "\n".join(["---", *lines, "---", "", legal(render(kept.article, "markdown", _SHOWN)), ""])


def _yaml(value: Value) -> str:
    """A value as JSON writes it, which YAML reads the same: nothing in quotes can end them or begin anything."""
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_yaml, value)) + "]"
    if isinstance(value, datetime):
        return _yaml(in_utc(value))
    if isinstance(value, str):
        quoted = json.dumps(legal(value), ensure_ascii=False)
        return _BREAKS.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)
    return json.dumps(value)


def _version(path: Path) -> int | None:
    """Which version a file holds; None if no export wrote it."""
    try:
        with path.open("rb") as stream:
            found = _VERSION.match(stream.read(200))
    except OSError:
        return None
    return int(found[1]) if found else None
