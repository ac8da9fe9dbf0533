"""The trends page: queries by period as a chart and a table, rising words, and themes."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from tidings.article.formats.characters import legal
from tidings.charts import Periods, Series, over_periods
from tidings.errors import BadQuery
from tidings_portal.portal.search import pointed
from tidings_portal.stories.trends.finder import PeriodLength, Trends
from tidings_portal.stories.trends.formats import as_csv
from tidings_portal.themes import KeywordQuality, Theme, ThemeHistory, history, keyword_quality
from tidings_portal.trends import Talk, TrendMeasure, cosines, last_news, periods_up_to, shares, talk
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.languages import direction_of, language_name
from tidings_portal.web.limits import take_turn
from tidings_portal.web.pages import PageView, reading_languages
from tidings_portal.web.sessions import visit_of
from tidings_portal.web.translations import Translation

#: Maximum number of queries: the number of distinguishable colours.
MOST: Final = 5
_LONGEST: Final = 400
#: Lifetime of cached figures in seconds.
_KEPT: Final = 120.0
_TALK_KEPT: Final = 600.0
#: Minimum number of periods in a chart.
_LEAST: Final = 8
#: Queries are separated by commas outside quotes.
_PART: Final = re.compile(r'((?:[^",]|"[^"]*(?:"|$))+)')
#: The thesis multiplies cosines by 1000 to print them.
_TIMES: Final = {TrendMeasure.SHARE: 100, TrendMeasure.COSINE: 1000}


@dataclass(frozen=True, slots=True)
class TrendsForm:
    """The queries and options of the trends page."""

    queries: tuple[str, ...]
    by: PeriodLength
    measure: TrendMeasure
    language: str

    @property
    def parameters(self) -> str:
        """Return the form as a query string."""
        queries = [("q", one) for one in self.queries]
        return urlencode([*queries, ("by", self.by), ("measure", self.measure), ("language", self.language)])

    @property
    def line(self) -> str:
        """Return the queries as entered, separated by commas."""
        return ", ".join(self.queries)


@dataclass(frozen=True, slots=True)
class TrendFigures:
    """Trends as a cache entry."""

    trends: Trends

    @property
    def weight(self) -> int:
        """Return the approximate size in memory, in bytes."""
        return 2000 + 300 * len(self.trends.periods) * len(self.trends.trends)


@dataclass(frozen=True, slots=True)
class KeywordFigures:
    """Keyword quality as a cache entry."""

    queries: tuple[tuple[str, tuple[KeywordQuality, ...]], ...]

    @property
    def weight(self) -> int:
        """Return the approximate size in memory, in bytes."""
        return 500 + sum(300 * len(words) for _, words in self.queries)


def trends(request: Request) -> PageView:
    """Return the trends page."""
    app, words = app_of(request), visit_of(request).words
    form = trends_form(request)
    result: Trends | None = None
    bad_query: BadQuery | None = None
    if form.queries:
        try:
            result = figures(request, form)
        except BadQuery as error:
            bad_query = error
    return PageView(
        "trends.html",
        {
            "asked": form,
            "found": result,
            "chart": None if result is None else drawn(result, form.measure, words),
            "rows": [] if result is None else rows(result, form.measure, words),
            "wrong": bad_query,
            "place": None if bad_query is None else pointed(bad_query),
            "talk": talked_about(app, reading_languages(request)),
            "qualities": [] if result is None else qualities(app, form),
            "percent": partial(percent, words=words),
            **theme_view(themed(app, reading_languages(request)), words),
            "direction_of": direction_of,
            "periods": list(PeriodLength)[::-1],
            "measures": list(TrendMeasure),
            "most": MOST,
            "spoken": [(code, language_name(code)) for code in _spoken(app)],
        },
        200 if bad_query is None else 400,
    )


def trends_csv(request: Request) -> Response:
    """Serve the figures as CSV."""
    form = trends_form(request)
    result = figures(request, form) if form.queries else Trends((), 0, ())
    body = as_csv(result) if form.measure is TrendMeasure.COSINE else shares_csv(result)
    headers = {"content-disposition": 'attachment; filename="trends.csv"', "cache-control": "private, no-cache"}
    return Response(body, headers=headers, media_type="text/csv")


def trends_form(request: Request) -> TrendsForm:
    """Return the form from the query string."""
    params = request.query_params
    typed = [legal(one)[: _LONGEST * MOST] for one in params.getlist("q")]
    queries = [part.strip()[:_LONGEST] for one in typed for part in _PART.findall(one)]
    by, measure_name = params.get("by", ""), params.get("measure", "")
    measure = TrendMeasure(measure_name) if measure_name in set(TrendMeasure) else TrendMeasure.SHARE
    language = legal(params.get("language", ""))[:40]
    if measure is TrendMeasure.COSINE and not language:
        language = _usual_language(request)
    return TrendsForm(
        tuple(dict.fromkeys(filter(None, queries)))[:MOST],
        PeriodLength(by) if by in set(PeriodLength) else PeriodLength.WEEK,
        measure,
        language,
    )


def _usual_language(request: Request) -> str:
    """Return the language for cosines: the visitor's, if there are articles in it."""
    spoken, own = _spoken(app_of(request)), visit_of(request).words.language
    return own if own in spoken or not spoken else spoken[0]


def _spoken(app: App) -> list[str]:
    return app.cache.get("languages", app.store.languages, 60)


def figures(request: Request, form: TrendsForm) -> Trends:
    """Return the figures for all periods up to the last article. Cosines are slow and count against the rate limit.

    Raises:
        BadQuery: a query is invalid.
        HttpProblem: 429 if the rate limit is exceeded.
    """
    app = app_of(request)

    def make() -> TrendFigures:
        periods = periods_up_to(form.by, last_news(app.store, app.now()).date())
        if form.measure is TrendMeasure.SHARE:
            return TrendFigures(shares(app.store, form.queries, periods, form.language))
        take_turn(request)
        return TrendFigures(cosines(app.store, form.queries, form.by, periods, form.language))

    return app.cache.get(("trends", form), make, _KEPT).trends


def talked_about(app: App, languages: Sequence[str] | None = None) -> Talk:
    """Return the cached rising words in some languages."""
    spoken = None if languages is None else tuple(languages)
    return app.cache.get(("talk", spoken), lambda: talk(app.store, app.now(), language=spoken), _TALK_KEPT)


#: Number of theme lines in the chart, and of changes in the list.
_LINES, _STEPS = 5, 24
_NAMED: Final = 3  # words that name a theme


def themed(app: App, languages: Sequence[str] | None = None) -> ThemeHistory:
    """Return the cached themes of the last weeks in some languages."""
    spoken = None if languages is None else tuple(languages)
    return app.cache.get(("themes", spoken), lambda: history(app.store, app.now(), language=spoken), _TALK_KEPT)


def theme_view(themes: ThemeHistory, words: Translation) -> dict[str, object]:
    """Return the template values for themes: chart of the largest lines, changes, and current themes."""
    series = []
    for line in themes.lines[:_LINES]:
        last = next(one for one in reversed(line) if one is not None)
        values = tuple(None if one is None else 100 * one.share for one in line)
        series.append(Series(theme_name(last), values))
    periods = [period_name(one, words) for one in themes.periods]
    chart = over_periods(periods, series, lambda value: written(value, TrendMeasure.SHARE, words))
    return {
        "themes": themes,
        "theme_chart": None if themes.is_first or not series else chart,
        "theme_steps": [(period_name(one.period, words), one) for one in themes.steps[:_STEPS]],
        "theme_name": theme_name,
    }


def theme_name(theme: Theme) -> str:
    """Return the name of a theme: its most frequent words."""
    return " ".join(theme.words[:_NAMED])


def qualities(app: App, form: TrendsForm) -> list[tuple[str, list[KeywordQuality]]]:
    """Return the keyword quality of queries with several keywords."""

    def make() -> KeywordFigures:
        periods = periods_up_to(form.by, last_news(app.store, app.now()).date())
        per_query = [(one, keyword_quality(app.store, one, periods, form.language)) for one in form.queries]
        return KeywordFigures(tuple((one, tuple(words)) for one, words in per_query if words))

    cached = app.cache.get(("keywords", form.queries, form.by, form.language), make, _KEPT)
    return [(one, [*words]) for one, words in cached.queries]


def percent(value: float, words: Translation) -> str:
    """Return a percentage in the format of a language. It may be negative."""
    sign = "−" if round(100 * value) < 0 else ""
    return sign + words("number.percent", value=str(abs(round(100 * value))))


def drawn(result: Trends, measure: TrendMeasure, words: Translation) -> Periods:
    """Return the chart of some figures, without the periods before the first article. Periods without articles are
    gaps.
    """
    has_articles = [
        any(trend.points[place].documents for trend in result.trends) for place in range(len(result.periods))
    ]
    start = max(0, min(has_articles.index(True) - 1 if True in has_articles else 0, len(has_articles) - _LEAST))
    series = []
    for trend in result.trends:
        changed = {change.period for change in trend.changes}
        points = trend.points[start:]
        values = tuple(point.mean * _TIMES[measure] if point.documents else None for point in points)
        abrupt = frozenset(place for place, point in enumerate(points) if point.period in changed)
        series.append(Series(trend.query.name, values, abrupt=abrupt))
    periods = [period_name(period, words) for period in result.periods[start:]]
    return over_periods(periods, series, lambda value: written(value, measure, words))


def rows(result: Trends, measure: TrendMeasure, words: Translation) -> list[tuple[str, str, list[str]]]:
    """Return the rows of the table (period, articles, a figure per query), the latest first."""
    table = []
    for place, period in enumerate(result.periods):
        cells = []
        for trend in result.trends:
            point = trend.points[place]
            step = next((change.step for change in trend.changes if change.period == period), 0.0)
            arrow = " ↑" if step > 0 else " ↓" if step < 0 else ""
            cells.append(written(point.mean * _TIMES[measure], measure, words) + arrow if point.documents else "–")
        table.append((period_name(period, words), words.number(result.trends[0].points[place].documents), cells))
    return table[::-1]


def period_name(period: str, words: Translation) -> str:
    """Return the name of a period: Week 8, 2026; March 2026; 16 March 2026."""
    year, _, rest = period.partition("-")
    if rest.startswith("W"):
        return words("trends.week", week=rest[1:].lstrip("0"), year=year)
    month, _, number = rest.partition("-")
    if not month:
        return year
    name = words("time.months").split()[int(month) - 1]
    return f"{number.lstrip('0')} {name} {year}".strip()


def written(value: float, measure: TrendMeasure, words: Translation) -> str:
    """Return a figure in the format of a language."""
    text = f"{value:.1f}" if value < 10 and value != int(value) else f"{value:.0f}"
    text = text.replace(".", words("number.point"))
    return words("number.percent", value=text) if measure is TrendMeasure.SHARE else text


def shares_csv(result: Trends) -> str:
    """Return shares (articles that match each query) as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["query", "period", "articles", "found", "share", "standard_error"])
    for trend in result.trends:
        name = trend.query.name
        name = f"'{name}" if name[:1] in "=+-@\t\r" else name  # prevents formula injection
        for point in trend.points:
            had = round(point.mean * point.documents)
            writer.writerow([name, point.period, point.documents, had, f"{point.mean:.6f}", f"{point.error:.6f}"])
    return out.getvalue()
