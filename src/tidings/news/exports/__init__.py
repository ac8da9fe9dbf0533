"""The store as files: JSON lines, Parquet, SQLite, Markdown. Streamed: memory does not grow with the store.

export(store, "news.parquet")                     # the form by the ending
export(store, "notes", ExportFormat.MARKDOWN, only=choice(store, category="world"))
import_jsonl(other, "news.jsonl.gz")              # and in again
"""

from tidings.news.exports.export import ExportFormat, export, form_of
from tidings.news.exports.imports import Imported, import_jsonl

__all__ = ["ExportFormat", "Imported", "export", "form_of", "import_jsonl"]
