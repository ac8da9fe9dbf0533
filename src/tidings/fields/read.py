"""Fields as the page declares them, the most reliable declaration first, each with its provenance.

JSON-LD comes before OpenGraph, OpenGraph before other meta elements, and those before the page itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from tidings.page import Page, tags
from tidings.page.signals import Signals

_H1: Final = tags.NUMBERS["h1"]
_ARTICLE_TYPES: Final = frozenset(
    "Article NewsArticle ReportageNewsArticle AnalysisNewsArticle OpinionNewsArticle LiveBlogPosting BlogPosting "
    "SocialMediaPosting BackgroundNewsArticle ReviewNewsArticle TechArticle ScholarlyArticle Report WebPage".split()
)
_ADDRESS: Final = re.compile(r"^(?:https?:)?//|^www\.|@")


@dataclass(frozen=True, slots=True)
class Fields:
    """What is known of an article besides its text. An empty field is one the page does not tell."""

    title: str = ""
    authors: tuple[str, ...] = ()
    published: datetime | date | None = None
    modified: datetime | date | None = None
    language: str = ""
    site: str = ""
    canonical: str = ""
    summary: str = ""
    section: str = ""
    tags: tuple[str, ...] = ()
    image: str = ""
    provenance: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def __reduce__(self) -> tuple[Any, ...]:
        values = {name: getattr(self, name) for name in self.__slots__}
        return _remake, (values | {"provenance": dict(self.provenance)},)


def _remake(values: dict[str, Any]) -> Fields:
    return Fields(**values | {"provenance": MappingProxyType(values["provenance"])})


def read(page: Page) -> Fields:
    """The fields of a page."""
    declared = page.signals
    story = _story(declared)
    found: dict[str, Any] = {}
    told: dict[str, str] = {}

    def keep(name: str, value: Any, by: str) -> None:
        if value and name not in found:
            found[name], told[name] = value, by

    def keep_meta(name: str, *keys: str) -> None:
        if meta := declared.first(*keys):
            keep(name, meta[1], f"meta {meta[0]}")

    keep("title", _text(story.get("headline")), "json-ld headline")
    keep_meta("title", "og:title", "twitter:title")
    keep("title", _only_h1(page), "h1")
    keep("title", declared.title, "title element")

    keep("authors", _names(story.get("author")), "json-ld author")
    for key in ("author", "article:author", "parsely-author", "dc.creator", "byl", "sailthru.author"):
        keep("authors", tuple(name for name in declared.all(key) if not _ADDRESS.search(name)), f"meta {key}")

    for name, key, metas in (
        (
            "published",
            "datePublished",
            ("article:published_time", "datepublished", "parsely-pub-date", "date", "dc.date"),
        ),
        ("modified", "dateModified", ("article:modified_time", "datemodified", "og:updated_time", "last-modified")),
    ):
        keep(name, moment(_text(story.get(key))), f"json-ld {key}")
        for meta in metas:
            keep(name, moment(next(iter(declared.all(meta)), "")), f"meta {meta}")

    keep("language", declared.language.replace("_", "-"), "html lang")
    keep("language", _text(story.get("inLanguage")).replace("_", "-"), "json-ld inLanguage")
    if locale := declared.first("og:locale", "content-language"):
        keep("language", locale[1].replace("_", "-"), f"meta {locale[0]}")

    keep_meta("site", "og:site_name", "application-name")
    keep("site", next(iter(_names(story.get("publisher"))), ""), "json-ld publisher")
    keep("canonical", next((href for rel, href in declared.links if rel == "canonical"), ""), "link canonical")
    keep_meta("canonical", "og:url")
    keep_meta("summary", "og:description", "description", "twitter:description")
    keep("summary", _text(story.get("description")), "json-ld description")
    keep("section", _text(story.get("articleSection")), "json-ld articleSection")
    keep_meta("section", "article:section")
    keep("tags", declared.all("article:tag"), "meta article:tag")
    keep("tags", _keywords(story.get("keywords")), "json-ld keywords")
    keep("image", _image(story.get("image")), "json-ld image")
    keep_meta("image", "og:image", "og:image:url", "twitter:image")
    return Fields(**found, provenance=MappingProxyType(told))


def moment(text: str) -> datetime | date | None:
    """An ISO 8601 date, with time and zone where they are told; None for anything else."""
    text = text.strip()
    try:
        return datetime.fromisoformat(text) if len(text) > len("2026-03-14") else date.fromisoformat(text)
    except ValueError:
        return None


def _story(declared: Signals) -> dict[str, Any]:
    """The JSON-LD object that describes the article: the first article, a web page only if there is none."""
    best: dict[str, Any] = {}
    for thing in declared.json_ld:
        kinds = thing.get("@type")
        names = {kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)}
        if names & _ARTICLE_TYPES and (not best or ("headline" in thing and "headline" not in best)):
            best = thing
    return best


def _only_h1(page: Page) -> str:
    """The text of the first level-one heading that a reader sees."""
    elements, runs = page.elements, page.runs
    for heading in np.flatnonzero(elements.tag == _H1).tolist():
        first, last = int(elements.first[heading]), int(elements.last[heading])
        if first < last and not runs.hidden[first:last].all():
            return " ".join(page.text[runs.text_start[first] : runs.text_end[last - 1]].split())
    return ""


def _text(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("name") or value.get("@value") or ""
    return " ".join(value.split()) if isinstance(value, str) else ""


def _names(value: Any) -> tuple[str, ...]:
    names = [_text(one) for one in (value if isinstance(value, list) else [value])]
    return tuple(dict.fromkeys(name for name in names if name and not _ADDRESS.search(name)))


def _keywords(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = value.split(",")
    return tuple(word for word in (_text(one) for one in value) if word) if isinstance(value, list) else ()


def _image(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else ""
    if isinstance(value, dict):
        value = value.get("url") or value.get("contentUrl") or ""
    return value.strip() if isinstance(value, str) else ""
