"""A page: one HTML document, held as columns.

It is scanned once when it is made. What not every use needs (attributes, hidden text, word counts, lines, the way
back from text to source) is worked out when first asked for and kept. Nothing in it changes afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tidings.core import page_questions, sheets
from tidings.errors import require_str
from tidings.page import tags
from tidings.page.attributes import attributes
from tidings.page.columns import Blocks, Bools, Elements, Ints, kept, sums
from tidings.page.compiled import CompiledScan, scan, scanner
from tidings.page.counts import Classes, Codes, code_points, word_classes
from tidings.page.cut import Cut, cut
from tidings.page.decode import Decoded, decode
from tidings.page.flow import Flow, among, cover, elements_of, flow, tag_set
from tidings.page.hidden import GONE, VISIBILITY, Unseen, styles_of
from tidings.page.hints import Hints
from tidings.page.lines import Lines, lines
from tidings.page.runs import Runs, origin
from tidings.page.spans import Spans
from tidings.page.start_tags import StartTags
from tidings.page.style_sheet import StyleSheet
from tidings.page.tag_words import Held, HeldWords, TagWords
from tidings.page.tree import Tree, grow

if TYPE_CHECKING:
    from tidings.page.signals import Signals

_BLOCK = tag_set(tags.BLOCK)
#: What a kicker ends with, besides a small letter.
_ENDS = frozenset("0123456789.!?)]»”")
_LINK = tags.NUMBERS["a"]
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
    source: str  # the decoded HTML; everything else holds offsets into it
    encoding: str
    told_by: str  # what told the encoding
    removed: Mapping[str, int]  # invisible characters that are not in `source` any more, by class
    text: str  # the canonical text: references decoded, white space folded, blocks on lines of their own

    def __init__(self, data: bytes | str, url: str | None = None, hints: Hints | None = None) -> None:
        require_str(url=url)
        self._hold(decode(data, hints.content_type if hints else None), url, hints or Hints())

    def _hold(self, found: Decoded, url: str | None, hints: Hints, around: StyleSheet | None = None) -> None:
        compiled = scan(found.text, found.width, around)
        self.__dict__.update(url=url, hints=hints, source=found.text, encoding=found.encoding, told_by=found.told_by)
        self.__dict__.update(compiled=compiled, removed=found.removed)
        self.__dict__["text"] = compiled.text

    compiled: CompiledScan | None = None  # what the core has found of a whole page

    @kept
    def cut(self) -> Cut:
        """The source taken apart: tags, and the pieces of text between them."""
        return cut(self.source) if self.compiled is None else self.compiled.cut

    @kept
    def _tree(self) -> Tree:
        return grow(self.cut.codes.tolist(), self.cut.names) if self.compiled is None else self.compiled.tree

    @kept
    def _whole(self) -> Flow:
        return flow(self.cut, self._tree) if self.compiled is None else self.compiled.flow

    @kept
    def _flow(self) -> Flow:
        return self._whole

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a page does not change: {name!r} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a page does not change: {name!r} cannot be deleted")

    def __reduce__(self) -> tuple[Any, ...]:
        found = Decoded(self.source, self.encoding, self.told_by, removed=dict(self.removed))
        return _remake, (found, self.url, self.hints, self.scope if self.is_part else None)

    def __repr__(self) -> str:
        where = f" {self.url}" if self.url else ""
        return f"<Page{where}: {len(self.source)} characters of source, {len(self.text)} of text>"

    # -- columns --------------------------------------------------------------------------------------------

    @kept
    def opened(self) -> Ints:
        """For each element the tag of the cut that begins it; -1 for the document."""
        return self._tree.opened

    @property
    def closed(self) -> Ints:
        """For each element the tag of the cut that ends it: it holds the pieces `opened < i <= closed`."""
        return self._tree.closed

    @property
    def owner(self) -> Ints:
        """For each piece of the cut the element it stands in directly."""
        return self._tree.owner

    @property
    def piece(self) -> Ints:
        """For each run the piece of the cut that it is made of."""
        return self._flow.piece

    @kept
    def scope(self) -> Spans:
        """The part of the text this page is about: all of it, except after `within`."""
        return Spans.all(len(self.text))

    @kept
    def memo(self) -> dict[object, Any]:
        """What was worked out of this page and is asked for again; a part of a page has one of its own."""
        return {}

    def cover(self, which: Bools) -> Ints:
        """How many of the chosen elements each piece of the cut stands in."""
        return cover(self._tree, which)

    @kept
    def runs(self) -> Runs:
        """Pieces of text with no tag inside."""
        known = self.compiled
        if known is not None:
            return Runs.known(known.runs | {"hidden": known.hidden})
        return Runs(self._flow, self._tree, lambda: self.text_classes, lambda: self._unseen.text)

    @kept
    def elements(self) -> Elements:
        """Elements in document order, element 0 being the document."""
        if self.compiled is not None:
            return self.compiled.elements
        return elements_of(self.cut, self._tree, self._flow, len(self.source))

    @kept
    def blocks(self) -> Blocks:
        """What a reader sees as a paragraph, a heading, a menu item."""
        first, last = self._flow.block_first, self._flow.block_last
        runs = self.runs
        hidden = sums(runs.hidden)
        if self.compiled is not None:
            element, words, linked = self.compiled.blocks
        else:
            element = self.nearest(_BLOCK)[runs.element[first]]
            before, linked_before = sums(runs.words), sums(runs.words * runs.in_link)
            words, linked = before[last] - before[first], linked_before[last] - linked_before[first]
        return Blocks(
            first=first,
            last=last,
            text_start=runs.text_start[first],
            text_end=runs.text_end[last - 1],
            element=element,
            words=words,
            link_words=linked,
            hidden=hidden[last] - hidden[first] == last - first,
        )

    @kept
    def text_codes(self) -> Codes:
        """The text as an array of code points."""
        return code_points(self.text) if self.compiled is None else self.compiled.codes

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
        """The start tags of the elements that hold text, each spelling once."""
        if self.compiled is not None:
            return self.compiled.start_tags
        return StartTags.of_elements(self.cut, self._tree, self._holds_text)

    @kept
    def source_of_text(self) -> Ints:
        """For every character of the text its offset in the source; it never falls. One more for the end."""
        return origin(self._whole, self.source)

    @kept
    def visible(self) -> Spans:
        """All text that a reader can see."""
        return Spans.of_runs(self, ~self.runs.hidden)

    def line(self, first: int, last: int) -> str:
        """The text of the runs first … last - 1 on one line, with a space where only a style sheet parts two of them.

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
        spans, known = self.limited(spans), self.compiled
        if known is not None:
            flags, (start, end) = known.hidden, known.text_ranges
        else:
            flags, start, end = self.runs.hidden, self.runs.text_start, self.runs.text_end
        hidden = flags.nonzero()[0]
        if len(hidden):
            hidden = hidden[spans.touches(start[hidden], end[hidden])]
        return spans - Spans.of_runs(self, hidden) if len(hidden) else spans

    @kept
    def revealed(self) -> Spans:
        """The main part of the page, if it is hidden until a script has run: it counts as seen."""
        known = self.compiled.unseen if self.compiled is not None else None
        revealed = self._unseen.revealed if known is None else known[1].tolist()
        if not revealed:
            return Spans.none(len(self.text))
        chosen = np.zeros(len(self.runs), np.bool_)
        for element in revealed:
            chosen[self.elements.first[element] : self.elements.last[element]] = True
        return Spans.of_runs(self, chosen)

    def reveals(self, spans: Spans) -> bool:
        """Whether some of it is hidden until a script has run, and counts as seen."""
        if self.compiled is not None and not self.compiled.reveals:  # as of nearly all pages
            return False
        return bool(self.revealed and spans & self.revealed)

    def unseen(self, elements: Sequence[int]) -> list[bool]:
        """Which elements are out of a reader's sight as boxes: what hides letters only does not hide pictures."""
        tag, parent, opened, holds_text = self._tree.tag, self._tree.parent, self._tree.opened, self._holds_text
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
            found.append(at in asked or bool(at > 0 and self._unseen.box[opened[at] + 1]))
        return found

    def ways_of(self, start_tags: list[str]) -> list[tuple[int, int]]:
        """The ways in which start tags hide elements of this page, and those they take back, as bits of `styles`."""
        sheet = self.style_sheet.compiled.handle if self.compiled is None else self.compiled.sheet
        return sheets.ways(scanner().tables, sheet, start_tags)

    @kept
    def style_sheet(self) -> StyleSheet:
        """The style sheets that stand on the page."""
        return styles_of(self.cut, self._tree)

    @kept
    def _holds_text(self) -> Bools:
        if not self.is_part:
            return self.elements.first < self.elements.last
        pieces, tree = self._whole.piece, self._tree
        return np.asarray(pieces.searchsorted(tree.opened, "right") < pieces.searchsorted(tree.closed, "right"))

    @kept
    def _unseen(self) -> Unseen:
        """Which pieces of the source nobody sees."""
        if self.compiled is not None:
            return Unseen.of_flags(*self.compiled.unseen)
        # A page that the core has not scanned: it gets its columns.
        tree, whole = self._tree, self._whole
        spelling = self.start_tags.number
        first, last = (whole.piece.searchsorted(at, "right") for at in (tree.opened, tree.closed))
        columns = (
            *(tree.tag, tree.parent, tree.opened, tree.closed, tree.owner, first, last),
            *(whole.text_start, whole.text_end, whole.piece, spelling, self.cut.bounds, self.cut.codes),
        )
        in_link = self.cover(tree.tag == _LINK)[whole.piece] > 0
        names, sheet = self.cut.names[len(tags.NAMES) :], self.style_sheet
        flags = int(self.is_fragment) + 2 * (not sheet.is_whole or sheet.compiled.imports_others)
        return Unseen.of_flags(
            *sheets.unseen(
                scanner().tables,
                self.cut.source,
                columns,
                in_link,
                names,
                len(whole.text),
                sheet.compiled,
                flags,
            )
        )

    #: Whether this is a fragment of a page: what is hidden in it stays so, were it most of it.
    is_fragment: bool = False

    def lines(self, line_length: int = 80) -> Lines:
        """The source in lines of even length, without scripts, styles and comments: what line-based methods work on."""
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
        return "_flow" in self.__dict__ and self._flow is not self._whole

    def limited(self, spans: Spans) -> Spans:
        """Spans, and for a part of a page only what is in it."""
        return spans & self.scope if self.is_part else spans

    # -- asking ---------------------------------------------------------------------------------------------

    @property
    def tag_names(self) -> tuple[str, ...]:
        """Tag names by number; those of the standard come first and are the same on every page."""
        return self.cut.names

    def attributes(self, element: int) -> dict[str, str]:
        """The attributes of an element, read from its start tag."""
        if element == 0:
            return {}
        at = int(self._tree.opened[element])
        return attributes(self.cut.tag(at))

    def holding(self, words: tuple[str, ...], tag: int = 0) -> Ints:
        """The elements, or those with one tag, that have one of some words in their start tags, in document order.

        Words are in small letters; case does not count in the tags. Each may be a part of another word. Those of
        `tag_words.TELLING` cost nothing when asked for again.
        """
        return self.held_words.holding(self, words, tag)

    def held(self, words: TagWords) -> Held:
        """For each element which of some words stand in its start tag, by their bits; kept for those who ask again."""
        return self.held_words.held(self, words)

    @kept
    def held_words(self) -> HeldWords:
        """What is known of words in start tags."""
        return HeldWords()

    def nearest(self, chosen: Bools) -> Ints:
        """For each element itself or the nearest element around it whose tag is in a `tag_set`; else the document."""
        return self.nearest_of(among(self._tree.tag, chosen))

    def nearest_of(self, chosen: Bools) -> Ints:
        """For each element itself or the nearest chosen element around it; else the document."""
        if self.compiled is not None and (found := page_questions.nearest(self.compiled.memory, chosen)) is not None:
            return found
        step = self._tree.parent.copy()
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
        """The same page with only this part of the text in it. All coordinates stay as they are."""
        part = self.scope & spans
        starts, ends, runs = part.pieces(self.runs.text_start, self.runs.text_end)
        source_start, source_end = self.source_of_pieces(starts, ends, runs)
        kept, block = np.unique(self._flow.block[runs], return_inverse=True)
        first = np.searchsorted(block, np.arange(len(kept)))
        page = object.__new__(type(self))
        known = {key for key in _SHARED if key in self.__dict__} | _NEEDED
        page.__dict__.update({key: getattr(self, key) for key in known})
        page.__dict__["scope"] = part
        page.__dict__["_flow"] = Flow(
            text=self.text,
            piece=self._flow.piece[runs],
            start=source_start,
            end=source_end,
            text_start=starts,
            text_end=ends,
            block=block,
            block_first=first,
            block_last=np.append(first[1:], len(runs)) if len(first) else first,
        )
        return page


#: Under this name a page remembers spans that hold nothing but what a reader can see.
SHOWN = "spans that are shown"
#: What a part of a page has in common with the whole.
_SHARED = frozenset(
    "url hints source encoding told_by removed text cut _tree _whole _holds_text signals "
    "text_codes text_classes source_of_text start_tags style_sheet held_words".split()
)
_NEEDED = frozenset("cut _tree _whole start_tags text_codes _unseen".split())


def _remake(found: Decoded, url: str | None, hints: Hints, scope: Spans | None) -> Page:
    page = object.__new__(Page)
    page._hold(found, url, hints)
    return page if scope is None else page.within(scope)
