"""Which tags are plain, and what each does to the text around it."""

from __future__ import annotations

import re
from typing import Final

from tidings.article.inlines import Style
from tidings.page.tags import NUMBERS

_NOT_SHOWN: Final = "script style noembed noframes iframe noscript svg object video audio canvas select textarea"
#: Not shown, with all they hold, and what is no tag at all. What stands before and behind a frame, a drawing or a
#: `noscript` is apart. Names are told in small or large letters and not in a mixture, for that takes half the time.
#: What other tags begin with is told first.
UNSEEN: Final = re.compile(
    r"<(?=[!?acinostvACINOSTV])(?![asiASI][pmPM >])"
    r"(?:!--(?!-?>)[^-]*+(?:-(?!->)[^-]*+)*+(?:-->)?+|(?:\?|![^->])[^<>]*+>|("
    + "|".join((*_NOT_SHOWN.split(), *_NOT_SHOWN.upper().split()))
    + r")\b[^<>]*+>[^<]*+(?:<(?!/\1\s*+>)[^<]*+)*+(</\1\s*+>)?+)"
)
MAYBE_UNSEEN: Final = re.compile(
    r"<(?:[!?]|[sS][cCtTvVeE]|[iI][fF]|[nN][oO]|[oO][bB]|[vV][iI]|[aA][uU]|[cC][aA][nN]|[tT][eE][xX])"
)
#: Tags that change nothing about the text in them, where no style or name can hide it.
MEANINGLESS: Final = re.compile(
    r"</?(?:span|font|small|big|u|s|del|ins|abbr|acronym|time|label|mark|q|bdi|strike|wbr)(?:\s[^<>]*+)?/?>",
    re.IGNORECASE | re.ASCII,
)
GLUED: Final = frozenset(("script", "style", "noembed", "noframes"))
WITH_PICTURES: Final = frozenset(("noscript", "object", "video", "audio", "canvas"))
ANY_TAG: Final = r"(/?[a-zA-Z][^\s/<>]*+)([^<>]*+)>"
#: A tag; or a whole paragraph with no tag in it, which most are, where its name and style mean nothing.
TAG: Final = re.compile("<(?:(?!)()|" + ANY_TAG + ")", re.ASCII)
TAG_OR_PARAGRAPH: Final = re.compile(
    r"<(?:[pP](?:\s[^<>\"]*+(?:\"[^<>\"]*+\"[^<>\"]*+)*+)?>([^<]++)</[pP]>|" + ANY_TAG + ")", re.ASCII
)
PICTURES: Final = re.compile(r"<img\b[^<>]*+>", re.IGNORECASE)
#: The attributes of many tags, a `>` behind each, as the standard reads them. Where this does not fit, a tag ends
#: elsewhere than at its first `>`.
ALL_ATTRIBUTES: Final = re.compile(
    r"""(?:[\s/>]*+[^\s/>=]++(?:="[^"<>]*+"|(?!\s*+=)"""
    r"""|\s*+=\s*+(?:"[^"<>]*+"|'[^'<>]*+'|[^\s>"'][^\s>]*+|(?=>)|\Z)))*+[\s/>]*+""",
    re.ASCII,
)
#: What start tags say besides their names.
ATTRIBUTES: Final = re.compile(r"</?[a-zA-Z][^\s<>/]*+[\s/]([^<>]*+)>", re.ASCII)
HREF: Final = re.compile(r"\shref=\"([^\"&\s]++)\"")
STYLES: Final = {
    name: style
    for names, style in {
        "strong b": Style(strong=True),
        "em i cite dfn var": Style(emphasis=True),
        "code kbd samp tt": Style(code=True),
        "sup": Style(superscript=True),
        "sub": Style(subscript=True),
    }.items()
    for name in names.split()
}
HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
#: A heading of so many blocks was never closed.
HEADING_BLOCKS: Final = 3


# What a tag does: plain numbers, for looking up a member of an enumeration takes longer than comparing it. Those up to
# VOID stand in a text, those from RULE on between texts.
OTHER, INLINE, STYLE, LINK, PICTURE, IMG, SOURCE, BREAK, VOID = range(9)  # OTHER: not plain
RULE, PARAGRAPH, BOX, ITEM, HEADING, FIGURE, CAPTION, QUOTE, NUMBERED, LIST, TABLE = range(9, 20)

SORTS: Final[dict[str, int]] = dict.fromkeys(NUMBERS, OTHER) | {
    name: sort
    for names, sort in {
        "abbr acronym bdi bdo big blink del font ins label map mark nobr q s small span strike time u": INLINE,
        " ".join(STYLES): STYLE,
        "a": LINK,
        "picture": PICTURE,
        "img": IMG,
        "source": SOURCE,
        "br": BREAK,
        "area embed input link meta param wbr": VOID,
        "hr": RULE,
        "p": PARAGRAPH,
        "address article aside button center details div fieldset footer form header hgroup main nav search section "
        "summary": BOX,
        "li": ITEM,
        " ".join(HEADINGS): HEADING,
        "figure": FIGURE,
        "figcaption": CAPTION,
        "blockquote": QUOTE,
        "ol": NUMBERED,
        "ul menu": LIST,
        "table tbody tr td": TABLE,
    }.items()
    for name in names.split()
}
SORTS.update({name.upper(): sort for name, sort in list(SORTS.items())})
#: What the parts of a table stand in.
AROUND_PART: Final = {"tbody": ("table",), "tr": ("table", "tbody"), "td": ("tr",)}
#: Two cells in a row, or a cell that says what others mean: the table may be one of data.
SIDE_BY_SIDE: Final = re.compile(r"</td\s*+>\s*+<t[dh]")
HOLDING_NOTHING: Final = frozenset((IMG, SOURCE, VOID, RULE))
#: What ends with the tag around it, without an end tag of its own.
ENDS_BY_ITSELF: Final = frozenset((PARAGRAPH, ITEM))


def without_text(match: re.Match[str]) -> str:
    """What is left of something that is not shown: pictures in a `noscript` and the like."""
    name = match[1]
    if name is not None:
        name = name.lower()
        if not match[2]:  # never closed: what follows is not plain
            return f"<{name}>"
        if name not in GLUED:
            return "<hr>" + "".join(PICTURES.findall(match[0])) + "<hr>" if name in WITH_PICTURES else "<hr>"
    # What is on both sides of it must not become one character reference.
    start = match.start()
    before = match.string[start - 1 : start]
    return "<wbr>" if before.isalnum() or before in ("&", "#") else ""
