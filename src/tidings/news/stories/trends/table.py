"""Trends as rows: a period a line with a column for each query, as the thesis prints them (table 6.4)."""

from __future__ import annotations

import csv
import io

from tidings.news.stories.trends.finder import Trends

#: The thesis multiplies cosines by 1000 to print them.
TIMES = 1000


def wide(trends: Trends) -> tuple[list[str], list[list[str]]]:
    """Heads and rows: cosines times 1000, an arrow at abrupt changes."""
    heads = ["period", "documents", *(trend.query.name for trend in trends.trends)]
    changes = [{change.period: change for change in trend.changes} for trend in trends.trends]
    rows = []
    for place, period in enumerate(trends.periods):
        row = [period, str(trends.trends[0].points[place].documents) if trends.trends else "0"]
        for trend, own in zip(trends.trends, changes, strict=True):
            change = own.get(period)
            arrow = "" if change is None else " ↑" if change.step > 0 else " ↓"
            row.append(f"{trend.points[place].mean * TIMES:.0f}{arrow}")
        rows.append(row)
    return heads, rows


def as_csv(trends: Trends) -> str:
    """All figures, a query and a period a line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["query", "period", "documents", "mean_cosine", "standard_error", "share_without_keyword", "step"])
    for trend in trends.trends:
        steps = {change.period: f"{change.step:.6f}" for change in trend.changes}
        for point in trend.points:
            figures = (f"{figure:.6f}" for figure in (point.mean, point.error, point.without))
            writer.writerow(
                [_plain(trend.query.name), point.period, point.documents, *figures, steps.get(point.period, "")]
            )
    return out.getvalue()


def _plain(cell: str) -> str:
    """A name that a spreadsheet does not take for a formula."""
    return f"'{cell}" if cell[:1] in "=+-@\t\r" else cell
