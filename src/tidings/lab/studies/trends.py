"""TrendFinder's experiment (DANA thesis 6.6.4): named queries in abstracts of many years, as charts.

The thesis has four queries about ecology in 19,010 abstracts of three journals (figures 6.2 to 6.4). Here queries about
language processing are put to abstracts of that field.
"""

from __future__ import annotations

from typing import Final

from tidings.charts import Chart, Series
from tidings.lab.tables import Table
from tidings.news.stories.trends import TrendQuery, Trends, read_queries

#: Queries whose story is known: rules gave way to statistics, those to neural networks, and those to large models.
QUERIES: Final = """
language = "en"

[queries]
"rules and grammars" = "grammar rule unification parse syntactic formalism lexicon phrase"
"statistical models" = "statistical probabilistic Markov maximum entropy alignment n-gram likelihood kernel"
"neural networks" = "neural network embedding recurrent LSTM attention encoder decoder"
"large language models" = "LLM prompt GPT instruction reasoning hallucination zero-shot pre-trained transformer"
"machine translation" = "translation translate bilingual parallel BLEU"
"sentiment and social media" = "sentiment opinion tweet Twitter social media review emotion"
"""

_FEWEST: Final = 20  # documents of a period that is drawn; fewer tell of themselves alone


def language_queries() -> tuple[TrendQuery, ...]:
    """The queries of this study."""
    return read_queries(QUERIES)


def chart(found: Trends, name: str, by: str, fewest: int = 1) -> Chart:
    """Trends as lines with bands of two standard errors; abrupt changes are marked with the number of the trend."""
    counted = [point.documents for point in found.trends[0].points] if found.trends else []
    drawn = [place for place, documents in enumerate(counted) if documents >= fewest]
    periods = [found.periods[place] for place in drawn]
    places = tuple(float(period) for period in periods) if by == "year" else tuple(map(float, range(len(periods))))
    at = dict(zip(periods, places, strict=True))
    series = []
    marked: dict[float, list[str]] = {}
    for number, trend in enumerate(found.trends, 1):
        points = [trend.points[place] for place in drawn]
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
    title = f"Trends in {found.documents:,} documents"
    return Chart(name, title, x, "mean cosine with the query", places, tuple(series), marked=marks)


def tables(found: Trends) -> tuple[Table, ...]:
    """The first and the last years, what was marked, and how many documents have no keyword."""
    every = found.trends[0].points
    told = [place for place, point in enumerate(every) if point.documents >= _FEWEST] or [*range(len(every))]
    rows: list[tuple[str | int | float, ...]] = []
    for trend in found.trends:
        points = [trend.points[place] for place in told]
        most = max(points, key=lambda point: point.mean)
        lacking = sum(point.without * point.documents for point in trend.points) / found.documents
        changes = ", ".join(f"{change.period} {change.step:+.3f}" for change in trend.changes) or "none"
        rows.append((trend.query.name, points[0].mean, points[-1].mean, most.mean, most.period, lacking, changes))
    first, last = found.periods[told[0]], found.periods[told[-1]]
    columns = ("query", first, last, "highest", "in", "documents without a keyword", "abrupt changes")
    return (Table(f"{found.documents:,} documents, {first} to {last}", columns, tuple(rows)),)
