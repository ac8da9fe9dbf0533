"""One row of CSV (RFC 4180, but with line feeds).

The columns are `COLUMNS`. Several authors or tags share a cell, separated by `; `. Dates are ISO 8601, `text` is plain
text.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Final

from tidings.article.formats.as_text import as_text
from tidings.article.formats.characters import legal
from tidings.article.formats.options import Options
from tidings.article.model.article import Article

COLUMNS: Final = (
    "url",
    "canonical",
    "title",
    "authors",
    "published",
    "modified",
    "language",
    "direction",
    "site",
    "section",
    "tags",
    "summary",
    "image",
    "next_page",
    "single_page",
    "marks",
    "kind",
    "confidence",
    "text",
)
#: Characters that start a formula in a spreadsheet (OWASP, CSV injection), full-width ones included.
_FORMULA: Final = tuple("=+-@\t\r\n＝＋－＠")


def csv_header() -> str:
    """Return the header row."""
    return csv_line(COLUMNS)


def as_csv(article: Article, options: Options) -> str:
    """Return the article as one row, without a line end."""
    values = {
        **{name: getattr(article, name) for name in COLUMNS if isinstance(getattr(article, name), str)},
        "authors": "; ".join(article.authors),
        "tags": "; ".join(article.tags),
        "marks": "; ".join(article.marks),
        "published": article.published_as_stated.isoformat() if article.published_as_stated else "",
        "modified": article.modified_as_stated.isoformat() if article.modified_as_stated else "",
        "image": article.image.src if article.image else "",
        "confidence": "" if article.confidence is None else repr(article.confidence),
        "text": as_text(article, options),
    }
    cells = [legal(values[name]) for name in COLUMNS]
    return csv_line(cells, guard_formulas=options.guard_formulas)


def _guarded(cell: str) -> str:
    return "'" + cell if cell.startswith(_FORMULA) else cell


def csv_line(cells: Iterable[str], *, guard_formulas: bool = False) -> str:
    """Return cells as a line of CSV, without a line end.

    Args:
        cells: the cells.
        guard_formulas: whether to put an apostrophe before cells that a spreadsheet would evaluate.
    """
    import csv  # noqa: PLC0415  # most articles are written otherwise

    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow(map(_guarded, cells) if guard_formulas else cells)
    return written.getvalue().removesuffix("\n")
