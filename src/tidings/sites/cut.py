"""Extraction by string search: a template's rules cut the story out of the bytes of a page (hybrid paper, section 5).

No page is made, no tree is built, no model asked. An element is found by its start tag, and its end by counting; noise
inside it is cut out the same way. What does not fit, or looks unlike what the template was learned from, is a
`Doubt`, with its reason, and never an article.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tidings.article import Article, Block, Image
from tidings.article.direction import direction
from tidings.fields.addresses import absolute
from tidings.fields.dates import day_in_address
from tidings.sites.compiled import Compiled, Cutter, compiled
from tidings.sites.fragment import read
from tidings.sites.noise import without_noise
from tidings.sites.rule import MAIN, SEVERAL, Template, Way
from tidings.sites.search import Finder, Opening, Range
from tidings.sites.values import attribute_of, text_of, value_of

#: A page that has fewer of a template's markers is of another make. Some change from page to page, most do not.
_SHARE_OF_MARKERS: Final = 0.6
#: A text of fewer or more words than this many times those seen before is doubted.
_SHORTER, _LONGER = 0.34, 4.0
_MORE_LINKS: Final = 0.2
_OTHER_SCRIPT: Final = 0.5
_FAR: Final = 20_000  # bytes between the two delimiters of a field
_SAMPLE: Final = 400  # characters that tell the script
_HEAD: Final = 8192
_BASE: Final = re.compile(rb"<base\b[^>]*?\shref\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)


class Doubt(Exception):
    """Why the rules of a template are not to be trusted on a page."""


@dataclass(frozen=True, slots=True)
class Cutting:
    """What was cut out of a page, and how it compares with what is expected."""

    article: Article
    words: int
    link_share: float
    texts: tuple[int, ...]  # hashes of the blocks, those left out as noise included


def cut(template: Template, data: bytes, url: str = "") -> Cutting:
    """The article that a template's rules cut out of a page.

    Raises:
        Doubt: they do not fit the page, or what they give is unlike what they gave when they were learned.
    """
    ready = compiled(template)
    markers = ready.markers
    reach = template.expected.reach or len(data)
    if markers and sum([data.find(marker, 0, reach) >= 0 for marker in markers]) < _SHARE_OF_MARKERS * len(markers):
        raise Doubt("the page is built otherwise than those that were learned from")
    pieces = main_pieces(ready, data)
    base = _base(data, url, template.encoding)
    try:
        fragment = "\n".join(decoded(data, pieces, template.encoding))
    except UnicodeDecodeError as error:
        raise Doubt(f"the text is not in {template.encoding}") from error
    found = read(f"<div>{fragment}</div>" if ready.bare else fragment, base)
    blocks, images, texts = without_noise(found.blocks, found.images, template.noise)
    if not blocks:
        raise Doubt("the rules give no text")
    words, link_share = _measures(blocks)
    _check_text(template, blocks, words, link_share)
    article = _article(ready, data, url, base, blocks, images)
    return Cutting(article, words, link_share, texts)


# -- pieces -----------------------------------------------------------------------------------------------------


def main_pieces(ready: Compiled, data: bytes) -> list[Range]:
    """The ranges of the source that the main text stands in, noise left out, in the order of the page.

    Raises:
        Doubt: a rule matches nothing, or more than once.
    """
    found: list[Range] = []
    several = ready.template.several
    for place, one in enumerate(ready.main):
        ranges = ranges_of(one, data, alone=not several)
        if several and ranges:
            found = ranges
            break
        # The first rule holds most of the text; without a lesser one, a page may do.
        if not ranges and not several and not place:
            raise Doubt(f"no match for {one.rule.anchor or repr(one.rule.left)}")
        found += ranges
    if not found:
        raise Doubt("no match for any rule of the main text")
    found = _disjoint(found)
    noise = [
        inner
        for one in ready.noise
        for piece in found
        for inner in ranges_of(one, data, alone=False, start=piece.start, end=piece.end)
    ]
    return _without(found, noise) if noise else found


def ranges_of(one: Cutter, data: bytes, *, alone: bool, start: int = 0, end: int | None = None) -> list[Range]:
    """Where the pieces that a rule is about stand, with the tags of their elements if those mean something alone.

    Raises:
        Doubt: `alone` was asked for and there are two, or one that is never closed.
    """
    end = len(data) if end is None else end
    if one.inside is not None:
        around = _only(one.inside, data, start, end)
        closed = one.inside.closing(data, around, end) if around else None
        if around is None or closed is None:
            return []
        start, end = around.end, closed.start
    if one.find is None:
        return _between(one, data, start, end, alone=alone)
    openings = one.find.openings(data, start, end, 2 if alone else 1000)
    if alone and len(openings) > 1 and not one.rule.each:
        raise Doubt(f"two matches for {one.rule.anchor}")
    ranges: list[Range] = []
    for opening in openings:
        if ranges and opening.start < ranges[-1].end:
            continue  # in the one before
        closed = one.find.closing(data, opening, end)
        if closed is not None:
            ranges.append(Range(opening.end, closed.start) if one.bare else Range(opening.start, closed.end))
        elif alone:
            raise Doubt(f"{one.rule.anchor} is never closed")
    return ranges


def _only(find: Finder, data: bytes, start: int, end: int) -> Opening | None:
    found = find.openings(data, start, end, 2)
    if len(found) > 1:
        raise Doubt(f"two matches for {find.anchor}")
    return found[0] if found else None


def _between(one: Cutter, data: bytes, start: int, end: int, *, alone: bool) -> list[Range]:
    """What stands between the delimiters of a rule."""
    left, right = one.left, one.right
    if not left:
        return []
    far = end if one.rule.field == MAIN else _FAR
    found: list[Range] = []
    place = data.find(left, start, end)
    while place >= 0:
        begin = place + len(left)
        behind = data.find(right, begin, min(end, begin + far))
        if behind < 0:
            break
        found.append(Range(begin, behind))
        if not one.rule.each:
            if alone and data.find(left, behind, end) >= 0:
                raise Doubt(f"two matches for {one.rule.left!r}")
            break
        place = data.find(left, behind, end)
    return found


def _disjoint(ranges: Sequence[Range]) -> list[Range]:
    """Ranges in order; one inside another counts once."""
    kept: list[Range] = []
    for one in sorted(ranges):
        if kept and one.start < kept[-1].end:
            kept[-1] = Range(kept[-1].start, max(kept[-1].end, one.end))
        else:
            kept.append(one)
    return kept


def _without(ranges: Sequence[Range], noise: Sequence[Range]) -> list[Range]:
    noise = _disjoint(noise)
    kept: list[Range] = []
    for start, end in ranges:
        at = start
        for out_start, out_end in noise:
            if start <= out_start < end:
                kept.append(Range(at, out_start))
                at = max(at, out_end)
        kept.append(Range(at, end))
    return [one for one in kept if one.end > one.start]


def decoded(data: bytes, ranges: Sequence[Range], encoding: str) -> list[str]:
    """The pieces as text.

    Raises:
        UnicodeDecodeError: they are in another encoding.
    """
    return [data[start:end].decode(encoding) for start, end in ranges]


# -- checks -----------------------------------------------------------------------------------------------------


def _measures(blocks: Sequence[Block]) -> tuple[int, float]:
    """Characters over six, which a word is long, and the share of them in links: as good as counting words."""
    size = linked = 0
    for block in blocks:
        for inline in block.inlines:
            length = len(inline.text)
            size += length
            if inline.href:
                linked += length
        for row in block.rows:
            size += sum(len(inline.text) for cell in row for inline in cell.inlines)
    return size // 6, linked / max(size, 1)


def latin_share(blocks: Sequence[Block]) -> float:
    """The share of ASCII in the beginning of a text: one for Latin, little for other scripts."""
    sample = "".join([block.text for block in blocks[:8]])[:_SAMPLE]
    return 1.0 if sample.isascii() else len(sample.encode("ascii", "ignore")) / len(sample)


def _check_text(template: Template, blocks: Sequence[Block], words: int, link_share: float) -> None:
    expected = template.expected
    low, high = expected.words
    if words < low * _SHORTER or words > high * _LONGER:
        raise Doubt(f"{words} words, where pages of this make had {low} to {high}")
    if link_share > expected.link_share + _MORE_LINKS:
        raise Doubt(f"{link_share:.0%} of the text is in links; {expected.link_share:.0%} was the most before")
    if expected.latin is not None and abs(latin_share(blocks) - expected.latin) > _OTHER_SCRIPT:
        raise Doubt("the text is in another script")


# -- the article ------------------------------------------------------------------------------------------------


def _base(data: bytes, url: str, encoding: str) -> str:
    head = data[:_HEAD]
    if b"<base" not in head and b"<BASE" not in head:
        return url
    found = _BASE.search(head)
    return (absolute(found[1].decode(encoding, "replace"), url) or url) if found else url


def _article(
    ready: Compiled, data: bytes, url: str, base: str, blocks: tuple[Block, ...], images: tuple[Image, ...]
) -> Article:
    template = ready.template
    values: dict[str, Any] = {}
    told: dict[str, str] = {"body": "rule " + template.name}
    for one in ready.fields:
        name = one.rule.field
        if name in values:
            continue
        found = field_value(one, data, template.encoding, base, ready.language)
        if found:
            values[name] = found
            told[name] = "rule " + one.way
        elif name == "title" and not template.several:
            raise Doubt("no match for the headline")
    lead = values.pop("image", None)
    if lead:
        values["image"] = next((image for image in images if image.src == lead), Image(lead))
    elif images:
        values["image"], told["image"] = images[0], "first image of the text"
    texts = (block.text for block in blocks)
    values["direction"], told["direction"] = direction(texts, "", values.get("language", ""))
    if images:
        told["images"] = told["body"]
    if url:
        told["url"] = "page"
    return Article(
        url=url,
        blocks=blocks,
        images=images,
        kind="article",
        confidence=template.agreement,
        provenance=told,
        **values,
    )


def field_value(one: Cutter, data: bytes, encoding: str, base: str, language: str) -> Any:
    """What a rule says of a field on a page; something empty if it finds nothing."""
    rule, way = one.rule, one.way
    if way is Way.ADDRESS:
        return day_in_address(base)
    if way is Way.CONSTANT:
        return value_of(rule.field, [rule.value or ""], "html", base, language)
    end = rule.reach or len(data)
    try:
        if rule.attribute and one.find is not None:
            openings = one.find.openings(data, 0, end, 1000 if rule.each else 1)
            raw = [
                attribute_of(tag, rule.attribute) for tag in decoded(data, [Range(*at) for at in openings], encoding)
            ]
        else:
            found = ranges_of(one, data, alone=False, end=end)
            raw = decoded(data, found if rule.each or rule.field in SEVERAL else found[:1], encoding)
            if way is Way.ELEMENT:
                raw = [text_of(piece) for piece in raw]
    except (UnicodeDecodeError, Doubt):
        return None
    return value_of(rule.field, raw, rule.syntax, base, language, is_text=way is Way.ELEMENT)
