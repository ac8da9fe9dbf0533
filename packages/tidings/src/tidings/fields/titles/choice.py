"""The choice of the headline among its candidates.

On nearly every news page some element contains the exact headline, but not always the same one. If the first heading
and the declared titles agree, it is chosen. A page without headings is left to TitleFinder
(`tidings.fields.titles.title_finder`). Otherwise each candidate gets a linear score from the features of
`tidings.fields.titles.features`. The weights are learned (`tidings_lab.learners.headline`) and stored in
`headline_weights.json`.
"""

from __future__ import annotations

import json
import math
import re
from functools import cache
from pathlib import Path
from typing import Final

from tidings.fields.keys import plain, squashed
from tidings.fields.sourced import Sourced
from tidings.fields.titles.candidates import Candidate, declared_titles, gather, headings
from tidings.fields.titles.features import Features, MostGained, TitleEvidence
from tidings.fields.titles.site_names import site_names
from tidings.fields.titles.title_finder import headline
from tidings.fields.titles.title_run import LEAST_SIMILARITY, better_run
from tidings.page import Page, Spans

WEIGHTS: Final = "headline_weights.json"
_BY_TITLE_FINDER: Final = "text like the title element"
#: Separators before a site name at the end, and after one at the start: there a colon belongs to the headline.
_BEHIND: Final = re.compile(r"\s(?:[-–—|·•«»~:]|::|\|\||--)\s|\s?[|｜]\s?")
_BEFORE: Final = re.compile(r"\s(?:[-–—|·•»~]|::|\|\||--)\s|\s?[|｜]\s?")
#: The start of a letter that was encoded as UTF-8 twice: headlines contain no control characters.
_TWICE_ENCODED: Final = re.compile("[\u00c2-\u00f4][\u0080-\u009f]")
#: Scores that differ by less are equal: the order of summation changes the last digits.
_EQUAL: Final = 1e-9
_SHORTEST: Final = 8  # shortest headline after cutting a name
_IN_HOST: Final = 5  # shortest name that may be a part of the host
_SECTION: Final = 16  # longest section name
_CUT_SHORT: Final = ("...", "…")
#: The continuation of a title whose attribute was ended by an unescaped quotation mark.
_BROKEN_OFF: Final = ' "'
#: Sources that contain the whole headline.
_STATED: Final = frozenset({"og", "twitter", "ld", "title", "title front"})
#: Provenance of each source, the most specific first.
_TOLD: Final = {
    "h1": "h1",
    "ld": "json-ld headline",
    "og": "meta og:title",
    "twitter": "meta twitter:title",
    "meta": "meta title",
    "ld name": "json-ld name",
    "ld other": "json-ld alternativeHeadline",
    "title": "title element",
    "h1 part": "part of h1",
    "h2": "h2",
    "h3": "h3",
    "hidden h1": "hidden h1",
    "hidden h2": "hidden h2",
    "hidden h3": "hidden h3",
}


def find(page: Page, content: Spans | None = None) -> Sourced[str] | None:
    """Return the headline of a page with its provenance; None if the page has neither title nor heading.

    Args:
        page: the page.
        content: the main content, if known. The headline is before or in it.
    """
    result = _chosen(page, content)
    if result is None or _TWICE_ENCODED.search(result.value) is None:
        return result
    return Sourced(_once_encoded(result.value), result.by)


def _once_encoded(title: str) -> str:
    """Repair a title that was encoded as UTF-8 twice; return other titles unchanged."""
    try:
        return title.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return title


def _chosen(page: Page, content: Spans | None) -> Sourced[str] | None:
    if sure := agreed(page):
        return Sourced(without_site(sure, site_names(page)), "h1")
    candidates = gather(page)
    if not candidates:
        return None
    if (
        not any(candidate.element for candidate in candidates)
        and (run := headline(page, content=content))
        and run.score >= LEAST_SIMILARITY
    ):
        return Sourced(run.text, _BY_TITLE_FINDER)
    best = candidates[0]
    if len(candidates) > 1:
        best = _whole(_best(candidates, TitleEvidence(page, candidates, content), weights()), candidates)
        best = _without_lines_around(_without_section(best, candidates), candidates)
    if run_text := better_run(page, best, content):
        return Sourced(run_text, _BY_TITLE_FINDER)
    return Sourced(without_site(best.text, site_names(page)), _provenance(best))


def _without_section(chosen: Candidate, candidates: list[Candidate]) -> Candidate:
    """Return the h1 if the chosen title is the h1 plus a short section name; else the chosen candidate."""
    for candidate in candidates:
        if "h1" in candidate.by and len(candidate.text) >= _SHORTEST and chosen.text.startswith(candidate.text):
            tail = chosen.text[len(candidate.text) :]
            if (between := _BEHIND.match(tail)) and len(tail) - between.end() <= _SECTION:
                return candidate
    return chosen


def _without_lines_around(chosen: Candidate, candidates: list[Candidate]) -> Candidate:
    """Return the part of a heading that is also a declared title, without the lines above or below it."""
    if "h1" in chosen.by and len(chosen.by) == 1:
        for candidate in candidates:
            if "h1 part" in candidate.by and candidate.text in chosen.text and not _STATED.isdisjoint(candidate.by):
                return candidate
    return chosen


def choose(candidates: list[Candidate], rows: list[Features], learned: dict[str, float]) -> Candidate:
    """Return the candidate with the highest score, or the first of equal ones.

    Args:
        candidates: the possible headlines.
        rows: the features of each candidate.
        learned: the weight of each feature.
    """
    scores = [_score(row, learned) for row in rows]
    return candidates[scores.index(max(scores))]


def _score(row: Features, learned: dict[str, float]) -> float:
    total = 0.0
    for name, value in row.items():
        if name in learned:
            total += learned[name] * value
    return total


def _best(candidates: list[Candidate], evidence: TitleEvidence, learned: dict[str, float]) -> Candidate:
    """Return the same candidate as `choose`, but compute the features only of candidates that may still be the best."""
    bounds = evidence.bounds(_most_gained())
    best, chosen = -math.inf, 0
    for at in sorted(range(len(candidates)), key=bounds.__getitem__, reverse=True):
        if bounds[at] < best - _EQUAL:
            break
        score = _score(evidence.row(at), learned)
        if score > best or (score == best and at < chosen):
            best, chosen = score, at
    return candidates[chosen]


def without_site(title: str, names: frozenset[str]) -> str:
    """Return a title without the site's name after or before it, unless little more than the name would remain."""
    for separator, is_behind in ((_BEHIND, True), (_BEFORE, False)):
        places = [match.span() for match in separator.finditer(title)]
        for start, end in places[::-1] if is_behind else places:
            front, back = title[:start].rstrip(), title[end:].lstrip()
            remaining, name = (front, back) if is_behind else (back, front)
            if _names_site(squashed(name), names) and len(remaining) >= _SHORTEST and squashed(remaining) not in names:
                return remaining
    return title


def _names_site(name: str, names: frozenset[str]) -> bool:
    """Return whether a name is the site's, or a prefix or suffix of its host: Harbour of getharbour.example."""
    if name in names:
        return True
    return len(name) >= _IN_HOST and any(site_name.startswith(name) or site_name.endswith(name) for site_name in names)


def _whole(chosen: Candidate, candidates: list[Candidate]) -> Candidate:
    """Return the longer candidate if the chosen one is truncated.

    Titles are truncated with an ellipsis, or by an unescaped quotation mark that ends their attribute.
    """
    beginning = plain(chosen.text.rstrip(".… "))
    if not chosen.text.endswith(_CUT_SHORT):
        if "h1" not in chosen.by:
            beginning += _BROKEN_OFF
            return next(
                (
                    candidate
                    for candidate in candidates
                    if "h1" in candidate.by and plain(candidate.text).startswith(beginning)
                ),
                chosen,
            )
        return chosen
    longer = (
        candidate
        for candidate in candidates
        if plain(candidate.text).startswith(beginning) and not candidate.text.endswith(_CUT_SHORT)
    )
    return next((candidate for candidate in longer if len(candidate.text) >= len(chosen.text)), chosen)


def agreed(page: Page) -> str:
    """Return the first visible h1 if og:title and the JSON-LD headline (if any) are equal to it, else nothing."""
    by_source: dict[str, str] = {}
    for text, by in declared_titles(page):
        by_source.setdefault(by, text)
    if "og" not in by_source:
        return ""
    text, by, _ = next(headings(page), ("", "", 0))
    if by != "h1":
        return ""
    same = plain(text)
    return text if same == plain(by_source["og"]) and ("ld" not in by_source or plain(by_source["ld"]) == same) else ""


def _provenance(chosen: Candidate) -> str:
    for source, name in _TOLD.items():
        if source in chosen.by:
            return name
    return "part of the title element" if chosen.by[0].startswith("title") else "part of a declared title"


@cache
def _most_gained() -> MostGained:
    return MostGained(weights())


@cache
def weights() -> dict[str, float]:
    """Return the learned weight of each feature."""
    values: dict[str, float] = json.loads(Path(__file__).with_name(WEIGHTS).read_text("utf-8"))["weights"]
    return values
