"""Extraction by string search: a template's rules cut the story out of the bytes of a page (hybrid paper, section 5).

No page is made, no tree is built, no model asked. An element is found by its start tag, and its end by counting; noise
inside it is cut out the same way. What does not fit, or looks unlike what the template was learned from, is a
`Doubt`, with its reason, and never an article.

The body of an article that a rule cut out: its blocks and pictures, without what the site repeats.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, Self

from tidings.article import Article, Block, Direction, Image, Provenance
from tidings.article.article_tables import article_tables
from tidings.article.body import Body
from tidings.article.direction import BY_LETTERS, direction
from tidings.core.rules import FragmentText
from tidings.fields import moments
from tidings.fields.addresses import absolute, usual_origin
from tidings.fields.dates import day_in_address
from tidings.fields.details import Details
from tidings.page import invisible
from tidings.page.style_sheet import NO_STYLES, StyleSheet, sheet_of_elements
from tidings.sites.compiled import Compiled, Cutter, FieldSort, Range, compiled
from tidings.sites.fragment import FragmentBlocks, latin_share, read
from tidings.sites.noise import taken_out, without_noise
from tidings.sites.pieces import (
    HEAD,
    Doubt,
    OtherMake,
    PageRanges,
    declared_language,
    decoded,
    page_ranges,
    several,
)
from tidings.sites.rule import DETAILS, Template, Way
from tidings.sites.values import attribute_of, constant_value, single_value, text_of, value_of


@dataclass(frozen=True, slots=True, eq=False)
class CutBody:
    """What was cut out of a page."""

    blocks: tuple[Block, ...]
    images: tuple[Image, ...]
    hashes: tuple[int, ...]  # of the texts of the blocks, those left out as noise included
    size: int  # characters of the page in the blocks
    linked: int  # those of them in links
    text: str | None = None  # of the whole article, if it is known

    @classmethod
    def of(cls, fragment: str, base: str, noise: frozenset[int], styles: StyleSheet = NO_STYLES) -> Self:
        """What a fragment says, without what its site repeats and what the page hides."""
        return cls.made(read(fragment, base, styles), noise)

    @classmethod
    def made(cls, body: Body, noise: frozenset[int]) -> Self:
        """What a body says, without what its site repeats."""
        blocks, images, hashes = without_noise(body.blocks, body.images, noise)
        return cls(blocks, images, hashes, *measures(blocks))

    @property
    def texts(self) -> tuple[str, ...]:
        """What the blocks say."""
        return tuple([block.text for block in self.blocks])

    @property
    def link_share(self) -> float:
        """The share of the text in links."""
        return self.linked / max(self.size, 1)


def measures(blocks: Sequence[Block]) -> tuple[int, int]:
    """Return the characters of the page in blocks, and those of them in links."""
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
    "FIRST_IMAGE",
    "NO_TEXT",
    "TOLERANCE",
    "Cutting",
    "Doubt",
    "OtherMake",
    "PageCut",
    "Tolerance",
    "checked",
    "cut",
    "cut_article",
    "field_value",
    "read_fields",
    "told_body",
]

_OTHER_SCRIPT: Final = 0.5
CHARACTERS: Final = 6  # of a word: as good as counting words
_FIRST_LETTERS: Final = 20  # characters of which one is a letter, in most texts
FIRST_IMAGE: Final = "first image of the text"
_BASE: Final = re.compile(rb"<base\b[^>]*?\shref\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)


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
class Tolerance:
    """How unlike those that a template was learned from a text may be before it is doubted."""

    shorter: float = 0.34  # times the fewest words seen before
    longer: float = 4.0  # times the most
    more_links: float = 0.2  # share of the text in links, beyond the largest seen before


TOLERANCE: Final = Tolerance()


@dataclass(slots=True)
class PageCut:
    """What the rules of a template cut out of a page, and what is known of the page besides."""

    ready: Compiled
    data: bytes
    url: str
    base: str
    ranges: PageRanges
    tolerance: Tolerance
    removed: Mapping[str, int] = field(default_factory=dict)  # invisible characters that `data` had, by class
    _styles: StyleSheet | None = None

    @classmethod
    def of(cls, template: Template, data: bytes, url: str, tolerance: Tolerance, *, with_blocks: bool = False) -> Self:
        """Cut a page.

        Raises:
            Doubt: the rules do not fit it.
        """
        ready = compiled(template)
        encoding = template.encoding
        data, removed = invisible.cleaned_bytes(data, encoding)
        is_utf8 = encoding == "utf-8"
        known = article_tables() if is_utf8 else None
        origin = usual_origin(url) if with_blocks else None  # their addresses are seen from there
        ranges = page_ranges(ready, data, known, origin)
        base = _base(data, url, encoding) if ranges.has_base else url
        if origin is not None and base is not url and usual_origin(base) != origin:
            ranges = page_ranges(ready, data, known, usual_origin(base))
        page = cls(ready, data, url, base, ranges, tolerance, removed)
        if not is_utf8:
            if _is_utf8(data, ranges.main(ready)):
                raise Doubt(f"the text is in utf-8, not in {encoding}")
            origin = usual_origin(base) if with_blocks else None
            noise = sorted(one for one in template.noise if 0 <= one < 2**64)
            fragment = page.html.encode("utf-8", "replace")
            sheet = page.styles().compiled
            ranges.text, ranges.blocks = article_tables().fragment(fragment, sheet, noise, origin)
        return page

    @property
    def html(self) -> str:
        """The main text in one piece.

        Raises:
            Doubt: it is in another encoding.
        """
        encoding = self.ready.template.encoding
        try:
            html = "\n".join(decoded(self.data, self.ranges.main(self.ready), encoding))
        except UnicodeDecodeError as error:
            raise Doubt(f"the text is not in {encoding}") from error
        return f"<div>{html}</div>" if self.ready.bare else html

    def styles(self) -> StyleSheet:
        """Return the style sheets of the page."""
        if self._styles is None:
            ranges = self.ranges.styles(self.ready)
            self._styles = _styles(self.data, ranges, self.ready.template.encoding) if ranges else NO_STYLES
        return self._styles


def cut(template: Template, data: bytes, url: str = "", tolerance: Tolerance = TOLERANCE) -> Cutting:
    """Return the article that a template's rules cut out of a page.

    Raises:
        Doubt: they do not fit the page, or what they give is unlike what they gave when they were learned.
    """
    return cut_article(PageCut.of(template, data, url, tolerance, with_blocks=True))


def cut_article(page: PageCut) -> Cutting:
    """Return the same of a page of which is known where everything stands."""
    template = page.ready.template
    if page.ranges.text is not None:  # whether the text has the size that was seen before is told without its blocks
        size = page.ranges.text.size
        _checked_size(page, size, NO_TEXT if not size else "")
    body = told_body(page) or CutBody.of(page.html, page.base, template.noise, page.styles())
    if not body.blocks:
        raise Doubt(NO_TEXT)
    said = page.ranges.text
    latin = latin_share(body.texts) if said is None or body.text is None else said.latin
    words = checked(page, body.size, body.linked, latin)
    return Cutting(_article(page, body), words, body)


def told_body(page: PageCut) -> CutBody | None:
    """Return the body as the core has told it with the cut; None if it has not."""
    text, rows = page.ranges.text, page.ranges.blocks
    if text is None or rows is None:
        return None
    told = FragmentBlocks.of(rows, page.base)
    if told is None:
        return None
    if told.pictures is None:
        found = told.illustrated(page.html, page.base, page.styles())
        return CutBody.made(found, page.ready.template.noise)
    blocks, images, *_ = told.body()
    linked = told.linked(text.out) if rows.addresses else 0
    if any(text.out):
        blocks, images = taken_out(blocks, images, text.out)
    return CutBody(blocks, images, text.hashes, text.size, linked, text.text)


def _is_utf8(data: bytes, pieces: Sequence[Range]) -> bool:
    """Return whether a text is in UTF-8, and not only in ASCII. In most other encodings it would be read too, and
    wrong.
    """
    piece = b"".join([data[start:end] for start, end in pieces])
    if piece.isascii():
        return False
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


# -- checks -----------------------------------------------------------------------------------------------------


NO_TEXT: Final = "the rules give no text"


def checked(page: PageCut, size: int, linked: int, latin: float) -> int:
    """Return how many words a text of so many characters has, if it is like those that the template was learned from.

    Raises:
        Doubt: it is not.
    """
    expected = page.ready.template.expected
    words = _checked_size(page, size)
    share = linked / max(size, 1)
    if share > expected.link_share + page.tolerance.more_links:
        raise Doubt(f"{share:.0%} of the text is in links; {expected.link_share:.0%} was the most before")
    if expected.latin is not None and abs(latin - expected.latin) > _OTHER_SCRIPT:
        raise Doubt("the text is in another script")
    return words


def _checked_size(page: PageCut, size: int, why: str = "") -> int:
    words = size // CHARACTERS
    low, high = page.ready.template.expected.words
    if words < low * page.tolerance.shorter or words > high * page.tolerance.longer:
        raise Doubt(why or f"{words} words, where pages of this make had {low} to {high}")
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
    """Return the pages of a site mostly have the same."""
    return sheet_of_elements(element.decode(encoding, "replace") for element in elements)


def read_fields(page: PageCut) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values of fields, and what told each of them and the body.

    Raises:
        Doubt: there is no headline.
    """
    template, language = page.ready.template, page.ready.language
    values: dict[str, Any] = {}
    told: dict[str, str] = {"body": "rule " + template.name}
    ranges, base = page.ranges, page.base
    numbers, said, at = ranges.numbers, ranges.said, ranges.at
    begin = 0
    for one in page.ready.fields:
        count = numbers[at]
        start, pieces = at + 1, begin
        at = start + (2 * count if count > 0 else -count)
        if count < 0:
            begin = numbers[at - 1] >> 1
        name = one.field
        if name in values:
            continue
        if count == -1:  # as most
            found = _told_value(one, said[pieces:begin], numbers[start] & 1, base, language)
        elif count < 0:
            ends = [end >> 1 for end in numbers[start:at]]
            texts = [said[low:high] for low, high in pairwise((pieces, *ends))]
            found = value_of(name, texts, "html", base, language, is_text=True)
        else:
            found = _found_value(page, one, start - 1)
        if found:
            values[name] = found
            told[name] = one.told
        elif name == "title" and not template.several:
            raise Doubt("no match for the headline")
    found = {name: values.pop(name) for name in DETAILS if name in values}
    if found:
        values["details"] = Details(**found)
    return values, told


def _article(page: PageCut, body: CutBody) -> Article:
    values, told = read_fields(page)
    images = body.images
    if lead := values.get("image"):
        values["image"] = next((image for image in images if image.src == lead), None) or Image(lead)
    elif images:
        values["image"], told["image"] = images[0], FIRST_IMAGE
    values["direction"], told["direction"] = _direction(page.ranges.text, body, values.get("language", ""))
    if images:
        told["images"] = told["body"]
    if page.url:
        told["url"] = "page"
    told |= invisible.provenance(page.removed)
    values |= {
        "url": page.url,
        "kind": "article",
        "confidence": page.ready.template.agreement,
        "blocks": body.blocks,
        "images": images,
        "provenance": Provenance(told),
    }
    return Article(**values) if body.text is None else Article.with_text(body.text, values)


def _direction(said: FragmentText | None, body: CutBody, language: str) -> tuple[Direction, str]:
    """Return which way a body runs, and what told it; mostly the core has told that no letter runs leftwards."""
    if said is not None and not said.letters and any(map(str.isalpha, body.blocks[0].text[:_FIRST_LETTERS])):
        return "ltr", BY_LETTERS
    return direction(body.texts, "", language)


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


def _found_value(page: PageCut, one: Cutter, at: int) -> Any:
    """What a rule says of a field whose pieces stand where numbers tell, from a place on."""
    ready, base = page.ready, page.base
    if one.way is Way.CONSTANT:
        return constant_value(one.rule, page.ranges.language, base, ready.language)
    where, _ = several(page.ranges.numbers, at)
    if not where and one.way is not Way.ADDRESS:
        return None
    return field_value(one, page.data, where, ready.template.encoding, base, ready.language, page.styles)


def _told_value(one: Cutter, text: str, is_address: int, base: str, language: str) -> Any:
    """What a rule says of a field that one text tells."""
    sort = one.sort
    if sort is FieldSort.TEXT:
        return text
    if sort is FieldSort.DATE:
        return moments.read(text, language) if text else None
    if sort is FieldSort.OTHER:
        return value_of(one.field, [text], "html", base, language, is_text=True)
    if is_address:
        return text
    return single_value(one.field, text, base, language)
