"""The blocks and pictures that chosen ranges of a page make."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from typing import Final, NamedTuple

from tidings.article.blocks import Block, Image, Kind
from tidings.article.boxes import find_boxes, find_quotes, rare_boxes
from tidings.article.code import find_code
from tidings.article.controls import SIGNS, find_anchors
from tidings.article.formulas import find_formulas, with_tex
from tidings.article.galleries import may_hold_gallery, with_galleries
from tidings.article.lists import find_lists
from tidings.article.making import changed
from tidings.article.notes import find_notes
from tidings.article.page_blocks import MadeBlocks, page_blocks
from tidings.article.pictures import Picture, pictures, placed_image
from tidings.article.places import StoryPlaces, story_places
from tidings.article.readings import find_readings
from tidings.article.recordings import find_embeds, find_recordings
from tidings.article.tables import find_tables
from tidings.article.threads import PostHeads, ThreadPost
from tidings.article.units import FoundUnits, classes_of, present
from tidings.budget import check
from tidings.page import Page, Spans, tags
from tidings.text.patterns import late_pattern

#: What finds units, by what start tags tell of, in the order in which they are asked.
_FINDERS: Final[tuple[tuple[str, Callable[[FoundUnits], None]], ...]] = (
    ("code", find_code),
    ("formula", find_formulas),
    ("embed", find_embeds),
    ("anchor", find_anchors),
    ("table", find_tables),
    ("note", find_notes),
    ("quote", find_quotes),
    ("box", find_boxes),
    ("inline", find_readings),
)


#: Class names of what stands between the headline and the text, and says in a sentence what the story says.
_DECK: Final = late_pattern(
    r"(?:^|[\s_-])(?:deck|dek|standfirst|sub-?title|sub-?head(?:line|ing)?|tagline|lede?|chapo|teaser|abstract|vorspann|bajada|entradilla|"
    r"summary|description|excerpt|strapline|drophead|unterzeile|untertitel|sommario|ingress)(?:$|[\s_-])"
)
_HIGHEST_DECK: Final = 4
#: More headings in a row are a list, and longer ones are text.
_MOST_ALONE, _LONGEST_HEADING = 2, 12


class Body(NamedTuple):
    """What was chosen of a page, or of a fragment of one."""

    blocks: tuple[Block, ...]
    images: tuple[Image, ...]
    notes: tuple[Block, ...] = ()  # to which the text refers, and which were not chosen
    text: str | None = None  # what the blocks say as a whole, where that is known


def body_of(
    page: Page,
    base: str,
    shown: Spans,
    places: StoryPlaces,
    posts: Sequence[ThreadPost] = (),
    *,
    with_pictures: bool = True,
) -> Body:
    """Return blocks, with pictures given to their captions, and pictures, with their place among the blocks.

    Args:
        page: the page.
        base: what its addresses are relative to.
        shown: what was chosen of what a reader sees.
        places: what stands in and beside that.
        posts: those of a thread, each of which begins with a block that says so.
        with_pictures: whether pictures are looked for where there is no gallery.
    """
    units = find_units(page, base, shown, places)
    notes: list[Block] = []
    # The figure of a caption is known by its place among the blocks.
    blocks, runs, captions, text = _placed(page, base, shown, (), units, places)
    if posts or (units is not None and units.outside):
        blocks, runs, captions, text = _parted(page, (blocks, runs, captions), units, posts, notes)
    if _mend_headings(page, blocks, runs):
        text = None
    images: list[Image] = []
    if with_pictures or may_hold_gallery(page, shown):
        images, has_galleries = illustrated(page, base, places, blocks, runs, captions)
        text = None if has_galleries else text
    return Body(tuple(blocks), tuple(images), tuple(notes), text)


def illustrated(
    page: Page, base: str, places: StoryPlaces, blocks: list[Block], runs: array[int], captions: dict[int, int]
) -> tuple[list[Image], bool]:
    """Return the pictures of a story with their places among its blocks; captions have theirs then, and galleries are
    put in.

    Whether there are any, which makes other blocks, is told too.

    Args:
        page: the page.
        base: what its addresses are relative to.
        places: what stands in and beside the chosen text.
        blocks: of the chosen text; changed.
        runs: the first run of each; changed with them.
        captions: the figure of each block that is a caption, by its place; changed with them.
    """
    found = pictures(page, base, places)
    shows = with_galleries(page, blocks, runs, captions, found) if len(found) > 1 else {}
    return placed_pictures(found, shows, blocks, runs, captions), bool(shows)


def placed_pictures(
    found: Sequence[Picture],
    shows: Mapping[int, Image],
    blocks: list[Block],
    runs: Sequence[int],
    captions: Mapping[int, int],
) -> list[Image]:
    """Return pictures with their places among blocks, those of galleries as they are; captions have theirs then."""
    images: list[Image] = []
    by_figure: dict[int, Image] = {}
    least = 0  # behind a gallery that holds no text
    for number, picture in enumerate(found):
        image = shows.get(number) or placed_image(picture.image, max(bisect_left(runs, picture.run), least))
        if number in shows:
            least = (image.place or 0) + 1
        else:
            by_figure.setdefault(picture.figure, image)
        images.append(image)
    for place, figure in captions.items():
        if figure in by_figure:
            blocks[place] = changed(blocks[place], image=by_figure.pop(figure))
    return images


def _parted(
    page: Page,
    made: tuple[list[Block], array[int], dict[int, int]],
    units: FoundUnits | None,
    posts: Sequence[ThreadPost],
    notes: list[Block],
) -> MadeBlocks:
    """Return the blocks with heads of posts between them, and without notes that were not chosen, which go where notes
    are.
    """
    heads = PostHeads(page, posts) if posts else None
    blocks: list[Block] = []
    runs = array("q")
    captions: dict[int, int] = {}
    outside = units.outside if units is not None else set()
    for place, (block, run) in enumerate(zip(made[0], made[1], strict=True)):
        if block.label in outside and block.kind not in (Kind.CALLOUT, Kind.DETAILS):
            notes.append(block)
            continue
        if heads is not None:
            heads.place(run, blocks, runs)
        if place in made[2]:
            captions[len(blocks)] = made[2][place]
        blocks.append(block)
        runs.append(run)
    if heads is not None:
        heads.measure(blocks)
    return MadeBlocks(blocks, runs, captions)


def _mend_headings(page: Page, blocks: list[Block], runs: array[int]) -> bool:
    """Return a deck is a paragraph; a heading at the end whose section was left out goes, and whether one did is
    told.
    """
    for place, block in enumerate(blocks[1:_HIGHEST_DECK], 1):
        if block.kind is Kind.HEADING and (block.level or 1) > 1 and _is_deck(page, runs[place]):
            blocks[place] = changed(block, kind=Kind.QUOTE if block.quote_depth else Kind.PARAGRAPH, level=None)
    alone = 0
    while alone < len(blocks) - 1 and blocks[-1 - alone].kind is Kind.HEADING:
        alone += 1
    if 0 < alone <= _MOST_ALONE and len(blocks[-1].words) <= _LONGEST_HEADING and _has_section(page, runs[-1]):
        del blocks[-alone:], runs[-alone:]
        return True
    return False


def _is_deck(page: Page, run: int) -> bool:
    element = page.runs.element.item(run)
    while element > 0 and page.elements.tag.item(element) not in tags.HEADINGS:
        element = page.elements.parent.item(element)
    return element > 0 and _DECK.search(classes_of(page, element)) is not None


def _has_section(page: Page, run: int) -> bool:
    """Return whether a reader sees a text behind a heading that is none itself and stands beside it: its section."""
    element = page.runs.element.item(run)
    while element > 0 and page.elements.tag.item(element) not in tags.HEADINGS:
        element = page.elements.parent.item(element)
    around = page.elements.parent.item(element) if element > 0 else 0
    first = page.elements.last.item(element) if element > 0 else 0
    return around > 0 and not page.runs.hidden[first : page.elements.last.item(around)].all()


def blocks_of(page: Page, base: str, shown: Spans, roots: Sequence[int] = ()) -> MadeBlocks:
    """Return the blocks of what was chosen, in reading order; what stands around the roots does not count."""
    places = story_places(page, shown, with_pictures=False)
    return _placed(page, base, shown, roots, find_units(page, base, shown, places), places)


def _placed(
    page: Page, base: str, shown: Spans, roots: Sequence[int], units: FoundUnits | None, places: StoryPlaces
) -> MadeBlocks:
    if units is not None and units.shown is not shown:
        shown, places = units.shown, story_places(page, units.shown, with_pictures=False)
    made = page_blocks(page, base, shown, roots, units, places)
    return made if units is None else with_units(units, made)


def find_units(page: Page, base: str, shown: Spans, places: StoryPlaces) -> FoundUnits | None:
    """Return the units of the chosen text; None if there are none."""
    if not shown:
        return None
    names = present(places)
    if "anchor" not in names and any(sign in page.text for sign in SIGNS):
        names.add("anchor")
    if "box" not in names and rare_boxes(page):
        names.add("box")
    if places.has_abbreviations:
        names.add("inline")
    units = FoundUnits(page, base, shown, places, places.chosen.copy())
    find_lists(units)
    for name, finder in _FINDERS:
        if name in names:
            check()
            finder(units)
    was = places.chosen
    units.is_changed = units.chosen.tobytes() != was.tobytes()
    find_recordings(units)
    if not (
        units.is_changed
        or units.blocks
        or units.inserted
        or units.is_inline
        or units.ranges
        or units.tail
        or units.has_tex
    ):
        return None
    if units.is_changed:
        # Of a run that was chosen before, no more than was; of one that comes in, all.
        gone = Spans.of_runs(page, was & ~units.chosen) - Spans.of_runs(page, units.chosen)
        units.shown = (shown - gone) | Spans.of_runs(page, units.chosen & ~was)
    return units


def with_units(units: FoundUnits, made: MadeBlocks) -> MadeBlocks:
    """Return the ordinary blocks with the units in their places."""
    blocks, runs, figures, text = made
    if units.blocks:
        for place, run in enumerate(runs):
            unit = units.blocks.get(run)
            if unit is not None:
                own = blocks[place]
                quotes = unit.quote_depth + (0 if run in units.flat else own.quote_depth)
                blocks[place] = changed(unit, depth=own.depth, item=own.item, quote_depth=quotes)
                figures.pop(place, None)
    if units.inserted:
        ordered = [(run, 1, place) for place, run in enumerate(runs)]
        ordered += [(run, 0, place) for place, (run, _) in enumerate(units.inserted)]
        ordered.sort()
        figures = {at: figures[place] for at, (_, own, place) in enumerate(ordered) if own and place in figures}
        blocks = [blocks[place] if own else units.inserted[place][1] for _, own, place in ordered]
        runs = array("q", [run for run, _, _ in ordered])
    if not (units.has_tex or units.ranges or units.tail):
        return MadeBlocks(blocks, runs, figures, None if units.blocks or units.inserted else text)
    if units.has_tex:
        told = list(with_tex(zip(blocks, runs, map(figures.get, range(len(blocks)), repeat(0)), strict=False)))
        blocks, runs = [block for block, _, _ in told], array("q", [run for _, run, _ in told])
        figures = {place: figure for place, (_, _, figure) in enumerate(told) if figure}
    by_run = {runs[place]: figure for place, figure in figures.items()}
    pairs = list(zip(blocks, runs, strict=True))
    for part in sorted(units.ranges, key=lambda one: (one.first, -one.last), reverse=True):
        low, high = (bisect_left(pairs, run, key=lambda pair: pair[1]) for run in (part.first, part.last))
        if low < high:
            check()
            pairs[low:high] = part.change(pairs[low:high])
    pairs += [(block, len(units.chosen)) for block in units.tail]
    captions = ((place, by_run.get(run, 0)) for place, (block, run) in enumerate(pairs) if block.kind is Kind.CAPTION)
    return MadeBlocks(
        [block for block, _ in pairs],
        array("q", [run for _, run in pairs]),
        {place: figure for place, figure in captions if figure},
    )
