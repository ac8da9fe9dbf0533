"""Bulk extraction: archives, folders and tables in, Parquet out, on one machine or many.

A pure function reads a batch of pages into a batch of articles (`read_batch`). A guard runs it in a child process that
a page may hang or crash (`BulkGuard`). A task writes one Parquet file for one split of the input (`run_split`). Engines
distribute splits (`run`); they handle paths and manifests, never pages. Site rules are learned in a first pass
(`learn`) and fixed in the second, so that any split can be repeated with the same result.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tidings.bulk.batches import PageReader, read_batch
    from tidings.bulk.engines import run
    from tidings.bulk.guard import BulkGuard
    from tidings.bulk.learning import LearnReport, learn
    from tidings.bulk.output import OutputFolder, SplitManifest
    from tidings.bulk.readers import PageRecord, pages
    from tidings.bulk.schema import VERSION, article_schema, page_schema
    from tidings.bulk.settings import BulkSettings, ComputedColumn
    from tidings.bulk.splits import InputSplit, plan
    from tidings.bulk.task import run_split

__all__ = [
    "VERSION",
    "BulkGuard",
    "BulkSettings",
    "ComputedColumn",
    "InputSplit",
    "LearnReport",
    "OutputFolder",
    "PageReader",
    "PageRecord",
    "SplitManifest",
    "article_schema",
    "learn",
    "page_schema",
    "pages",
    "plan",
    "read_batch",
    "run",
    "run_split",
]
_PLACES: Final = {
    "batches": ("PageReader", "read_batch"),
    "engines": ("run",),
    "guard": ("BulkGuard",),
    "learning": ("LearnReport", "learn"),
    "output": ("OutputFolder", "SplitManifest"),
    "readers": ("PageRecord", "pages"),
    "schema": ("VERSION", "article_schema", "page_schema"),
    "settings": ("BulkSettings", "ComputedColumn"),
    "splits": ("InputSplit", "plan"),
    "task": ("run_split",),
}


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    for module, names in _PLACES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module 'tidings.bulk' has no attribute {name!r}")
