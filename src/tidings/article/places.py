"""What stands in and beside chosen text: pictures, lists, links, tables of data, and what start tags tell of.

Finders of units, blocks and pictures ask for it. The core finds it in one pass over the elements.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final, NamedTuple, cast

from tidings.article.article_tables import LONGEST_CAPTION, RUNS_ABOVE, UNIT_WORDS, article_tables
from tidings.core import story_places as core
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools
from tidings.page.tag_sets import tag_set

#: Of a unit so much has to be chosen for all of it to be.
HALF: Final = 0.5
_LINK, _TABLE, _ORDERED, _UNORDERED, _TERMS, _ABBREVIATION, _ACRONYM = (
    tags.NUMBERS[name] for name in "a table ol ul dl abbr acronym".split()
)
_IMAGE, _FIGURE, _CAPTION, _HTML, _BODY = (tags.NUMBERS[name] for name in "img figure figcaption html body".split())
PAGE_ITSELF: Final = tag_set(frozenset((0, _HTML, _BODY)))
_ASKED: Final = array(
    "q",
    (
        *(_LINK, _TABLE, _ORDERED, _UNORDERED, _TERMS, _ABBREVIATION, _ACRONYM),
        *(_IMAGE, _FIGURE, _CAPTION, _HTML, _BODY, LONGEST_CAPTION, RUNS_ABOVE),
    ),
)
#: Sorts of addresses: those that stay as they are, paths from the root of a site; of others nothing is known.
PLAIN, PATH = 1, 2
LINK_NUMBERS: Final = 4
#: Numbers of the core that tell of the whole, before the rows; numbers of a row of each.
_HEAD, _ROWS = 14, (LINK_NUMBERS, 1, 6, 1, 4, 1)


class PicturePlace(NamedTuple):
    """Where an `img` element stands: its figure (0 if it has none), and the nearest element around with text."""

    element: int
    figure: int
    holder: int
    place: int  # bits of what is said below
    begin: int  # the runs of its figure's caption; -1 if it has none
    end: int


#: Between the first and the last chosen text; beside chosen text; just before the first; with chosen text in a caption;
#: in a box with text that may be its caption: it has no link, and is in the story. As `core/src/pictures.rs` has it.
BETWEEN, BESIDE, LEADING, CAPTIONED, BOXED = 1, 2, 4, 8, 16


class StoryPlaces(NamedTuple):
    """What stands in and beside chosen text."""

    chosen: Bools  # by run, not to be changed
    first: int  # chosen run, -1 if there is none
    last: int
    has_outlived: bool  # text stands in an element that was closed before
    may_play: bool  # a link leads to a file that may play
    has_table: bool
    may_run_leftwards: bool  # some letter of it
    has_abbreviations: bool  # anywhere on the page
    words: int  # those of units that stand in any start tag of the page, by their bits
    links: list[int]  # that hold chosen text: where the address stands in the source, -1 if it has to be read; its sort
    lists: list[int]  # of which half is chosen and not all, and those of terms
    pictures: list[PicturePlace]  # that may be of the story
    declaring: list[int]  # elements around all that was chosen that may tell how it runs, the innermost first
    telling: list[int]  # all elements with words of units, each with their bits, its first run and the one behind it
    tables: list[int]  # those of data, anywhere on the page


_picture = cast("Callable[..., PicturePlace]", tuple.__new__)  # as its own function does in twice the time


def story_places(page: Page, shown: Spans, chosen: Spans | None = None, *, with_pictures: bool = True) -> StoryPlaces:
    """Return what stands in and beside the visible part of the chosen text; `chosen` is all of it, if that is more."""
    own = shown.starts.tobytes(), shown.ends.tobytes()
    runs, numbers = core.story_places(
        page.compiled.memory,
        article_tables().handle,
        _ASKED,
        own * 2 if chosen is None or chosen is shown else (*own, chosen.starts.tobytes(), chosen.ends.tobytes()),
        page.held(UNIT_WORDS),
        with_pictures=with_pictures,
    )
    first, last, outlived, plays, table, leftwards, abbreviations, words, *counts = numbers[:_HEAD]
    at, rows = _HEAD, []
    for count, of in zip(counts, _ROWS, strict=True):
        rows.append(numbers[at : at + count * of])
        at += count * of
    links, lists, pictures, declaring, telling, tables = rows
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
        [_picture(PicturePlace, row) for row in zip(*[iter(pictures)] * 6, strict=True)],
        declaring,
        telling,
        tables,
    )
