"""A page: an HTML document in columns.

It is scanned once when created. Properties that not every use needs (attributes, hidden text, word counts, lines,
source offsets of the text) are computed on demand and cached. A page is immutable.
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

#: Characters that may end a kicker, besides lower-case letters.
_ENDS = frozenset("0123456789.!?)]»”")
#: Elements that are never visible.
NOT_SHOWN = tags.numbers("template dialog")


class Page:
    """An HTML document.

    Args:
        data: the page as bytes (the encoding is detected) or as a str.
        url: the page's URL.
        hints: facts known in advance: feed title, description, anchor or teaser text, content type.

    Raises:
        PageError: the input is empty, too large, or not HTML.
    """

    url: str | None
    hints: Hints
    encoding: str
    encoding_source: str  # how the encoding was determined
    removed: Mapping[str, int]  # invisible characters removed from `source`, by class
    text: str  # canonical text: decoded references, folded white space, one line per block

    def __init__(self, data: bytes | str, url: str | None = None, hints: Hints | None = None) -> None:
        require_str(url=url)
        self._hold(decode(data, hints.content_type if hints else None), url, hints or Hints())

    def _hold(self, decoded: Decoded, url: str | None, hints: Hints, styles: StyleSheet | None = None) -> None:
        compiled = scan(decoded.data, styles, width=decoded.width, size=decoded.size)
        self.__dict__.update(url=url, hints=hints, encoding=decoded.encoding, encoding_source=decoded.encoding_source)
        self.__dict__.update(compiled=compiled, _whole=compiled, text=compiled.text, removed=decoded.removed)

    compiled: PageColumns  # the columns of this page in the core's memory
    _whole: PageColumns  # the columns of the whole page

    @kept
    def source(self) -> str:
        """Return the decoded HTML. All offsets refer to it."""
        return self.compiled.source

    @kept
    def cut(self) -> Cut:
        """Return the source split into pieces of text and tags."""
        codes = self.compiled.codes
        names = tags.NAMES + self.compiled.tag_names
        return Cut(self.source, codes, names, self.compiled.bounds, len(codes) > cuts.MAX_TAGS)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a page does not change: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a page does not change: {name!r} cannot be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        decoded = Decoded(self.source.encode(), self.encoding, self.encoding_source, dict(self.removed))
        return _remake, (decoded, self.url, self.hints, self.scope if self.is_part else None)

    def __repr__(self) -> str:
        url_part = f" {self.url}" if self.url else ""
        return f"<Page{url_part}: {len(self.source)} characters of source, {len(self.text)} of text>"

    # -- columns --------------------------------------------------------------------------------------------

    @property
    def opened(self) -> Ints:
        """Return the index (in `cut`) of the start tag of each element; -1 for the document."""
        return self.compiled.opened

    @property
    def closed(self) -> Ints:
        """Return the index (in `cut`) of the end tag of each element. The element contains the pieces of text `opened
        < i <= closed`.
        """
        return self.compiled.closed

    @property
    def owner(self) -> Ints:
        """Return the innermost element around each piece of text in `cut`."""
        return self.compiled.owner

    @property
    def piece(self) -> Ints:
        """Return the index of the piece of text in `cut` for each run."""
        return self.compiled.piece

    @kept
    def scope(self) -> Spans:
        """Return the part of the text that this page covers: all of it, except for a result of `within`."""
        return Spans.all(len(self.text))

    @kept
    def memo(self) -> dict[object, Any]:
        """Return the cache for values computed from this page; a part of a page has its own."""
        return {}

    def cover(self, which: Bools) -> Ints:
        """Return for each piece of text in the source how many selected elements contain it."""
        count, chosen = len(self.owner), which.nonzero()[0]
        if not len(chosen):
            return np.zeros(count, np.int64)
        borders = np.bincount(self.opened[chosen] + 1, minlength=count + 1)
        borders -= np.bincount(self.closed[chosen] + 1, minlength=count + 1)
        return np.cumsum(borders[:count])

    @kept
    def runs(self) -> Runs:
        """Return the runs of text, pieces without tags inside."""
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
        """Return the elements in document order; element 0 is the document."""
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
        """Return the blocks as readers see them, such as a paragraph, heading or menu item."""
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
        """Return the text as an array of code points."""
        return self.compiled.text_codes

    @kept
    def text_classes(self) -> Classes:
        """Return for each character of the text whether it is part of a word (`counts.word_classes`)."""
        return word_classes(self.text_codes)

    @kept
    def signals(self) -> Signals:
        """Return the metadata outside the text: title element, meta elements, JSON-LD."""
        from tidings.page.signals import signals  # imported late: not always needed, and imports a JSON parser

        return signals(self)

    @kept
    def start_tags(self) -> StartTags:
        """Return the distinct start tags of elements with text."""
        return StartTags(self.source, self.compiled.spelled, self.compiled.spelling)

    @kept
    def source_of_text(self) -> Ints:
        """Return the source offset of every character of the text, ascending, and one more for the end."""
        return source_offsets(self._whole, self.source)

    @kept
    def visible(self) -> Spans:
        """Return all visible text."""
        return Spans.of_runs(self, ~self.runs.hidden)

    def line(self, first: int, last: int) -> str:
        """Return the text of the runs first … last - 1 on one line, with spaces between visually separate parts.

        Kicker and headline are often elements of one heading or link without white space: "NotionPersönliches".
        They are separated if a capitalised word follows a lower-case letter, a digit or the end of a sentence, and
        neither side is only formatted differently (`<b>You</b>Tube`, a large first letter).
        """
        text, runs = self.text, self.runs
        starts, ends = runs.text_start[first:last].tolist(), runs.text_end[first:last].tolist()
        parts = [text[starts[0] : ends[0]]] if starts else []
        for at in range(1, len(starts)):
            end, start = ends[at - 1], starts[at]
            glued = end == start and (text[end - 1].islower() or text[end - 1] in _ENDS)
            if glued and text[start].isupper() and text[start + 1 : start + 2].islower():
                left_element, right_element = runs.element[first + at - 1 : first + at + 1].tolist()
                styled = any(int(self.elements.tag[side]) in tags.STYLED for side in (left_element, right_element))
                parts.append("" if styled or left_element == right_element else " ")
            else:
                parts.append(text[end:start])
            parts.append(text[start : ends[at]])
        return " ".join("".join(parts).split())

    def shown(self, spans: Spans) -> Spans:
        """Return the visible part of selected text."""
        cached: Spans | None = self.memo.get(SHOWN)
        if cached is spans:
            return spans
        spans, columns = self.limited(spans), self.compiled
        hidden, start, end = columns.hidden.nonzero()[0], columns.text_start, columns.text_end
        if len(hidden):
            hidden = hidden[spans.touches(start[hidden], end[hidden])]
        return spans - Spans.of_runs(self, hidden) if len(hidden) else spans

    @kept
    def revealed(self) -> Spans:
        """Return the main part of the page if a script has to reveal it; such text counts as visible."""
        revealed = self.compiled.revealed.tolist()
        if not revealed:
            return Spans.none(len(self.text))
        chosen = np.zeros(len(self.runs), np.bool_)
        for element in revealed:
            chosen[self.elements.first[element] : self.elements.last[element]] = True
        return Spans.of_runs(self, chosen)

    def reveals(self, spans: Spans) -> bool:
        """Return whether some selected text is visible only after a script has run. Such text counts as visible."""
        if not self.compiled.reveals:  # the common case
            return False
        return bool(self.revealed and spans & self.revealed)

    def unseen(self, elements: Sequence[int]) -> list[bool]:
        """Return which elements are hidden with their whole box, so that pictures in them are hidden too."""
        tag, parent, opened = self.compiled.tag, self.compiled.parent, self.compiled.opened
        holds_text = self._whole.first < self._whole.last
        hidden = self.compiled.hidden_pieces
        is_hidden: dict[int, bool] = {}  # elements without text; for others it is known
        for element in elements:
            at = element
            while at > 0 and at not in is_hidden and not holds_text.item(at):
                is_hidden[at] = False
                at = parent.item(at)
        hiding = self.ways_of(self.cut.tags(opened[list(is_hidden)])) if is_hidden else []
        for element, (ways, _) in zip(is_hidden, hiding, strict=True):
            is_hidden[element] = bool(ways & (GONE | VISIBILITY)) or tag.item(element) in NOT_SHOWN
        result = []
        for element in elements:
            at = element
            while at in is_hidden and not is_hidden[at]:
                at = parent.item(at)
            result.append(at in is_hidden or bool(at > 0 and hidden[opened[at] + 1] & HIDDEN_BOX))
        return result

    def ways_of(self, start_tags: list[str]) -> list[tuple[int, int]]:
        """Return how each start tag hides elements of this page, and what it makes visible again, as bits of
        `styles`.
        """
        return sheets.ways(scanner().tables, self.compiled.sheet, start_tags)

    #: Whether this is a fragment of a page, whose hidden text stays hidden even if it is most of the fragment.
    is_fragment: bool = False

    def lines(self, line_length: int = 80) -> Lines:
        """Return the source in lines of equal length without scripts, styles and comments, for line-based methods."""
        key = lines, line_length
        if key not in self.memo:
            self.memo[key] = lines(self, line_length)
        result: Lines = self.memo[key]
        return result

    @property
    def is_cut(self) -> bool:
        """Return whether the page is truncated: bytes that were not fetched, or too many tags.

        The limit is `tidings.page.cut.MAX_TAGS`; the source is complete, but the text ends there.
        """
        return self.hints.is_cut or self.cut.is_short

    @property
    def is_part(self) -> bool:
        """Return whether this is a part of a page, created by `within`."""
        return self.compiled is not self._whole

    def limited(self, spans: Spans) -> Spans:
        """Return selected text, limited to this page's part of the text."""
        return spans & self.scope if self.is_part else spans

    # -- queries ---------------------------------------------------------------------------------------------

    @property
    def tag_names(self) -> tuple[str, ...]:
        """Return tag names by number. Those of the standard come first and are the same on every page."""
        return self.cut.names

    def attributes(self, element: int) -> dict[str, str]:
        """Return the attributes of an element."""
        if element == 0:
            return {}
        return attributes(self.cut.tag(int(self.opened[element])))

    def holding(self, words: tuple[str, ...], tag: int = 0) -> Ints:
        """Return the elements whose start tags contain any of the given words, in document order.
        Words of `tag_words.TELLING` are cached.

        Args:
            words: lower-case substrings; the case of the tags is ignored.
            tag: the number of the only tag to consider; 0 for all tags.
        """
        return self.held_words.holding(words, tag)

    def words_by_element(self, words: TagWords) -> Held:
        """Return which words occur in the start tag of each element, as bits. Cached."""
        return self.held_words.bits_by_element(words)

    @kept
    def held_words(self) -> HeldWords:
        """Return the index of words in start tags."""
        return HeldWords(self.compiled)

    def nearest(self, chosen: Bools) -> Ints:
        """Return for each element the innermost element with one of the given tags (a `tag_set`) that contains it or is
        it; 0 (the document) if there is none.
        """
        return self.nearest_of(among(self.compiled.tag, chosen))

    def nearest_of(self, chosen: Bools) -> Ints:
        """Return for each element the innermost selected element that contains it or is it; 0 (the document) if there
        is none.
        """
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
        """Return the source offsets (starts and ends) of parts of runs, given their text offsets and the index of each
        run.
        """
        columns = self.runs
        first, last = starts == columns.text_start[runs], ends == columns.text_end[runs]
        if first.all() and last.all():
            return columns.start[runs], columns.end[runs]
        origin = self.source_of_text
        return np.where(first, columns.start[runs], origin[starts]), np.where(last, columns.end[runs], origin[ends])

    def within(self, spans: Spans) -> Page:
        """Return the page limited to a part of its text. All coordinates stay the same."""
        part = self.scope & spans
        starts, ends, runs = part.pieces(self.runs.text_start, self.runs.text_end)
        source_start, source_end = self.source_of_pieces(starts, ends, runs)
        page = object.__new__(type(self))
        page.__dict__.update({key: self.__dict__[key] for key in _SHARED if key in self.__dict__})
        columns = scanner().part(self.compiled, runs, starts, ends, source_start, source_end)
        page.__dict__.update(compiled=columns, scope=part)
        return page


#: The cache key for spans that contain only visible text.
SHOWN = "spans that are shown"
#: Attributes that a part of a page shares with the whole.
_SHARED = frozenset(
    "url hints source encoding encoding_source removed text _whole text_classes source_of_text signals".split()
)


def _remake(decoded: Decoded, url: str | None, hints: Hints, scope: Spans | None) -> Page:
    page = object.__new__(Page)
    page._hold(decoded, url, hints)
    return page if scope is None else page.within(scope)
