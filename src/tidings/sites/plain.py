"""Plain HTML read in one pass over its tags.

Plain is what is closed in order and made of the elements that stories are made of. The blocks are those that
`Page` and `assemble` would give, by the same rules: what stands between two texts, which picture belongs to the story,
which caption to which picture. What is not plain (tables, code, tags closed out of order) is told by `NotPlain`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from tidings.article import Block, Image, Inline, Item, Kind
from tidings.article.inlines import PLAIN, Part, Style, common, joined, with_style
from tidings.article.pictures import AROUND
from tidings.fields.addresses import absolute
from tidings.page.attributes import attributes
from tidings.page.hidden import may_hide, named_suspects, ways_hidden
from tidings.page.references import unescape
from tidings.page.style_sheet import NO_STYLES, StyleSheet
from tidings.page.styles import INHERITED
from tidings.sites.plain_pictures import Caption, Pictures, Seen, is_caption
from tidings.sites.plain_tags import (
    ALL_ATTRIBUTES,
    AROUND_PART,
    ATTRIBUTES,
    BOX,
    BREAK,
    CAPTION,
    ENDS_BY_ITSELF,
    FIGURE,
    HEADING,
    HEADING_BLOCKS,
    HEADINGS,
    HOLDING_NOTHING,
    HREF,
    IMG,
    INLINE,
    ITEM,
    LINK,
    LIST,
    MAYBE_UNSEEN,
    MEANINGLESS,
    NUMBERED,
    OTHER,
    PARAGRAPH,
    PICTURE,
    QUOTE,
    SIDE_BY_SIDE,
    SORTS,
    SOURCE,
    STYLE,
    STYLES,
    TABLE,
    TAG,
    TAG_OR_PARAGRAPH,
    UNSEEN,
    VOID,
    without_text,
)


class NotPlain(Exception):  # no failure: the fragment goes another way
    """A fragment that only a page does justice to."""


class Pieces(NamedTuple):
    """What a fragment holds."""

    blocks: tuple[Block, ...]
    images: tuple[Image, ...]


def plainly(fragment: str, base: str, styles: StyleSheet = NO_STYLES) -> Pieces:
    """The blocks and pictures of a plain fragment.

    Raises:
        NotPlain: the fragment is not plain.
    """
    if MAYBE_UNSEEN.search(fragment):
        fragment = UNSEEN.sub(without_text, fragment)
    said = ">".join(ATTRIBUTES.findall(fragment))
    if not ALL_ATTRIBUTES.fullmatch(said):
        raise NotPlain  # a `>` in an attribute
    suspicious = may_hide(said.lower())
    if styles and not suspicious:
        suspicious = bool(named_suspects([f"<{name}{said}>" for *_, name, said in TAG.findall(fragment)], styles))
    captions = ("aption" in said or "APTION" in said) and ("<img" in fragment or "<IMG" in fragment)
    if "<table" in fragment or "<TABLE" in fragment or "<td" in fragment:
        _check_tables(fragment)
    tags = TAG
    if not suspicious and not captions:
        fragment = MEANINGLESS.sub("", fragment)
        tags = TAG_OR_PARAGRAPH
    reading = _Reading(base, suspicious, captions, styles)
    reading.read(tags.split(fragment))
    return reading.result()


def _check_tables(fragment: str) -> None:
    """A table with one cell in each row only lays out its text: it is read as if it were not there."""
    small = fragment.lower()
    if SIDE_BY_SIDE.search(small) or small.count("<td") > small.count("<tr") or "<th" in small.replace("<thead", ""):
        raise NotPlain


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


#: An element that is open: what its tag does, its name, what stands around it, its number in document order. A plain
#: tuple, for one is made for each tag.
_Open = tuple[int, str, _Around, int]


class _Reading:
    """A fragment being read."""

    def __init__(self, base: str, suspicious: bool, captions: bool, styles: StyleSheet) -> None:
        self.base = base
        self.styles = styles
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
        self.seen = 0  # pieces of text
        self.items = 0
        self.begun = 0  # the last item that a block began
        self.figures = 0
        self.loose = False  # text in a figure that is no caption
        self.outside = False  # text outside figures
        self.heading_blocks = 0
        self.in_link = False
        self.hidden = 0  # how many elements are open in a hidden one, itself included
        self.pictures = Pictures(base)
        self.sources: list[str] = []  # in a `picture`
        self.waiting: list[tuple[int, int, int]] = []  # captions that are open: depth, number, first text

    def read(self, cut: list[str | Any]) -> None:
        """All tags, each with the text behind it: one loop, for calls would double its time."""
        stack = self.stack
        if cut[0]:
            self.text(cut[0])
        for simple, name, said, raw in zip(cut[1::4], cut[2::4], cut[3::4], cut[4::4], strict=True):
            if simple is not None:
                self.paragraph(simple)
            else:
                ends = name[0] == "/"
                bare = name[1:] if ends else name
                sort = SORTS.get(bare, INLINE)
                if sort > VOID:
                    if self.texts:
                        self.end()
                    self.breaks = 0
                    self.spaced = False
                if ends:
                    if stack and stack[-1][1] == bare:
                        self.pop()
                    else:
                        self.close(bare.lower(), sort)
                else:
                    self.number += 1
                    if sort == BREAK:
                        self.breaks += 1
                    else:
                        self.open(bare if bare.islower() else bare.lower(), sort, said)
            if raw:
                if raw.isspace():
                    self.spaced = True
                else:
                    self.text(raw)

    def paragraph(self, raw: str) -> None:
        """A paragraph with no tag in it."""
        self.number += 1
        if self.texts:
            self.end()
        self.breaks = 0
        self.spaced = False
        if self.stack and self.stack[-1][0] < BOX:
            self.make_room(PARAGRAPH)
        if self.around is _NOTHING:
            words = (unescape(raw) if "&" in raw else raw).split()
            if words:
                self.seen += 1
                self.outside = True
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
            self.begin()
        texts.append(said)
        self.seen += 1
        if self.with_captions:
            self.pictures.said.append(gap + said)
        self.breaks = 0
        self.spaced = raw[-1].isspace()

    def begin(self) -> None:
        """The beginning of a block."""
        if self.around.figure:
            self.loose = self.loose or not self.around.caption
        else:
            self.outside = True
        if self.stack and self.stack[-1][0] == TABLE and self.stack[-1][1] != "td":
            raise NotPlain  # a browser moves it out of the table

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
            if self.heading_blocks >= HEADING_BLOCKS:
                raise NotPlain
        level = None
        if around.caption:
            kind = Kind.CAPTION
            self.pictures.captioned.append((len(self.blocks), around.figure))
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
        if sort in HOLDING_NOTHING:
            self.void(sort, said)
            return
        if sort > VOID:
            self.make_room(sort)
        elif sort == LINK:
            if self.in_link:
                raise NotPlain
            self.in_link = True
        elif sort == OTHER:
            raise NotPlain
        if sort == TABLE:
            self.check_part(name)
        self.stack.append((sort, name, self.around, self.number))
        if self.hidden or self.suspicious or self.with_captions:
            self.look_at(name, said)
        inside = _INSIDE.get(sort)
        if inside is not None:
            self.around = inside(self, name, said, self.around)

    def check_part(self, name: str) -> None:
        """See that a part of a table stands where it belongs, as in a table that only lays out."""
        around = AROUND_PART.get(name)
        if around and (not self.stack or self.stack[-1][1] not in around):
            raise NotPlain

    def look_at(self, name: str, said: str) -> None:
        """See whether the element that was just opened is hidden, or a caption."""
        if self.hidden:
            self.hidden += 1
        elif self.suspicious and (ways := self.ways(name, said)):
            if ways & INHERITED:
                raise NotPlain  # something inside may take it back
            self.hidden = 1
        if self.with_captions and is_caption(said):
            self.waiting.append((len(self.stack), self.number, len(self.pictures.said)))

    def ways(self, name: str, said: str) -> int:
        """The ways in which a tag hides its element."""
        if not self.styles and not (said and may_hide(said.lower())):
            return 0
        return ways_hidden(attributes(f"<{name} {said}>"), name, self.styles)[0]

    def make_room(self, sort: int) -> None:
        """Close what an element that stands between texts closes: an open paragraph, the item before."""
        stack = self.stack
        if stack and stack[-1][0] == PARAGRAPH:
            self.pop()
        if sort == ITEM and stack and stack[-1][0] == ITEM:
            self.pop()
        if sort == HEADING and stack and stack[-1][0] == HEADING:
            raise NotPlain
        for sort_around, *_ in reversed(stack):
            if sort_around > VOID:
                if sort_around == PARAGRAPH:
                    raise NotPlain  # it would be closed, and what is open in it opened anew
                break

    def void(self, sort: int, said: str) -> None:
        """An element that holds nothing."""
        if sort == SOURCE:
            self.sources.append(said)
        elif sort == IMG:
            if self.hidden or (self.suspicious and self.ways("img", said)):
                raise NotPlain  # it may be shown, if its box holds no text
            inside = bool(self.stack) and self.stack[-1][0] == PICTURE
            parents = tuple(number for *_, number in self.stack[: -AROUND - 1 : -1])
            place = len(self.blocks) + bool(self.texts)
            sources = tuple(self.sources) if inside else ()
            self.pictures.seen.append(Seen(said, sources, place, self.seen, self.around.figure, self.number, parents))

    def in_a_link(self, _: str, said: str, around: _Around) -> _Around:
        """Inside a link."""
        found = HREF.search(said)
        href = found[1] if found else attributes(f"<a {said}>").get("href") if said else None
        if href is None:
            return around
        return _Around(Style(absolute(href, self.base), *around.style[1:]), *around[1:])

    def in_style(self, name: str, _: str, around: _Around) -> _Around:
        """Inside a strong, slanted, raised … text."""
        own = STYLES[name]
        return _Around(own if around.style is PLAIN else with_style(around.style, own), *around[1:])

    def in_picture(self, _: str, __: str, around: _Around) -> _Around:
        """Inside a `picture`, which offers sources."""
        self.sources = []
        return around

    def in_heading(self, name: str, _: str, around: _Around) -> _Around:
        """Inside a heading."""
        self.heading_blocks = 0
        return around._replace(heading=HEADINGS[name])

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
        if not any(open_name == name for _, open_name, *_ in stack):
            if sort == BREAK:
                raise NotPlain  # it stands for a start tag
            return  # it ends nothing
        if stack[-1][1] != name and stack[-1][0] in ENDS_BY_ITSELF and sort > VOID:
            self.pop()
        if stack[-1][1] != name:
            raise NotPlain
        self.pop()

    def pop(self) -> None:
        """The innermost element ends."""
        sort, _, self.around, number = self.stack.pop()
        if sort == LINK:
            self.in_link = False
        if self.hidden:
            self.hidden -= 1
        if self.pictures.seen:
            self.pictures.ends[number] = self.number + 1
        while self.waiting and self.waiting[-1][0] > len(self.stack):
            _, caption, first = self.waiting.pop()
            self.pictures.captions.append(Caption(caption, first, len(self.pictures.said)))

    # -- the end ------------------------------------------------------------------------------------------------

    def result(self) -> Pieces:
        """All that was read."""
        self.end()
        while self.stack:
            if self.stack[-1][0] not in ENDS_BY_ITSELF:
                raise NotPlain
            self.pop()
        if not self.pictures.seen or not self.blocks:
            return Pieces(tuple(self.blocks), ())
        if self.loose or not self.outside:
            raise NotPlain  # which picture belongs to the text is not for this file to tell
        images = self.pictures.images(self.blocks, self.seen)
        return Pieces(tuple(self.blocks), images)


_INSIDE: Final = {
    LINK: _Reading.in_a_link,
    STYLE: _Reading.in_style,
    PICTURE: _Reading.in_picture,
    HEADING: _Reading.in_heading,
    FIGURE: _Reading.in_figure,
    CAPTION: _Reading.in_caption,
    QUOTE: _Reading.in_quote,
    LIST: _Reading.in_list,
    NUMBERED: _Reading.in_list,
    ITEM: _Reading.in_item,
}
