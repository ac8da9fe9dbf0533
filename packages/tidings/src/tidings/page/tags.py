"""Properties of HTML tags, as small integers and sets.

The scanner needs to know what a start tag does to the open elements. The answer is a `Start` value. The other sets say
how an element's text is displayed. Sources: HTML Living Standard, 13.1.2 (void and raw text elements), 13.2.6 (tree
construction: which start tags close which open elements), 15.3 (which elements are blocks).
"""

from __future__ import annotations

from enum import IntEnum


class Start(IntEnum):
    """The effect of a start tag before its element is opened."""

    PLAIN = 0  # nothing: the element is opened inside the current one
    VOID = 1  # the element has no content and is never open
    BLOCK = 2  # closes an open <p>
    HEADING = 3  # closes an open <p>, and a heading that is the current element
    ITEM = 4  # <li>: closes an open <li> of the same list, and <p>
    TERM = 5  # <dt>, <dd>: closes an open <dt> or <dd> of the same list, and <p>
    OPTION = 6  # <option>, <optgroup>: closes an open <option>
    ROW = 7  # <tr>: closes the open row
    CELL = 8  # <td>, <th>: closes the open cell
    SECTION = 9  # <tbody>, <thead>, <tfoot>, <caption>, <colgroup>: closes what is open in the table
    ONCE = 10  # <a>, <button>, <nobr>: never inside themselves
    ROOT = 11  # <html>, <head>, <body>: opened once; a second one adds nothing
    RAW = 12  # the content is one string up to the end tag
    RUBY = 13  # <rb>, <rt>, <rp>, <rtc>: closes the ruby text before it
    CONTROL = 14  # <input>, <select>: closes an open <select>


_VOID = "area base basefont bgsound br col embed frame hr img keygen link meta param source track wbr"
_CLOSES_P = (
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form "
    "header hgroup listing main menu nav ol p pre search section summary table ul"
)
_PLAIN = (
    "abbr acronym applet audio b bdi bdo big blink canvas cite code data datalist del dfn em font frameset i image "
    "ins kbd label legend map mark marquee math meter object output picture progress q ruby "
    "s samp slot small span strike strong sub sup template time tt u var video noscript"
)
_RAW = "script style title textarea iframe noembed noframes xmp"

STARTS: dict[str, Start] = {}
for _names, _start in (
    (_PLAIN, Start.PLAIN),
    (_VOID + " svg", Start.VOID),  # <svg> is never open: what is inside is passed over
    (_CLOSES_P, Start.BLOCK),
    ("h1 h2 h3 h4 h5 h6", Start.HEADING),
    ("li", Start.ITEM),
    ("dt dd", Start.TERM),
    ("option optgroup", Start.OPTION),
    ("rb rt rp rtc", Start.RUBY),
    ("input select", Start.CONTROL),
    ("tr", Start.ROW),
    ("td th", Start.CELL),
    ("tbody thead tfoot caption colgroup", Start.SECTION),
    ("a button nobr", Start.ONCE),
    ("html head body", Start.ROOT),
    (_RAW, Start.RAW),
):
    for _name in _names.split():
        STARTS[_name] = _start

NAMES: tuple[str, ...] = ("", *STARTS)
"""Tag names by number; number 0 is no element. Names outside the standard get numbers page by page."""

NUMBERS: dict[str, int] = {name: number for number, name in enumerate(NAMES)}
"""Tag numbers by name."""


def numbers(names: str) -> frozenset[int]:
    """Return the numbers of several tag names, separated by spaces."""
    return frozenset(NUMBERS[name] for name in names.split())


RAW = numbers(_RAW)
VOID = numbers(_VOID + " input")

#: What a reader sees as a box of its own: text on both sides never runs together.
BLOCK = numbers(
    _CLOSES_P + " h1 h2 h3 h4 h5 h6 li dt dd tr td th tbody thead tfoot caption html body head hr legend xmp"
    " optgroup option button frameset template select textarea iframe video audio canvas object svg noscript"
)

#: Elements whose content is never text of the page, in any browser; and readings of Han characters (ruby), which stand
#: beside the words and not between them: as running text they would break every word in two.
SKIPPED = RAW - numbers("xmp") | numbers("svg datalist rt rtc rp")

#: Shown only under a condition that a reader of the page does not meet: in the text, but hidden.
HIDDEN = numbers("template noscript select object applet audio video canvas dialog meter progress")

PREFORMATTED = numbers("pre listing xmp textarea")
HEADINGS = numbers("h1 h2 h3 h4 h5 h6")

#: An end tag or an implied end never reaches through these (13.2.4.2, "has an element in scope").
SCOPE = numbers("html table td th caption marquee object applet template svg math")

#: End tags that may close an element through open blocks: the formatting elements (adoption agency).
FORMATTING = numbers("a b big code em font i nobr s small strike strong tt u")
#: Elements that write a part of a word otherwise.
STYLED = FORMATTING - numbers("a") | numbers("sup sub mark abbr acronym q rt rb ruby del ins kbd var samp wbr")

#: Elements that stop the search of an ordinary end tag (13.2.4.2, "special").
SPECIAL = (
    numbers(_CLOSES_P + " h1 h2 h3 h4 h5 h6 li dt dd tr td th tbody thead tfoot caption colgroup html body head")
    | numbers("applet button frameset marquee noscript object select template")
    | VOID
    | RAW
) - numbers("dialog")
