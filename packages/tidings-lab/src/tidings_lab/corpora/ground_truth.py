"""The layout of Scrapinghub's article extraction benchmark: `ground-truth.json` and `html/ID.html.gz`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tidings.errors import InputError
from tidings.urls import site_of
from tidings_lab.corpora.corpus import CorpusProblem, CorpusTrouble
from tidings_lab.corpora.corpus_files import PAGE_ENDINGS, ending_of
from tidings_lab.corpora.headline_in_text import opens_with
from tidings_lab.corpora.sample import Sample

GROUND_TRUTH: Final = "ground-truth.json"
#: Field names of the benchmark and ours.
_FIELDS: Final = {"articleBody": "text", "headline": "title", "datePublished": "date"}


def read_ground_truth(folder: Path) -> Iterator[Sample | CorpusProblem]:
    """Yield every page that has both a record and a file.

    Raises:
        InputError: the index cannot be read.
    """
    records, twice = _records(folder / GROUND_TRUTH)
    for name in twice:
        yield CorpusProblem(CorpusTrouble.TWICE, name, GROUND_TRUTH)
    html = folder / "html"
    pages = {
        file.name[: -len(ending)]: file
        for file in sorted(html.glob("*"))
        if (ending := ending_of(file, PAGE_ENDINGS)) and file.resolve().is_relative_to(folder.resolve())
    }
    for name, record in records.items():
        if not isinstance(record, dict) or not all(isinstance(record.get(key) or "", str) for key in _FIELDS):
            yield CorpusProblem(CorpusTrouble.BROKEN_LINE, name, "no record with texts")
        elif name not in pages:
            yield CorpusProblem(CorpusTrouble.NO_PAGE, name, f"there is no html/{name}.html.gz")
        else:
            yield _ground_truth_sample(folder, name, pages[name], record)
    for name in sorted(pages.keys() - records.keys()):
        yield CorpusProblem(CorpusTrouble.NO_GOLD, name)


def _records(index: Path) -> tuple[dict[str, Any], list[str]]:
    """Return the records of an index by id, and the ids that occur twice."""
    twice: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for name, value in pairs:
            if name in result and isinstance(value, dict):
                twice.append(name)
            result.setdefault(name, value)
        return result

    try:
        records = json.loads(index.read_bytes(), object_pairs_hook=once)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{index} cannot be read: {error}") from error
    if not isinstance(records, dict):
        raise InputError(f"{index} is no JSON object with a page for each id")
    return records, twice


def _ground_truth_sample(folder: Path, name: str, file: Path, record: Mapping[str, Any]) -> Sample:
    gold = {ours: record[theirs] or "" for theirs, ours in _FIELDS.items() if theirs in record}
    if "author" in record:
        author = record["author"] or []
        gold["authors"] = author if isinstance(author, list) else [author]
    url = record.get("url")
    url = url if isinstance(url, str) else ""
    title, text = gold.get("title"), gold.get("text")
    return Sample(
        id=name,
        site=site_of(url),
        lang="",
        page_type="article",
        file=file,
        gold=gold,
        url=url,
        corpus=folder.resolve().name,
        gold_kind="annotators",
        headline_in_text=opens_with(text, title) if title and text else None,
    )


def record_of(sample: Sample) -> dict[str, Any]:
    """Return a page's record in the benchmark's format."""
    record = {theirs: sample.gold[ours] for theirs, ours in _FIELDS.items() if ours in sample.gold}
    if "authors" in sample.gold:
        record["author"] = sample.gold["authors"]
    return record | ({"url": sample.url} if sample.url else {})
