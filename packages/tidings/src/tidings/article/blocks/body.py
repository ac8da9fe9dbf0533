"""Build the blocks and pictures of the selected ranges of a page."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from itertools import repeat
from typing import Final, NamedTuple

from tidings.article.blocks.controls import SIGNS, find_anchors
from tidings.article.blocks.page_blocks import MadeBlocks, page_blocks, plain_text
from tidings.article.model.blocks import Block, Image, Kind
from tidings.article.model.constructors import changed
from tidings.article.model.plain_text import plain
from tidings.article.pictures.galleries import may_hold_gallery, with_galleries
from tidings.article.pictures.select import Picture, pictures, placed_image
from tidings.article.units.boxes import find_boxes, find_quotes, rare_boxes
from tidings.article.units.code import find_code
from tidings.article.units.formulas import find_formulas, with_tex
from tidings.article.units.lists import find_lists
from tidings.article.units.notes import find_notes
from tidings.article.units.places import StoryPlaces, story_places
from tidings.article.units.readings import find_readings
from tidings.article.units.recordings import find_embeds, find_recordings
from tidings.article.units.tables import find_tables
from tidings.article.units.threads import PostHeads, ThreadPost
from tidings.article.units.units import FoundUnits, classes_of, present
from tidings.budget import check
from tidings.page import Page, Spans, tags
from tidings.text import without_breaks
from tidings.text.patterns import late_pattern

#: Unit finders, in the order in which they run, by the word group in start tags that triggers them.
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


#: Class names of decks: the summary between headline and text.
_DECK: Final = late_pattern(
    r"(?:^|[\s_-])(?:deck|dek|standfirst|sub-?title|sub-?head(?:line|ing)?|tagline|lede?|chapo|teaser|abstract|vorspann|bajada|entradilla|"
    r"summary|description|excerpt|strapline|drophead|unterzeile|untertitel|sommario|ingress)(?:$|[\s_-])"
)
_HIGHEST_DECK: Final = 4
#: More headings in a row at the end are a list, and longer ones are text.
_MOST_ALONE, _LONGEST_HEADING = 2, 12


class Body(NamedTuple):
    """Blocks, pictures and notes of the selected text of a page or fragment."""

    blocks: tuple[Block, ...]
    images: tuple[Image, ...]
    notes: tuple[Block, ...] = ()  # notes that the text refers to but that were not selected
    text: str | None = None  # the text of all blocks, if known


def body_of(
    page: Page,
    base: str,
    visible: Spans,
    places: StoryPlaces,
    posts: Sequence[ThreadPost] = (),
    *,
    with_pictures: bool = True,
) -> Body:
    """Return the blocks and pictures of the selected text.

    Captions get their picture, and pictures their position among the blocks.

    Args:
        page: the page.
        base: the base URL of the page.
        visible: the visible part of the selected text.
        places: pictures, links, lists and tables near the selected text.
        posts: the posts of a thread, each of which starts with a `POST` block.
        with_pictures: whether to look for pictures outside galleries.
    """
    units = find_units(page, base, visible, places)
    return _body_with_units(page, base, visible, places, posts, units, with_pictures=with_pictures)


def text_of(page: Page, base: str, visible: Spans, places: StoryPlaces, posts: Sequence[ThreadPost] = ()) -> str:
    """Return the plain text of the blocks that `body_of` would return. Mostly no block is built for it."""
    units = find_units(page, base, visible, places)
    if not posts and (units is None or not units.makes_blocks) and not may_hold_gallery(page, visible):
        shown = visible
        if units is not None and units.visible is not visible:
            shown, places = units.visible, story_places(page, units.visible, with_pictures=False)
        text = plain_text(page, shown, units, places)
        if text is not None:
            return text
    body = _body_with_units(page, base, visible, places, posts, units, with_pictures=False)
    return without_breaks(plain(body.blocks)) if body.text is None else body.text


def _body_with_units(
    page: Page,
    base: str,
    visible: Spans,
    places: StoryPlaces,
    posts: Sequence[ThreadPost],
    units: FoundUnits | None,
    *,
    with_pictures: bool,
) -> Body:
    built, notes = _build_blocks(page, base, visible, places, posts, units)
    if with_pictures or may_hold_gallery(page, visible):
        return _add_pictures(page, base, places, built, notes)
    return Body(tuple(built.blocks), (), tuple(notes), built.text)


def _build_blocks(
    page: Page,
    base: str,
    visible: Spans,
    places: StoryPlaces,
    posts: Sequence[ThreadPost],
    units: FoundUnits | None,
) -> tuple[MadeBlocks, list[Block]]:
    """Return the blocks of the selected text, and the notes outside of it."""
    notes: list[Block] = []
    # The figure of a caption is known by its index among the blocks.
    built = _blocks_with_units(page, base, visible, (), units, places)
    if posts or (units is not None and units.outside):
        built = _with_posts(page, built[:3], units, posts, notes)
    if _mend_headings(page, built.blocks, built.runs):
        built = built._replace(text=None)
    return built, notes


def _add_pictures(page: Page, base: str, places: StoryPlaces, built: MadeBlocks, notes: list[Block]) -> Body:
    """Return the body with its pictures and galleries."""
    blocks, runs, captions, text = built
    images, has_galleries = illustrated(page, base, places, blocks, runs, captions)
    return Body(tuple(blocks), tuple(images), tuple(notes), None if has_galleries else text)


def illustrated(
    page: Page, base: str, places: StoryPlaces, blocks: list[Block], runs: array[int], captions: dict[int, int]
) -> tuple[list[Image], bool]:
    """Find the pictures of a story, insert galleries, and give captions their pictures.

    Args:
        page: the page.
        base: the base URL of the page.
        places: pictures, links, lists and tables near the selected text.
        blocks: the blocks of the selected text; changed in place.
        runs: the first run of each block; changed in place.
        captions: the figure of each caption, by block index; changed in place.

    Returns:
        The pictures with their positions, and whether galleries were inserted.
    """
    candidates = pictures(page, base, places)
    in_galleries = with_galleries(page, blocks, runs, captions, candidates) if len(candidates) > 1 else {}
    return placed_pictures(candidates, in_galleries, blocks, runs, captions), bool(in_galleries)


def placed_pictures(
    candidates: Sequence[Picture],
    in_galleries: Mapping[int, Image],
    blocks: list[Block],
    runs: Sequence[int],
    captions: Mapping[int, int],
) -> list[Image]:
    """Return the pictures of an article with their positions among the blocks, and add each figure's picture to the
    block of its caption.

    Args:
        candidates: the pictures in document order.
        in_galleries: the pictures that galleries contain, by their index among the candidates.
        blocks: the article's blocks; caption blocks are replaced.
        runs: the first text run of each block.
        captions: the figure of each caption, by block index.
    """
    images: list[Image] = []
    by_figure: dict[int, Image] = {}
    least = 0  # after a gallery without text
    for number, picture in enumerate(candidates):
        image = in_galleries.get(number) or placed_image(picture.image, max(bisect_left(runs, picture.run), least))
        if number in in_galleries:
            least = (image.place or 0) + 1
        else:
            by_figure.setdefault(picture.figure, image)
        images.append(image)
    for place, figure in captions.items():
        if figure in by_figure:
            blocks[place] = changed(blocks[place], image=by_figure.pop(figure))
    return images


def _with_posts(
    page: Page,
    built: tuple[list[Block], array[int], dict[int, int]],
    units: FoundUnits | None,
    posts: Sequence[ThreadPost],
    notes: list[Block],
) -> MadeBlocks:
    """Insert the heads of posts, and move notes outside the selection to `notes`."""
    heads = PostHeads(page, posts) if posts else None
    blocks: list[Block] = []
    runs = array("q")
    captions: dict[int, int] = {}
    outside = units.outside if units is not None else set()
    for place, (block, run) in enumerate(zip(built[0], built[1], strict=True)):
        if block.label in outside and block.kind not in (Kind.CALLOUT, Kind.DETAILS):
            notes.append(block)
            continue
        if heads is not None:
            heads.place(run, blocks, runs)
        if place in built[2]:
            captions[len(blocks)] = built[2][place]
        blocks.append(block)
        runs.append(run)
    if heads is not None:
        heads.measure(blocks)
    return MadeBlocks(blocks, runs, captions)


def _mend_headings(page: Page, blocks: list[Block], runs: array[int]) -> bool:
    """Turn decks into paragraphs and remove headings at the end whose section was not selected.

    Returns:
        Whether headings were removed.
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
    """Return whether visible text follows a heading inside the heading's parent element."""
    element = page.runs.element.item(run)
    while element > 0 and page.elements.tag.item(element) not in tags.HEADINGS:
        element = page.elements.parent.item(element)
    parent = page.elements.parent.item(element) if element > 0 else 0
    first = page.elements.last.item(element) if element > 0 else 0
    return parent > 0 and not page.runs.hidden[first : page.elements.last.item(parent)].all()


def blocks_of(page: Page, base: str, visible: Spans, roots: Sequence[int] = ()) -> MadeBlocks:
    """Return the blocks of the given visible text, in reading order. Lists and quotes that contain the elements `roots`
    do not count for the depth of blocks.
    """
    places = story_places(page, visible, with_pictures=False)
    return _blocks_with_units(page, base, visible, roots, find_units(page, base, visible, places), places)


def _blocks_with_units(
    page: Page, base: str, visible: Spans, roots: Sequence[int], units: FoundUnits | None, places: StoryPlaces
) -> MadeBlocks:
    if units is not None and units.visible is not visible:
        visible, places = units.visible, story_places(page, units.visible, with_pictures=False)
    blocks = page_blocks(page, base, visible, roots, units, places)
    return blocks if units is None else with_units(units, blocks)


def find_units(page: Page, base: str, visible: Spans, places: StoryPlaces) -> FoundUnits | None:
    """Return the units of the selected text; None if there are none."""
    if not visible:
        return None
    names = present(places)
    if "anchor" not in names and any(sign in page.text for sign in SIGNS):
        names.add("anchor")
    if "box" not in names and rare_boxes(page):
        names.add("box")
    if places.has_abbreviations:
        names.add("inline")
    units = FoundUnits(page, base, visible, places, places.chosen.copy())
    find_lists(units)
    for name, finder in _FINDERS:
        if name in names:
            check()
            finder(units)
    before = places.chosen
    units.is_changed = units.chosen.tobytes() != before.tobytes()
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
        # A run that was selected partly stays partial; an added run comes in whole.
        removed = Spans.of_runs(page, before & ~units.chosen) - Spans.of_runs(page, units.chosen)
        units.visible = (visible - removed) | Spans.of_runs(page, units.chosen & ~before)
    return units


def with_units(units: FoundUnits, plain_blocks: MadeBlocks) -> MadeBlocks:
    """Replace plain blocks by the units in their positions."""
    blocks, runs, figures, text = plain_blocks
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
        split_blocks = list(with_tex(zip(blocks, runs, map(figures.get, range(len(blocks)), repeat(0)), strict=False)))
        blocks, runs = [block for block, _, _ in split_blocks], array("q", [run for _, run, _ in split_blocks])
        figures = {place: figure for place, (_, _, figure) in enumerate(split_blocks) if figure}
    by_run = {runs[place]: figure for place, figure in figures.items()}
    pairs = list(zip(blocks, runs, strict=True))
    for part in sorted(units.ranges, key=lambda part: (part.first, -part.last), reverse=True):
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
