"""Extraction by string search: a template's rules cut the story out of the bytes of a page (hybrid paper, section 5).

No page is made, no tree is built, no model asked. An element is found by its start tag, and its end by counting; noise
inside it is cut out the same way. What does not fit, or looks unlike what the template was learned from, is a
`Doubt`, with its reason, and never an article.

The body of an article that a rule cut out: its blocks and pictures, without what the site repeats.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Final, Self

from tidings.article import Article, Block, Direction, Image, Provenance
from tidings.article.direction import BY_LETTERS, direction
from tidings.core.rules import BlockTexts
from tidings.fields.addresses import absolute
from tidings.fields.dates import day_in_address
from tidings.fields.details import Details
from tidings.page.hidden import written_styles
from tidings.page.style_sheet import NO_STYLES, StyleSheet, style_sheet
from tidings.sites.compiled import Compiled, Cutter, compiled
from tidings.sites.fragment import read
from tidings.sites.fragment_text import FragmentText, fragments, text_of_fragment
from tidings.sites.noise import left_out, without_noise
from tidings.sites.pieces import HEAD, Doubt, OtherMake, PageRanges, declared_language, decoded, page_ranges
from tidings.sites.rule import DETAILS, Template, Way
from tidings.sites.search import Range
from tidings.sites.values import attribute_of, constant_value, single_value, text_of, value_of
from tidings.text.normalise import without_breaks


@dataclass(frozen=True, slots=True, eq=False)
class CutBody:
    """What was cut out of a page."""

    blocks: tuple[Block, ...]
    images: tuple[Image, ...]
    hashes: tuple[int, ...]  # of the texts of the blocks, those left out as noise included
    size: int  # characters of the page in the blocks
    linked: int  # those of them in links
    texts: tuple[str, ...]  # of the blocks

    @classmethod
    def of(cls, fragment: str, base: str, noise: frozenset[int], styles: StyleSheet = NO_STYLES) -> Self:
        """What a fragment says, without what its site repeats and what the page hides."""
        found = read(fragment, base, styles)
        blocks, images, hashes = without_noise(found.blocks, found.images, noise)
        return cls(blocks, images, hashes, *measures(blocks), tuple([block.text for block in blocks]))

    @property
    def link_share(self) -> float:
        """The share of the text in links."""
        return self.linked / max(self.size, 1)


def measures(blocks: Sequence[Block]) -> tuple[int, int]:
    """The characters of the page in blocks, and those of them in links."""
    size = linked = 0
    for block in blocks:
        for inline in block.inlines:
            length = len(inline.text)
            size += length
            if inline.href:
                linked += length
        for row in block.rows:
            size += sum(len(inline.text) for cell in row for inline in cell.inlines)
    return size, linked


__all__ = [
    "CHARACTERS",
    "ArticleText",
    "Cutting",
    "Doubt",
    "OtherMake",
    "TextCutting",
    "Tolerance",
    "cut",
    "cut_text",
    "field_value",
    "latin_share",
]

_OTHER_SCRIPT: Final = 0.5
CHARACTERS: Final = 6  # of a word: as good as counting words
_SAMPLE: Final = 400  # characters that tell the script
_FIRST_LETTERS: Final = 20  # characters of which one is a letter, in most texts
_FIRST_IMAGE: Final = "first image of the text"
_BASE: Final = re.compile(rb"<base\b[^>]*?\shref\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)

#: As in an article.
_WITHOUT_BREAKS: Final = ("title", "summary")


@dataclass(frozen=True, slots=True)
class Cutting:
    """What was cut out of a page, and how it compares with what is expected."""

    article: Article
    words: int
    body: CutBody

    @property
    def text(self) -> str:
        """The text."""
        return self.article.text

    @property
    def texts(self) -> tuple[int, ...]:
        """Hashes of the blocks, those left out as noise included."""
        return self.body.hashes

    @property
    def link_share(self) -> float:
        """The share of the text in links."""
        return self.body.link_share


@dataclass(frozen=True, slots=True)
class ArticleText:
    """The text of a page and its fields, without blocks and pictures."""

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
        values |= {"published": article.published_told, "modified": article.modified_told}
        return cls(**values, by=article.provenance.get("body", ""))

    @property
    def published_told(self) -> datetime | date | None:
        """As an article has it."""
        return self.published

    @property
    def modified_told(self) -> datetime | date | None:
        """As an article has it."""
        return self.modified


@dataclass(frozen=True, slots=True)
class TextCutting:
    """The text and the fields that were cut out of a page."""

    article: ArticleText
    texts: tuple[int, ...]  # hashes, those left out as noise included

    @property
    def text(self) -> str:
        """The text."""
        return self.article.text


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How unlike those that a template was learned from a text may be before it is doubted."""

    shorter: float = 0.34  # times the fewest words seen before
    longer: float = 4.0  # times the most
    more_links: float = 0.2  # share of the text in links, beyond the largest seen before


_TOLERANCE: Final = Tolerance()


@dataclass(slots=True)
class _PageCut:
    """What the rules of a template cut out of a page, and what is known of the page besides."""

    ready: Compiled
    data: bytes
    url: str
    base: str
    ranges: PageRanges
    tolerance: Tolerance
    _styles: StyleSheet | None = None

    @classmethod
    def of(cls, template: Template, data: bytes, url: str, tolerance: Tolerance) -> Self:
        """Cut a page.

        Raises:
            Doubt: the rules do not fit it.
        """
        ready = compiled(template)
        encoding = template.encoding
        ranges = page_ranges(ready, data, fragments() if encoding == "utf-8" else None)
        base = _base(data, url, encoding) if ranges.has_base else url
        if encoding != "utf-8" and _is_utf8(data, ranges.main):
            raise Doubt(f"the text is in utf-8, not in {encoding}")
        return cls(ready, data, url, base, ranges, tolerance)

    @property
    def html(self) -> str:
        """The main text in one piece.

        Raises:
            Doubt: it is in another encoding.
        """
        encoding = self.ready.template.encoding
        try:
            html = "\n".join(decoded(self.data, self.ranges.main, encoding))
        except UnicodeDecodeError as error:
            raise Doubt(f"the text is not in {encoding}") from error
        return f"<div>{html}</div>" if self.ready.bare else html

    def styles(self) -> StyleSheet:
        """The style sheets of the page."""
        if self._styles is None:
            ranges = self.ranges.styles
            self._styles = _styles(self.data, ranges, self.ready.template.encoding) if ranges else NO_STYLES
        return self._styles

    @property
    def text(self) -> FragmentText | None:
        """What the main text says; None if its blocks have to be asked.

        Raises:
            Doubt: it is in another encoding.
        """
        said = self.ranges.text
        if said is not None:
            return FragmentText.told(said)
        return None if self.ready.template.encoding == "utf-8" else text_of_fragment(self.html, self.styles())


def cut(template: Template, data: bytes, url: str = "", tolerance: Tolerance = _TOLERANCE) -> Cutting:
    """The article that a template's rules cut out of a page.

    Raises:
        Doubt: they do not fit the page, or what they give is unlike what they gave when they were learned.
    """
    return _cut(_PageCut.of(template, data, url, tolerance))


def _cut(page: _PageCut) -> Cutting:
    template = page.ready.template
    if page.ranges.text is not None:  # whether the text has the size that was seen before is told without its blocks
        low, high = template.expected.words
        shorter, longer = page.tolerance.shorter, page.tolerance.longer
        if not low * shorter <= len(page.ranges.text.text) // CHARACTERS <= high * longer:
            said = FragmentText.told(page.ranges.text)
            texts = said.texts
            if (out := left_out(texts, said.hashes, template.noise)) is not None:
                texts = said.without(out).texts
            _checked_size(page, texts, sum(map(len, texts)))
    body = CutBody.of(page.html, page.base, template.noise, page.styles())
    words = _checked(page, body.texts, body.size, body.linked)
    return Cutting(_article(page, body), words, body)


def cut_text(template: Template, data: bytes, url: str = "", tolerance: Tolerance = _TOLERANCE) -> TextCutting:
    """The text and the fields that a template's rules cut out of a page: those of the article that `cut` makes.

    Raises:
        Doubt: as there.
    """
    page = _PageCut.of(template, data, url, tolerance)
    found = page.text
    if found is None:
        return _text_of(_cut(page))
    hashes = found.hashes
    out = left_out(found.texts, hashes, template.noise)
    if out is not None:
        found = found.without(out)
    texts = found.texts
    size = sum(map(len, texts))
    if found.linked > (template.expected.link_share + tolerance.more_links) * size:
        return _text_of(_cut(page))  # what is in links has to be looked at closely
    _checked(page, texts, size, 0)
    values, told = _fields(page)
    for name in _WITHOUT_BREAKS:
        if name in values:
            values[name] = without_breaks(values[name])
    way, _ = _direction(found, texts, values.get("language", ""))
    text = without_breaks(found.text)
    article = ArticleText(text, url, direction=way, confidence=template.agreement, by=told["body"], **values)
    return TextCutting(article, hashes)


def _text_of(found: Cutting) -> TextCutting:
    article = ArticleText.of(found.article)
    if found.article.provenance.get("image") == _FIRST_IMAGE:
        article = replace(article, image="")
    return TextCutting(article, found.texts)


def _is_utf8(data: bytes, pieces: Sequence[Range]) -> bool:
    """Whether a text is in UTF-8, and not only in ASCII. In most other encodings it would be read too, and wrong."""
    piece = b"".join([data[start:end] for start, end in pieces])
    if piece.isascii():
        return False
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


# -- checks -----------------------------------------------------------------------------------------------------


def latin_share(texts: Sequence[str]) -> float:
    """The share of ASCII in the beginning of a text: one for Latin, little for other scripts."""
    sample = "".join(texts[:8])[:_SAMPLE]
    return 1.0 if sample.isascii() else len(sample.encode("ascii", "ignore")) / len(sample)


def _checked(page: _PageCut, texts: Sequence[str], size: int, linked: int) -> int:
    """How many words a text has, if it is like those that the template was learned from.

    Raises:
        Doubt: it is not.
    """
    expected = page.ready.template.expected
    words = _checked_size(page, texts, size)
    share = linked / max(size, 1)
    if share > expected.link_share + page.tolerance.more_links:
        raise Doubt(f"{share:.0%} of the text is in links; {expected.link_share:.0%} was the most before")
    if expected.latin is not None and abs(latin_share(texts) - expected.latin) > _OTHER_SCRIPT:
        raise Doubt("the text is in another script")
    return words


def _checked_size(page: _PageCut, texts: Sequence[str], size: int) -> int:
    """How many words a text has, if they are as many as was seen before.

    Raises:
        Doubt: they are not.
    """
    if not texts:
        raise Doubt("the rules give no text")
    words = size // CHARACTERS
    low, high = page.ready.template.expected.words
    if words < low * page.tolerance.shorter or words > high * page.tolerance.longer:
        raise Doubt(f"{words} words, where pages of this make had {low} to {high}")
    return words


# -- the article ------------------------------------------------------------------------------------------------


def _base(data: bytes, url: str, encoding: str) -> str:
    found = _BASE.search(data, 0, HEAD)
    return (absolute(found[1].decode(encoding, "replace"), url) or url) if found else url


def _styles(data: bytes, ranges: Sequence[Range], encoding: str) -> StyleSheet:
    """What style sheets say that stand on a page."""
    return _style_sheet(encoding, *[data[start:end] for start, end in ranges])


@lru_cache(maxsize=64)
def _style_sheet(encoding: str, *elements: bytes) -> StyleSheet:
    """The pages of a site mostly have the same."""
    return style_sheet(written_styles([element.decode(encoding, "replace") for element in elements]))


def _fields(page: _PageCut) -> tuple[dict[str, Any], dict[str, str]]:
    """The values of fields, and what told each of them and the body.

    Raises:
        Doubt: there is no headline.
    """
    template, language = page.ready.template, page.ready.language
    values: dict[str, Any] = {}
    told: dict[str, str] = {"body": "rule " + template.name}
    said = page.ranges.said or {}
    for place, one in enumerate(page.ready.fields):
        name = one.rule.field
        if name in values:
            continue
        if (texts := said.get(place)) is not None:
            found = _said_value(one, texts, page.base, language)
        elif one.way is Way.CONSTANT:
            found = constant_value(one.rule, page.ranges.language, page.base, language)
        else:
            pieces = page.ranges.fields[place]
            found = field_value(one, page.data, pieces, template.encoding, page.base, language, page.styles)
        if found:
            values[name] = found
            told[name] = one.told
        elif name == "title" and not template.several:
            raise Doubt("no match for the headline")
    found = {name: values.pop(name) for name in DETAILS if name in values}
    if found:
        values["details"] = Details(**found)
    return values, told


def _article(page: _PageCut, body: CutBody) -> Article:
    values, told = _fields(page)
    images = body.images
    if lead := values.get("image"):
        values["image"] = next((image for image in images if image.src == lead), None) or Image(lead)
    elif images:
        values["image"], told["image"] = images[0], _FIRST_IMAGE
    values["direction"], told["direction"] = _direction(page.ranges.text, body.texts, values.get("language", ""))
    if images:
        told["images"] = told["body"]
    if page.url:
        told["url"] = "page"
    return Article(
        url=page.url,
        kind="article",
        confidence=page.ready.template.agreement,
        blocks=body.blocks,
        images=images,
        provenance=Provenance(told),
        **values,
    )


def _direction(said: BlockTexts | FragmentText | None, texts: Sequence[str], language: str) -> tuple[Direction, str]:
    """Which way some texts run, and what told it; mostly the core has told that no letter runs leftwards."""
    if said is not None and said.is_rightwards and any(map(str.isalpha, texts[0][:_FIRST_LETTERS])):
        return "ltr", BY_LETTERS
    return direction(texts, "", language)


def field_value(
    one: Cutter,
    data: bytes,
    ranges: Sequence[Range],
    encoding: str,
    base: str,
    language: str,
    styles: Callable[[], StyleSheet] = lambda: NO_STYLES,
) -> Any:
    """What a rule says of a field on a page, where its pieces stand; something empty if it finds nothing."""
    rule, way = one.rule, one.way
    if way is Way.CONSTANT:
        return constant_value(rule, declared_language(data) if rule.field == "language" else "", base, language)
    if way is Way.ADDRESS:
        return day_in_address(base)
    if not ranges:
        return None
    try:
        raw = decoded(data, ranges, encoding)
    except UnicodeDecodeError:
        return None
    if one.plain:
        return single_value(rule.field, text_of(raw[0], styles() if "<" in raw[0] else NO_STYLES), base, language)
    if rule.attribute:
        raw = [attribute_of(tag, rule.attribute) for tag in raw]
    elif way is Way.ELEMENT:
        raw = [text_of(piece, styles()) for piece in raw]
    return value_of(rule.field, raw, rule.syntax, base, language, is_text=way is Way.ELEMENT)


def _said_value(one: Cutter, texts: list[str], base: str, language: str) -> Any:
    """What a rule says of a field whose pieces say that."""
    if one.plain:
        return single_value(one.rule.field, texts[0], base, language)
    return value_of(one.rule.field, texts, "html", base, language, is_text=True)
