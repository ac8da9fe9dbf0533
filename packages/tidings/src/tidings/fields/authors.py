"""Authors: the names a page declares, checked against its bylines; fewer rather than wrong.

In order: JSON-LD, meta elements, microdata, elements marked as bylines, lines that tell author and date, lines that
begin with "By" near the headline. What is declared is often the name of the site or of an account; then a person in the
byline goes before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from tidings.fields.bylines import by_biography, by_commenters, by_dated_words, by_marks, by_place, by_words, near
from tidings.fields.comments import own_text
from tidings.fields.declared import Declared, declared, text, types
from tidings.fields.headline_area import title_place
from tidings.fields.keys import squashed
from tidings.fields.names import MOST, is_handle, is_name, names
from tidings.fields.site_names import site_names
from tidings.fields.sourced import Sourced
from tidings.fields.title_candidates import cuts
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
#: Provenance of what a reader sees begins so.
_SEEN: Final = "byline"
_LIFE: Final = "life of the author"
#: A byline stands so near to the headline, in characters.
_SIGNED: Final = 900
#: How a byline goes on behind its first name, up to the last.
_AND_OTHERS: Final = late_pattern(
    r"(?:\s?,\s[^\n,]{3,40}){0,9}(?:\s|,\s|\n)(?:and|und|et|y|e|en|og|och|&)\s[^\n]{3,80}"
)
#: What stands on a line before the name of one who did not write. "Photo: Ann Lee" is a credit, and she may have.
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
    """Return the authors of a page's story and what told them; None if nothing tells.

    Three kinds of names wait until nothing better is found: accounts (`q_admin`), people that the page itself does not
    show, and the site's own name, which counts only where a byline shows it, a news article declares it, or the site is
    called after its author.

    Args:
        page: the page.
        content: the main content; a byline stands near its ends.
        title: the headline; a byline stands near it.
    """
    known = declared(page)
    site = site_names(page) | {squashed(piece) for piece, _, _ in cuts(page.signals.title)}
    around = max(title_place(page, title), 0)
    news = any(kind.endswith("NewsArticle") for kind in types(known.story))
    newsroom = news and any(
        _is_organisation(who) or _is_called_person(who) for who in _each(known.get("author"), known)
    )
    weak: list[Sourced[tuple[str, ...]]] = []
    for found in _told(page, known, content, title, around):
        seen = found.by.startswith(_SEEN)
        named = (_without_site(name, site) for name in found.value)
        people = tuple(name for name in named if squashed(name) not in site)
        if not people:
            if found.by == _LIFE:  # of the paper
                continue
            if seen or newsroom or _is_near(page, found.value[0], around) or _is_person(page, found, known):
                weak.append(found)
        elif all(is_handle(name) for name in people) or not (seen or news or people[0] in page.text):
            weak.insert(0, Sourced(people, found.by))
        else:
            if seen and (longer := _longer(people, weak)):
                return longer
            told = _whole(page, Sourced(people, found.by), content, around)
            if told.by == found.by:
                told = _nearer(page, told, site, around)
                told = _with_others(page, told)
            return Sourced(_as_signed(page, told.value, site, around), told.by)
    return weak[0] if weak else None


def _longer(people: tuple[str, ...], weak: list[Sourced[tuple[str, ...]]]) -> Sourced[tuple[str, ...]] | None:
    """Return the declared name of which one word was read in a byline: "Harbour" of "Harbour On"."""
    if len(people) == 1 and " " not in people[0]:
        for waiting in weak:
            if waiting.value[0].casefold().startswith(f"{people[0].casefold()} "):
                return waiting
    return None


def _whole(page: Page, found: Sourced[tuple[str, ...]], content: Spans | None, around: int) -> Sourced[tuple[str, ...]]:
    """Whom the byline under the headline names in full, where one word alone is declared: an account, an editor."""
    name = found.value[0]
    if len(found.value) > 1 or " " in name or not name.isascii() or found.by.startswith(_SEEN):
        return found
    for people, by in ((by_marks(page, content, around), "byline element"), (by_words(page, content, around), _SEEN)):
        if people and " " in people[0] and _is_near(page, people[0], around):
            return Sourced(people, by)
    return found


def _with_others(page: Page, found: Sourced[tuple[str, ...]]) -> Sourced[tuple[str, ...]]:
    """Return those whom another meta element names with the one that the first of them names."""
    if len(found.value) == 1 and found.by.startswith("meta "):
        for other in _meta(page):
            if len(other.value) > 1 and other.value[0] == found.value[0]:
                return other
    return found


def _nearer(page: Page, found: Sourced[tuple[str, ...]], site: frozenset[str], around: int) -> Sourced[tuple[str, ...]]:
    """Who another meta element names and the page shows under its headline, where it does not show the first there.

    A publisher that stands as `author` on all its pages is in the copyright line, and not under the headline.
    """
    if found.by != "meta author" or _is_near(page, found.value[0], around):
        return found
    for other in _meta(page):
        named = (_without_site(name, site) for name in other.value)
        people = tuple(name for name in named if squashed(name) not in site)
        if people and people != found.value and _is_near(page, people[0], around):
            return Sourced(people, other.by)
    return found


def _as_signed(page: Page, people: tuple[str, ...], site: frozenset[str], around: int) -> tuple[str, ...]:
    """Who the line under the headline names with those who are declared, without those who took the pictures."""
    text = own_text(page)[around : around + _SIGNED]
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


def _is_person(page: Page, found: Sourced[tuple[str, ...]], known: Declared) -> bool:
    """Return whether a site has the name of its author: it is declared to be a person's, or looks so and is on the
    page.
    """
    name = found.value[0]
    if found.by.startswith(known.kind) and any(_is_called_person(who) for who in _each(known.get("author"), known)):
        return name in page.text
    return found.by in _SAYS_AUTHOR and " " in name and is_name(name) and name in page.text


def _is_near(page: Page, name: str, around: int) -> bool:
    """Return whether a line under the headline says the name and no more than a byline does."""
    asked = squashed(name)
    for line in near(page, around):
        if len(line) >= 60:
            continue
        flat = squashed(line)
        if flat == asked:
            return True
        # A name is a piece of its line, but for what stands between commas and is no name.
        may_name = asked in flat or "," in line or "&" in line
        if may_name and asked in map(squashed, names(line)):
            return True
    return False


def _without_site(name: str, site: frozenset[str]) -> str:
    """Return a name without the site's behind it: "Ann Lee Harbour Times" → "Ann Lee"."""
    words = name.split()
    for at in range(2, len(words)):
        if squashed("".join(words[at:])) in site:
            return " ".join(words[:at]).rstrip(",")
    return name


def _told(
    page: Page, known: Declared, content: Spans | None, title: str, around: int
) -> Iterator[Sourced[tuple[str, ...]]]:
    """Everything that names authors, the most reliable first."""
    structured = _structured(known)
    if known.kind == "json-ld":
        yield from structured
    yield from _meta(page)
    yield from structured  # microdata is often that of another story or of a comment
    if found := by_marks(page, content, around):
        yield Sourced(found, "byline element")
    if found := by_dated_words(page, content, around):
        yield Sourced(found, "byline with the date")
    if found := by_words(page, content, around):
        yield Sourced(found, "byline")
    if title and (found := by_place(page, around, title)):
        yield Sourced(found, "byline beside the date")
    if found := by_biography(page, content, around):
        yield Sourced(found, _LIFE)
    if found := by_commenters(page, around):
        yield Sourced(found, "byline of one who comments")


def _structured(known: Declared) -> Iterator[Sourced[tuple[str, ...]]]:
    told = known if known.story else Declared(known.web_page, known.web_page, known.kind, known.of_others, known.ids)
    for key in ("author", "creator"):
        read = [name for who in _each(told.get(key), known) for name in names(text(who), loose=True)]
        if read:
            yield Sourced(tuple(dict.fromkeys(read))[:MOST], told.by(key))


def _each(value: Any, known: Declared) -> Iterator[Any]:
    """Yield the members of a value one by one, lists in lists taken apart."""
    if isinstance(value, list):
        for one in value:
            if not isinstance(one, list):
                yield from _each(one, known)
    elif isinstance(value, dict) and isinstance(value.get("@list"), list):
        yield from _each([one for one in value["@list"] if "@list" not in one], known)
    elif value is not None:
        yield known.resolved(value)


def _is_organisation(who: Any) -> bool:
    return isinstance(who, dict) and any(kind.endswith("Organization") for kind in types(who))


def _is_called_person(who: Any) -> bool:
    return isinstance(who, dict) and any(kind.lower() == "person" for kind in types(who))


def _meta(page: Page) -> Iterator[Sourced[tuple[str, ...]]]:
    named = page.signals.named
    for key in _META:
        if key in named:
            values = map(_turned, named[key]) if key in _FAMILY_FIRST else named[key]
            if read := [name for value in values for name in names(value, loose=True)]:
                yield Sourced(tuple(dict.fromkeys(read))[:MOST], f"meta {key}")
    for number in "12":
        label, value = named.get(f"twitter:label{number}"), named.get(f"twitter:data{number}")
        if label and value and _WRITTEN_BY.search(label[0]) and (found := names(value[0], loose=True)):
            yield Sourced(found, f"meta twitter:data{number}")


def _turned(name: str) -> str:
    family, comma, given = name.partition(", ")
    return f"{given} {family}" if comma and " " not in family and "," not in given else name
