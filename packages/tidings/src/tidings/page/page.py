"""A page: one HTML document, held as columns.

It is scanned once when it is made. What not every use needs (attributes, hidden text, word counts, lines, the way
back from text to source) is worked out when first asked for and kept. Nothing in it changes afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tidings.core import sheets
from tidings.core.pages import PageColumns
from tidings.errors import require_str
from tidings.page import cut as cuts
from tidings.page import tags
from tidings.page.attributes import attributes
from tidings.page.columns import Blocks, Bools, Elements, Ints, Runs, kept, sums
from tidings.page.compiled import scan, scanner
from tidings.page.counts import Classes, Codes, word_classes
from tidings.page.cut import Cut
from tidings.page.decode import Decoded, decode
from tidings.page.hidden import GONE, HIDDEN_BOX, VISIBILITY
from tidings.page.hints import Hints
from tidings.page.lines import Lines, lines
from tidings.page.source_offsets import source_offsets
from tidings.page.spans import Spans
from tidings.page.start_tags import StartTags
from tidings.page.style_sheet import StyleSheet
from tidings.page.tag_sets import among
from tidings.page.tag_words import Held, HeldWords, TagWords

if TYPE_CHECKING:
    from tidings.page.signals import Signals

#: What a kicker ends with, besides a small letter.
_ENDS = frozenset("0123456789.!?)]»”")
#: Elements that are not shown whatever else they say.
NOT_SHOWN = tags.numbers("template dialog")


class Page:
    """One HTML document.

    Args:
        data: the page as bytes (the encoding is found out) or as a str.
        url: where it came from.
        hints: what is known of it beforehand: feed title, description, anchor or teaser text, content type.

    Raises:
        PageError: the input is empty, too large, or no HTML at all.
    """

    url: str | None
    hints: Hints
    encoding: str
    told_by: str  # what told the encoding
    removed: Mapping[str, int]  # invisible characters that are not in `source` any more, by class
    text: str  # the canonical text: references decoded, white space folded, blocks on lines of their own

    def __init__(self, data: bytes | str, url: str | None = None, hints: Hints | None = None) -> None:
        require_str(url=url)
        self._hold(decode(data, hints.content_type if hints else None), url, hints or Hints())

    def _hold(self, found: Decoded, url: str | None, hints: Hints, around: StyleSheet | None = None) -> None:
        compiled = scan(found.data, around, width=found.width, size=found.size)
        self.__dict__.update(url=url, hints=hints, encoding=found.encoding, told_by=found.told_by)
        self.__dict__.update(compiled=compiled, _whole=compiled, text=compiled.text, removed=found.removed)

    compiled: PageColumns  # the columns of this page, in the memory of the core
    _whole: PageColumns  # those of the page that this is a part of, or the same

    @kept
    def source(self) -> str:
        """Return the decoded HTML. Everything else holds offsets into it."""
        return self.compiled.source

    @kept
    def cut(self) -> Cut:
        """Return the source taken apart: tags, and the pieces of text between them."""
        codes = self.compiled.codes
        names = tags.NAMES + self.compiled.tag_names
        return Cut(self.source, codes, names, self.compiled.bounds, len(codes) > cuts.MAX_TAGS)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a page does not change: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a page does not change: {name!r} cannot be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        found = Decoded(self.source.encode(), self.encoding, self.told_by, dict(self.removed))
        return _remake, (found, self.url, self.hints, self.scope if self.is_part else None)

    def __repr__(self) -> str:
        where = f" {self.url}" if self.url else ""
        return f"<Page{where}: {len(self.source)} characters of source, {len(self.text)} of text>"

    # -- columns --------------------------------------------------------------------------------------------

    @property
    def opened(self) -> Ints:
        """For each element the tag of the cut that begins it; -1 for the document."""
        return self.compiled.opened

    @property
    def closed(self) -> Ints:
        """For each element the tag of the cut that ends it: it holds the pieces `opened < i <= closed`."""
        return self.compiled.closed

    @property
    def owner(self) -> Ints:
        """For each piece of the cut the element it stands in directly."""
        return self.compiled.owner

    @property
    def piece(self) -> Ints:
        """For each run the piece of the cut that it is made of."""
        return self.compiled.piece

    @kept
    def scope(self) -> Spans:
        """Return the part of the text this page is about: all of it, except after `within`."""
        return Spans.all(len(self.text))

    @kept
    def memo(self) -> dict[object, Any]:
        """What was worked out of this page and is asked for again; a part of a page has one of its own."""
        return {}

    def cover(self, which: Bools) -> Ints:
        """Return how many of the chosen elements each piece of the cut stands in."""
        count, chosen = len(self.owner), which.nonzero()[0]
        if not len(chosen):
            return np.zeros(count, np.int64)
        borders = np.bincount(self.opened[chosen] + 1, minlength=count + 1)
        borders -= np.bincount(self.closed[chosen] + 1, minlength=count + 1)
        return np.cumsum(borders[:count])

    @kept
    def runs(self) -> Runs:
        """Return pieces of text with no tag inside."""
        columns = self.compiled
        return Runs.over(
            start=columns.run_start,
            end=columns.run_end,
            text_start=columns.text_start,
            text_end=columns.text_end,
            block=columns.block,
            words=columns.run_words,
            element=columns.run_elements,
            in_link=columns.in_link,
            hidden=columns.hidden,
        )

    @kept
    def elements(self) -> Elements:
        """Return elements in document order, element 0 being the document."""
        columns = self.compiled
        return Elements.over(
            tag=columns.tag,
            parent=columns.parent,
            depth=columns.depth,
            start=columns.element_start,
            end=columns.element_end,
            first=columns.first,
            last=columns.last,
        )

    @kept
    def blocks(self) -> Blocks:
        """What a reader sees as a paragraph, a heading, a menu item."""
        columns = self.compiled
        first, last = columns.block_first, columns.block_last
        hidden = sums(columns.hidden)
        return Blocks(
            first=first,
            last=last,
            text_start=columns.text_start[first],
            text_end=columns.text_end[last - 1],
            element=columns.block_element,
            words=columns.block_words,
            link_words=columns.block_link_words,
            hidden=hidden[last] - hidden[first] == last - first,
        )

    @property
    def text_codes(self) -> Codes:
        """The text as an array of code points."""
        return self.compiled.text_codes

    @kept
    def text_classes(self) -> Classes:
        """For each character of the text whether it is part of a word (`counts.word_classes`)."""
        return word_classes(self.text_codes)

    @kept
    def signals(self) -> Signals:
        """What the page says of itself outside its text: title element, meta elements, JSON-LD."""
        from tidings.page.signals import signals  # few uses of a page need it, and it brings a JSON parser

        return signals(self)

    @kept
    def start_tags(self) -> StartTags:
        """Return the start tags of the elements that hold text, each spelling once."""
        return StartTags(self.source, self.compiled.spelled, self.compiled.spelling)

    @kept
    def source_of_text(self) -> Ints:
        """For every character of the text its offset in the source; it never falls. One more for the end."""
        return source_offsets(self._whole, self.source)

    @kept
    def visible(self) -> Spans:
        """Return all text that a reader can see."""
        return Spans.of_runs(self, ~self.runs.hidden)

    def line(self, first: int, last: int) -> str:
        """Return the text of the runs first … last - 1 on one line, with a space where only a style sheet parts two of
        them.

        Kicker and headline are often elements of one heading or link with nothing between them: "NotionPersönliches".
        They are parted where a capital begins a word behind a small letter, a digit or the end of a sentence, and
        neither side is merely written otherwise (`<b>You</b>Tube`, a large first letter).
        """
        text, runs = self.text, self.runs
        starts, ends = runs.text_start[first:last].tolist(), runs.text_end[first:last].tolist()
        parts = [text[starts[0] : ends[0]]] if starts else []
        for at in range(1, len(starts)):
            end, start = ends[at - 1], starts[at]
            glued = end == start and (text[end - 1].islower() or text[end - 1] in _ENDS)
            if glued and text[start].isupper() and text[start + 1 : start + 2].islower():
                one, other = runs.element[first + at - 1 : first + at + 1].tolist()
                styled = any(int(self.elements.tag[side]) in tags.STYLED for side in (one, other))
                parts.append("" if styled or one == other else " ")
            else:
                parts.append(text[end:start])
            parts.append(text[start : ends[at]])
        return " ".join("".join(parts).split())

    def shown(self, spans: Spans) -> Spans:
        """What a reader can see of some spans."""
        seen: Spans | None = self.memo.get(SHOWN)
        if seen is spans:
            return spans
        spans, columns = self.limited(spans), self.compiled
        hidden, start, end = columns.hidden.nonzero()[0], columns.text_start, columns.text_end
        if len(hidden):
            hidden = hidden[spans.touches(start[hidden], end[hidden])]
        return spans - Spans.of_runs(self, hidden) if len(hidden) else spans

    @kept
    def revealed(self) -> Spans:
        """Return the main part of the page, if it is hidden until a script has run: it counts as seen."""
        revealed = self.compiled.revealed.tolist()
        if not revealed:
            return Spans.none(len(self.text))
        chosen = np.zeros(len(self.runs), np.bool_)
        for element in revealed:
            chosen[self.elements.first[element] : self.elements.last[element]] = True
        return Spans.of_runs(self, chosen)

    def reveals(self, spans: Spans) -> bool:
        """Return whether some of it is hidden until a script has run, and counts as seen."""
        if not self.compiled.reveals:  # as of nearly all pages
            return False
        return bool(self.revealed and spans & self.revealed)

    def unseen(self, elements: Sequence[int]) -> list[bool]:
        """Return which elements are out of a reader's sight as boxes: what hides letters only does not hide
        pictures.
        """
        tag, parent, opened = self.compiled.tag, self.compiled.parent, self.compiled.opened
        holds_text = self._whole.first < self._whole.last
        hidden = self.compiled.hidden_pieces
        asked: dict[int, bool] = {}  # elements without text; of those that hold some it is known
        for element in elements:
            at = element
            while at > 0 and at not in asked and not holds_text.item(at):
                asked[at] = False
                at = parent.item(at)
        hiding = self.ways_of(self.cut.tags(opened[list(asked)])) if asked else []
        for element, (ways, _) in zip(asked, hiding, strict=True):
            asked[element] = bool(ways & (GONE | VISIBILITY)) or tag.item(element) in NOT_SHOWN
        found = []
        for element in elements:
            at = element
            while at in asked and not asked[at]:
                at = parent.item(at)
            found.append(at in asked or bool(at > 0 and hidden[opened[at] + 1] & HIDDEN_BOX))
        return found

    def ways_of(self, start_tags: list[str]) -> list[tuple[int, int]]:
        """Return the ways in which start tags hide elements of this page, and those they take back, as bits of
        `styles`.
        """
        return sheets.ways(scanner().tables, self.compiled.sheet, start_tags)

    #: Whether this is a fragment of a page: what is hidden in it stays so, were it most of it.
    is_fragment: bool = False

    def lines(self, line_length: int = 80) -> Lines:
        """Return the source in lines of even length, without scripts, styles and comments: what line-based methods work
        on.
        """
        key = lines, line_length
        if key not in self.memo:
            self.memo[key] = lines(self, line_length)
        found: Lines = self.memo[key]
        return found

    @property
    def is_cut(self) -> bool:
        """Whether there is more of it than was taken: bytes not fetched, or tags beyond the most there may be.

        The most is `tidings.page.cut.MAX_TAGS`; the source is held whole, the text ends there.
        """
        return self.hints.is_cut or self.cut.is_short

    @property
    def is_part(self) -> bool:
        """Whether this is a part of a page, made by `within`."""
        return self.compiled is not self._whole

    def limited(self, spans: Spans) -> Spans:
        """Return spans, and for a part of a page only what is in it."""
        return spans & self.scope if self.is_part else spans

    # -- asking ---------------------------------------------------------------------------------------------

    @property
    def tag_names(self) -> tuple[str, ...]:
        """Tag names by number; those of the standard come first and are the same on every page."""
        return self.cut.names

    def attributes(self, element: int) -> dict[str, str]:
        """Return the attributes of an element, read from its start tag."""
        if element == 0:
            return {}
        return attributes(self.cut.tag(int(self.opened[element])))

    def holding(self, words: tuple[str, ...], tag: int = 0) -> Ints:
        """Return the elements, or those with one tag, that have one of some words in their start tags, in document
        order.

        Words are in small letters; case does not count in the tags. Each may be a part of another word. Those of
        `tag_words.TELLING` cost nothing when asked for again.
        """
        return self.held_words.holding(words, tag)

    def held(self, words: TagWords) -> Held:
        """For each element which of some words stand in its start tag, by their bits; kept for those who ask again."""
        return self.held_words.held(words)

    @kept
    def held_words(self) -> HeldWords:
        """What is known of words in start tags."""
        return HeldWords(self.compiled)

    def nearest(self, chosen: Bools) -> Ints:
        """For each element itself or the nearest element around it whose tag is in a `tag_set`; else the document."""
        return self.nearest_of(among(self.compiled.tag, chosen))

    def nearest_of(self, chosen: Bools) -> Ints:
        """For each element itself or the nearest chosen element around it; else the document."""
        step = self.compiled.parent.copy()
        which = chosen.nonzero()[0]
        step[which] = which
        step[0] = 0
        while True:  # each round doubles the distance
            further = step[step]
            if (further == step).all():
                return further
            step = further

    def source_of_pieces(self, starts: Ints, ends: Ints, runs: Ints) -> tuple[Ints, Ints]:
        """Source ranges of pieces of runs: a whole run has its own, a part is looked up character by character."""
        columns = self.runs
        first, last = starts == columns.text_start[runs], ends == columns.text_end[runs]
        if first.all() and last.all():
            return columns.start[runs], columns.end[runs]
        origin = self.source_of_text
        return np.where(first, columns.start[runs], origin[starts]), np.where(last, columns.end[runs], origin[ends])

    def within(self, spans: Spans) -> Page:
        """Return the same page with only this part of the text in it. All coordinates stay as they are."""
        part = self.scope & spans
        starts, ends, runs = part.pieces(self.runs.text_start, self.runs.text_end)
        source_start, source_end = self.source_of_pieces(starts, ends, runs)
        page = object.__new__(type(self))
        page.__dict__.update({key: self.__dict__[key] for key in _SHARED if key in self.__dict__})
        columns = scanner().part(self.compiled, runs, starts, ends, source_start, source_end)
        page.__dict__.update(compiled=columns, scope=part)
        return page


#: Under this name a page remembers spans that hold nothing but what a reader can see.
SHOWN = "spans that are shown"
#: What a part of a page has in common with the whole.
_SHARED = frozenset("url hints source encoding told_by removed text _whole text_classes source_of_text signals".split())


def _remake(found: Decoded, url: str | None, hints: Hints, scope: Spans | None) -> Page:
    page = object.__new__(Page)
    page._hold(found, url, hints)
    return page if scope is None else page.within(scope)
