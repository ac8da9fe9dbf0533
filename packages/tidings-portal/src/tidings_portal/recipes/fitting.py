"""Choice of grouping and extractor for a recipe on one's own marked articles.

LBNEST's printed cut of 0.38 joins only near copies (pair recall 0.08 on 451 labelled articles). Here link, cut and
stemming are chosen on half of the marked events: the highest recall of pairs among settings with enough precision, or
else the highest F1. The extractor, and LBNEST's similarity threshold, are chosen by mean word F1 on the articles that
come with their page. The other half of the events measures the choice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from pathlib import Path
from statistics import mean
from typing import Final

from tidings import extractors
from tidings.errors import InputError
from tidings.page import Hints, Page
from tidings.sites.learning import word_f1
from tidings_portal.recipes.recipe import GroupingMethod, StoryGrouping
from tidings_portal.stories.linkage import complete_link, single_link
from tidings_portal.stories.report import Report
from tidings_portal.stories.tracker import Tracker

CUTS: Final = tuple(round(0.30 + 0.02 * step, 2) for step in range(33))
#: Least precision of pairs: readers notice a foreign article in a story more than a missing one.
PRECISE: Final = 0.9
_FEWEST_EVENTS: Final = 4
_CANDIDATES: Final = ("default", "n-ext(sentences=whole)", "combine", "content-seeker")
_SIMILARITIES: Final = tuple(f"lbnest(similarity={value})" for value in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3))


@dataclass(frozen=True, slots=True)
class MarkedArticle:
    """An article with the event that it reports, and its page if there is one."""

    report: Report
    event: str
    topic: str  # events of a topic are in the same half
    page: Path | None = None


@dataclass(frozen=True, slots=True)
class PairScore:
    """Precision and recall of pairs of articles in one story."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.precision * self.recall / ((self.precision + self.recall) or 1.0)


@dataclass(frozen=True, slots=True)
class FittedGrouping:
    """The chosen grouping with its score on the fitted and on the held-out half."""

    grouping: StoryGrouping
    fitted: PairScore
    held_out: PairScore


@dataclass(frozen=True, slots=True)
class FittedExtractor:
    """The chosen extractor with its mean word F1 on the fitted and on the held-out half."""

    extractor: str
    fitted: float
    held_out: float


def read_marked(path: Path) -> list[MarkedArticle]:
    """Return the marked articles of a file: a JSON object a line with event, title, text; topic, language, page.

    Raises:
        InputError: the file cannot be read, or has too few events.
    """
    articles = []
    try:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            values = json.loads(line)
            language = str(values.get("language") or values.get("lang") or "en")
            event = str(values["event"])
            page = path.parent / str(values["page"]) if values.get("page") else None
            report = Report(number, str(values["title"]), str(values["text"]), language)
            articles.append(MarkedArticle(report, event, str(values.get("topic") or event), page))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} has no marked articles ({error}); a line has event, title and text") from error
    events = {article.event for article in articles}
    if len(events) < _FEWEST_EVENTS or len({article.topic for article in articles}) < 2:
        raise InputError(
            f"{path} has {len(events)} events; at least {_FEWEST_EVENTS} are needed, of two topics or more"
        )
    return articles


def halves(articles: Sequence[MarkedArticle]) -> tuple[list[MarkedArticle], list[MarkedArticle]]:
    """Return the articles of every other topic, and the rest."""
    place = {topic: number % 2 for number, topic in enumerate(dict.fromkeys(article.topic for article in articles))}
    fitted, held_out = ([one for one in articles if place[one.topic] == half] for half in (0, 1))
    return fitted, held_out


def fit_grouping(articles: Sequence[MarkedArticle], base: StoryGrouping) -> FittedGrouping:
    """Choose method and cut on one half of the articles, and measure them on the other."""
    fitted, held_out = halves(articles)
    links = (GroupingMethod.SINGLE_LINK, GroupingMethod.COMPLETE_LINK)
    settings = [
        replace(base, method=method, cut=cut, stemmed=stemmed)
        for method, cut, stemmed in product(links, CUTS, (False, True))
    ]
    settings.append(replace(base, method=GroupingMethod.TRACKER))
    scores = [(setting, pair_score(setting, fitted)) for setting in settings]
    precise = [entry for entry in scores if entry[1].precision >= PRECISE]
    chosen, score = max(precise or scores, key=lambda entry: entry[1].recall if precise else entry[1].f1)
    return FittedGrouping(chosen, score, pair_score(chosen, held_out))


def pair_score(grouping: StoryGrouping, articles: Sequence[MarkedArticle]) -> PairScore:
    """Return the score of a grouping on marked articles."""
    stories = _pairs(_method(grouping)([article.report for article in articles]))
    members: dict[str, list[int]] = {}
    for article in articles:
        members.setdefault(article.event, []).append(article.report.id)
    events = _pairs(members.values())
    both = len(stories & events)
    return PairScore(both / len(stories) if stories else 1.0, both / len(events) if events else 1.0)


def _method(grouping: StoryGrouping) -> Callable[[Sequence[Report]], Iterable[Sequence[int]]]:
    if grouping.method is GroupingMethod.TRACKER:
        return _track
    link = complete_link if grouping.method is GroupingMethod.COMPLETE_LINK else single_link
    return lambda reports: link(reports, grouping.cut, stemmed=grouping.stemmed)


def _track(reports: Sequence[Report]) -> list[tuple[int, ...]]:
    tracker = Tracker()
    tracker.add_all(reports)
    return [story.members for story in tracker.stories()]


def _pairs(clusters: Iterable[Sequence[int]]) -> set[tuple[int, int]]:
    return {pair for cluster in clusters for pair in combinations(sorted(cluster), 2)}


def fit_extractor(articles: Sequence[MarkedArticle], base: str) -> FittedExtractor | None:
    """Choose the extractor by the articles that have a page; None if a half has none."""
    fitted, held_out = ([(one, one.page) for one in half if one.page is not None] for half in halves(articles))
    if not fitted or not held_out:
        return None
    names = dict.fromkeys((base, *_CANDIDATES, *(_SIMILARITIES if base == "lbnest" else ())))
    scores = {name: _mean_f1(name, fitted) for name in names}
    chosen = max(scores, key=lambda name: scores[name])
    return FittedExtractor(chosen, scores[chosen], _mean_f1(chosen, held_out))


def _mean_f1(name: str, articles: Sequence[tuple[MarkedArticle, Path]]) -> float:
    extractor = extractors.extractor(name)
    scores = []
    for article, file in articles:
        try:
            data = file.read_bytes()
        except OSError as error:
            raise InputError(f"the page {file} cannot be read: {error.strerror}") from error
        page = Page(data, hints=Hints(title=article.report.title))
        scores.append(word_f1(extractor(page).text(page), article.report.text))
    return mean(scores)


def recipe_text(base: str, source: str, grouping: FittedGrouping, extractor: FittedExtractor | None) -> str:
    """Return the text of a recipe with the chosen settings."""
    score, chosen = grouping.held_out, grouping.grouping
    lines = [
        f"# Fitted by `tidings recipes fit {source}`. On the half of the events that did not choose the settings,",
        f"# pairs have precision {score.precision:.3f} and recall {score.recall:.3f}.",
        f"base = {json.dumps(base)}",
    ]
    if extractor is not None:
        lines += [f"extractor = {json.dumps(extractor.extractor)}  # word F1 {extractor.held_out:.3f} on that half"]
    lines += ["", "[stories]", f"method = {json.dumps(chosen.method.value)}"]
    if chosen.method is not GroupingMethod.TRACKER:
        lines += [f"cut = {chosen.cut}", f"days = {chosen.days}", f"stems = {str(chosen.stemmed).lower()}"]
    return "\n".join(lines) + "\n"
