"""Text that is in the source but that nobody sees.

Text that a person cannot see must not reach whoever reads the article, least of all a language model. Whether an
element is hidden is told by its start tag and by the style sheets that stand on the page: the `hidden` attribute,
`aria-hidden`, what `style` declares (`styles`), what rules for its name, classes and id declare (`style_sheet`), and
class names that mean the same wherever they are used. What only a script or a style sheet elsewhere hides is not known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.page import tags
from tidings.page.attributes import attributes
from tidings.page.columns import Ints
from tidings.page.cut import Cut
from tidings.page.flow import Bools, Flow, among, cover, tag_set
from tidings.page.start_tags import StartTags
from tidings.page.style_sheet import NO_STYLES, StyleSheet, media_holds, style_sheet
from tidings.page.styles import GONE, INDENT, INHERITED, INK, SIZE, VISIBILITY, hiding
from tidings.page.tree import Tree

#: Raw text has no start tag of its own in the cut, and a page hidden as a whole (until its script has run) is shown.
NEVER_ASKED: Final = tags.RAW | tags.numbers("html body svg") | {0}
#: Style sheets in these hold under a condition that a reader does not meet, or for a part of the page only.
ELSEWHERE: Final = tags.numbers("noscript template")
_HIDDEN_TAGS, _NEVER_ASKED, _ELSEWHERE = tag_set(tags.HIDDEN), tag_set(NEVER_ASKED), tag_set(ELSEWHERE)
_DIALOG, _TEMPLATE, _STYLE_TAG = (tags.NUMBERS[name] for name in ("dialog", "template", "style"))

#: What React names the pieces that it sends behind the page; the place of each is named `B:` instead of `S:`.
_STREAMED: Final = re.compile(r"S:[0-9a-f]{1,4}")
_PRE, _PARAGRAPH = tags.NUMBERS["pre"], tags.NUMBERS["p"]
#: So many paragraphs of at least so many characters are a story.
MANY_PARAGRAPHS, LONG_PARAGRAPH = 10, 150
#: What a tag that hides its element holds, in small letters: an attribute, or a word of a class name. References may
#: stand for anything.
_MAY_HIDE: Final = re.compile(r"style|hidden|sr-?only|-sr|screen|-none|no-display|invisible|&")
#: The tags of a site say the same on all its pages: of so many it is remembered what they hide.
_MOST_ANSWERS: Final = 1024
_NAME: Final = re.compile(r"<([a-zA-Z][^\s/>]*+)", re.ASCII)

#: Class names under which style sheets keep text for screen readers only, with the prefixes of libraries. On 2,014
#: pages with gold they stand on over 400 sites, and 6 of a hundred of their words are in the gold.
_FOR_SCREEN_READERS: Final = re.compile(
    r"(?!not-|.*:)(?:.*[-_])?(?:sr-?only|visually-?hidden|vis-?hidden|screen-?reader(?:-text|-only)?|screen-only|for-sr"
    r"|visible-sr|element-invisible|a11y-hidden|hidden-visually|hidden-accessible)"
    r"(?:-focusable|--\w+)?\Z",
    re.ASCII,
)
#: Class names of frameworks for what is not displayed. `hide` is none of them: a third of its words is in the gold,
#: for pages put it on stories that a script shows; nor are `collapse`, `opacity-0` and `none`.
_NOT_DISPLAYED: Final = frozenset(
    "hidden d-none is-hidden u-hidden uk-hidden tw-hidden display-none no-display invisible".split()
)
#: With these the element is shown on some screens: `hidden md:block`, `d-none d-lg-flex`.
_SHOWN_ON_SOME: Final = re.compile(
    r"(?:(?:tw-)?(?:(?:max|min)-)?(?:xs|sm|md|lg|xl|xxl|\dxl|phone|mobile|tablet|laptop|desktop|wide|dark|light|rtl|ltr"
    r"|\[[^\]]+\]):!?(?:tw-)?(?!hidden|none|invisible|sr-only)(?:block|flex|grid|inline|table|contents|list-item"
    r"|flow-root|visible|not-sr-only)[\w-]*+"
    r"|d-(?:xs|sm|md|lg|xl|xxl|\dxl)-(?!none)[\w-]++|(?:mobile|tablet|desktop)(?:__|-)(?:block|flex|inline|grid)[\w-]*+"
    r"|visible-(?:xs|sm|md|lg|xl)(?:-[\w-]++)?)\Z",
    re.ASCII,
)


def is_hidden(attribute: dict[str, str], name: str = "", styles: StyleSheet = NO_STYLES) -> bool:
    """Whether an element with these attributes is out of a reader's sight, whatever is inside it."""
    return ways_hidden(attribute, name, styles)[0] != 0


def ways_hidden(attribute: dict[str, str], name: str = "", styles: StyleSheet = NO_STYLES) -> tuple[int, int]:
    """The ways in which an element is hidden, and those that it takes back of what is around it, as bits of `styles`.

    Args:
        attribute: the attributes of its start tag.
        name: of its tag, in small letters.
        styles: the style sheets of the page.
    """
    inline = attribute.get("style")
    declared = styles.style(name, attribute, inline) if inline or styles else None
    ways, taken_back = hiding(declared, name, styles.moving) if declared else (0, 0)
    hidden = attribute.get("hidden")
    # As in a browser, a display of its own is stronger than the attribute.
    has_display = inline and declared and declared.get("display", "none") != "none"
    if hidden is not None and hidden.strip().lower() != "until-found" and not has_display:
        ways |= GONE
    if attribute.get("aria-hidden", "").strip().lower() == "true":
        ways |= GONE
    classes = attribute.get("class")
    if classes is not None and _is_hidden_by_class(classes.lower().split()):
        ways |= GONE
    return ways, taken_back


def _is_hidden_by_class(classes: list[str]) -> bool:
    if not any(one in _NOT_DISPLAYED or _FOR_SCREEN_READERS.match(one) for one in classes):
        return False
    return not any(_SHOWN_ON_SOME.match(one) for one in classes)


def hidden_with(attribute: dict[str, str], name: str, styles: StyleSheet) -> tuple[object, ...]:
    """What tells that elements are hidden and shown together: rules of a style sheet, or the same tag with classes.

    Empty for an element whose tag says nothing by which to know others.
    """
    rules = styles.hiding_rules(name, attribute) if styles else ()
    if rules:
        return rules
    classes = attribute.get("class", "").split()
    return (name, *classes, attribute.get("style", "")) if classes else ()


def tag_name(start_tag: str) -> str:
    """The name of a start tag, in small letters."""
    match = _NAME.match(start_tag)
    return match[1].lower() if match else ""


def styles_of(cut: Cut, tree: Tree) -> StyleSheet:
    """The style sheets that stand on a page."""
    places = np.flatnonzero(cut.codes == _STYLE_TAG)
    if not len(places):
        return NO_STYLES
    elsewhere = cover(tree, among(tree.tag, _ELSEWHERE))
    return style_sheet(written_styles(cut.tags(places[elsewhere[places] == 0])))


def written_styles(elements: Iterable[str]) -> str:
    """What `<style>` elements say, each given from its start tag on, for screens that people read with."""
    found = []
    for element in elements:
        start, _, css = element.partition(">")
        if "media" in start.lower():
            query = attributes(start + ">").get("media", "")
            if not media_holds(query):
                continue
            css = f"@media {query}{{{css}}}"
        found.append(css)
    return "\n".join(found)


class Unseen(NamedTuple):
    """Which pieces of the cut nobody sees."""

    text: Bools  # for each piece
    box: Bools  # as a box: what hides letters only does not hide pictures
    revealed: list[int]  # elements that are seen though their tags say otherwise, for a script will show them

    @classmethod
    def of_flags(cls, flags: NDArray[np.uint8], revealed: Ints) -> Unseen:
        """From bits, 1 for text and 2 for boxes."""
        return cls((flags & 1).view(np.bool_), flags > 1, revealed.tolist())


class Hidden(NamedTuple):
    """Which elements are hidden."""

    gone: Bools  # with all they hold
    dimmed: dict[int, Bools]  # in a way that is inherited: those that begin to be
    restored: dict[int, Bools]  # those that end to be

    def pieces(self, tree: Tree, nearest: Callable[[Bools], Ints], ways: int = INHERITED) -> Bools:
        """Which pieces of the cut nobody sees. `nearest` tells the nearest chosen element around each."""
        unseen = cover(tree, self.gone) > 0
        for way, dimmed in self.dimmed.items():
            if not way & ways:
                continue
            told = nearest(dimmed | self.restored[way])
            unseen |= dimmed[told][tree.owner]
        return unseen


def hidden_elements(cut: Cut, tree: Tree, start_tags: StartTags, holds_text: Bools, styles: StyleSheet) -> Hidden:
    """Which elements are hidden by themselves (what they hold is hidden with them); asked of those with text only."""
    gone = among(tree.tag, _HIDDEN_TAGS) & holds_text
    asked = np.flatnonzero(holds_text & ~among(tree.tag, _NEVER_ASKED))
    spellings, spelling = start_tags.of(asked)
    ways = dict(enumerate(ways_of_tags(spellings, styles)))

    def spelled(places: list[int]) -> Bools:
        chosen = np.zeros(len(spellings), np.bool_)
        chosen[places] = True
        found = np.zeros(len(tree.tag), np.bool_)
        found[asked[chosen[spelling]]] = True
        return found

    if places := [place for place, (found, _) in ways.items() if found & GONE]:
        gone |= spelled(places)
    dimmed = {
        way: spelled(places)
        for way in (VISIBILITY, SIZE, INK, INDENT)
        if (places := [place for place, (found, _) in ways.items() if found & way])
    }
    restored = {way: spelled([place for place, (_, back) in ways.items() if back & way]) for way in dimmed}
    for element in np.flatnonzero(gone & ((tree.tag == _DIALOG) | (tree.tag == _TEMPLATE))).tolist():
        found = attributes(cut.tag(tree.opened[element]))
        if "open" in found or "shadowrootmode" in found:  # an open dialog, a shadow root: both are shown
            gone[element] = is_hidden(found, cut.names[tree.tag[element]], styles)
    return Hidden(gone, dimmed, restored)


def ways_of_tags(start_tags: list[str], styles: StyleSheet) -> list[tuple[int, int]]:
    """For each of some start tags the ways in which it hides its element, and those that it takes back."""
    has_rules = bool(styles)
    return [_ways(one, styles) if has_rules or may_hide(one.lower()) else (0, 0) for one in start_tags]


def may_hide(said: str) -> bool:
    """Whether what tags say, in small letters, holds a word with which an element can be hidden."""
    return _MAY_HIDE.search(said) is not None


def _ways(start_tag: str, styles: StyleSheet) -> tuple[int, int]:
    found = styles.answers.get(start_tag)
    if found is None:
        if len(styles.answers) >= _MOST_ANSWERS:
            styles.answers.clear()
        found = ways_hidden(attributes(start_tag), tag_name(start_tag), styles)
        styles.answers[start_tag] = found
    return found


def shown_later(source: str, cut: Cut, tree: Tree, whole: Flow, gone: Bools) -> list[int]:
    """Hidden elements that the page says it shows: panels of code whose tabs are seen, a story that React streams.

    Panels are shown together where one of them holds code, what React streams where it is running text: behind the
    tabs of shops, and in what they stream, is mostly what is not meant.
    """
    panels: list[int] = []
    streamed: list[int] = []
    seen: tuple[set[str], set[str]] | None = None
    for element in np.flatnonzero(gone).tolist():
        tag = cut.tag(int(tree.opened[element]))
        if "tabpanel" not in tag and "S:" not in tag:  # as nearly all
            continue
        told = attributes(tag)
        name = told.get("id", "")
        if _STREAMED.fullmatch(name):
            if f'id="B:{name[2:]}"' in source:
                streamed.append(element)
        elif told.get("role", "") == "tabpanel":
            seen = seen or _tabs(cut, tree, whole, gone)
            if name in seen[0] or not seen[1].isdisjoint(told.get("aria-labelledby", "").split()):
                panels.append(element)
    found = panels if _sizes_inside(tree, whole, panels, _PRE) else []
    paragraphs = _sizes_inside(tree, whole, streamed, _PARAGRAPH)
    if sum(size >= LONG_PARAGRAPH for size in paragraphs) >= MANY_PARAGRAPHS:
        found = sorted(found + streamed)
    return found


def _sizes_inside(tree: Tree, whole: Flow, boxes: list[int], tag: int) -> list[int]:
    """The sizes of the texts of elements of a tag inside some boxes."""
    within = np.zeros(len(tree.tag), np.bool_)
    for box in boxes:
        within |= (tree.opened > tree.opened[box]) & (tree.opened < tree.closed[box])
    found = np.flatnonzero(within & (tree.tag == tag))
    first, last = (np.searchsorted(whole.piece, at[found], side="right") for at in (tree.opened, tree.closed))
    first, last = first[first < last], last[first < last]
    sizes: list[int] = (whole.text_end[last - 1] - whole.text_start[first]).tolist()
    return sizes


def _tabs(cut: Cut, tree: Tree, whole: Flow, gone: Bools) -> tuple[set[str], set[str]]:
    """What the tabs that are seen control, and their own names."""
    controlled: set[str] = set()
    names: set[str] = set()
    first, last = (np.searchsorted(whole.piece, at, side="right") for at in (tree.opened, tree.closed))
    for element in np.flatnonzero(first < last).tolist():
        tag = cut.tag(int(tree.opened[element]))
        if "tab" not in tag or (told := attributes(tag)).get("role", "") != "tab":
            continue
        at = element
        while at > 0 and not gone[at]:
            at = tree.parent.item(at)
        if at <= 0:
            controlled.update(told.get("aria-controls", "").split())
            names.update(told.get("id", "").split())
    return controlled, names
