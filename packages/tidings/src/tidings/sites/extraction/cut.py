"""Extraction by string search: a template's rules extract the article from the bytes of a page (hybrid paper,
section 5).

No page object or tree is built, and no model runs. An element is located by its start tag, and its end by counting
tags; noise inside it is cut out in the same way. If a page does not fit, or the text differs too much from those that
the template was learned from, `RuleMismatch` is raised with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, Self

from tidings.article import Article, Direction, Image, Provenance
from tidings.article.direction import BY_LETTERS, direction
from tidings.article.units.article_tables import article_tables
from tidings.core.rules import FragmentText
from tidings.fields.date_parsing import parsing
from tidings.fields.dates import day_in_address
from tidings.fields.details import Details
from tidings.fields.urls.sanitise import absolute, usual_origin
from tidings.page import invisible
from tidings.page.style_sheet import NO_STYLES, StyleSheet, sheet_of_elements
from tidings.sites.extraction.body import CutBody
from tidings.sites.extraction.compiled import Compiled, Cutter, FieldSort, Range, compiled
from tidings.sites.extraction.fragment import FragmentBlocks, latin_share
from tidings.sites.extraction.pieces import (
    HEAD,
    LayoutMismatch,
    PageRanges,
    RuleMismatch,
    declared_language,
    decoded,
    page_ranges,
    read_ranges,
)
from tidings.sites.extraction.repeated_texts import without_blocks
from tidings.sites.extraction.values import attribute_of, constant_value, single_value, text_of, value_of
from tidings.sites.templates.rule import DETAILS, Template, Way

__all__ = [
    "CHARACTERS",
    "FIRST_IMAGE",
    "NO_TEXT",
    "TOLERANCE",
    "Cutting",
    "LayoutMismatch",
    "PageCut",
    "RuleMismatch",
    "Tolerance",
    "body_from_core",
    "checked",
    "cut",
    "cut_article",
    "field_value",
    "read_fields",
]

_OTHER_SCRIPT: Final = 0.5
CHARACTERS: Final = 6  # per word; as accurate as counting words
_FIRST_LETTERS: Final = 20  # most texts have a letter among this many characters
FIRST_IMAGE: Final = "first image of the text"
_BASE: Final = re.compile(rb"<base\b[^>]*?\shref\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cutting:
    """The article that site rules extracted from a page, with the measures by which it is checked against
    the template.
    """

    article: Article
    words: int
    body: CutBody

    @property
    def text(self) -> str:
        """Return the text."""
        return self.article.text

    @property
    def texts(self) -> tuple[int, ...]:
        """Return the hashes of all blocks, including texts that the site repeats."""
        return self.body.hashes

    @property
    def link_share(self) -> float:
        """Return the share of the text that is in links."""
        return self.body.link_share


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How much a text may differ from those that a template was learned from."""

    shorter: float = 0.34  # of the fewest words before
    longer: float = 4.0  # times the most words before
    more_links: float = 0.2  # share of the text in links, above the largest before


TOLERANCE: Final = Tolerance()


@dataclass(slots=True)
class PageCut:
    """A page and the byte ranges that the rules of a template match in it."""

    ready: Compiled
    data: bytes
    url: str
    base: str
    ranges: PageRanges
    tolerance: Tolerance
    removed: Mapping[str, int] = field(default_factory=dict)  # removed invisible characters, by class
    _styles: StyleSheet | None = None

    @classmethod
    def of(cls, template: Template, data: bytes, url: str, tolerance: Tolerance, *, with_blocks: bool = False) -> Self:
        """Apply a template to a page.

        Raises:
            RuleMismatch: the rules do not fit the page.
        """
        ready = compiled(template)
        encoding = template.encoding
        data, removed = invisible.cleaned_bytes(data, encoding)
        is_utf8 = encoding == "utf-8"
        tables = article_tables() if is_utf8 else None
        origin = usual_origin(url) if with_blocks else None  # the base of relative URLs in blocks
        ranges = page_ranges(ready, data, tables, origin)
        base = _base(data, url, encoding) if ranges.has_base else url
        if origin is not None and base is not url and usual_origin(base) != origin:
            ranges = page_ranges(ready, data, tables, usual_origin(base))
        page = cls(ready, data, url, base, ranges, tolerance, removed)
        if not is_utf8:
            if _is_utf8(data, ranges.main(ready)):
                raise RuleMismatch(f"the text is in utf-8, not in {encoding}")
            origin = usual_origin(base) if with_blocks else None
            noise = sorted(text_hash for text_hash in template.noise if 0 <= text_hash < 2**64)
            fragment = page.html.encode("utf-8", "replace")
            sheet = page.styles().compiled
            ranges.text, ranges.blocks = article_tables().fragment(fragment, sheet, noise, origin)
        return page

    @property
    def html(self) -> str:
        """Return the HTML of the main text that the rules selected.

        Raises:
            RuleMismatch: the page has another encoding.
        """
        encoding = self.ready.template.encoding
        try:
            html = "\n".join(decoded(self.data, self.ranges.main(self.ready), encoding))
        except UnicodeDecodeError as error:
            raise RuleMismatch(f"the text is not in {encoding}") from error
        return f"<div>{html}</div>" if self.ready.bare else html

    def styles(self) -> StyleSheet:
        """Return the style sheets of the page."""
        if self._styles is None:
            ranges = self.ranges.styles(self.ready)
            self._styles = _styles(self.data, ranges, self.ready.template.encoding) if ranges else NO_STYLES
        return self._styles


def cut(template: Template, data: bytes, url: str = "", tolerance: Tolerance = TOLERANCE) -> Cutting:
    """Return the article that a template's rules extract from a page.

    Raises:
        RuleMismatch: the rules do not fit, or the text differs too much from those that they were learned from.
    """
    return cut_article(PageCut.of(template, data, url, tolerance, with_blocks=True))


def cut_article(page: PageCut) -> Cutting:
    """Build an article from a page and the byte ranges that rules matched in it."""
    template = page.ready.template
    if page.ranges.text is not None:  # check the size before building blocks
        size = page.ranges.text.size
        _checked_size(page, size, NO_TEXT if not size else "")
    body = body_from_core(page) or CutBody.of(page.html, page.base, template.noise, page.styles())
    if not body.blocks:
        raise RuleMismatch(NO_TEXT)
    core_text = page.ranges.text
    latin = latin_share(body.texts) if core_text is None or body.text is None else core_text.latin
    words = checked(page, body.size, body.linked, latin)
    return Cutting(_article(page, body), words, body)


def body_from_core(page: PageCut) -> CutBody | None:
    """Return the body whose blocks the core built while cutting; None if it built none."""
    text, rows = page.ranges.text, page.ranges.blocks
    if text is None or rows is None:
        return None
    fragment = FragmentBlocks.of(rows, page.base)
    if fragment is None:
        return None
    if fragment.pictures is None:
        body = fragment.illustrated(page.html, page.base, page.styles())
        return CutBody.of_body(body, page.ready.template.noise)
    blocks, images, *_ = fragment.body()
    linked = fragment.linked(text.out) if rows.addresses else 0
    if any(text.out):
        blocks, images = without_blocks(blocks, images, text.out)
    return CutBody(blocks, images, text.hashes, text.size, linked, text.text)


def _is_utf8(data: bytes, pieces: Sequence[Range]) -> bool:
    """Return whether parts of a page are valid UTF-8 with non-ASCII characters, in which case another encoding would
    decode them wrongly.
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
    """Return the approximate number of words of a text after comparing it with the template's expected values.

    Raises:
        RuleMismatch: the text is too short or too long, has too many links, or is in another script.
    """
    expected = page.ready.template.expected
    words = _checked_size(page, size)
    share = linked / max(size, 1)
    if share > expected.link_share + page.tolerance.more_links:
        raise RuleMismatch(f"{share:.0%} of the text is in links; {expected.link_share:.0%} was the most before")
    if expected.latin is not None and abs(latin - expected.latin) > _OTHER_SCRIPT:
        raise RuleMismatch("the text is in another script")
    return words


def _checked_size(page: PageCut, size: int, why: str = "") -> int:
    words = size // CHARACTERS
    low, high = page.ready.template.expected.words
    if words < low * page.tolerance.shorter or words > high * page.tolerance.longer:
        raise RuleMismatch(why or f"{words} words; pages with this layout had {low} to {high}")
    return words


# -- the article ------------------------------------------------------------------------------------------------


def _base(data: bytes, url: str, encoding: str) -> str:
    match = _BASE.search(data, 0, HEAD)
    return (absolute(match[1].decode(encoding, "replace"), url) or url) if match else url


def _styles(data: bytes, ranges: Sequence[Range], encoding: str) -> StyleSheet:
    """Parse the style sheets in some byte ranges of a page."""
    return _style_sheet(encoding, *[data[start:end] for start, end in ranges])


@lru_cache(maxsize=64)
def _style_sheet(encoding: str, *elements: bytes) -> StyleSheet:
    """Return a cached parser of style sheets; pages of a site mostly share them."""
    return sheet_of_elements(element.decode(encoding, "replace") for element in elements)


def read_fields(page: PageCut) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the values of all fields with a rule, and the provenance of each and of the body.

    Raises:
        RuleMismatch: there is no headline.
    """
    template, language = page.ready.template, page.ready.language
    values: dict[str, Any] = {}
    provenance: dict[str, str] = {"body": "rule " + template.name}
    ranges, base = page.ranges, page.base
    numbers, source, at = ranges.numbers, ranges.said, ranges.at
    begin = 0
    for compiled_rule in page.ready.fields:
        count = numbers[at]
        start, pieces = at + 1, begin
        at = start + (2 * count if count > 0 else -count)
        if count < 0:
            begin = numbers[at - 1] >> 1
        name = compiled_rule.field
        if name in values:
            continue
        if count == -1:  # the common case
            value = _value_from_text(compiled_rule, source[pieces:begin], numbers[start] & 1, base, language)
        elif count < 0:
            ends = [end >> 1 for end in numbers[start:at]]
            texts = [source[low:high] for low, high in pairwise((pieces, *ends))]
            value = value_of(name, texts, "html", base, language, is_text=True)
        else:
            value = _value_from_ranges(page, compiled_rule, start - 1)
        if value:
            values[name] = value
            provenance[name] = compiled_rule.provenance
        elif name == "title" and not template.several:
            raise RuleMismatch("no match for the headline")
    value = {name: values.pop(name) for name in DETAILS if name in values}
    if value:
        values["details"] = Details(**value)
    return values, provenance


def _article(page: PageCut, body: CutBody) -> Article:
    values, provenance = read_fields(page)
    images = body.images
    if lead := values.get("image"):
        values["image"] = next((image for image in images if image.src == lead), None) or Image(lead)
    elif images:
        values["image"], provenance["image"] = images[0], FIRST_IMAGE
    values["direction"], provenance["direction"] = _direction(page.ranges.text, body, values.get("language", ""))
    if images:
        provenance["images"] = provenance["body"]
    if page.url:
        provenance["url"] = "page"
    provenance |= invisible.provenance(page.removed)
    values |= {
        "url": page.url,
        "kind": "article",
        "confidence": page.ready.template.agreement,
        "blocks": body.blocks,
        "images": images,
        "provenance": Provenance(provenance),
    }
    return Article(**values) if body.text is None else Article.with_text(body.text, values)


def _direction(core_text: FragmentText | None, body: CutBody, language: str) -> tuple[Direction, str]:
    """Return the writing direction of a body with its provenance. In most texts the core has already found that there
    is no right-to-left letter.
    """
    if core_text is not None and not core_text.letters and any(map(str.isalpha, body.blocks[0].text[:_FIRST_LETTERS])):
        return "ltr", BY_LETTERS
    return direction(body.texts, "", language)


def field_value(
    compiled_rule: Cutter,
    data: bytes,
    ranges: Sequence[Range],
    encoding: str,
    base: str,
    language: str,
    styles: Callable[[], StyleSheet] = lambda: NO_STYLES,
) -> Any:
    """Return the value of a field from the byte ranges that its rule matched; empty if there is none.

    Args:
        compiled_rule: the rule.
        data: the page as bytes.
        ranges: the byte ranges of the matches.
        encoding: the encoding of the page.
        base: the URL to which relative URLs are resolved.
        language: the language of the page, for dates and names.
        styles: a function that returns the page's style sheets, by which hidden text is recognised.
    """
    rule, way = compiled_rule.rule, compiled_rule.way
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
    if compiled_rule.plain:
        return single_value(rule.field, text_of(raw[0], styles() if "<" in raw[0] else NO_STYLES), base, language)
    if rule.attribute:
        raw = [attribute_of(tag, rule.attribute) for tag in raw]
    elif way is Way.ELEMENT:
        raw = [text_of(piece, styles()) for piece in raw]
    return value_of(rule.field, raw, rule.syntax, base, language, is_text=way is Way.ELEMENT)


def _value_from_ranges(page: PageCut, compiled_rule: Cutter, at: int) -> Any:
    """Return the value of a field. `at` is the index in the core's result at which the field's byte ranges begin."""
    ready, base = page.ready, page.base
    if compiled_rule.way is Way.CONSTANT:
        return constant_value(compiled_rule.rule, page.ranges.language, base, ready.language)
    ranges, _ = read_ranges(page.ranges.numbers, at)
    if not ranges and compiled_rule.way is not Way.ADDRESS:
        return None
    return field_value(compiled_rule, page.data, ranges, ready.template.encoding, base, ready.language, page.styles)


def _value_from_text(compiled_rule: Cutter, text: str, is_address: int, base: str, language: str) -> Any:
    """Return the value of a field from a text that the core has decoded."""
    sort = compiled_rule.sort
    if sort is FieldSort.TEXT:
        return text
    if sort is FieldSort.DATE:
        return parsing.read(text, language) if text else None
    if sort is FieldSort.OTHER:
        return value_of(compiled_rule.field, [text], "html", base, language, is_text=True)
    if is_address:
        return text
    return single_value(compiled_rule.field, text, base, language)
