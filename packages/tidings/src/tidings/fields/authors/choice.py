"""Authors: the names that a page declares, checked against its bylines.

Sources in order: JSON-LD, meta elements, microdata, elements marked as bylines, lines with author and date, lines that
begin with "By" near the headline. The declared name is often the site or an account; then a person in the byline is
preferred. When in doubt, no author is returned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from tidings.fields.authors.bylines import (
    by_biography,
    by_commenters,
    by_dated_words,
    by_marks,
    by_place,
    by_words,
    near,
)
from tidings.fields.authors.names import MOST, is_handle, is_name, names
from tidings.fields.comments import own_text
from tidings.fields.declared import Declared, declared, text, types
from tidings.fields.keys import squashed
from tidings.fields.sourced import Sourced
from tidings.fields.titles.candidates import cuts
from tidings.fields.titles.headline_area import title_place
from tidings.fields.titles.site_names import site_names
from tidings.page import Page, Spans
from tidings.text.patterns import late_pattern

_META: Final = tuple(
    "author parsely-author sailthru.author cxenseparse:author article:author_name byl og:article:author article.author "
    "article:author og:author dc.creator dcterms.creator citation_author citation_authors dc.contributor vr:author "
    "creator".split()
)
#: Library formats write "Family, Given".
_FAMILY_FIRST: Final = frozenset({"citation_author", "citation_authors", "dc.creator"})
#: Meta elements that name a person rather than an office.
_SAYS_AUTHOR: Final = frozenset({"meta author", "meta article:author"})
#: Prefix of the provenance of visible bylines.
_SEEN: Final = "byline"
_LIFE: Final = "life of the author"
#: Longest distance of a byline from the headline, in characters.
_SIGNED: Final = 900
#: The rest of a byline after its first name, up to the last name.
_AND_OTHERS: Final = late_pattern(
    r"(?:\s?,\s[^\n,]{3,40}){0,9}(?:\s|,\s|\n)(?:and|und|et|y|e|en|og|och|&)\s[^\n]{3,80}"
)
#: Line prefixes of picture credits. "Photo: Ann Lee" is not among them: photographers may also be the author.
_DREW: Final = late_pattern(
    r"(?:^|\n)(?:photo\w*|fotos?|bild(?:er)?|illustrat\w*|styl(?:ed|ing)|video|artwork|graphics?|visuals)"
    r"\s(?:by|von|par|por|and\s\w+\sby)\s$",
    re.IGNORECASE,
)
_WRITTEN_BY: Final = late_pattern(
    r"written|verfasst|geschrieben|von$|author|autor|écrit|par$|escrito|por$|geschreven|scritto|skrevet|skriven|napis"
    r"|yazan|автор|написано|作者|執筆",
    re.IGNORECASE,
)


def find(page: Page, content: Spans | None = None, title: str = "") -> Sourced[tuple[str, ...]] | None:
    """Return the authors of a page's article and their provenance; None if there are none.

    Three kinds of names are used only as a last resort: accounts, people that the page itself does not show, and the
    site's own name. The site's name counts only if a byline shows it, a news article declares it, or the site is
    named after its author.

    Args:
        page: the page.
        content: the main content; bylines are near its start or end.
        title: the headline; bylines are near it.
    """
    metadata = declared(page)
    site = site_names(page) | {squashed(piece) for piece, _, _ in cuts(page.signals.title)}
    headline_at = max(title_place(page, title), 0)
    news = any(kind.endswith("NewsArticle") for kind in types(metadata.story))
    newsroom = news and any(
        _is_organisation(who) or _is_called_person(who) for who in _each(metadata.get("author"), metadata)
    )
    weak: list[Sourced[tuple[str, ...]]] = []
    for candidate in _candidates(page, metadata, content, title, headline_at):
        is_visible = candidate.by.startswith(_SEEN)
        named = (_without_site(name, site) for name in candidate.value)
        people = tuple(name for name in named if squashed(name) not in site)
        if not people:
            if candidate.by == _LIFE:  # of the paper
                continue
            if (
                is_visible
                or newsroom
                or _is_near(page, candidate.value[0], headline_at)
                or _is_person(page, candidate, metadata)
            ):
                weak.append(candidate)
        elif all(is_handle(name) for name in people) or not (is_visible or news or people[0] in page.text):
            weak.insert(0, Sourced(people, candidate.by))
        else:
            if is_visible and (longer := _longer(people, weak)):
                return longer
            authors = _whole(page, Sourced(people, candidate.by), content, headline_at)
            if authors.by == candidate.by:
                authors = _nearer(page, authors, site, headline_at)
                authors = _with_others(page, authors)
            return Sourced(_as_signed(page, authors.value, site, headline_at), authors.by)
    return weak[0] if weak else None


def _longer(people: tuple[str, ...], weak: list[Sourced[tuple[str, ...]]]) -> Sourced[tuple[str, ...]] | None:
    """Return a longer declared name that begins with the name in the byline: "Harbour On" for "Harbour"."""
    if len(people) == 1 and " " not in people[0]:
        for candidate in weak:
            if candidate.value[0].casefold().startswith(f"{people[0].casefold()} "):
                return candidate
    return None


def _whole(
    page: Page, candidate: Sourced[tuple[str, ...]], content: Spans | None, headline_at: int
) -> Sourced[tuple[str, ...]]:
    """Return the full name from the byline under the headline if only one word, such as an account, is declared."""
    name = candidate.value[0]
    if len(candidate.value) > 1 or " " in name or not name.isascii() or candidate.by.startswith(_SEEN):
        return candidate
    for people, by in (
        (by_marks(page, content, headline_at), "byline element"),
        (by_words(page, content, headline_at), _SEEN),
    ):
        if people and " " in people[0] and _is_near(page, people[0], headline_at):
            return Sourced(people, by)
    return candidate


def _with_others(page: Page, candidate: Sourced[tuple[str, ...]]) -> Sourced[tuple[str, ...]]:
    """Return the names of another meta element if it lists more authors and starts with the same name."""
    if len(candidate.value) == 1 and candidate.by.startswith("meta "):
        for other in _meta(page):
            if len(other.value) > 1 and other.value[0] == candidate.value[0]:
                return other
    return candidate


def _nearer(
    page: Page, candidate: Sourced[tuple[str, ...]], site: frozenset[str], headline_at: int
) -> Sourced[tuple[str, ...]]:
    """Return the author of another meta element if only that one is visible under the headline.

    A publisher that is declared as `author` on all pages is in the copyright line, not under the headline.
    """
    if candidate.by != "meta author" or _is_near(page, candidate.value[0], headline_at):
        return candidate
    for other in _meta(page):
        named = (_without_site(name, site) for name in other.value)
        people = tuple(name for name in named if squashed(name) not in site)
        if people and people != candidate.value and _is_near(page, people[0], headline_at):
            return Sourced(people, other.by)
    return candidate


def _as_signed(page: Page, people: tuple[str, ...], site: frozenset[str], headline_at: int) -> tuple[str, ...]:
    """Add co-authors from the line under the headline, and remove photographers."""
    text = own_text(page)[headline_at : headline_at + _SIGNED]
    if len(people) > 1:
        wrote = tuple(name for name in people if not _DREW.search(text, 0, max(text.find(name), 0)))
        return wrote or people
    at = text.find(people[0])
    behind = at + len(people[0])
    if at < 0 or (match := _AND_OTHERS.match(text, behind)) is None:
        return people
    start = text.rfind("\n", 0, at) + 1
    signed = names(text[start : match.end()].replace("\n", " "))
    others = all(" " in name and is_name(name) and squashed(name) not in site for name in signed)
    return signed if others and people[0] in signed else people


def _is_person(page: Page, candidate: Sourced[tuple[str, ...]], metadata: Declared) -> bool:
    """Return whether a site is named after its author: the author is declared as a person, or a person's name is
    visible.
    """
    name = candidate.value[0]
    if candidate.by.startswith(metadata.kind) and any(
        _is_called_person(who) for who in _each(metadata.get("author"), metadata)
    ):
        return name in page.text
    return candidate.by in _SAYS_AUTHOR and " " in name and is_name(name) and name in page.text


def _is_near(page: Page, name: str, headline_at: int) -> bool:
    """Return whether a line under the headline contains the name and otherwise only words that are usual in bylines."""
    squashed_name = squashed(name)
    for line in near(page, headline_at):
        if len(line) >= 60:
            continue
        flat = squashed(line)
        if flat == squashed_name:
            return True
        # A name is a substring of its line, unless the line has commas with other text between.
        may_name = squashed_name in flat or "," in line or "&" in line
        if may_name and squashed_name in map(squashed, names(line)):
            return True
    return False


def _without_site(name: str, site: frozenset[str]) -> str:
    """Remove the site's name from the end of an author's name: "Ann Lee Harbour Times" → "Ann Lee"."""
    words = name.split()
    for at in range(2, len(words)):
        if squashed("".join(words[at:])) in site:
            return " ".join(words[:at]).rstrip(",")
    return name


def _candidates(
    page: Page, metadata: Declared, content: Spans | None, title: str, headline_at: int
) -> Iterator[Sourced[tuple[str, ...]]]:
    """Yield author names from all sources, the most reliable first."""
    structured = _structured(metadata)
    if metadata.kind == "json-ld":
        yield from structured
    yield from _meta(page)
    yield from structured  # microdata is often that of another story or of a comment
    if people := by_marks(page, content, headline_at):
        yield Sourced(people, "byline element")
    if people := by_dated_words(page, content, headline_at):
        yield Sourced(people, "byline with the date")
    if people := by_words(page, content, headline_at):
        yield Sourced(people, "byline")
    if title and (people := by_place(page, headline_at, title)):
        yield Sourced(people, "byline beside the date")
    if people := by_biography(page, content, headline_at):
        yield Sourced(people, _LIFE)
    if people := by_commenters(page, headline_at):
        yield Sourced(people, "byline of one who comments")


def _structured(metadata: Declared) -> Iterator[Sourced[tuple[str, ...]]]:
    source = (
        metadata
        if metadata.story
        else Declared(metadata.web_page, metadata.web_page, metadata.kind, metadata.of_others, metadata.ids)
    )
    for key in ("author", "creator"):
        people = [name for who in _each(source.get(key), metadata) for name in names(text(who), loose=True)]
        if people:
            yield Sourced(tuple(dict.fromkeys(people))[:MOST], source.by(key))


def _each(value: Any, metadata: Declared) -> Iterator[Any]:
    """Yield the members of a JSON-LD value, with nested lists flattened."""
    if isinstance(value, list):
        for item in value:
            if not isinstance(item, list):
                yield from _each(item, metadata)
    elif isinstance(value, dict) and isinstance(value.get("@list"), list):
        yield from _each([item for item in value["@list"] if "@list" not in item], metadata)
    elif value is not None:
        yield metadata.resolved(value)


def _is_organisation(who: Any) -> bool:
    return isinstance(who, dict) and any(kind.endswith("Organization") for kind in types(who))


def _is_called_person(who: Any) -> bool:
    return isinstance(who, dict) and any(kind.lower() == "person" for kind in types(who))


def _meta(page: Page) -> Iterator[Sourced[tuple[str, ...]]]:
    named = page.signals.named
    for key in _META:
        if key in named:
            values = map(_turned, named[key]) if key in _FAMILY_FIRST else named[key]
            if people := [name for value in values for name in names(value, loose=True)]:
                yield Sourced(tuple(dict.fromkeys(people))[:MOST], f"meta {key}")
    for number in "12":
        label, value = named.get(f"twitter:label{number}"), named.get(f"twitter:data{number}")
        if label and value and _WRITTEN_BY.search(label[0]) and (signed := names(value[0], loose=True)):
            yield Sourced(signed, f"meta twitter:data{number}")


def _turned(name: str) -> str:
    family, comma, given = name.partition(", ")
    return f"{given} {family}" if comma and " " not in family and "," not in given else name
