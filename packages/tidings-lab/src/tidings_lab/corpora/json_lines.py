"""The corpus layout of Tidings: `pages.jsonl` with a line per page, and page files, which may be gzipped.

A line has id, html_file and gold, and optionally corpus, split, url, site (or outlet), lang, page_type, html_sha1,
gold_kind, headline_in_text and further keys.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tidings.errors import InputError, PageTooLarge
from tidings_lab.corpora.corpus import CorpusProblem, CorpusTrouble
from tidings_lab.corpora.headline_in_text import opens_with
from tidings_lab.corpora.sample import Sample

INDEX: Final = "pages.jsonl"
_KNOWN: Final = frozenset("id site outlet lang page_type html_file gold url corpus gold_kind headline_in_text".split())


def read_lines(folder: Path) -> Iterator[Sample | CorpusProblem]:
    """Yield every page of a folder, and a problem for each line or page that cannot be used."""
    ids: set[str] = set()
    listed: set[Path] = set()
    for number, line in enumerate(folder.joinpath(INDEX).read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        location = f"{INDEX}, line {number}"
        try:
            row = json.loads(line)
            sample = _sample(folder, row)
        except (ValueError, TypeError, RecursionError) as error:
            yield CorpusProblem(CorpusTrouble.BROKEN_LINE, location, str(error))
            continue
        if sample.id in ids:
            yield CorpusProblem(CorpusTrouble.TWICE, sample.id, location)
            continue
        ids.add(sample.id)
        listed.add(sample.file)
        if problem := _page_problem(folder, sample):
            yield problem
            continue
        if not sample.gold:
            yield CorpusProblem(CorpusTrouble.NO_GOLD, sample.id)
        yield sample
    for file in sorted(folder.joinpath("html").rglob("*")):
        if file not in listed and file.is_file():
            yield CorpusProblem(CorpusTrouble.NO_GOLD, str(file.relative_to(folder)), f"not in {INDEX}")


def _sample(folder: Path, row: Any) -> Sample:
    if not isinstance(row, dict):
        raise TypeError("the line is no JSON object")
    gold = row.get("gold") or {}
    texts = {name: row.get(name) or "" for name in ("id", "site", "lang", "page_type", "html_file", "url", "corpus")}
    texts["site"] = texts["site"] or row.get("outlet") or ""
    texts["gold_kind"] = row.get("gold_kind") or ""
    for name, value in texts.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} is no text")
        value.encode()  # lone surrogates can be neither printed nor used as file names
    for name in ("id", "html_file"):
        if not texts[name] or "\0" in texts[name]:
            raise ValueError(f"{name} is missing")
    if not isinstance(gold, dict):
        raise TypeError("gold is no JSON object")
    file = folder / texts.pop("html_file")
    texts["corpus"] = texts["corpus"] or folder.resolve().name
    return Sample(
        **texts,
        file=file,
        gold=gold,
        headline_in_text=_headline_in_text(row.get("headline_in_text"), gold),
        more={name: value for name, value in row.items() if name not in _KNOWN},
    )


def _headline_in_text(declared: Any, gold: dict[str, Any]) -> bool | None:
    if isinstance(declared, bool):
        return declared
    title, text = gold.get("title"), gold.get("text")
    if isinstance(title, str) and isinstance(text, str) and title.strip() and text.strip():
        return opens_with(text, title)
    return None


def _page_problem(folder: Path, sample: Sample) -> CorpusProblem | None:
    if not sample.file.resolve().is_relative_to(folder.resolve()):
        return CorpusProblem(CorpusTrouble.OUTSIDE, sample.id, str(sample.file))
    try:
        exists = sample.file.is_file()
    except OSError as error:  # a name that is too long
        return CorpusProblem(CorpusTrouble.BROKEN_LINE, sample.id, str(error.strerror))
    if not exists:
        return CorpusProblem(CorpusTrouble.NO_PAGE, sample.id, f"there is no {sample.file.relative_to(folder)}")
    return None


def check_page(sample: Sample) -> CorpusProblem | None:
    """Read a page and compare it with its digest, if the corpus declares one."""
    try:
        content = sample.html
    except (InputError, PageTooLarge) as error:
        return CorpusProblem(CorpusTrouble.BROKEN_PAGE, sample.id, str(error))
    declared_sha1 = sample.more.get("html_sha1")
    if declared_sha1 and hashlib.sha1(content, usedforsecurity=False).hexdigest() != declared_sha1:
        return CorpusProblem(CorpusTrouble.CHANGED, sample.id, "its html_sha1 is another")
    return None
