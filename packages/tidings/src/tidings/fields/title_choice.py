"""The headline: of all that may be it, the candidate with the most to say for it.

On nearly every news page some element states the headline exactly, but not always the same one: choosing is the task.
Where the first heading and the declared titles agree there is nothing to choose. A page without headings is left to
TitleFinder (`tidings.fields.headline`). Elsewhere each candidate gets a linear score from the features of
`title_features`; the weights are learned (`tidings_lab.learners.headline`) and lie beside this.
"""

from __future__ import annotations

import json
import math
import re
from functools import cache
from pathlib import Path
from typing import Final

from tidings.fields.headline import headline
from tidings.fields.keys import plain, squashed
from tidings.fields.site_names import site_names
from tidings.fields.sourced import Sourced
from tidings.fields.title_candidates import Candidate, declared_titles, gather, headings
from tidings.fields.title_features import Features, MostGained, TitleEvidence
from tidings.page import Page, Spans

WEIGHTS: Final = "headline_weights.json"
#: TitleFinder's similarity from which on a run is taken on pages without headings: half of the words.
_ALIKE: Final = 0.5
#: What stands between a headline and the name of the site behind it, or before it: there a colon is the headline's own.
_BEHIND: Final = re.compile(r"\s(?:[-–—|·•«»~:]|::|\|\||--)\s|\s?[|｜]\s?")
_BEFORE: Final = re.compile(r"\s(?:[-–—|·•»~]|::|\|\||--)\s|\s?[|｜]\s?")
#: No headline holds a control character; this one begins a letter of UTF-8 that was encoded twice.
_TWICE_ENCODED: Final = re.compile("[\u00c2-\u00f4][\u0080-\u009f]")
#: Sums that differ by less may be equal but for the order in which they were made.
_EQUAL: Final = 1e-9
_SHORTEST: Final = 8  # characters of a headline that a name is cut from
_IN_HOST: Final = 5  # letters of a name that is a part of the host's
_SECTION: Final = 16  # of the name of a section
_CUT_SHORT: Final = ("...", "…")
#: What a title goes on with where an attribute was ended by a quotation mark in it.
_BROKEN_OFF: Final = ' "'
#: Who states a whole headline.
_STATED: Final = frozenset({"og", "twitter", "ld", "title", "title front"})
#: How provenance names a source, the most telling first.
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
    """Return the headline of a page and what told it; None if the page has neither title nor heading.

    Args:
        page: the page.
        content: the main content, if it is known: a headline stands before or in it.
    """
    found = _chosen(page, content)
    if found is None or _TWICE_ENCODED.search(found.value) is None:
        return found
    return Sourced(_once_encoded(found.value), found.by)


def _once_encoded(title: str) -> str:
    """Return a title whose bytes of UTF-8 were taken for letters and encoded again, as it was; another as it is."""
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
    if not any(one.element for one in candidates) and (run := headline(page, content=content)) and run.score >= _ALIKE:
        return Sourced(run.text, "text like the title element")
    best = candidates[0]
    if len(candidates) > 1:
        best = _whole(_best(candidates, TitleEvidence(page, candidates, content), weights()), candidates)
        best = _without_lines_around(_without_section(best, candidates), candidates)
    return Sourced(without_site(best.text, site_names(page)), _provenance(best))


def _without_section(chosen: Candidate, candidates: list[Candidate]) -> Candidate:
    """Return the h1 that a declared title repeats with a short name behind it, which is that of a section; else the
    chosen.
    """
    for one in candidates:
        if "h1" in one.by and len(one.text) >= _SHORTEST and chosen.text.startswith(one.text):
            tail = chosen.text[len(one.text) :]
            if (between := _BEHIND.match(tail)) and len(tail) - between.end() <= _SECTION:
                return one
    return chosen


def _without_lines_around(chosen: Candidate, candidates: list[Candidate]) -> Candidate:
    """Return the part of a heading that a title states alone: the rest is a line above the headline, or one below
    it.
    """
    if "h1" in chosen.by and len(chosen.by) == 1:
        for one in candidates:
            if "h1 part" in one.by and one.text in chosen.text and not _STATED.isdisjoint(one.by):
                return one
    return chosen


def choose(candidates: list[Candidate], rows: list[Features], learned: dict[str, float]) -> Candidate:
    """Return the candidate with the highest score; of equal ones the first."""
    scores = [_score(row, learned) for row in rows]
    return candidates[scores.index(max(scores))]


def _score(row: Features, learned: dict[str, float]) -> float:
    total = 0.0
    for name, value in row.items():
        if name in learned:
            total += learned[name] * value
    return total


def _best(candidates: list[Candidate], evidence: TitleEvidence, learned: dict[str, float]) -> Candidate:
    """As `choose`, without a look at all that speaks for candidates that cannot be the best any more."""
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
    """Return a title without the name of the site behind or before it; a title that is little more than the name
    stays.
    """
    for separator, is_behind in ((_BEHIND, True), (_BEFORE, False)):
        places = [match.span() for match in separator.finditer(title)]
        for start, end in places[::-1] if is_behind else places:
            front, back = title[:start].rstrip(), title[end:].lstrip()
            kept, name = (front, back) if is_behind else (back, front)
            if _names_site(squashed(name), names) and len(kept) >= _SHORTEST and squashed(kept) not in names:
                return kept
    return title


def _names_site(name: str, names: frozenset[str]) -> bool:
    """Return whether a name is the site's, or one that its host begins or ends with: Harbour of getharbour.example."""
    if name in names:
        return True
    return len(name) >= _IN_HOST and any(one.startswith(name) or one.endswith(name) for one in names)


def _whole(chosen: Candidate, candidates: list[Candidate]) -> Candidate:
    """Return the candidate that goes on where the chosen one was cut short, if there is one.

    A quotation mark that nobody wrote as a reference ends the attribute in which a title is declared.
    """
    begun = plain(chosen.text.rstrip(".… "))
    if not chosen.text.endswith(_CUT_SHORT):
        if "h1" not in chosen.by:
            begun += _BROKEN_OFF
            return next((one for one in candidates if "h1" in one.by and plain(one.text).startswith(begun)), chosen)
        return chosen
    longer = (one for one in candidates if plain(one.text).startswith(begun) and not one.text.endswith(_CUT_SHORT))
    return next((one for one in longer if len(one.text) >= len(chosen.text)), chosen)


def agreed(page: Page) -> str:
    """Return the first visible h1 if og:title and, where there is one, the JSON-LD headline say just the same."""
    told: dict[str, str] = {}
    for text, by in declared_titles(page):
        told.setdefault(by, text)
    if "og" not in told:
        return ""
    text, by, _ = next(headings(page), ("", "", 0))
    if by != "h1":
        return ""
    same = plain(text)
    return text if same == plain(told["og"]) and ("ld" not in told or plain(told["ld"]) == same) else ""


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
    told: dict[str, float] = json.loads(Path(__file__).with_name(WEIGHTS).read_text("utf-8"))["weights"]
    return told
