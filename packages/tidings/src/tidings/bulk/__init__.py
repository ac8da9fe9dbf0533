"""Many pages: archives, folders and tables in, Parquet out, on one machine or on many.

One pure function reads a batch of pages into a batch of articles (`read_batch`); a guard has it done in a child that a
page may hang or kill (`BulkGuard`); a task makes one Parquet file of one split of the input (`run_split`); engines hand
out splits (`run`). An engine sees paths and manifests, never a page. Rules of sites are learned in a first pass
(`learn`) and are fixed in the second, so that any split can be done again with the same result.
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
    from tidings.bulk.settings import BulkSettings, MadeColumn
    from tidings.bulk.splits import InputSplit, plan
    from tidings.bulk.task import run_split

__all__ = [
    "VERSION",
    "BulkGuard",
    "BulkSettings",
    "InputSplit",
    "LearnReport",
    "MadeColumn",
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
    "settings": ("BulkSettings", "MadeColumn"),
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
