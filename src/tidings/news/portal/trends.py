"""Trends: how much the news is about something, period by period, as a chart and a table; and what rises now."""

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

from tidings.article.characters import legal
from tidings.charts import Periods, Series, over_periods
from tidings.errors import BadQuery
from tidings.news.portal.search import pointed
from tidings.news.stories.trends.finder import PeriodLength, Trends
from tidings.news.stories.trends.formats import as_csv
from tidings.news.themes import KeywordQuality, Theme, ThemeHistory, history, keyword_quality
from tidings.news.trends import Talk, TrendMeasure, cosines, last_news, periods_up_to, shares, talk
from tidings.news.web.app_state import App, app_of
from tidings.news.web.languages import direction_of, language_name
from tidings.news.web.limits import take_turn
from tidings.news.web.pages import PageView, reading_languages
from tidings.news.web.sessions import visit_of
from tidings.news.web.translations import Translation

#: Queries at once: as many as colours one can tell apart.
MOST: Final = 5
_LONGEST: Final = 400
#: Seconds that figures are kept.
_KEPT: Final = 120.0
_TALK_KEPT: Final = 600.0
#: A chart has so many periods at least, where so many were looked at.
_LEAST: Final = 8
#: A comma outside quotes parts queries.
_PART: Final = re.compile(r'((?:[^",]|"[^"]*(?:"|$))+)')
#: The thesis multiplies cosines by 1000 to print them.
_TIMES: Final = {TrendMeasure.SHARE: 100, TrendMeasure.COSINE: 1000}


@dataclass(frozen=True, slots=True)
class TrendsForm:
    """What is to be looked at."""

    queries: tuple[str, ...]
    by: PeriodLength
    measure: TrendMeasure
    language: str

    @property
    def parameters(self) -> str:
        """The same as a part of an address."""
        told = [("q", one) for one in self.queries]
        return urlencode([*told, ("by", self.by), ("measure", self.measure), ("language", self.language)])

    @property
    def line(self) -> str:
        """The queries as one types them."""
        return ", ".join(self.queries)


@dataclass(frozen=True, slots=True)
class TrendFigures:
    """Trends that are kept for some time."""

    trends: Trends

    @property
    def weight(self) -> int:
        """How much room they take in memory, about."""
        return 2000 + 300 * len(self.trends.periods) * len(self.trends.trends)


@dataclass(frozen=True, slots=True)
class KeywordFigures:
    """How good keywords are, kept for some time."""

    queries: tuple[tuple[str, tuple[KeywordQuality, ...]], ...]

    @property
    def weight(self) -> int:
        """How much room they take in memory, about."""
        return 500 + sum(300 * len(words) for _, words in self.queries)


def trends(request: Request) -> PageView:
    """The page of trends."""
    app, words = app_of(request), visit_of(request).words
    told = asked(request)
    found: Trends | None = None
    wrong: BadQuery | None = None
    if told.queries:
        try:
            found = figures(request, told)
        except BadQuery as error:
            wrong = error
    return PageView(
        "trends.html",
        {
            "asked": told,
            "found": found,
            "chart": None if found is None else drawn(found, told.measure, words),
            "rows": [] if found is None else rows(found, told.measure, words),
            "wrong": wrong,
            "place": None if wrong is None else pointed(wrong),
            "talk": talked_about(app, reading_languages(request)),
            "qualities": [] if found is None else qualities(app, told),
            "percent": partial(percent, words=words),
            **theme_view(themed(app, reading_languages(request)), words),
            "direction_of": direction_of,
            "periods": list(PeriodLength)[::-1],
            "measures": list(TrendMeasure),
            "most": MOST,
            "spoken": [(code, language_name(code)) for code in _spoken(app)],
        },
        200 if wrong is None else 400,
    )


def trends_csv(request: Request) -> Response:
    """The same figures for a spreadsheet."""
    told = asked(request)
    found = figures(request, told) if told.queries else Trends((), 0, ())
    body = as_csv(found) if told.measure is TrendMeasure.COSINE else shares_csv(found)
    headers = {"content-disposition": 'attachment; filename="trends.csv"', "cache-control": "private, no-cache"}
    return Response(body, headers=headers, media_type="text/csv")


def asked(request: Request) -> TrendsForm:
    """What somebody wants to look at."""
    given = request.query_params
    typed = [legal(one)[: _LONGEST * MOST] for one in given.getlist("q")]
    queries = [part.strip()[:_LONGEST] for one in typed for part in _PART.findall(one)]
    by, said = given.get("by", ""), given.get("measure", "")
    measure = TrendMeasure(said) if said in set(TrendMeasure) else TrendMeasure.SHARE
    language = legal(given.get("language", ""))[:40]
    if measure is TrendMeasure.COSINE and not language:
        language = _usual_language(request)
    return TrendsForm(
        tuple(dict.fromkeys(filter(None, queries)))[:MOST],
        PeriodLength(by) if by in set(PeriodLength) else PeriodLength.WEEK,
        measure,
        language,
    )


def _usual_language(request: Request) -> str:
    """Cosines are of one language: that of the reader, if there are articles in it."""
    spoken, own = _spoken(app_of(request)), visit_of(request).words.language
    return own if own in spoken or not spoken else spoken[0]


def _spoken(app: App) -> list[str]:
    return app.cache.get("languages", app.store.languages, 60)


def figures(request: Request, told: TrendsForm) -> Trends:
    """The figures, up to the last news there is. Cosines cost, so a visitor has only so many turns.

    Raises:
        BadQuery: one of the queries cannot be read.
        Problem: there were too many.
    """
    app = app_of(request)

    def make() -> TrendFigures:
        periods = periods_up_to(told.by, last_news(app.store, app.now()).date())
        if told.measure is TrendMeasure.SHARE:
            return TrendFigures(shares(app.store, told.queries, periods, told.language))
        take_turn(request)
        return TrendFigures(cosines(app.store, told.queries, told.by, periods, told.language))

    return app.cache.get(("trends", told), make, _KEPT).trends


def talked_about(app: App, languages: Sequence[str] | None = None) -> Talk:
    """What is talked about now, in the languages that somebody reads."""
    spoken = None if languages is None else tuple(languages)
    return app.cache.get(("talk", spoken), lambda: talk(app.store, app.now(), language=spoken), _TALK_KEPT)


#: Lines of themes that are drawn, and changes that are listed.
_LINES, _STEPS = 5, 24
_NAMED: Final = 3  # words that name a theme


def themed(app: App, languages: Sequence[str] | None = None) -> ThemeHistory:
    """The themes of the last weeks, in the languages that somebody reads."""
    spoken = None if languages is None else tuple(languages)
    return app.cache.get(("themes", spoken), lambda: history(app.store, app.now(), language=spoken), _TALK_KEPT)


def theme_view(found: ThemeHistory, words: Translation) -> dict[str, object]:
    """Themes as the page shows them: the largest lines drawn, what became of them, and those of now."""
    series = []
    for line in found.lines[:_LINES]:
        last = next(one for one in reversed(line) if one is not None)
        values = tuple(None if one is None else 100 * one.share for one in line)
        series.append(Series(theme_name(last), values))
    periods = [said(one, words) for one in found.periods]
    chart = over_periods(periods, series, lambda value: written(value, TrendMeasure.SHARE, words))
    return {
        "themes": found,
        "theme_chart": None if found.is_first or not series else chart,
        "theme_steps": [(said(one.period, words), one) for one in found.steps[:_STEPS]],
        "theme_name": theme_name,
    }


def theme_name(theme: Theme) -> str:
    """A theme by its most frequent words."""
    return " ".join(theme.words[:_NAMED])


def qualities(app: App, told: TrendsForm) -> list[tuple[str, list[KeywordQuality]]]:
    """How much the keywords of each query separate, of those that have several."""

    def make() -> KeywordFigures:
        periods = periods_up_to(told.by, last_news(app.store, app.now()).date())
        found = [(one, keyword_quality(app.store, one, periods, told.language)) for one in told.queries]
        return KeywordFigures(tuple((one, tuple(words)) for one, words in found if words))

    kept = app.cache.get(("keywords", told.queries, told.by, told.language), make, _KEPT)
    return [(one, [*words]) for one, words in kept.queries]


def percent(value: float, words: Translation) -> str:
    """A share as the language writes it; less than none where a word is rather in other articles."""
    sign = "−" if round(100 * value) < 0 else ""
    return sign + words("number.percent", value=str(abs(round(100 * value))))


def drawn(found: Trends, measure: TrendMeasure, words: Translation) -> Periods:
    """The chart of figures; a period without articles tells nothing, those before the first article are left out."""
    told = [any(trend.points[place].documents for trend in found.trends) for place in range(len(found.periods))]
    begin = max(0, min(told.index(True) - 1 if True in told else 0, len(told) - _LEAST))
    series = []
    for trend in found.trends:
        changed = {change.period for change in trend.changes}
        points = trend.points[begin:]
        values = tuple(point.mean * _TIMES[measure] if point.documents else None for point in points)
        abrupt = frozenset(place for place, point in enumerate(points) if point.period in changed)
        series.append(Series(trend.query.name, values, abrupt=abrupt))
    periods = [said(period, words) for period in found.periods[begin:]]
    return over_periods(periods, series, lambda value: written(value, measure, words))


def rows(found: Trends, measure: TrendMeasure, words: Translation) -> list[tuple[str, str, list[str]]]:
    """The table: a period, its articles, a figure for each query; the latest first."""
    table = []
    for place, period in enumerate(found.periods):
        cells = []
        for trend in found.trends:
            point = trend.points[place]
            step = next((change.step for change in trend.changes if change.period == period), 0.0)
            arrow = " ↑" if step > 0 else " ↓" if step < 0 else ""
            cells.append(written(point.mean * _TIMES[measure], measure, words) + arrow if point.documents else "–")
        table.append((said(period, words), words.number(found.trends[0].points[place].documents), cells))
    return table[::-1]


def said(period: str, words: Translation) -> str:
    """A period as people say it: Week 8, 2026; March 2026; 16 March 2026."""
    year, _, rest = period.partition("-")
    if rest.startswith("W"):
        return words("trends.week", week=rest[1:].lstrip("0"), year=year)
    month, _, number = rest.partition("-")
    if not month:
        return year
    name = words("time.months").split()[int(month) - 1]
    return f"{number.lstrip('0')} {name} {year}".strip()


def written(value: float, measure: TrendMeasure, words: Translation) -> str:
    """A figure as the language writes it."""
    told = f"{value:.1f}" if value < 10 and value != int(value) else f"{value:.0f}"
    told = told.replace(".", words("number.point"))
    return words("number.percent", value=told) if measure is TrendMeasure.SHARE else told


def shares_csv(found: Trends) -> str:
    """Shares as rows."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["query", "period", "articles", "found", "share", "standard_error"])
    for trend in found.trends:
        name = trend.query.name
        name = f"'{name}" if name[:1] in "=+-@\t\r" else name  # no formula for a spreadsheet
        for point in trend.points:
            had = round(point.mean * point.documents)
            writer.writerow([name, point.period, point.documents, had, f"{point.mean:.6f}", f"{point.error:.6f}"])
    return out.getvalue()
