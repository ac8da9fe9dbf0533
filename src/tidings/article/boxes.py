"""Callouts, details, and quotes with who said it; posts of networks among them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Final

from tidings.article.article_tables import BLOCK_WORDS, WORDS
from tidings.article.blocks import Block, Embed, Inline, Kind
from tidings.article.making import changed
from tidings.article.places import HALF
from tidings.article.recordings import FILMS, NO_EMBEDS, framed
from tidings.article.units import (
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
from tidings.fields.addresses import absolute, safe
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
#: What start tags of rarer boxes hold, of lists of terms that are boxes, and class names that are all that a box has.
_RARE, _RARE_TERMS = ("tion-macro", '="version', '="note"', "expand-co"), ('="section',)
_TERMS: Final = tags.NUMBERS["dl"]
_BARE: Final = frozenset("note tip warning caution important danger info".split())
_FOLDED: Final = late_pattern(r"\s(?:kg-toggle-card|expand-container)\s")
_HEADS: Final = tags.HEADINGS | {tags.NUMBERS["dt"]}
#: What a writer put into the text; an alert or a notice may be the site's.
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
#: What an attribution is at most, in characters.
_LONGEST_NAME: Final = 200
_LONGEST_TITLE: Final = 160
#: So many characters of a quote that stand elsewhere on the page too say that it only repeats; fewer say nothing.
_SAME, _SHORT = 48, 8
_MARKS: Final = ' \n"“”„‟‘’‚«»‹›'
#: Of a quote so much has to be chosen for all of it to be: posts repeat what others said.
_NEARLY: Final = 0.8
_POSTS: Final = {"twitter-tweet": "X", "twitter-video": "X", "instagram-media": "Instagram", "tiktok-embed": "TikTok",
    "bluesky-embed": "Bluesky", "fb-post": "Facebook", "reddit-embed-bq": "Reddit", "reddit-card": "Reddit",
    "mastodon-embed": "Mastodon", "text-post-media": "Threads"}  # fmt: skip
#: What start tags of units say that are found elsewhere.
_BESIDE_BOXES: Final = tuple(
    word
    for word in BLOCK_WORDS.bit
    if word not in {"<img", *_RARE, *_RARE_TERMS, *WORDS["box"], *WORDS["quote"], *WORDS["embed"]}
)
_SIGNED_POST: Final = late_pattern(r"[—–-] ?[^()\n]{1,60} \(@\w{1,20}\) .{0,12}\d{4}\Z")
_BY_LINE: Final = late_pattern(r"(?:—|–|-|A post shared by)\s*(.{1,80}?)\s*(?:\((@[\w.]{1,40})\)|$)")


@memoized
def rare_boxes(page: Page) -> list[int]:
    """Return the elements that may be callouts or details as few sites write them."""
    found: list[int] = [*page.holding(_RARE).tolist(), *page.holding(_RARE_TERMS, _TERMS).tolist()]
    return found


#: Details, or quotes, inside each other that are read as such. Each level looks at all inside it; text of deeper ones
#: belongs to the last level.
_MOST_NESTED: Final = 8


def find_boxes(units: FoundUnits) -> None:
    """Callouts and details."""
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
    """What sort of callout an element is; nothing if it is none, or was not chosen."""
    first, last = units.runs(element)
    names = classes_of(units.page, element)
    if first >= last or not _is_named_box(name, names) or units.taken[first:last].all():
        return ""
    sort = _sort(names)
    if sort and units.share(first, last) < HALF:
        if not (_CALLOUT.search(names) and units.is_kept(first, last, element, FLOW)) or _is_links(units, element):
            return ""
        _whole(units, first, last)
    return sort


def _is_named_box(name: str, names: str) -> bool:
    """Return whether a tag and class names are those of a callout."""
    return (names.strip() in _BARE and name in ("div", "aside")) or _BOX.search(names) is not None


def _is_links(units: FoundUnits, element: int) -> bool:
    """Return whether half of what an element says are links."""
    page = units.page
    linked = sum(len(text_of(page, one)) for one in inside(page, element) if tag_of(page, one) == "a")
    return linked >= HALF * len(text_of(page, element))


def _sort(names: str) -> str:
    """What sort of callout class names tell of; of several, the most telling."""
    told = [word for word in _WORD.findall(_BOX_WORDS.sub(" ", names)) if word in _SORTS]
    found = [_SORTS[word] for word in told if word != "hint"] or [_SORTS[word] for word in told]
    if found:
        return next((one for one in found if one not in ("note", "quote", "abstract")), found[0])
    return (
        "note"
        if re.search(r"\s(?:admonition|(?:kg-|nextra-)?callout(?:-card)?|hint|notice|notecard)(?:\s|$)", names)
        else ""
    )


def _title(units: FoundUnits, element: int) -> tuple[int, int]:
    """Return the runs of the title of a callout; none if it has none."""
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
    head: tuple[Inline, ...] = ()
    rest = []
    for block, run in blocks:
        is_sign = title == (0, 0) and run == start and not any(sign.isalnum() for sign in block.text)
        if (
            (is_sign or title[0] <= run < title[1])
            and block.kind in (Kind.PARAGRAPH, Kind.HEADING, Kind.QUOTE, Kind.LIST_ITEM)
            and not head
        ):
            head = tuple(replace(inline, strong=False) for inline in block.inlines)
        else:
            rest.append((_deeper(block, not is_quote), run))
    begun = Block(Kind.CALLOUT, head, quote_depth=depth, label=sort, size=len(rest))
    return [(begun, start), *rest]


def _deeper(block: Block, by: int) -> Block:
    if not by:
        return block
    kind = Kind.QUOTE if block.kind is Kind.PARAGRAPH and not block.depth else block.kind
    return changed(block, kind=kind, quote_depth=block.quote_depth + by)


def _details(units: FoundUnits, element: int) -> None:
    page = units.page
    first, last = units.runs(element)
    is_own = tag_of(page, element) == "details"
    if first >= last or not any_set(units.chosen[first:last]):
        return
    some = children(page, element)
    heads = (one for one in some if (tag_of(page, one) == "summary" if is_own else _FOLD.search(classes_of(page, one))))
    summary = next(heads, 0)
    if units.share(first, last) < HALF and (is_own or not units.is_kept(first, last, element, FLOW)):
        return
    if not is_own:
        if not summary:
            return
        _whole(units, first, last)
    elif summary and any(page.elements.tag.item(one) in tags.HEADINGS for one in inside(page, summary)):
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
    """Return whether a start tag that holds one of `BLOCK_WORDS` may be that of what makes other blocks."""
    found, name = attributes(tag[:LONGEST_TAG]), tag_name(tag)
    names = f" {found.get('class', '').lower()} "
    small = tag.lower()
    return (
        name in FILMS
        or name == "details"
        or any(word in small for word in _BESIDE_BOXES)
        or _FOLDED.search(names) is not None
        or (name in _BOX_TAGS and _is_named_box(name, names))
        or _is_named_quote(name, names)
        or (name not in NO_EMBEDS and framed(name, found, base) is not None)
    )


def find_quotes(units: FoundUnits) -> None:  # noqa: C901  # one way each
    """Who said what is quoted; posts of networks; quotes that are no `blockquote`."""
    page = units.page
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
        if name == "blockquote" and (provider := _network(page, element, names)):
            behind = inside(page, element).stop
            _post(units, element, first, last, provider)
            continue
        if not _is_named_quote(name, names):
            continue
        share = units.share(first, last)
        if share < _NEARLY and _stands_between(units, element, first, last):
            share = 1.0
        if name == "blockquote":
            if share >= _NEARLY or (not share and "bbcode" in names and units.is_kept(first, last, element)):
                _whole(units, first, last)
            _attribution(units, element, first, last)
        elif share:
            holds = any(tag_of(page, one) == "blockquote" for one in inside(page, element))
            if share >= HALF or holds:
                if share >= _NEARLY:
                    _whole(units, first, last)
                _attribution(units, element, first, last, deeper=not holds)


def _is_named_quote(name: str, names: str) -> bool:
    """Return whether a tag and class names are those of a quote."""
    return name == "blockquote" or (name in _QUOTE_TAGS and _QUOTED.search(names) is not None)


def _network(page: Page, element: int, names: str) -> str:
    """Return the network whose post a quote is, told by its class, or by how posts end: `— Name (@name) May 1,
    2024`.
    """
    told = next((by for word, by in _POSTS.items() if f" {word} " in names), "")
    return told or ("X" if _SIGNED_POST.search(text_of(page, element)[-120:]) else "")


def _stands_between(units: FoundUnits, element: int, first: int, last: int) -> bool:
    """Return whether a quote with its author stands between chosen paragraphs, and the page says it nowhere else."""
    page = units.page
    around = page.elements.parent.item(element)
    figure = around if tag_of(page, around) == "figure" else element
    low, high = units.runs(figure)
    if not (units.is_within(low, high) and units.is_among_paragraphs(figure)):
        return False
    if _said_by(units, element, first, last) is None:
        return False
    starts, ends = page.runs.text_start[first:last], page.runs.text_end[first:last]
    longest = int((ends - starts).argmax())
    said = page.text[starts[longest] : ends[longest]].strip(_MARKS)[:_SAME]
    return len(said) > _SHORT and page.text.count(said) == 1


def _whole(units: FoundUnits, first: int, last: int) -> None:
    units.chosen[first:last] |= ~units.page.runs.hidden[first:last] & ~units.taken[first:last]


def _attribution(units: FoundUnits, element: int, first: int, last: int, *, deeper: bool = False) -> None:
    """Mark who said it."""
    page = units.page
    by = _said_by(units, element, first, last)
    reach = last
    if by is not None and by[0] >= last:
        reach = by[1]
        if units.share(first, last) >= HALF:
            _whole(units, *by)
    block = page.runs.block
    if by is not None and (
        (first < by[0] < last and block[by[0] - 1] == block[by[0]])
        or (by[1] < last and block[by[1] - 1] == block[by[1]])
    ):
        units.alone.update(range(*by))  # it stands in one line with what was said
    if by is not None or deeper:
        units.ranges.append(UnitRange(first, reach, partial(_as_quote, by or (0, 0), deeper)))


def _said_by(units: FoundUnits, element: int, first: int, last: int) -> tuple[int, int] | None:
    """Who said it: a footer, `cite`, a title or a last line with a dash; or the caption of a figure around it."""
    page = units.page
    for inner in inside(page, element)[:300]:
        low, high = units.runs(inner)
        if low >= high or (low, high) == (first, last) or is_longer(page, inner, _LONGEST_NAME):
            continue
        name, names = tag_of(page, inner), classes_of(page, inner)
        is_edge = low == first or high == last
        if (
            (is_edge and (name in ("footer", "figcaption") or (name == "cite" and _stands_alone(page, inner))))
            or (
                is_edge
                and _ATTRIBUTION.search(names)
                and name in ("div", "p", "span", "a", "cite", "footer", "header", "small")
            )
            or (high == last and name == "p" and low > first and _BY.match(text_of(page, inner)))
        ):
            return low, high
    around = page.elements.parent.item(element)
    if around > 0 and "quote" in classes_of(page, around):  # Asciidoctor has who said it beside the quote
        for one in children(page, around):
            if one > element and " attribution " in classes_of(page, one) and not is_longer(page, one, _LONGEST_NAME):
                return units.runs(one)
    for _ in range(2):
        if around > 0 and tag_of(page, around) == "figure":
            caption = next((one for one in children(page, around) if tag_of(page, one) == "figcaption"), 0)
            if caption and not any(tag_of(page, one) == "img" for one in inside(page, around)):
                return units.runs(caption)
            break
        around = page.elements.parent.item(around) if around > 0 else 0
    return None


def _stands_alone(page: Page, element: int) -> bool:
    """Return whether an inline element is a line by itself, or ends one behind a break or a dash."""
    start = page.elements.start.item(element)
    before = page.source[max(0, start - 40) : start].rstrip()
    return before.endswith((">", "—", "–", "-", "&mdash;"))


def _as_quote(by: tuple[int, int], deeper: bool, blocks: list[tuple[Block, int]]) -> list[tuple[Block, int]]:
    made: list[tuple[Block, int]] = []
    named_by: list[tuple[Block, int]] = []
    depth = max([block.quote_depth for block, _ in blocks] + [1])
    for block, run in blocks:
        found = _deeper(block, 1) if deeper else block
        if by[0] <= run < by[1] and found.kind in (
            Kind.PARAGRAPH,
            Kind.QUOTE,
            Kind.CAPTION,
            Kind.HEADING,
            Kind.LIST_ITEM,
        ):
            named_by.append((Block(Kind.ATTRIBUTION, found.inlines, quote_depth=max(found.quote_depth, 1)), run))
        else:
            made.append((found, run))
    if not named_by or not made:
        return made + named_by
    level = min([block.quote_depth for block, _ in made if block.quote_depth] or [depth])
    named_by = [(changed(block, quote_depth=level), run) for block, run in named_by]
    before = [one for one in named_by if one[1] < made[0][1]]
    ends = len(made)
    while ends and not made[ends - 1][0].quote_depth:
        ends -= 1
    place = made[max(ends - 1, 0)][1]  # blocks stay in the order of their runs
    behind = [(block, place) for block, run in named_by if run >= made[0][1]]
    return before + made[:ends] + behind + made[ends:]


def _post(units: FoundUnits, element: int, first: int, last: int, provider: str) -> None:
    """A post of a network, as its own markup has it before a script draws it. It says something if it was chosen."""
    page = units.page
    is_chosen = units.share(first, last) >= HALF
    if not (is_chosen or _is_beside(units, first, last)):
        return
    links = [one for one in inside(page, element) if tag_of(page, one) == "a"]
    addresses = [attributes_of(page, one).get("href", "") for one in links]
    found = attributes_of(page, element)
    told = found.get("cite") or found.get("data-instgrm-permalink") or found.get("data-bluesky-uri") or ""
    url = told if told.startswith("http") else next((one for one in reversed(addresses) if "/" in one), "")
    whole = text_of(page, element)
    match = _BY_LINE.search(whole)
    author = " ".join(filter(None, (match[1], match[2] and f"({match[2]})"))) if match else ""
    safe_url = safe(absolute(url, units.base)) if url else None
    said = (Inline(whole),) if is_chosen and whole else ()
    block = Block(Kind.EMBED, said, embed=Embed(provider, safe_url or "", author))
    if is_chosen:
        units.becomes(first, last, block)
        units.flat.add(first)
    else:
        units.leave(first, last)
        units.inserted.append((first, block))


def _is_beside(units: FoundUnits, first: int, last: int) -> bool:
    before, behind = first - 1, last
    return (
        before >= 0 and bool(units.chosen[before]) and behind < len(units.chosen) and bool(units.chosen[behind:].any())
    )
