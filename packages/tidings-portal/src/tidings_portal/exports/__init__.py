"""Export of the store as JSON lines, Parquet, SQLite or Markdown, and import of JSON lines. Memory use does not grow
with the number of articles.

export(store, "news.parquet")                     # format by file extension
export(store, "notes", ExportFormat.MARKDOWN, only=choice(store, category="world"))
import_jsonl(other, "news.jsonl.gz")              # and in again
"""

from tidings_portal.exports.export import ExportFormat, export, form_of
from tidings_portal.exports.imports import Imported, import_jsonl

__all__ = ["ExportFormat", "Imported", "export", "form_of", "import_jsonl"]
