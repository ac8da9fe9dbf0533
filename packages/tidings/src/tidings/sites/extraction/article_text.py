"""The text and fields of an article extracted by site rules, without blocks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from datetime import date, datetime
from typing import Any, Final, Self

from tidings.article import Article, Direction
from tidings.article.direction import direction
from tidings.core.rules import FragmentText
from tidings.fields.details import Details
from tidings.sites.extraction.cut import (
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
from tidings.sites.extraction.pieces import RuleMismatch
from tidings.sites.templates.rule import Template
from tidings.text.normalise import without_breaks

#: Fields without line breaks, as in `Article`.
_WITHOUT_BREAKS: Final = ("title", "summary")
_FIRST_LETTERS: Final = 40  # most texts have a letter among this many characters


@dataclass(slots=True, unsafe_hash=True)
class ArticleText:
    """The text of a page and its fields, without blocks and pictures. Treat as immutable.

    It is not frozen, because setting frozen fields takes several times as long.
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
    image: str = ""  # URL of the lead image, if the page declares one
    next_page: str = ""
    single_page: str = ""
    confidence: float | None = None
    details: Details | None = None
    by: str = ""  # provenance of the text: a rule or an extractor

    @classmethod
    def of(cls, article: Article) -> Self:
        """Return the text and fields of an article."""
        values = {slot.name: getattr(article, slot.name) for slot in dataclass_fields(cls) if slot.name != "by"}
        values["image"] = article.image.src if article.image else ""
        values |= {"published": article.published_as_stated, "modified": article.modified_as_stated}
        return cls(**values, by=article.provenance.get("body", ""))

    @property
    def published_as_stated(self) -> datetime | date | None:
        """Return the publication date in its declared time zone, as `Article` does."""
        return self.published

    @property
    def modified_as_stated(self) -> datetime | date | None:
        """Return the modification date in its declared time zone, as `Article` does."""
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
    """The text and fields that rules extracted from a page."""

    article: ArticleText
    texts: tuple[int, ...]  # hashes of all texts, noise included

    @property
    def text(self) -> str:
        """Return the text."""
        return self.article.text


def cut_text(template: Template, data: bytes, url: str = "", tolerance: Tolerance = TOLERANCE) -> TextCutting:
    """Return the text and fields that a template's rules extract from a page, equal to those of `cut`.

    Raises:
        RuleMismatch: the rules do not fit the page.
    """
    page = PageCut.of(template, data, url, tolerance)
    core_text = page.ranges.text
    if core_text is None or core_text.linked > (template.expected.link_share + tolerance.more_links) * core_text.size:
        return _text_of(cut_article(page))  # exact link shares need blocks
    if not core_text.size:
        raise RuleMismatch(NO_TEXT)
    checked(page, core_text.size, 0, core_text.latin)
    values, provenance = read_fields(page)
    way = _direction(core_text, values.get("language", ""))
    if way is None:
        return _text_of(cut_article(page))
    for name in _WITHOUT_BREAKS:
        if name in values and not values[name].isascii():
            values[name] = without_breaks(values[name])
    article = _new_text(core_text.text, url, way, template.agreement, provenance["body"], values)
    return TextCutting(article, core_text.hashes)


def _direction(core_text: FragmentText, language: str) -> Direction | None:
    """Return the writing direction of an extracted text; None if it depends on the blocks."""
    if core_text.letters:
        return direction((core_text.letters,), "", language)[0]
    return "ltr" if any(map(str.isalpha, core_text.text[:_FIRST_LETTERS])) else None


def _text_of(cutting: Cutting) -> TextCutting:
    article = ArticleText.of(cutting.article)
    if cutting.article.provenance.get("image") == FIRST_IMAGE:
        article = replace(article, image="")
    return TextCutting(article, cutting.texts)
