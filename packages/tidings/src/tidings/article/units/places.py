"""Locate pictures, lists, links, data tables and unit words around the selected text.

The core finds all of them in one pass over the elements. Unit finders, blocks and pictures use the result.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final, NamedTuple, cast

from tidings.article.units.article_tables import UNIT_WORDS, article_tables
from tidings.core import story_places as core
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools

#: Share of a unit that has to be selected for the whole unit to be kept.
HALF: Final = 0.5
_LINK, _TABLE, _ORDERED, _UNORDERED, _TERMS, _ABBREVIATION, _ACRONYM = (
    tags.NUMBERS[name] for name in "a table ol ul dl abbr acronym".split()
)
_TAGS: Final = array("q", (_LINK, _TABLE, _ORDERED, _UNORDERED, _TERMS, _ABBREVIATION, _ACRONYM))
#: URL types reported by the core: absolute, path from the root of the site. Others have to be resolved.
PLAIN, PATH = 1, 2
LINK_NUMBERS: Final = 4
#: Length of the header in the core's result, and the widths of the rows after it.
_PICTURE_NUMBERS = 8
_HEAD, _ROWS = 14, (LINK_NUMBERS, 1, _PICTURE_NUMBERS, 1, 4, 1)


class PicturePlace(NamedTuple):
    """The position of an `img` element relative to the article: its figure (0 if none), its nearest ancestor with text
    (`holder`), and the text runs of its caption.
    """

    element: int
    figure: int
    holder: int
    place: int  # bits, see `BETWEEN` and the others
    begin: int  # the runs of its figure's caption; -1 if it has none
    end: int
    neighbour_begin: int  # the runs of an element next to it that is named after captions; -1 if there is none
    neighbour_end: int


#: Between the first and the last selected run; next to selected text; just before the first; with a selected caption;
#: in a box in the story whose text without links may be its caption. The same values as in `core/src/pictures.rs`.
BETWEEN, BESIDE, LEADING, CAPTIONED, BOXED = 1, 2, 4, 8, 16


class StoryPlaces(NamedTuple):
    """Elements in and next to the selected text."""

    chosen: Bools  # by run, not to be changed
    first: int  # selected run; -1 if there is none
    last: int
    has_outlived: bool  # there is text in an element that was closed before
    may_play: bool  # a link leads to a file that may play
    has_table: bool
    may_run_leftwards: bool  # some letter of it
    has_abbreviations: bool  # anywhere on the page
    words: int  # unit words in any start tag of the page, as bits
    links: list[int]  # with selected text: element, range of the URL in the source (-1: parse the tag), URL type
    lists: list[int]  # half selected but not completely, and definition lists
    pictures: list[PicturePlace]  # candidates for the story
    declaring: list[int]  # ancestors of the whole selection that may declare direction or language, innermost first
    unit_elements: list[int]  # elements with unit words: element, word bits, first run, one past the last
    tables: list[int]  # data tables, anywhere on the page


_picture = cast("Callable[..., PicturePlace]", tuple.__new__)  # twice as fast as calling the class


def story_places(page: Page, visible: Spans, chosen: Spans | None = None, *, with_pictures: bool = True) -> StoryPlaces:
    """Return the elements in and next to the visible part of the selected text.

    Args:
        page: the page.
        visible: the visible part of the selection.
        chosen: the whole selection, if that is more.
        with_pictures: whether to look for pictures.
    """
    ranges = visible.starts.tobytes(), visible.ends.tobytes()
    runs, numbers = core.story_places(
        page.compiled.memory,
        article_tables().handle,
        _TAGS,
        ranges * 2
        if chosen is None or chosen is visible
        else (*ranges, chosen.starts.tobytes(), chosen.ends.tobytes()),
        page.words_by_element(UNIT_WORDS),
        with_pictures=with_pictures,
    )
    first, last, outlived, plays, table, leftwards, abbreviations, words, *counts = numbers[:_HEAD]
    at, rows = _HEAD, []
    for count, width in zip(counts, _ROWS, strict=True):
        rows.append(numbers[at : at + count * width])
        at += count * width
    links, lists, pictures, declaring, unit_elements, tables = rows
    return StoryPlaces(
        runs,
        first,
        last,
        outlived > 0,
        plays > 0,
        table > 0,
        leftwards > 0,
        abbreviations > 0,
        words,
        links,
        lists,
        [_picture(PicturePlace, row) for row in zip(*[iter(pictures)] * _PICTURE_NUMBERS, strict=True)],
        declaring,
        unit_elements,
        tables,
    )
