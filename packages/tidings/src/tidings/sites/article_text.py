"""The text and the fields that rules cut out of a page, for those who ask for no blocks: no block is made for them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from datetime import date, datetime
from typing import Any, Final, Self

from tidings.article import Article, Direction
from tidings.article.direction import direction
from tidings.core.rules import FragmentText
from tidings.fields.details import Details
from tidings.sites.cut import (
    FIRST_IMAGE,
    NO_TEXT,
    TOLERANCE,
    Cutting,
    PageCut,
    Tolerance,
    checked,
    cut_article,
    read_fields,
)
from tidings.sites.pieces import Doubt
from tidings.sites.rule import Template
from tidings.text.normalise import without_breaks

#: As in an article.
_WITHOUT_BREAKS: Final = ("title", "summary")
_FIRST_LETTERS: Final = 40  # characters of which one is a letter, in most texts


@dataclass(slots=True, unsafe_hash=True)
class ArticleText:
    """The text of a page and its fields, without blocks and pictures. Not to be changed.

    Python does not check that: to set frozen fields one by one takes several times as long.
    """

    text: str
    url: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    published: datetime | date | None = None
    modified: datetime | date | None = None
    language: str = ""
    direction: Direction = "ltr"
    site: str = ""
    canonical: str = ""
    summary: str = ""
    section: str = ""
    tags: tuple[str, ...] = ()
    image: str = ""  # the address of the lead picture, if the page tells one
    next_page: str = ""
    single_page: str = ""
    confidence: float | None = None
    details: Details | None = None
    by: str = ""  # who chose the text: a rule or an extractor

    @classmethod
    def of(cls, article: Article) -> Self:
        """Of a whole article."""
        values = {one.name: getattr(article, one.name) for one in dataclass_fields(cls) if one.name != "by"}
        values["image"] = article.image.src if article.image else ""
        values |= {"published": article.published_as_stated, "modified": article.modified_as_stated}
        return cls(**values, by=article.provenance.get("body", ""))

    @property
    def published_as_stated(self) -> datetime | date | None:
        """As an article has it."""
        return self.published

    @property
    def modified_as_stated(self) -> datetime | date | None:
        """As an article has it."""
        return self.modified


def _new_text(
    text: str, url: str, way: Direction, confidence: float | None, by: str, values: dict[str, Any]
) -> ArticleText:
    value = values.get
    return ArticleText(
        text,
        url,
        value("title", ""),
        value("authors", ()),
        value("published"),
        value("modified"),
        value("language", ""),
        way,
        value("site", ""),
        value("canonical", ""),
        value("summary", ""),
        value("section", ""),
        value("tags", ()),
        value("image", ""),
        value("next_page", ""),
        value("single_page", ""),
        confidence,
        value("details"),
        by,
    )


@dataclass(frozen=True, slots=True)
class TextCutting:
    """The text and the fields that were cut out of a page."""

    article: ArticleText
    texts: tuple[int, ...]  # hashes, those left out as noise included

    @property
    def text(self) -> str:
        """The text."""
        return self.article.text


def cut_text(template: Template, data: bytes, url: str = "", tolerance: Tolerance = TOLERANCE) -> TextCutting:
    """Return the text and the fields that a template's rules cut out of a page: those of the article that `cut` makes.

    Raises:
        Doubt: as there.
    """
    page = PageCut.of(template, data, url, tolerance)
    found = page.ranges.text
    if found is None or found.linked > (template.expected.link_share + tolerance.more_links) * found.size:
        return _text_of(cut_article(page))  # what is in links has to be looked at closely
    if not found.size:
        raise Doubt(NO_TEXT)
    checked(page, found.size, 0, found.latin)
    values, told = read_fields(page)
    way = _direction(found, values.get("language", ""))
    if way is None:
        return _text_of(cut_article(page))
    for name in _WITHOUT_BREAKS:
        if name in values and not values[name].isascii():
            values[name] = without_breaks(values[name])
    article = _new_text(found.text, url, way, template.agreement, told["body"], values)
    return TextCutting(article, found.hashes)


def _direction(found: FragmentText, language: str) -> Direction | None:
    """Return which way a text runs; None if its blocks have to be asked."""
    if found.letters:
        return direction((found.letters,), "", language)[0]
    return "ltr" if any(map(str.isalpha, found.text[:_FIRST_LETTERS])) else None


def _text_of(found: Cutting) -> TextCutting:
    article = ArticleText.of(found.article)
    if found.article.provenance.get("image") == FIRST_IMAGE:
        article = replace(article, image="")
    return TextCutting(article, found.texts)
