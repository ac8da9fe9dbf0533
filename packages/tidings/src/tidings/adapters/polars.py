"""For polars: a namespace of expressions and series.

import polars as pl
import tidings.adapters.polars  # registers it

frame.with_columns(pl.col("html").tidings.text(), pl.col("html").tidings.article().alias("article"))
"""

from __future__ import annotations

import polars as pl

from tidings import ExtractOptions
from tidings.adapters.fields import article_row

_FIELDS: pl.Struct = pl.Struct(
    {
        "title": pl.String,
        "authors": pl.List(pl.String),
        "published": pl.String,
        "language": pl.String,
        "site": pl.String,
        "text": pl.String,
    }
)


@pl.api.register_series_namespace("tidings")
class TidingsSeries:
    """A series of pages, Binary or String."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def article(self, options: ExtractOptions | None = None) -> pl.Series:
        """Return fields and text of each page's article; null if there is none."""
        rows = [article_row(page, None, options) for page in self._series]
        return pl.Series(self._series.name, rows, dtype=_FIELDS)

    def text(self, options: ExtractOptions | None = None) -> pl.Series:
        """Return the text of each page's article; null if there is none."""
        found = (article_row(page, None, options) for page in self._series)
        return pl.Series(self._series.name, [one["text"] if one else None for one in found], dtype=pl.String)


@pl.api.register_expr_namespace("tidings")
class TidingsExpression:
    """A column of pages, Binary or String."""

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def article(self, options: ExtractOptions | None = None) -> pl.Expr:
        """Return fields and text of each page's article; null if there is none."""
        return self._expression.map_batches(lambda series: TidingsSeries(series).article(options), return_dtype=_FIELDS)

    def text(self, options: ExtractOptions | None = None) -> pl.Expr:
        """Return the text of each page's article; null if there is none."""
        return self._expression.map_batches(lambda series: TidingsSeries(series).text(options), return_dtype=pl.String)
