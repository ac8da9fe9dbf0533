"""Draw trends as a line chart."""

from __future__ import annotations

from tidings.charts import Chart, Series
from tidings_portal.stories.trends.finder import Trends


def chart(trends: Trends, name: str, by: str, fewest: int = 1) -> Chart:
    """Return a chart of trends: lines with bands of two standard errors, abrupt changes marked by the trend's number.

    Args:
        trends: the trends.
        name: name of the chart's file.
        by: length of a period, for the label of the axis.
        fewest: periods with fewer documents are left out.
    """
    counts = [point.documents for point in trends.trends[0].points] if trends.trends else []
    selected = [place for place, documents in enumerate(counts) if documents >= fewest]
    periods = [trends.periods[place] for place in selected]
    places = tuple(float(period) for period in periods) if by == "year" else tuple(map(float, range(len(periods))))
    at = dict(zip(periods, places, strict=True))
    series = []
    marked: dict[float, list[str]] = {}
    for number, trend in enumerate(trends.trends, 1):
        points = [trend.points[place] for place in selected]
        series.append(
            Series(
                f"{number} {trend.query.name}",
                tuple(point.mean for point in points),
                tuple(max(point.mean - 2 * point.error, 0.0) for point in points),
                tuple(point.mean + 2 * point.error for point in points),
            )
        )
        for change in trend.changes:
            if change.period in at:
                arrow = "↑" if change.step > 0 else "↓"
                marked.setdefault(at[change.period], []).append(f"{arrow}{number}")
    marks = tuple((place, "\n".join(what)) for place, what in sorted(marked.items()))
    x = by if by == "year" else f"{by}, from {periods[0]} to {periods[-1]}" if periods else by
    title = f"Trends in {trends.documents:,} documents"
    return Chart(name, title, x, "mean cosine with the query", places, tuple(series), marked=marks)
