"""All metadata fields of an article, each with its provenance.

Each field has a module that weighs JSON-LD, microdata, OpenGraph, other meta elements and the page itself. This module
calls them in dependency order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, TypeVar

from tidings.fields import access, authors, comments, dates, language, lead_image, site, summary
from tidings.fields.access import Mark
from tidings.fields.comments import Remark, Remarks
from tidings.fields.date_parsing import parsing
from tidings.fields.declared import Declared, declared, text
from tidings.fields.sourced import Sourced
from tidings.fields.titles import choice as title_choice
from tidings.fields.urls import canonical, paging
from tidings.fields.urls.sanitise import base_of
from tidings.page import Page, Spans

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fields:
    """The metadata of an article. A field that the page does not have is empty."""

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
    next_page: str = ""
    single_page: str = ""
    marks: frozenset[Mark] = frozenset()
    comments: tuple[Remark, ...] = ()
    posts: tuple[Remark, ...] = ()
    provenance: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def __reduce__(self) -> tuple[Any, ...]:
        values = {name: getattr(self, name) for name in self.__slots__}
        return _remake, (values | {"provenance": dict(self.provenance)},)


def _remake(values: dict[str, Any]) -> Fields:
    return Fields(**values | {"provenance": MappingProxyType(values["provenance"])})


def read(page: Page, content: Spans | None = None) -> Fields:
    """Return the fields of a page.

    Args:
        page: the page.
        content: the selected text, which gives better evidence for language and headline than the whole page.
    """
    metadata = declared(page)
    base = base_of(page)
    provenance: dict[str, str] = {}

    def value_of(name: str, sourced: Sourced[T] | None, none: T) -> T:
        if sourced is None or not sourced.value:
            return none
        provenance[name] = sourced.by
        return sourced.value

    title = value_of("title", title_choice.find(page, content), "")
    writers = value_of("authors", authors.find(page, content, title), ())
    moments_found = dates.find(page, content, title)
    provenance |= {name: day.by for name, day in zip(("published", "modified"), moments_found, strict=True) if day}
    canonical_url = value_of("canonical", canonical.find(page, metadata, base), "")
    pages = paging.find(page, base, canonical_url)
    remarks = comments.find(page)
    return Fields(
        title=title,
        authors=writers,
        published=moments_found[0].value if moments_found[0] else None,
        modified=moments_found[1].value if moments_found[1] else None,
        language=value_of("language", language.find(page, content, metadata), ""),
        site=value_of("site", site.find(page, metadata, canonical_url), ""),
        canonical=canonical_url,
        summary=value_of("summary", summary.description(page, metadata, title), ""),
        section=value_of("section", summary.section(page, metadata, base, title), ""),
        tags=value_of("tags", summary.tags(page, metadata), ()),
        image=value_of("image", lead_image.find(page, metadata, base), ""),
        next_page=value_of("next_page", Sourced(pages.next_page, "links of the page"), ""),
        single_page=value_of("single_page", Sourced(pages.single_page, "links of the page"), ""),
        marks=value_of("marks", Sourced(access.find(page, content), "page"), frozenset()),
        comments=value_of("comments", _comments(remarks, metadata), ()),
        posts=value_of("posts", Sourced(remarks.posts, "boxes of the page"), ()),
        provenance=MappingProxyType(provenance),
    )


def read_for_text(page: Page, content: Spans | None = None) -> Fields:
    """Return only the fields that an article's plain text needs: headline, comments and posts."""
    title, remarks = title_choice.find(page, content), comments.find(page)
    sourced = _comments(remarks, declared(page))
    return Fields(title=title.value if title is not None else "", comments=sourced.value, posts=remarks.posts)


def _comments(remarks: Remarks, metadata: Declared) -> Sourced[tuple[Remark, ...]]:
    """Return the comments on the page, or else those in its structured data."""
    if remarks.comments:
        return Sourced(remarks.comments, "boxes of the page")
    listed = metadata.get("comment")
    remarks_found = (
        Remark(author=text(item.get("author")), published=parsing.read(text(item.get("dateCreated"))), text=words)
        for item in (listed if isinstance(listed, list) else ())
        if isinstance(item, dict) and (words := text(item.get("text")))
    )
    return Sourced(tuple(remarks_found)[: comments.MOST], metadata.by("comment"))
