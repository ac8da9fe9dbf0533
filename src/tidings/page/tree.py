"""Which element each tag and each piece of text belongs to.

One walk over the tags with a stack. It closes what the HTML standard closes without being told (13.2.6): `<li>` ends
the `<li>` before it, `<div>` ends an open `<p>`, a cell ends a cell.

Where we differ from a browser on purpose: text stays where it stands in the source (a browser lifts stray text out
of a table); no element is made up (`<tbody>`, `<head>`); formatting elements are not opened again after a misnested
end; nothing inside `<svg>` becomes an element; nothing is nested deeper than `MAX_DEPTH`. None of this loses a word.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.page.tags import FORMATTING, HEADINGS, NUMBERS, SCOPE, SPECIAL, STARTS, Start, numbers

Ints = NDArray[np.int64]

#: Browsers stop nesting at this depth too (Blink and WebKit: 512).
MAX_DEPTH: Final = 512

# Plain integers: an enum costs more to compare than the rest of the loop.
_STARTS: Final[list[int]] = [0, *(int(start) for start in STARTS.values())]
_PLAIN, _VOID, _BLOCK, _HEADING, _ITEM, _TERM = (
    int(start) for start in (Start.PLAIN, Start.VOID, Start.BLOCK, Start.HEADING, Start.ITEM, Start.TERM)
)
_OPTION, _ONCE, _ROOT, _RUBY, _CONTROL = (
    int(start) for start in (Start.OPTION, Start.ONCE, Start.ROOT, Start.RUBY, Start.CONTROL)
)
_P, _A, _SVG, _HEAD, _LI = (NUMBERS[name] for name in ("p", "a", "svg", "head", "li"))
_OPTION_TAG, _OPTGROUP, _SELECT, _INPUT = (NUMBERS[name] for name in ("option", "optgroup", "select", "input"))

P_SCOPE = SCOPE | numbers("button")
LIST_SCOPE = SCOPE | numbers("ol ul")
TABLE_SCOPE = numbers("html table template")
ITEM_STOPS = SPECIAL - numbers("address div p li")
TERM_STOPS = SPECIAL - numbers("address div p dt dd")
TERMS = numbers("dt dd")
#: What a part of a table is put into: everything opened since is closed.
TABLE_CONTEXT: Final[dict[int, frozenset[int]]] = {
    int(Start.SECTION): numbers("table"),
    int(Start.ROW): numbers("table tbody thead tfoot"),
    int(Start.CELL): numbers("table tbody thead tfoot tr"),
}
OUTSIDE_TABLE = numbers("html template")
RUBY_TEXTS = numbers("rb rt rp")
_ROOTS = numbers("html head body")

#: What an end tag may reach through, by tag: it looks for its own start below the top of the stack.
END_STOPS: Final[dict[int, frozenset[int]]] = {
    **dict.fromkeys(SPECIAL - _ROOTS, SCOPE),
    **dict.fromkeys(FORMATTING, SCOPE),
    **dict.fromkeys(numbers("table tr td th tbody thead tfoot caption colgroup"), TABLE_SCOPE),
    _P: P_SCOPE,
    _LI: LIST_SCOPE,
    **dict.fromkeys(_ROOTS, frozenset(SPECIAL)),
    NUMBERS["dialog"]: SCOPE,  # ends through blocks, though it is not special itself
    NUMBERS["template"]: frozenset(),  # ends through anything
}

#: HTML elements that end an open <svg> when they stand in it (13.2.6.5).
BREAKS_OUT = numbers(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta "
    "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)


class Tree(NamedTuple):
    """Elements in document order; element 0 is the document itself.

    `opened` and `closed` are indices of tags: element e holds the pieces `opened[e] < i <= closed[e]` of the cut.
    """

    tag: Ints
    parent: Ints
    depth: Ints
    opened: Ints
    closed: Ints
    owner: Ints  # per piece: the element it stands in directly


def grow(codes: list[int], names: tuple[str, ...]) -> Tree:
    """The elements that a sequence of tags makes."""
    count = len(codes)
    pictures = _pass_over_svg(codes, names)
    starts = _STARTS + [_PLAIN] * (len(names) - len(_STARTS))
    parent = [-1]
    closed = [count] + [-1] * count
    owner = [0]
    stack, open_tags = [0], [0]
    top = element = too_deep = 0

    def close_from(place: int, at: int) -> None:
        for open_element in stack[place:]:
            closed[open_element] = at
        del stack[place:], open_tags[place:]

    def adopt(place: int, at: int) -> None:
        """Close a formatting element through what is open in it: blocks stay open (13.2.6.4.7)."""
        above = open_tags[place + 1 :]
        last = max((up for up, number in enumerate(above) if number in SPECIAL), default=-1)
        elements = stack[place + 1 :]
        close_from(place, at)
        for up in range(last + 1):
            if above[up] in SPECIAL or above[up] in FORMATTING:
                closed[elements[up]] = -1
                stack.append(elements[up])
                open_tags.append(above[up])

    def find(wanted: frozenset[int] | tuple[int, ...], stops: frozenset[int]) -> int:
        """Place of the innermost open element of these tags, 0 when there is none in scope."""
        for place in range(len(open_tags) - 1, 0, -1):
            number = open_tags[place]
            if number in wanted:
                return place
            if number in stops:
                return 0
        return 0

    codes.append(0)  # so that there is always a next tag
    tags = enumerate(codes)
    for at, code in tags:
        if code > 0:
            how = starts[code]
            if how == _VOID:
                element += 1
                parent.append(top)
                owner.append(top)
                continue
            if how > _VOID:
                if how <= _TERM:
                    if how >= _ITEM:
                        place = find((_LI,), ITEM_STOPS) if how == _ITEM else find(TERMS, TERM_STOPS)
                        if place:
                            close_from(place, at)
                    if _P in open_tags:
                        place = find((_P,), P_SCOPE)
                        if place:
                            close_from(place, at)
                    if how == _HEADING and open_tags[-1] in HEADINGS:
                        close_from(len(stack) - 1, at)
                elif how == _ONCE:
                    if code in open_tags:
                        place = find((code,), SCOPE)
                        if place and code == _A:
                            adopt(place, at)
                        elif place:
                            close_from(place, at)
                elif how in TABLE_CONTEXT:
                    place = find(TABLE_CONTEXT[how], OUTSIDE_TABLE)
                    if not place:  # outside a table the tag means nothing
                        codes[at] = 0
                        owner.append(top)
                        continue
                    close_from(place + 1, at)
                elif how == _OPTION:
                    if open_tags[-1] == _OPTION_TAG:
                        close_from(len(stack) - 1, at)
                    if code == _OPTGROUP and open_tags[-1] == _OPTGROUP:
                        close_from(len(stack) - 1, at)
                elif how == _RUBY:
                    while open_tags[-1] in RUBY_TEXTS:
                        close_from(len(stack) - 1, at)
                elif how == _CONTROL:
                    place = find((_SELECT,), SCOPE) if _SELECT in open_tags else 0
                    if place:
                        close_from(place, at)
                    top = stack[-1]
                    if place and code == _SELECT:  # a second <select> only ends the first
                        codes[at] = 0
                        owner.append(top)
                        continue
                    if code == _INPUT:
                        element += 1
                        parent.append(top)
                        owner.append(top)
                        continue
                elif how == _ROOT:
                    if code in open_tags:  # a second one adds nothing
                        codes[at] = 0
                        owner.append(top)
                        continue
                    if _HEAD in open_tags:
                        close_from(open_tags.index(_HEAD), at)
                top = stack[-1]
            element += 1
            parent.append(top)
            if codes[at + 1] == -code:  # closed at once, as half of all elements are: never on the stack
                closed[element] = at + 1
                owner += (element, top)
                next(tags)
            elif len(stack) < MAX_DEPTH:
                stack.append(element)
                open_tags.append(code)
                top = element
                owner.append(top)
            else:
                too_deep += 1
                owner.append(top)
            continue
        if code:
            if open_tags[-1] == -code and not too_deep:
                closed[top] = at
                del stack[-1], open_tags[-1]
                top = stack[-1]
            elif too_deep:
                too_deep -= 1
            else:
                number = -code
                if number in HEADINGS:
                    place = find(HEADINGS, SCOPE)
                elif number in open_tags:
                    place = find((number,), END_STOPS.get(number, SPECIAL))
                else:
                    place = 0
                if place and number in FORMATTING:
                    adopt(place, at)
                elif place:
                    close_from(place, at)
                top = stack[-1]
        owner.append(top)
    codes.pop()
    owner.pop()
    close_from(0, count)
    return _columns(codes, parent, closed, owner, pictures)


def _columns(
    codes: list[int], parent: list[int], closed: list[int], owner: list[int], pictures: dict[int, int]
) -> Tree:
    code = np.array(codes, np.int64)
    opened = np.concatenate(([-1], np.flatnonzero(code > 0)))
    tag = np.concatenate(([0], code[opened[1:]]))
    ended = np.array(closed[: len(tag)], np.int64)
    ended = np.where(ended < 0, opened, ended)
    if pictures:
        ended[np.searchsorted(opened, list(pictures))] = list(pictures.values())
    # The depth of an element is the number of elements that are open where it begins.
    holds = ended > opened
    steps = np.bincount(opened[holds] + 1, minlength=len(codes) + 1)
    steps -= np.bincount(ended[holds], minlength=len(codes) + 1)
    depth = np.concatenate(([0], np.cumsum(steps)[opened[1:]]))
    return Tree(tag, np.array(parent, np.int64), depth, opened, ended, np.array(owner, np.int64))


def _pass_over_svg(codes: list[int], names: tuple[str, ...]) -> dict[int, int]:
    """Blank the tags inside each <svg>; the answer says for the tag that opens one which tag ends it."""
    ends: dict[int, int] = {}
    if _SVG not in codes:
        return ends
    # HTML stands in these without breaking out.
    hosts = frozenset(number for number, name in enumerate(names) if name in ("foreignobject", "desc"))
    around: Counter[int] = Counter()  # tags before the picture, counted when first asked for
    counted = at = 0
    try:
        while True:
            at = codes.index(_SVG, at)
            end = _end_of_svg(codes, at, hosts, None)
            if end < len(codes) and codes[end] < 0 and codes[end] != -_SVG:  # does it belong to something around?
                around.update(codes[counted:at])
                counted = at
                open_around = {number for number in around if number > 0 and around[number] > around[-number]}
                end = _end_of_svg(codes, at, hosts, open_around)
            ends[at] = end
            codes[at + 1 : end] = [0] * (end - at - 1)
            at += 1
    except ValueError:
        return ends


def _end_of_svg(codes: list[int], at: int, hosts: frozenset[int], open_around: set[int] | None) -> int:
    """Index of the tag that ends the <svg> opened at a tag (13.2.6.5).

    That is its end tag, an HTML element that breaks out of it, or the end tag of an element around it; while nobody
    has looked which those are, any end tag of something that was not opened inside.
    """
    inside = {_SVG: 1}
    in_host = 0
    for place in range(at + 1, len(codes)):
        code = codes[place]
        if code > 0:
            if code in BREAKS_OUT and not in_host:
                return place
            in_host += code in hosts
            inside[code] = inside.get(code, 0) + 1
        elif code < 0:
            if inside.get(-code):
                inside[-code] -= 1
                in_host -= -code in hosts
                if not inside[_SVG]:
                    return place
            elif open_around is None or -code in open_around:
                return place
    return len(codes)
