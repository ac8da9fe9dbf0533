"""For polars: a namespace of expressions and series.

import polars as pl
import tidings.adapters.polars  # registers it

frame.with_columns(pl.col("html").tidings.text(), pl.col("html").tidings.article().alias("article"))
"""

from __future__ import annotations

from typing import Any

import polars as pl

from tidings.adapters.fields import article_or_none

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


def _article(page: bytes | str | None) -> dict[str, Any] | None:
    found = article_or_none(page) if page else None
    if found is None:
        return None
    return {
        "title": found.title,
        "authors": list(found.authors),
        "published": found.published.isoformat() if found.published else None,
        "language": found.language,
        "site": found.site,
        "text": found.text,
    }


@pl.api.register_series_namespace("tidings")
class TidingsSeries:
    """Pages, as a series of Binary or String."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def article(self) -> pl.Series:
        """Fields and text of each page's article; null where there is none."""
        return pl.Series(self._series.name, [_article(page) for page in self._series], dtype=_FIELDS)

    def text(self) -> pl.Series:
        """The text of each page's article; null where there is none."""
        found = (_article(page) for page in self._series)
        return pl.Series(self._series.name, [one["text"] if one else None for one in found], dtype=pl.String)


@pl.api.register_expr_namespace("tidings")
class TidingsExpression:
    """Pages, as a column of Binary or String."""

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def article(self) -> pl.Expr:
        """Fields and text of each page's article; null where there is none."""
        return self._expression.map_batches(lambda series: TidingsSeries(series).article(), return_dtype=_FIELDS)

    def text(self) -> pl.Expr:
        """The text of each page's article; null where there is none."""
        return self._expression.map_batches(lambda series: TidingsSeries(series).text(), return_dtype=pl.String)
