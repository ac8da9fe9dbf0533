"""Plain HTML read in one pass over its tags.

Plain is what is closed in order and made of the elements that stories are made of. The blocks are those that
`Page` and `assemble` would give, by the same rules: what stands between two texts, which picture belongs to the story,
which caption to which picture. What is not plain (tables, code, tags closed out of order) is told by `NotPlain`.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final, NamedTuple

from tidings.article import Block, Image, Inline, Item, Kind
from tidings.article.inlines import PLAIN, Part, Style, common, joined
from tidings.article.pictures import AROUND, BESIDE, LONGEST_CAPTION, picture_of
from tidings.fields.addresses import absolute
from tidings.fields.named import names_of
from tidings.page.attributes import attributes
from tidings.page.hidden import is_hidden
from tidings.page.references import unescape
from tidings.page.tags import NUMBERS

#: Not shown, with all they hold. What stands before and behind a frame, a drawing or a `noscript` is apart.
_UNSEEN: Final = re.compile(
    r"<(?:!--(?:.*?-->|.*)"
    r"|(script|style|iframe|noscript|svg|object|video|audio|canvas|select|textarea)\b[^>]*+>.*?</\1\s*+>)",
    re.DOTALL | re.IGNORECASE,
)
#: As they begin in nearly every page; pages that write them otherwise are not plain.
_MAYBE_UNSEEN: Final = tuple(
    "<!-- <script <style <ifra <nosc <svg <obje <vide <audi <canv <sele <texta <SCRIPT <STYLE <IFRA <NOSC <OBJE".split()
)
#: Tags that change nothing about the text in them, where no style or name can hide it.
_MEANINGLESS: Final = re.compile(
    r"</?(?:span|font|small|big|u|s|del|ins|abbr|acronym|time|label|mark|q|bdi|strike|wbr)(?:\s[^<>]*+)?/?>",
    re.IGNORECASE,
)
_GLUED: Final = frozenset(("script", "style"))
_WITH_PICTURES: Final = frozenset(("noscript", "object", "video", "audio", "canvas"))
_ANY_TAG: Final = r"(/?[a-zA-Z][^\s/<>]*+)([^<>]*+)>"
#: A tag; or a whole paragraph with no tag in it, which most are, where its name and style mean nothing.
_TAG: Final = re.compile("<(?:(?!)()|" + _ANY_TAG + ")")
_TAG_OR_PARAGRAPH: Final = re.compile(
    r"<(?:[pP](?:\s[^<>\"]*+(?:\"[^<>\"]*+\"[^<>\"]*+)*+)?>([^<]++)</[pP]>|" + _ANY_TAG + ")"
)
_PICTURES: Final = re.compile(r"<img\b[^<>]*+>", re.IGNORECASE)
#: Words that a start tag which hides its element has, as quickly told of a whole fragment.
_HIDING_WORDS: Final = ("hidden", "sr-only", "screen", "HIDDEN", "Hidden", "Screen", "STYLE", "Style", "APTION")
_HIDING_STYLE: Final = re.compile(
    r"style\s*=[^>]*?(?:none|visib|opacity|font-size\s*:\s*0|:\s*-\d\d\d|clip|background|NONE|Visib|Opacity)"
)
#: The same of one tag, exactly.
_SUSPICIOUS: Final = re.compile(
    r"hidden|sr-only|screen|style\s*=[^>]*?(?:none|visib|opacity|font-size\s*:\s*0|:\s*-\d\d\d|clip|background)",
    re.IGNORECASE,
)
_HREF: Final = re.compile(r"\shref=\"([^\"&\s]++)\"")
_STYLES: Final = {
    name: style
    for names, style in {
        "strong b": Style(strong=True),
        "em i cite dfn var": Style(emphasis=True),
        "code kbd samp tt": Style(code=True),
        "sup": Style(superscript=True),
        "sub": Style(subscript=True),
    }.items()
    for name in names.split()
}
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
#: What a container may be; outside a table a cell is a box like any other.
_ROOTS: Final = frozenset(("td", "body", "tr"))
#: A heading of so many blocks was never closed.
_HEADING_BLOCKS: Final = 3


# What a tag does: plain numbers, for looking up a member of an enumeration takes longer than comparing it. Those up to
# VOID stand in a text, those from RULE on between texts.
_OTHER, _INLINE, _STYLE, _LINK, _PICTURE, _IMG, _SOURCE, _BREAK, _VOID = range(9)  # OTHER: not plain
_RULE, _PARAGRAPH, _BOX, _ITEM, _HEADING, _FIGURE, _CAPTION, _QUOTE, _NUMBERED, _LIST = range(9, 19)

_SORTS: Final[dict[str, int]] = dict.fromkeys(NUMBERS, _OTHER) | {
    name: sort
    for names, sort in {
        "abbr acronym bdi bdo big del font ins label mark q s small span strike time u": _INLINE,
        " ".join(_STYLES): _STYLE,
        "a": _LINK,
        "picture": _PICTURE,
        "img": _IMG,
        "source": _SOURCE,
        "br": _BREAK,
        "input link meta wbr": _VOID,
        "hr": _RULE,
        "p": _PARAGRAPH,
        "address article aside button center details div fieldset footer form header hgroup main nav search section "
        "summary": _BOX,
        "li": _ITEM,
        " ".join(_HEADINGS): _HEADING,
        "figure": _FIGURE,
        "figcaption": _CAPTION,
        "blockquote": _QUOTE,
        "ol": _NUMBERED,
        "ul menu": _LIST,
    }.items()
    for name in names.split()
}
_SORTS.update({name.upper(): sort for name, sort in list(_SORTS.items())})
_HOLDING_NOTHING: Final = frozenset((_IMG, _SOURCE, _VOID, _RULE))
#: What ends with the tag around it, without an end tag of its own.
_ENDS_BY_ITSELF: Final = frozenset((_PARAGRAPH, _ITEM))


class NotPlain(Exception):  # no failure: the fragment goes another way
    """A fragment that only a page does justice to."""


class Pieces(NamedTuple):
    """What a fragment holds."""

    blocks: tuple[Block, ...]
    images: tuple[Image, ...]


def plainly(fragment: str, base: str) -> Pieces:
    """The blocks and pictures of a plain fragment.

    Raises:
        NotPlain: the fragment is not plain.
    """
    for beginning in _MAYBE_UNSEEN:
        if beginning in fragment:
            fragment = _UNSEEN.sub(_without_text, fragment)
            break
    suspicious = any(word in fragment for word in _HIDING_WORDS) or bool(
        "style" in fragment and _HIDING_STYLE.search(fragment)
    )
    captions = "<img" in fragment.replace("<IMG", "<img") and fragment.count("aption") > fragment.count("figcaption")
    tags = _TAG
    if not suspicious and not captions:
        fragment = _MEANINGLESS.sub("", fragment)
        tags = _TAG_OR_PARAGRAPH
    reading = _Reading(base, suspicious, captions)
    reading.read(tags.split(fragment))
    return reading.result()


def _without_text(match: re.Match[str]) -> str:
    """What is left of something that is not shown: pictures in a `noscript` and the like."""
    name = (match[1] or "script").lower()
    if name in _GLUED:
        return ""
    return "<hr>" + "".join(_PICTURES.findall(match[0])) + "<hr>" if name in _WITH_PICTURES else "<hr>"


class _Around(NamedTuple):
    """What stands around a piece of text."""

    style: Style = PLAIN
    heading: int = 0
    caption: bool = False
    figure: int = 0
    quotes: int = 0
    quoted: bool = False
    lists: int = 0
    counter: list[int] | None = None  # of the innermost list, if it has numbers
    item: int = 0
    number: int | None = None
    depth: int = 0


_NOTHING: Final = _Around()


class _Open(NamedTuple):
    """An element that is open."""

    sort: int
    name: str
    around: _Around  # what stands around it
    number: int  # in document order


class _Seen(NamedTuple):
    """A picture as it stands in the fragment."""

    said: str  # its attributes
    sources: tuple[str, ...]  # those of what a `picture` around it offers
    place: int  # the block it stands before
    figure: int
    number: int  # of its element
    parents: tuple[int, ...]  # the nearest elements around it


class _Caption(NamedTuple):
    """An element with a name like those of captions, by number, and its part of the text."""

    number: int
    first: int
    last: int


class _Reading:
    """A fragment being read."""

    def __init__(self, base: str, suspicious: bool, captions: bool) -> None:
        self.base = base
        self.suspicious = suspicious
        self.with_captions = captions
        self.blocks: list[Block] = []
        self.stack: list[_Open] = []
        self.around = _NOTHING
        self.first = _NOTHING  # what stands around the block in the making
        self.parts: list[Part] = []
        self.texts: list[str] = []  # of the part in the making
        self.style = PLAIN
        self.spaced = False
        self.breaks = 0
        self.number = 0
        self.items = 0
        self.begun = 0  # the last item that a block began
        self.figures = 0
        self.heading_blocks = 0
        self.in_link = False
        self.hidden = 0  # how many elements are open in a hidden one, itself included
        self.pictures: list[_Seen] = []
        self.figure_captions: dict[int, str] = {}  # of a figure, its first
        self.captioned: list[tuple[int, int]] = []  # blocks that are captions, with their figures
        self.sources: list[str] = []  # in a `picture`
        self.said: list[str] = []  # every text with what stands before it, for captions beside pictures
        self.captions: list[_Caption] = []
        self.waiting: list[tuple[int, int, int]] = []  # captions that are open: depth, number, first text
        self.ends: dict[int, int] = {}  # of elements that were closed, the number of the element behind

    def read(self, cut: list[str | Any]) -> None:
        """All tags, each with the text behind it: one loop, for calls would double its time."""
        stack = self.stack
        if cut[0]:
            self.text(cut[0])
        for simple, name, said, raw in zip(cut[1::4], cut[2::4], cut[3::4], cut[4::4], strict=True):
            if simple is not None:
                self.paragraph(simple)
            elif name[0] == "/":
                sort = _SORTS.get(name[1:], _INLINE)
                if sort > _VOID and (self.texts or self.breaks or self.spaced):
                    self.end()
                if stack and stack[-1][0] == sort and stack[-1][1] == name[1:]:
                    self.pop()
                else:
                    self.close(name[1:].lower(), sort)
            else:
                self.number += 1
                sort = _SORTS.get(name, _INLINE)
                if sort > _VOID and (self.texts or self.breaks or self.spaced):
                    self.end()
                if sort == _BREAK:
                    self.breaks += 1
                else:
                    self.open(name.lower(), sort, said)
            if raw:
                self.text(raw)

    def paragraph(self, raw: str) -> None:
        """A paragraph with no tag in it."""
        self.number += 1
        if self.texts or self.breaks or self.spaced:
            self.end()
        if self.stack and self.stack[-1][0] < _BOX:
            self.make_room(_PARAGRAPH)
        if self.around is _NOTHING:
            words = (unescape(raw) if "&" in raw else raw).split()
            if words:
                self.blocks.append(Block(Kind.PARAGRAPH, (Inline(" ".join(words)),)))
        else:
            self.text(raw)
            self.end()

    def text(self, raw: str) -> None:
        """A piece between two tags."""
        if "<" in raw:
            raise NotPlain
        if self.hidden:
            self.spaced = True
            return
        if "&" in raw:
            raw = unescape(raw)
        words = raw.split()
        if not words:
            self.spaced = True
            return
        own = self.around.style
        if self.breaks > 1:
            self.end()
        texts = self.texts
        said = " ".join(words)
        if texts:
            gap = "\n" if self.breaks else " " if self.spaced or raw[0].isspace() else ""
            if own is self.style or own == self.style:
                texts.append(gap)
            else:
                self.parts += ("".join(texts), self.style), (gap, common(self.style, own))
                texts.clear()
                self.style = own
        else:
            gap = "\n"
            self.first, self.style = self.around, own
        texts.append(said)
        if self.with_captions:
            self.said.append(gap + said)
        self.breaks = 0
        self.spaced = raw[-1].isspace()

    def end(self) -> None:
        """The end of a block, if one was in the making."""
        self.breaks = 0
        self.spaced = False
        if not self.texts:
            return
        if self.parts:
            self.parts.append(("".join(self.texts), self.style))
            inlines = joined(self.parts)
            self.parts = []
        else:
            inlines = (Inline("".join(self.texts), *self.style),)
        self.texts = []
        around = self.first
        if around is _NOTHING:  # most are
            self.blocks.append(Block(Kind.PARAGRAPH, inlines))
            return
        item = None
        if around.item > self.begun:
            item = Item(around.number is not None, around.number)
            self.begun = around.item
        if around.heading:
            self.heading_blocks += 1
            if self.heading_blocks >= _HEADING_BLOCKS:
                raise NotPlain
        level = None
        if around.caption:
            kind = Kind.CAPTION
            self.captioned.append((len(self.blocks), around.figure))
        elif around.heading:
            kind, level = Kind.HEADING, around.heading
        elif around.quoted:
            kind = Kind.QUOTE
        else:
            kind = Kind.LIST_ITEM if item else Kind.PARAGRAPH
        self.blocks.append(Block(kind, inlines, level, around.depth, item, around.quotes))

    # -- tags ---------------------------------------------------------------------------------------------------

    def open(self, name: str, sort: int, said: str) -> None:
        """A start tag."""
        if sort in _HOLDING_NOTHING:
            self.void(sort, said)
            return
        if said and said.count('"') % 2:
            raise NotPlain  # a `>` in an attribute
        if sort > _VOID:
            self.make_room(sort)
        elif sort == _LINK:
            if self.in_link:
                raise NotPlain
            self.in_link = True
        elif sort == _OTHER and (self.stack or name not in _ROOTS):
            raise NotPlain
        self.stack.append(_Open(sort, name, self.around, self.number))
        if self.hidden or self.suspicious or self.with_captions:
            self.look_at(name, said)
        inside = _INSIDE.get(sort)
        if inside is not None:
            self.around = inside(self, name, said, self.around)

    def look_at(self, name: str, said: str) -> None:
        """See whether the element that was just opened is hidden, or a caption."""
        if self.hidden:
            self.hidden += 1
        elif self.suspicious and said and _SUSPICIOUS.search(said) and is_hidden(attributes(f"<{name} {said}>")):
            self.hidden = 1
        if self.with_captions and _is_caption(said):
            self.waiting.append((len(self.stack), self.number, len(self.said)))

    def make_room(self, sort: int) -> None:
        """Close what an element that stands between texts closes: an open paragraph, the item before."""
        stack = self.stack
        if stack and stack[-1].sort == _PARAGRAPH:
            self.pop()
        if sort == _ITEM and stack and stack[-1].sort == _ITEM:
            self.pop()
        if sort == _HEADING and stack and stack[-1].sort == _HEADING:
            raise NotPlain
        for one in reversed(stack):
            if one.sort > _VOID:
                if one.sort == _PARAGRAPH:
                    raise NotPlain  # it would be closed, and what is open in it opened anew
                break

    def void(self, sort: int, said: str) -> None:
        """An element that holds nothing."""
        if sort == _SOURCE:
            self.sources.append(said)
        elif sort == _IMG:
            if self.hidden:
                raise NotPlain  # it may be shown, if its box holds no text
            inside = bool(self.stack) and self.stack[-1].sort == _PICTURE
            parents = tuple(one.number for one in self.stack[: -AROUND - 1 : -1])
            place = len(self.blocks) + bool(self.texts)
            sources = tuple(self.sources) if inside else ()
            self.pictures.append(_Seen(said, sources, place, self.around.figure, self.number, parents))

    def in_a_link(self, _: str, said: str, around: _Around) -> _Around:
        """Inside a link."""
        found = _HREF.search(said)
        href = found[1] if found else attributes(f"<a {said}>").get("href") if said else None
        if href is None:
            return around
        return _Around(Style(absolute(href, self.base), *around.style[1:]), *around[1:])

    def in_style(self, name: str, _: str, around: _Around) -> _Around:
        """Inside a strong, slanted, raised … text."""
        own = _STYLES[name]
        return _Around(own if around.style is PLAIN else _both(around.style, own), *around[1:])

    def in_picture(self, _: str, __: str, around: _Around) -> _Around:
        """Inside a `picture`, which offers sources."""
        self.sources = []
        return around

    def in_heading(self, name: str, _: str, around: _Around) -> _Around:
        """Inside a heading."""
        self.heading_blocks = 0
        return around._replace(heading=_HEADINGS[name])

    def in_figure(self, _: str, __: str, around: _Around) -> _Around:
        """Inside a figure."""
        self.figures += 1
        return around._replace(figure=self.figures)

    def in_caption(self, _: str, __: str, around: _Around) -> _Around:
        """Inside the caption of a figure."""
        return around._replace(caption=True)

    def in_quote(self, _: str, __: str, around: _Around) -> _Around:
        """Inside a quotation."""
        return around._replace(quotes=around.quotes + 1, quoted=True)

    def in_list(self, name: str, said: str, around: _Around) -> _Around:
        """Inside a list."""
        if "start" in said or "reversed" in said:
            raise NotPlain
        return around._replace(lists=around.lists + 1, counter=[0] if name == "ol" else None)

    def in_item(self, _: str, said: str, around: _Around) -> _Around:
        """Inside an item of a list."""
        if "value" in said:
            raise NotPlain
        self.items += 1
        number = None
        if around.counter is not None:
            around.counter[0] += 1
            number = around.counter[0]
        return around._replace(item=self.items, number=number, depth=max(around.lists, 1), quoted=False)

    def close(self, name: str, sort: int) -> None:
        """An end tag that is not that of the innermost element."""
        stack = self.stack
        if not any(one.name == name for one in stack):
            if sort == _BREAK:
                raise NotPlain  # it stands for a start tag
            return  # it ends nothing
        if stack[-1].name != name and stack[-1].sort in _ENDS_BY_ITSELF and sort > _VOID:
            self.pop()
        if stack[-1].name != name:
            raise NotPlain
        self.pop()

    def pop(self) -> None:
        """The innermost element ends."""
        sort, _, self.around, number = self.stack.pop()
        if sort == _LINK:
            self.in_link = False
        if self.hidden:
            self.hidden -= 1
        if self.pictures:
            self.ends[number] = self.number + 1
        while self.waiting and self.waiting[-1][0] > len(self.stack):
            _, caption, first = self.waiting.pop()
            self.captions.append(_Caption(caption, first, len(self.said)))

    # -- the end ------------------------------------------------------------------------------------------------

    def result(self) -> Pieces:
        """All that was read."""
        self.end()
        while self.stack:
            if self.stack[-1].sort not in _ENDS_BY_ITSELF:
                raise NotPlain
            self.pop()
        blocks = self.blocks
        if not self.pictures or not blocks:
            return Pieces(tuple(blocks), ())
        for place, figure in self.captioned:
            said = " ".join(blocks[place].text.split())
            before = self.figure_captions.get(figure)
            self.figure_captions[figure] = f"{before} {said}" if before else said
        images: dict[str, Image] = {}
        by_figure: dict[int, Image] = {}
        captions = dict(self.figure_captions) if self.figures else {}
        for seen in self.pictures:
            # One behind all text belongs to what follows, unless its caption is in the text.
            if seen.place >= len(blocks) and not (seen.figure and seen.figure in self.figure_captions):
                continue
            found = picture_of(attributes(f"<img {seen.said}>"), self.base, partial(_attributes, seen.sources))
            if found is not None and found.src not in images:
                caption = captions.pop(seen.figure, "") if seen.figure else ""
                image = Image(found.src, found.alt, caption or self.beside(seen), seen.place)
                images[image.src] = image
                by_figure.setdefault(seen.figure, image)
        for place, figure in self.captioned:
            if figure and figure in by_figure:
                kind, inlines = blocks[place].kind, blocks[place].inlines
                depth, item, quotes = blocks[place].depth, blocks[place].item, blocks[place].quote_depth
                blocks[place] = Block(kind, inlines, None, depth, item, quotes, (), by_figure.pop(figure))
        return Pieces(tuple(blocks), tuple(images.values()))

    def beside(self, seen: _Seen) -> str:
        """The text of the element named after captions that stands beside a picture."""
        if not self.captions:
            return ""
        another = min((one.number for one in self.pictures if one.number > seen.number), default=self.number + 1)
        for parent in seen.parents:
            end = min(self.ends.get(parent, self.number + 1), seen.number + BESIDE)
            for caption in sorted(self.captions):
                if seen.number < caption.number < end and caption.last > caption.first:
                    if caption.number > another:
                        return ""
                    words = " ".join("".join(self.said[caption.first : caption.last]).split())
                    return words if len(words) <= LONGEST_CAPTION else ""
            if another < end:
                return ""
        return ""


_INSIDE: Final = {
    _LINK: _Reading.in_a_link,
    _STYLE: _Reading.in_style,
    _PICTURE: _Reading.in_picture,
    _HEADING: _Reading.in_heading,
    _FIGURE: _Reading.in_figure,
    _CAPTION: _Reading.in_caption,
    _QUOTE: _Reading.in_quote,
    _LIST: _Reading.in_list,
    _NUMBERED: _Reading.in_list,
    _ITEM: _Reading.in_item,
}


def _attributes(sources: tuple[str, ...]) -> list[dict[str, str]]:
    return [attributes(f"<source {source}>") for source in sources]


def _is_caption(said: str) -> bool:
    if "caption" not in said.lower():
        return False
    return any("caption" in name.lower() for name in names_of(f"<p {said}>"))


def _both(one: Style, other: Style) -> Style:
    return Style(one.href, *(either or too for either, too in zip(one[1:], other[1:], strict=True)))
