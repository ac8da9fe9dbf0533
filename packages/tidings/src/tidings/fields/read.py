"""All fields of an article besides its text, each with its provenance.

Each field has a file of its own that weighs what JSON-LD, microdata, OpenGraph, other meta elements and the page itself
say. This one asks them in the order in which they need each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, TypeVar

from tidings.fields import (
    access,
    authors,
    canonical,
    comments,
    dates,
    language,
    lead_image,
    moments,
    paging,
    site,
    summary,
    title_choice,
)
from tidings.fields.access import Mark
from tidings.fields.addresses import base_of
from tidings.fields.comments import Remark, Remarks
from tidings.fields.declared import Declared, declared, text
from tidings.fields.sourced import Sourced
from tidings.page import Page, Spans

T = TypeVar("T")


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
        content: the chosen text, which tells the language and the headline better than the whole page does.
    """
    known = declared(page)
    base = base_of(page)
    told: dict[str, str] = {}

    def kept(name: str, found: Sourced[T] | None, none: T) -> T:
        if found is None or not found.value:
            return none
        told[name] = found.by
        return found.value

    title = kept("title", title_choice.find(page, content), "")
    writers = kept("authors", authors.find(page, content, title), ())
    days = dates.find(page, content, title)
    told |= {name: day.by for name, day in zip(("published", "modified"), days, strict=True) if day}
    here = kept("canonical", canonical.find(page, known, base), "")
    pages = paging.find(page, base, here)
    remarks = comments.find(page)
    return Fields(
        title=title,
        authors=writers,
        published=days[0].value if days[0] else None,
        modified=days[1].value if days[1] else None,
        language=kept("language", language.find(page, content, known), ""),
        site=kept("site", site.find(page, known, here), ""),
        canonical=here,
        summary=kept("summary", summary.description(page, known, title), ""),
        section=kept("section", summary.section(page, known, base, title), ""),
        tags=kept("tags", summary.tags(page, known), ()),
        image=kept("image", lead_image.find(page, known, base), ""),
        next_page=kept("next_page", Sourced(pages.next_page, "links of the page"), ""),
        single_page=kept("single_page", Sourced(pages.single_page, "links of the page"), ""),
        marks=kept("marks", Sourced(access.find(page, content), "page"), frozenset()),
        comments=kept("comments", _said(remarks, known), ()),
        posts=kept("posts", Sourced(remarks.posts, "boxes of the page"), ()),
        provenance=MappingProxyType(told),
    )


def read_for_text(page: Page, content: Spans | None = None) -> Fields:
    """Return the fields that the plain text of an article shows, as `read` has them: headline, comments, posts."""
    title, remarks = title_choice.find(page, content), comments.find(page)
    said = _said(remarks, declared(page))
    return Fields(title=title.value if title is not None else "", comments=said.value, posts=remarks.posts)


def _said(remarks: Remarks, known: Declared) -> Sourced[tuple[Remark, ...]]:
    """Return the comments that the page shows, or else those that its structured data holds."""
    if remarks.comments:
        return Sourced(remarks.comments, "boxes of the page")
    listed = known.get("comment")
    found = (
        Remark(author=text(one.get("author")), published=moments.read(text(one.get("dateCreated"))), text=words)
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict) and (words := text(one.get("text")))
    )
    return Sourced(tuple(found)[: comments.MOST], known.by("comment"))
