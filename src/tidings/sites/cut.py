"""Extraction by string search: a template's rules cut the story out of the bytes of a page (hybrid paper, section 5).

No page is made, no tree is built, no model asked. An element is found by its start tag, and its end by counting; noise
inside it is cut out the same way. What does not fit, or looks unlike what the template was learned from, is a
`Doubt`, with its reason, and never an article.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from tidings.article import Article, Image, Provenance
from tidings.article.direction import direction
from tidings.fields.addresses import absolute
from tidings.fields.dates import day_in_address
from tidings.page.hidden import written_styles
from tidings.page.style_sheet import NO_STYLES, StyleSheet, style_sheet
from tidings.sites.body import CutBody
from tidings.sites.compiled import Compiled, Cutter, compiled
from tidings.sites.pieces import HEAD, Doubt, OtherMake, decoded, page_ranges
from tidings.sites.rule import Template, Way
from tidings.sites.search import Range
from tidings.sites.values import WITH_ADDRESS, attribute_of, single_value, text_of, value_of

__all__ = ["CHARACTERS", "Cutting", "Doubt", "OtherMake", "cut", "field_value", "latin_share"]

#: A text of fewer or more words than this many times those seen before is doubted.
_SHORTER, _LONGER = 0.34, 4.0
_MORE_LINKS: Final = 0.2
_OTHER_SCRIPT: Final = 0.5
CHARACTERS: Final = 6  # of a word: as good as counting words
_SAMPLE: Final = 400  # characters that tell the script
_FIRST_IMAGE: Final = "first image of the text"
_BASE: Final = re.compile(rb"<base\b[^>]*?\shref\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cutting:
    """What was cut out of a page, and how it compares with what is expected."""

    article: Article
    words: int
    body: CutBody

    @property
    def texts(self) -> tuple[int, ...]:
        """Hashes of the blocks, those left out as noise included."""
        return self.body.hashes

    @property
    def link_share(self) -> float:
        """The share of the text in links."""
        return self.body.link_share


def cut(template: Template, data: bytes, url: str = "") -> Cutting:
    """The article that a template's rules cut out of a page.

    Raises:
        Doubt: they do not fit the page, or what they give is unlike what they gave when they were learned.
    """
    ready = compiled(template)
    ranges = page_ranges(ready, data)
    base = _base(data, url, template.encoding) if ranges.has_base else url
    if template.encoding != "utf-8" and _is_utf8(data, ranges.main):
        raise Doubt(f"the text is in utf-8, not in {template.encoding}")
    try:
        fragment = "\n".join(decoded(data, ranges.main, template.encoding))
    except UnicodeDecodeError as error:
        raise Doubt(f"the text is not in {template.encoding}") from error
    styles = _styles(data, ranges.styles, template.encoding) if ranges.styles else NO_STYLES
    body = CutBody.of(f"<div>{fragment}</div>" if ready.bare else fragment, base, template.noise, styles)
    if not body.blocks:
        raise Doubt("the rules give no text")
    words = body.size // CHARACTERS
    _check_text(template, body, words)
    return Cutting(_article(ready, data, ranges.fields, url, base, styles, body), words, body)


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


def _check_text(template: Template, body: CutBody, words: int) -> None:
    expected = template.expected
    low, high = expected.words
    if words < low * _SHORTER or words > high * _LONGER:
        raise Doubt(f"{words} words, where pages of this make had {low} to {high}")
    if body.link_share > expected.link_share + _MORE_LINKS:
        raise Doubt(f"{body.link_share:.0%} of the text is in links; {expected.link_share:.0%} was the most before")
    if expected.latin is not None and abs(latin_share(body.texts) - expected.latin) > _OTHER_SCRIPT:
        raise Doubt("the text is in another script")


# -- the article ------------------------------------------------------------------------------------------------


def _base(data: bytes, url: str, encoding: str) -> str:
    found = _BASE.search(data, 0, HEAD)
    return (absolute(found[1].decode(encoding, "replace"), url) or url) if found else url


def _styles(data: bytes, ranges: Sequence[Range], encoding: str) -> StyleSheet:
    """What style sheets say that stand on a page."""
    return style_sheet(written_styles([data[start:end].decode(encoding, "replace") for start, end in ranges]))


def _article(
    ready: Compiled,
    data: bytes,
    ranges: Sequence[Sequence[Range]],
    url: str,
    base: str,
    styles: StyleSheet,
    body: CutBody,
) -> Article:
    template = ready.template
    values: dict[str, Any] = {}
    told: dict[str, str] = {"body": "rule " + template.name}
    for one, pieces in zip(ready.fields, ranges, strict=True):
        name = one.rule.field
        if name in values:
            continue
        found = field_value(one, data, pieces, template.encoding, base, ready.language, styles)
        if found:
            values[name] = found
            told[name] = one.told
        elif name == "title" and not template.several:
            raise Doubt("no match for the headline")
    images = body.images
    if lead := values.get("image"):
        values["image"] = next((image for image in images if image.src == lead), None) or Image(lead)
    elif images:
        values["image"], told["image"] = images[0], _FIRST_IMAGE
    values["direction"], told["direction"] = direction(body.texts, "", values.get("language", ""))
    if images:
        told["images"] = told["body"]
    if url:
        told["url"] = "page"
    return Article(
        url=url,
        kind="article",
        confidence=template.agreement,
        blocks=body.blocks,
        images=images,
        provenance=Provenance(told),
        **values,
    )


def field_value(
    one: Cutter,
    data: bytes,
    ranges: Sequence[Range],
    encoding: str,
    base: str,
    language: str,
    styles: StyleSheet = NO_STYLES,
) -> Any:
    """What a rule says of a field on a page, where its pieces stand; something empty if it finds nothing."""
    rule, way = one.rule, one.way
    if way is Way.CONSTANT:
        return _constant(rule.field, rule.value or "", base if rule.field in WITH_ADDRESS else "", language)
    if way is Way.ADDRESS:
        return day_in_address(base)
    if not ranges:
        return None
    try:
        raw = decoded(data, ranges, encoding)
    except UnicodeDecodeError:
        return None
    if one.plain:
        return single_value(rule.field, raw[0], base, language, styles)
    if rule.attribute:
        raw = [attribute_of(tag, rule.attribute) for tag in raw]
    elif way is Way.ELEMENT:
        raw = [text_of(piece, styles) for piece in raw]
    return value_of(rule.field, raw, rule.syntax, base, language, is_text=way is Way.ELEMENT)


@lru_cache(maxsize=1024)
def _constant(field: str, value: str, base: str, language: str) -> Any:
    """A value that is the same on all pages, as a field has it."""
    return value_of(field, [value], "html", base, language)
