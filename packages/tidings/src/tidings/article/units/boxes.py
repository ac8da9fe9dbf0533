"""Find callouts, `details` elements, quotes with attribution, and embedded social-media posts."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Final

from tidings.article.model.blocks import Block, Inline, Kind
from tidings.article.model.constructors import changed
from tidings.article.units.article_tables import BLOCK_WORDS, WORDS
from tidings.article.units.places import HALF
from tidings.article.units.recordings import FILMS, NO_EMBEDS, framed
from tidings.article.units.social_posts import add_post, posts_by_element
from tidings.article.units.units import (
    FLOW,
    LONGEST_TAG,
    FoundUnits,
    UnitRange,
    attributes_of,
    children,
    classes_of,
    inside,
    is_longer,
    named,
    tag_of,
    text_of,
)
from tidings.fields.memo import memoized
from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.page.columns import any_set
from tidings.page.hidden import tag_name
from tidings.text.patterns import late_pattern

_SORTS: Final = {
    "note": "note", "tip": "tip", "hint": "tip", "important": "important", "warning": "warning", "warn": "warning",
    "caution": "caution", "danger": "danger", "error": "danger", "info": "info", "information": "info",
    "success": "success",
    "question": "question", "example": "example", "quote": "quote", "abstract": "abstract", "summary": "abstract",
    "todo": "todo", "bug": "bug", "failure": "failure", "seealso": "seealso", "attention": "warning", "primary": "note",
    "secondary": "note", "see-also": "seealso", "versionadded": "info", "versionchanged": "info",
    "deprecated": "warning",
}  # fmt: skip
_BOX: Final = late_pattern(
    r"(?:^|\s)(?:admonition|admonitionblock|theme-admonition|markdown-alert|callout|alert|notice|hint|custom-block|"
    r"bs-callout|md-alert|wp-block-alert|hint-box|note-box|notification|aside-note|message-box|infobox-note|starlight-aside|"
    r"confluence-information-macro|nextra-callout|kg-callout-card|section(?= (?:note|warning|attention|remark)s?\s)|"
    r"version(?:added|changed)|deprecated|mdn-callout|notecard|book-hint|callout-block|docs-callout)(?=$|[\s_-])"
)
#: Words in start tags of rare callouts and of definition lists used as callouts; class names that suffice on their own.
_RARE, _RARE_TERMS = ("tion-macro", '="version', '="note"', "expand-co"), ('="section',)
_TERMS: Final = tags.NUMBERS["dl"]
_BARE: Final = frozenset("note tip warning caution important danger info".split())
_FOLDED: Final = late_pattern(r"\s(?:kg-toggle-card|expand-container)\s")
_HEADS: Final = tags.HEADINGS | {tags.NUMBERS["dt"]}
#: Callouts placed by the author; an alert or notice may belong to the site.
_CALLOUT: Final = late_pattern(
    r"\s(?:admonition|theme-admonition|markdown-alert|(?:kg-|nextra-)?callout|custom-block|starlight-aside)[\s-]"
)
_BOX_TAGS: Final = frozenset("div aside section blockquote p table dl figure".split())
_FOLD: Final = late_pattern(r"heading|control|title|summary")
_TITLE: Final = late_pattern(r"title|heading|label|header|admonition-title|summary")
_WORD: Final = late_pattern(r"[a-z]+(?:-also)?")
_BOX_WORDS: Final = late_pattern(r"admonition|information-macro")
_BY: Final = late_pattern(r"\A\s*[—–―-]{1,2}\s*\S")
_WROTE: Final = late_pattern(r"(?:\bwrote|\bsaid|\bschrieb|\ba écrit|\bescribi\S+|:)\s*:?\s*\Z")
_QUOTED: Final = late_pattern(
    r"(?:^|\s)(?:quote|bbcode_quote|quotebox|bbcodeblock--quote|quote-block|quoted|quotecontainer|bb-quote|pull-?quote|quotemain)(?=$|\s)"
)
_QUOTE_TAGS: Final = frozenset("div aside section table figure".split())
_ATTRIBUTION: Final = late_pattern(
    r"attribution|cite|author|source|quoteheader|postedby|posted-by|quote-?title|quotetop|bbcodeblock-title|quote-header|title"
)
#: The maximum length of an attribution, in characters.
_LONGEST_NAME: Final = 200
_LONGEST_TITLE: Final = 160
#: Characters of a quote that must be unique on the page (otherwise it repeats other text), and the minimum length.
_SAME, _SHORT = 48, 8
_MARKS: Final = ' \n"“”„‟‘’‚«»‹›'
#: Share of a quote that has to be selected for the whole quote to be kept. High, because posts repeat earlier posts.
_NEARLY: Final = 0.8
#: Words for units other than boxes, quotes and embeds.
_BESIDE_BOXES: Final = tuple(
    word
    for word in BLOCK_WORDS.bit
    if word not in {"<img", *_RARE, *_RARE_TERMS, *WORDS["box"], *WORDS["quote"], *WORDS["embed"]}
)


@memoized
def rare_boxes(page: Page) -> list[int]:
    """Return candidates for callouts and details in rare markup."""
    elements: list[int] = [*page.holding(_RARE).tolist(), *page.holding(_RARE_TERMS, _TERMS).tolist()]
    return elements


#: Maximum nesting of details and quotes. Each level reads all of its contents, so deeper levels are merged into the
#: last one to bound the running time.
_MOST_NESTED: Final = 8


def find_boxes(units: FoundUnits) -> None:
    """Find callouts and details."""
    page = units.page
    behind = -1
    ends: list[int] = []  # of the details around an element
    for element in sorted({*named(units, "box"), *rare_boxes(page)}):
        name = tag_of(page, element)
        if name == "details" or _FOLDED.search(classes_of(page, element)):
            while ends and ends[-1] <= element:
                ends.pop()
            if len(ends) < _MOST_NESTED:
                _details(units, element)
                ends.append(inside(page, element).stop)
        elif element >= behind and name in _BOX_TAGS and (sort := _is_callout(units, element, name)):
            behind = inside(page, element).stop
            first, last = units.runs(element)
            title = _title(units, element)
            units.ranges.append(UnitRange(first, last, partial(_as_callout, sort, title, first, name == "blockquote")))


def _is_callout(units: FoundUnits, element: int, name: str) -> str:
    """Return the callout type of an element; empty if it is no callout or not selected."""
    first, last = units.runs(element)
    names = classes_of(units.page, element)
    if first >= last or not _is_named_box(name, names) or units.claimed[first:last].all():
        return ""
    sort = _callout_type(names)
    if sort and units.share(first, last) < HALF:
        if not (_CALLOUT.search(names) and units.is_kept(first, last, element, FLOW)) or _is_links(units, element):
            return ""
        _select_all(units, first, last)
    return sort


def _is_named_box(name: str, names: str) -> bool:
    """Return whether tag and class names are those of a callout."""
    return (names.strip() in _BARE and name in ("div", "aside")) or _BOX.search(names) is not None


def _is_links(units: FoundUnits, element: int) -> bool:
    """Return whether half of an element's text is links."""
    page = units.page
    linked = sum(
        len(text_of(page, element_inside))
        for element_inside in inside(page, element)
        if tag_of(page, element_inside) == "a"
    )
    return linked >= HALF * len(text_of(page, element))


def _callout_type(names: str) -> str:
    """Return the most specific callout type in some class names."""
    words = [word for word in _WORD.findall(_BOX_WORDS.sub(" ", names)) if word in _SORTS]
    types = [_SORTS[word] for word in words if word != "hint"] or [_SORTS[word] for word in words]
    if types:
        return next((name for name in types if name not in ("note", "quote", "abstract")), types[0])
    return (
        "note"
        if re.search(r"\s(?:admonition|(?:kg-|nextra-)?callout(?:-card)?|hint|notice|notecard)(?:\s|$)", names)
        else ""
    )


def _title(units: FoundUnits, element: int) -> tuple[int, int]:
    """Return the runs of a callout's title; (0, 0) if it has none."""
    page = units.page
    for inner in inside(page, element)[:12]:
        first, last = units.runs(inner)
        if first >= last:
            continue
        if _TITLE.search(classes_of(page, inner)) or page.elements.tag.item(inner) in _HEADS:
            if not is_longer(page, inner, _LONGEST_TITLE) and (first, last) != units.runs(element):
                return first, last
        elif is_longer(page, inner, _LONGEST_TITLE):
            return 0, 0
    return 0, 0


def _as_callout(
    sort: str, title: tuple[int, int], start: int, is_quote: bool, blocks: list[tuple[Block, int]]
) -> list[tuple[Block, int]]:
    depth = min(block.quote_depth for block, _ in blocks) + (not is_quote)
    title_inlines: tuple[Inline, ...] = ()
    rest = []
    for block, run in blocks:
        is_sign = title == (0, 0) and run == start and not any(sign.isalnum() for sign in block.text)
        if (
            (is_sign or title[0] <= run < title[1])
            and block.kind in (Kind.PARAGRAPH, Kind.HEADING, Kind.QUOTE, Kind.LIST_ITEM)
            and not title_inlines
        ):
            title_inlines = tuple(replace(inline, strong=False) for inline in block.inlines)
        else:
            rest.append((_deeper(block, not is_quote), run))
    first_block = Block(Kind.CALLOUT, title_inlines, quote_depth=depth, label=sort, size=len(rest))
    return [(first_block, start), *rest]


def _deeper(block: Block, by: int) -> Block:
    if not by:
        return block
    kind = Kind.QUOTE if block.kind is Kind.PARAGRAPH and not block.depth else block.kind
    return changed(block, kind=kind, quote_depth=block.quote_depth + by)


def _details(units: FoundUnits, element: int) -> None:
    page = units.page
    first, last = units.runs(element)
    is_native = tag_of(page, element) == "details"
    if first >= last or not any_set(units.chosen[first:last]):
        return
    child_elements = children(page, element)
    heads = (
        child
        for child in child_elements
        if (tag_of(page, child) == "summary" if is_native else _FOLD.search(classes_of(page, child)))
    )
    summary = next(heads, 0)
    if units.share(first, last) < HALF and (is_native or not units.is_kept(first, last, element, FLOW)):
        return
    if not is_native:
        if not summary:
            return
        _select_all(units, first, last)
    elif summary and any(page.elements.tag.item(child) in tags.HEADINGS for child in inside(page, summary)):
        return  # a section that can be folded
    elif " toggle " in classes_of(page, element) and "open" in attributes_of(page, element):
        return  # as rustdoc shows its text
    title = units.runs(summary) if summary else (0, 0)
    if summary:
        units.chosen[title[0] : title[1]] |= ~page.runs.hidden[title[0] : title[1]]
    units.ranges.append(UnitRange(first, last, partial(_as_details, title, first)))


def _as_details(title: tuple[int, int], start: int, blocks: list[tuple[Block, int]]) -> list[tuple[Block, int]]:
    depth = min(block.quote_depth for block, _ in blocks) + 1
    head = tuple(inline for block, run in blocks if title[0] <= run < title[1] for inline in block.inlines)
    rest = [(_deeper(block, 1), run) for block, run in blocks if not title[0] <= run < title[1]]
    return [(Block(Kind.DETAILS, head, quote_depth=depth, size=len(rest)), start), *rest]


def may_be_unit(tag: str, base: str) -> bool:
    """Return whether a start tag with one of `BLOCK_WORDS` may start a unit that changes the blocks."""
    values, name = attributes(tag[:LONGEST_TAG]), tag_name(tag)
    names = f" {values.get('class', '').lower()} "
    lower_tag = tag.lower()
    return (
        name in FILMS
        or name == "details"
        or any(word in lower_tag for word in _BESIDE_BOXES)
        or _FOLDED.search(names) is not None
        or (name in _BOX_TAGS and _is_named_box(name, names))
        or _is_named_quote(name, names)
        or (name not in NO_EMBEDS and framed(name, values, base) is not None)
    )


def find_quotes(units: FoundUnits) -> None:  # noqa: C901  # one way each
    """Find attributions of quotes, social-media posts, and quotes without `blockquote`."""
    page = units.page
    posts = posts_by_element(page)
    behind = -1
    ends: list[int] = []  # of the quotes around an element
    for element in named(units, "quote"):
        first, last = units.runs(element)
        if first >= last or element < behind:
            continue
        while ends and ends[-1] <= element:
            ends.pop()
        if len(ends) >= _MOST_NESTED:
            continue
        ends.append(inside(page, element).stop)
        name, names = tag_of(page, element), classes_of(page, element)
        if element in posts:
            behind = inside(page, element).stop
            add_post(units, posts[element])
            continue
        if not _is_named_quote(name, names):
            continue
        share = units.share(first, last)
        if share < _NEARLY and _is_unique_quote(units, element, first, last):
            share = 1.0
        if name == "blockquote":
            if share >= _NEARLY or (not share and "bbcode" in names and units.is_kept(first, last, element)):
                _select_all(units, first, last)
            _attribution(units, element, first, last)
        elif share:
            holds = any(tag_of(page, inner) == "blockquote" for inner in inside(page, element))
            if share >= HALF or holds:
                if share >= _NEARLY:
                    _select_all(units, first, last)
                _attribution(units, element, first, last, deeper=not holds)


def _is_named_quote(name: str, names: str) -> bool:
    """Return whether tag and class names are those of a quote."""
    return name == "blockquote" or (name in _QUOTE_TAGS and _QUOTED.search(names) is not None)


def _is_unique_quote(units: FoundUnits, element: int, first: int, last: int) -> bool:
    """Return whether an attributed quote is between selected paragraphs and appears only once on the page."""
    page = units.page
    parent = page.elements.parent.item(element)
    figure = parent if tag_of(page, parent) == "figure" else element
    low, high = units.runs(figure)
    if not (units.is_within(low, high) and units.is_among_paragraphs(figure)):
        return False
    if _attribution_runs(units, element, first, last) is None:
        return False
    starts, ends = page.runs.text_start[first:last], page.runs.text_end[first:last]
    longest = int((ends - starts).argmax())
    longest_text = page.text[starts[longest] : ends[longest]].strip(_MARKS)[:_SAME]
    return len(longest_text) > _SHORT and page.text.count(longest_text) == 1


def _select_all(units: FoundUnits, first: int, last: int) -> None:
    units.chosen[first:last] |= ~units.page.runs.hidden[first:last] & ~units.claimed[first:last]


def _attribution(units: FoundUnits, element: int, first: int, last: int, *, deeper: bool = False) -> None:
    """Find the attribution of a quote and schedule the change of its blocks."""
    page = units.page
    by = _attribution_runs(units, element, first, last)
    reach = last
    if by is not None and by[0] >= last:
        reach = by[1]
        if units.share(first, last) >= HALF:
            _select_all(units, *by)
    block = page.runs.block
    if by is not None and (
        (first < by[0] < last and block[by[0] - 1] == block[by[0]])
        or (by[1] < last and block[by[1] - 1] == block[by[1]])
    ):
        units.alone.update(range(*by))  # on the same line as the quotation
    if by is not None or deeper:
        units.ranges.append(UnitRange(first, reach, partial(_as_quote, by or (0, 0), deeper)))


def _attribution_runs(units: FoundUnits, element: int, first: int, last: int) -> tuple[int, int] | None:
    """Return the runs of a quote's attribution.

    That is a footer, `cite`, title or last line with a dash, or the caption of the figure around the quote.
    """
    page = units.page
    for inner in inside(page, element)[:300]:
        low, high = units.runs(inner)
        if low >= high or (low, high) == (first, last) or is_longer(page, inner, _LONGEST_NAME):
            continue
        name, names = tag_of(page, inner), classes_of(page, inner)
        is_edge = low == first or high == last
        if (
            (is_edge and (name in ("footer", "figcaption") or (name == "cite" and _is_own_line(page, inner))))
            or (
                is_edge
                and _ATTRIBUTION.search(names)
                and name in ("div", "p", "span", "a", "cite", "footer", "header", "small")
            )
            or (high == last and name == "p" and low > first and _BY.match(text_of(page, inner)))
        ):
            return low, high
    parent = page.elements.parent.item(element)
    if parent > 0 and "quote" in classes_of(page, parent):  # in Asciidoctor the attribution is next to the quote
        for child in children(page, parent):
            if (
                child > element
                and " attribution " in classes_of(page, child)
                and not is_longer(page, child, _LONGEST_NAME)
            ):
                return units.runs(child)
    for _ in range(2):
        if parent > 0 and tag_of(page, parent) == "figure":
            caption = next((child for child in children(page, parent) if tag_of(page, child) == "figcaption"), 0)
            if caption and not any(tag_of(page, child) == "img" for child in inside(page, parent)):
                return units.runs(caption)
            break
        parent = page.elements.parent.item(parent) if parent > 0 else 0
    return None


def _is_own_line(page: Page, element: int) -> bool:
    """Return whether an inline element is a line by itself, or ends a line after a break or a dash."""
    start = page.elements.start.item(element)
    before = page.source[max(0, start - 40) : start].rstrip()
    return before.endswith((">", "—", "–", "-", "&mdash;"))


def _as_quote(by: tuple[int, int], deeper: bool, blocks: list[tuple[Block, int]]) -> list[tuple[Block, int]]:
    rest: list[tuple[Block, int]] = []
    attributions: list[tuple[Block, int]] = []
    depth = max([block.quote_depth for block, _ in blocks] + [1])
    for block, run in blocks:
        changed_block = _deeper(block, 1) if deeper else block
        if by[0] <= run < by[1] and changed_block.kind in (
            Kind.PARAGRAPH,
            Kind.QUOTE,
            Kind.CAPTION,
            Kind.HEADING,
            Kind.LIST_ITEM,
        ):
            attributions.append(
                (Block(Kind.ATTRIBUTION, changed_block.inlines, quote_depth=max(changed_block.quote_depth, 1)), run)
            )
        else:
            rest.append((changed_block, run))
    if not attributions or not rest:
        return rest + attributions
    level = min([block.quote_depth for block, _ in rest if block.quote_depth] or [depth])
    attributions = [(changed(block, quote_depth=level), run) for block, run in attributions]
    before = [attribution for attribution in attributions if attribution[1] < rest[0][1]]
    ends = len(rest)
    while ends and not rest[ends - 1][0].quote_depth:
        ends -= 1
    place = rest[max(ends - 1, 0)][1]  # blocks stay in the order of their runs
    behind = [(block, place) for block, run in attributions if run >= rest[0][1]]
    return before + rest[:ends] + behind + rest[ends:]
