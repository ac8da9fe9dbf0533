"""What stands in and beside chosen text, found in one go: pictures, lists, links, and what start tags tell of.

Finders of units, blocks and pictures ask for it. The core finds it in one pass over the elements; what is below is what
that is held against, and what finds it where there is none.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Final, NamedTuple, cast

import numpy as np

from tidings.article.pieces import has_outlived, holding
from tidings.core import story_places as compiled
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, any_set, sums
from tidings.page.counts import code_points
from tidings.page.flow import among, tag_set
from tidings.page.tag_words import TELLING, TagWords

#: Of a unit so much has to be chosen for all of it to be.
HALF: Final = 0.5
#: What start tags of units say, by what is then looked for. Each word is of at least three letters.
WORDS: Final = {
    "code": (
        "<pre", "codemirror", "cm-content", "view-line", "ace_line", "syntaxhighlighter", "crayon", "blob-code",
        "code-block", "codeblock", "white-space", "fragment",
    ),
    "formula": ("<math", "katex", "mathjax", "mjx-", "math/", "latex", "mwe-math", "tex-svg"),
    "note": (
        "footnote", "fnref", "noteref", "cite_", "_ftn", "endnote", "sdfoot", "ftnt", "sidenote",
        "marginnote", "ltx_note", 'href="#fn', "<sup",
    ),
    "box": (
        "admonition", "alert", "callout", "notice", "hint", "<details", "warning", "notecard", "custom-block", "-aside",
        "toggle-card",
    ),
    "quote": ("<blockquote", "quote"),
    "embed": ("<iframe", "<video", "<audio", "youtube"),
    "anchor": (
        "permalink", "headerlink", "anchor", "hash-link", "heading-link", "editsection", "header-link", "<button",
    ),
    "aside": ("sidenote", "marginnote", "ltx_note"),
    "inline": ("<ruby", "<ins", "<del", "<strike", "<s>"),
    "table": ("<table",),
}  # fmt: skip
UNIT_WORDS: Final = TagWords(tuple(dict.fromkeys(word for words in WORDS.values() for word in words)), beside=TELLING)
_LINK, _TABLE, _ORDERED, _UNORDERED, _TERMS, _ABBREVIATION, _ACRONYM = (
    tags.NUMBERS[name] for name in "a table ol ul dl abbr acronym".split()
)
_IMAGE, _FIGURE, _CAPTION, _HTML, _BODY = (tags.NUMBERS[name] for name in "img figure figcaption html body".split())
_FIGURES: Final = tag_set(frozenset((_FIGURE,)))
_LISTS: Final = tag_set(frozenset((_ORDERED, _UNORDERED, _TERMS)))
PAGE_ITSELF: Final = tag_set(frozenset((0, _HTML, _BODY)))
#: How long a caption is at most, and how many chosen runs stand above one that only stands in a box with its picture.
LONGEST_CAPTION: Final = 600
RUNS_ABOVE: Final = 4
_ASKED: Final = array(
    "q",
    (
        *(_LINK, _TABLE, _ORDERED, _UNORDERED, _TERMS, _ABBREVIATION, _ACRONYM),
        *(_IMAGE, _FIGURE, _CAPTION, _HTML, _BODY, LONGEST_CAPTION, RUNS_ABOVE),
    ),
)
#: Endings of files that play, and names by which start tags declare how a text runs and its language.
_FILES: Final = (".mp3", ".m4a", ".m4b", ".oga", ".ogg", ".opus", ".aac", ".flac", ".wav")
_DECLARED: Final = ("dir", "lang")
#: Sorts of addresses: those that stay as they are, paths from the root of a site; of others nothing is known.
PLAIN, PATH = 1, 2
LINK_NUMBERS: Final = 4
#: Numbers of the core that tell of the whole, before the rows; numbers of a row of each.
_HEAD, _ROWS = 13, (LINK_NUMBERS, 1, 6, 1, 4)


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


_picture = cast("Callable[..., PicturePlace]", tuple.__new__)  # as its own function does in twice the time


def story_places(page: Page, shown: Spans, chosen: Spans | None = None, *, with_pictures: bool = True) -> StoryPlaces:
    """What stands in and beside what a reader sees of the chosen text; `chosen` is all of it, if that is more."""
    found = _compiled(page, shown, chosen, with_pictures) if page.compiled is not None else None
    return specified(page, shown, chosen, with_pictures=with_pictures) if found is None else found


def _compiled(page: Page, shown: Spans, chosen: Spans | None, with_pictures: bool) -> StoryPlaces | None:
    if page.compiled is None:
        return None
    own = shown.starts.tobytes(), shown.ends.tobytes()
    found = compiled.story_places(
        page.compiled.memory,
        len(page.runs),
        _ASKED,
        own * 2 if chosen is None or chosen is shown else (*own, chosen.starts.tobytes(), chosen.ends.tobytes()),
        None,
        page.held(UNIT_WORDS),
        with_pictures=with_pictures,
    )
    if found is None:
        return None
    runs, numbers = found
    first, last, outlived, plays, table, leftwards, abbreviations, words, *counts = numbers[:_HEAD]
    at, rows = _HEAD, []
    for count, of in zip(counts, _ROWS, strict=True):
        rows.append(numbers[at : at + count * of])
        at += count * of
    links, lists, pictures, declaring, telling = rows
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
    )


def specified(page: Page, shown: Spans, chosen: Spans | None = None, *, with_pictures: bool = True) -> StoryPlaces:
    """As `story_places`, in Python."""
    runs = shown.runs(page)
    runs.setflags(write=False)
    places = runs.nonzero()[0].tolist() or [-1]
    links = holding(page, shown, _LINK)
    elements = page.elements
    held = page.held(UNIT_WORDS)
    where = held.nonzero()[0]
    of_links = (elements.tag == _LINK).nonzero()[0]
    before = sums(runs)
    of_links = of_links[before[elements.last[of_links]] > before[elements.first[of_links]]]
    played = "\n".join(page.cut.tags(page.opened[of_links])).lower()
    said = "".join([page.text[start:end] for start, end in shown])
    codes = code_points(said)
    columns = (where, held[where].astype(np.int64), elements.first[where], elements.last[where])
    return StoryPlaces(
        chosen=runs,
        first=places[0],
        last=places[-1],
        has_outlived=has_outlived(page),
        may_play=any(file in played for file in _FILES),
        has_table=len(holding(page, shown, _TABLE)) > 0,
        may_run_leftwards=any_set((codes - 0x590 < 0x370) | (codes >= 0xFB1D)),
        has_abbreviations=any_set((elements.tag == _ABBREVIATION) | (elements.tag == _ACRONYM)),
        words=int(np.bitwise_or.reduce(columns[1])) if len(where) else 0,
        links=[number for link in links.tolist() for number in (link, -1, -1, 0)],
        lists=_lists(page, runs, before),
        pictures=_pictures(page, runs) if with_pictures else [],
        declaring=_declaring(page, shown if chosen is None else chosen),
        telling=np.stack(columns, 1).ravel().tolist(),
    )


def _lists(page: Page, chosen: Bools, before: Ints) -> list[int]:
    """Lists of which half is chosen and not all, and those of terms."""
    elements, runs = page.elements, page.runs
    found = among(elements.tag, _LISTS).nonzero()[0]
    first, last = elements.first[found], elements.last[found]
    begun = before[last] - before[first]
    found = found[((begun > 0) | (elements.tag[found] == _TERMS)) & (begun < last - first)]
    size = (runs.text_end - runs.text_start) * ~runs.hidden
    seen, taken = sums(size), sums(size * chosen)
    first, last = elements.first[found], elements.last[found]
    whole, part = seen[last] - seen[first], taken[last] - taken[first]
    some = (whole > 0) & (part < whole) & ((part >= HALF * whole) | (elements.tag[found] == _TERMS))
    cut: list[int] = found[some].tolist()
    return cut


def _declaring(page: Page, chosen: Spans) -> list[int]:
    """Elements around all of the chosen text in whose start tags a name stands that declares something of it."""
    runs = chosen.runs(page).nonzero()[0]
    if not len(runs):
        return []
    elements = page.elements
    element, last = page.runs.element.item(runs[0]), runs.item(-1)
    around = []
    while element > 0:
        if elements.last.item(element) > last:
            around.append(element)
        element = elements.parent.item(element)
    small = [tag.lower() for tag in page.cut.tags(page.opened[around])] if around else []
    return [one for one, tag in zip(around, small, strict=True) if any(name in tag for name in _DECLARED)]


def _pictures(page: Page, chosen: Bools) -> list[PicturePlace]:
    """Where the pictures of a page stand that may be of the story."""
    elements = page.elements
    found = np.flatnonzero(elements.tag == _IMAGE)
    if not len(found) or not any_set(chosen):
        return []
    figures = page.nearest(_FIGURES)
    captions = _captions(page, figures)
    runs = np.flatnonzero(chosen)
    first, last = int(runs[0]), int(runs[-1])
    before = sums(chosen)
    figure = figures[found]
    in_figure = figures[page.runs.element] > 0
    holder = _nearest_with_text(page, sums(~in_figure))[elements.parent[np.where(figure > 0, figure, found)]]
    beside = before[elements.last[holder]] > before[elements.first[holder]]
    # Where the text goes on behind the picture: behind its figure, if it is in one.
    behind = np.where(figure > 0, elements.last[figure], elements.first[found])
    between = (elements.first[found] > first) & (elements.first[found] <= last)
    seen = sums(~(in_figure | page.runs.hidden))
    leading = (behind <= first) & (seen[behind] == seen[first]) & ~among(elements.tag[holder], PAGE_ITSELF)
    columns = (column.tolist() for column in (found, figure, holder, between, beside, leading))
    places = []
    for element, around, box, is_between, is_beside, is_leading in zip(*columns, strict=True):
        begin, end = captions.get(around, (-1, -1))
        place = BETWEEN * is_between | BESIDE * is_beside | LEADING * is_leading
        if end >= 0 and before.item(end) > before.item(begin):
            place |= CAPTIONED
        if is_between and not is_beside and not around and box > 0:
            low, high = elements.first.item(box), elements.last.item(box)
            if page.runs.text_end.item(high - 1) - page.runs.text_start.item(low) > LONGEST_CAPTION:
                continue
            if before.item(low) >= RUNS_ABOVE and not any_set(page.runs.in_link[low:high]):
                place |= BOXED
        elif not (place & CAPTIONED or ((is_between or is_leading) and is_beside)):
            continue
        places.append(PicturePlace(element, around, box, place, begin, end))
    return places


def _nearest_with_text(page: Page, text_before: Ints) -> Ints:
    """For each element itself or the nearest element around it that holds text, told by counts before each run."""
    elements = page.elements
    return page.nearest_of(text_before[elements.last] > text_before[elements.first])


def _captions(page: Page, figures: Ints) -> dict[int, tuple[int, int]]:
    """For each figure the runs of its first caption."""
    elements = page.elements
    found = np.flatnonzero(elements.tag == _CAPTION)
    captions: dict[int, tuple[int, int]] = {}
    for caption, figure in zip(found.tolist(), figures[found].tolist(), strict=True):
        if figure:
            captions.setdefault(figure, (int(elements.first[caption]), int(elements.last[caption])))
    return captions
