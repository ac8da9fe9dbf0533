"""The standards-complete parser that the scanner is checked against: Lexbor, through selectolax.

It answers with what a reader sees: words, where elements of `tags.BLOCK` part words, `tags.SKIPPED` has no text, and
what `ways_hidden` or `tags.HIDDEN` takes away leaves a gap, as it does in `Spans.text`. To be compared with
`ScannedPage`, for which no hidden part of a page counts as seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tidings.page import Page, tags
from tidings.page.columns import Ints
from tidings.page.decode import decode
from tidings.page.hidden import ways_hidden, written_styles
from tidings.page.hints import Hints
from tidings.page.style_sheet import NO_STYLES, StyleSheet, style_sheet
from tidings.page.styles import GONE, INHERITED

BLOCK = {tags.NAMES[number] for number in tags.BLOCK}
SKIPPED = {tags.NAMES[number] for number in tags.SKIPPED}
HIDDEN = {tags.NAMES[number] for number in tags.HIDDEN}
#: A page hidden as a whole, until its script has run, is shown.
ROOTS = {"html", "body"}
#: Elements that only a browser puts where nobody wrote them.
MADE_UP = {"html", "head", "body", "tbody"}


class ScannedPage(Page):
    """A page of which no hidden part counts as seen, however large: one that is read as a fragment of itself."""

    def __init__(self, data: bytes | str) -> None:
        styles = Page(data).style_sheet
        self.__dict__["style_sheet"] = styles
        self._hold(decode(data), None, Hints(), styles)

    def _main_part(self, hidden: Ints) -> Iterator[list[int]]:  # noqa: ARG002 (none of them is)
        return iter(())


def visible_words(source: str, styles: StyleSheet | None = None) -> list[str]:
    """The words a reader of the page sees, in the order of Lexbor's tree."""
    parser = LexborHTMLParser(source)
    root = parser.root
    styles = _styles(parser) if styles is None else styles
    parts: list[str] = []
    around: list[LexborNode] = []
    dimmed = [0]  # ways in which what is inside the open elements is hidden by inheritance
    node = root.child if root is not None else None
    while node is not None or around:
        if node is None:
            node = around.pop()
            dimmed.pop()
            parts.append(" " if node.tag in BLOCK else "")
            node = node.next
            continue
        name = node.tag or "-"
        if name == "-text":
            said = node.text_content or ""
            parts.append(said if not dimmed[-1] or not said.strip() else " ")
        elif name == "template" and "shadowrootmode" in node.attributes:
            parts += [" ", " ".join(visible_words(_shadow(node), styles)), " "]
        elif name in SKIPPED:
            parts.append(" " if name in BLOCK else "")
        elif name[0] not in "-_!":  # no comment, no doctype
            ways, back = _ways(name, node, styles)
            if not ways & GONE:
                parts.append(" " if name in BLOCK or name == "br" else "")
                around.append(node)
                dimmed.append((dimmed[-1] & ~back) | (ways & INHERITED))
                node = node.child
                continue
            parts.append(" " if name in BLOCK or _has_text(node) else "")
        node = node.next
    return "".join(parts).split()


def attributes(source: str, name: str) -> dict[str, str]:
    """The attributes of the first element of that name."""
    node = LexborHTMLParser(source).css_first(name)
    return {} if node is None else {key: value or "" for key, value in node.attributes.items()}


def ancestry(source: str) -> list[tuple[str, list[str]]]:
    """Each text with the names of the elements around it, innermost first, without those nobody wrote."""
    root = LexborHTMLParser(source).root
    texts = root.traverse(include_text=True) if root is not None else ()
    return [
        (" ".join((node.text_content or "").split()), list(_names_around(node)))
        for node in texts
        if node.tag == "-text" and (node.text_content or "").strip()
    ]


def _names_around(node: LexborNode) -> Iterator[str]:
    outer = node.parent
    while outer is not None:
        if outer.tag and outer.tag[0].isalpha() and outer.tag not in MADE_UP:
            yield outer.tag
        outer = outer.parent


def _ways(name: str, node: LexborNode, styles: StyleSheet) -> tuple[int, int]:
    attribute = {key: value or "" for key, value in node.attributes.items()}
    if name in HIDDEN and not (name == "dialog" and "open" in attribute):
        return GONE, 0
    return ways_hidden(attribute, name, styles) if name not in ROOTS else (0, 0)


def _styles(parser: LexborHTMLParser) -> StyleSheet:
    found = [node for node in parser.css("style") if not {"noscript", "template"} & set(_names_around(node))]
    written = [(node.html or "").removesuffix("</style>") for node in found]
    return style_sheet(written_styles(written)) if written else NO_STYLES


def _shadow(node: LexborNode) -> str:
    """The source of a shadow root, which Lexbor keeps apart from the tree."""
    return (node.html or "").partition(">")[2].removesuffix("</template>")


def _has_text(node: LexborNode) -> bool:
    """Whether some text in it would be a run of the page."""
    for inner in node.traverse(include_text=True):
        if inner.tag == "-text" and (inner.text_content or "").strip():
            outer = inner.parent
            while outer is not None and outer.tag not in SKIPPED:
                if outer.mem_id == node.mem_id:
                    return True
                outer = outer.parent
    return False
