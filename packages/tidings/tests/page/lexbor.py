"""The standards-complete parser that the scanner is checked against: Lexbor, through selectolax.

It answers with what a reader sees: words, where elements of `tags.BLOCK` part words, `tags.SKIPPED` has no text, and
what `ways_hidden` or `tags.HIDDEN` takes away leaves a gap, as it does in `Spans.text`. To be compared with
`ScannedPage`, for which no hidden part of a page counts as seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tidings.page import Page, tags
from tidings.page.decode import decode
from tidings.page.hidden import GONE
from tidings.page.hints import Hints
from tidings.page.style_sheet import NO_STYLES

BLOCK = {tags.NAMES[number] for number in tags.BLOCK}
SKIPPED = {tags.NAMES[number] for number in tags.SKIPPED}
HIDDEN = {tags.NAMES[number] for number in tags.HIDDEN}
#: A page hidden as a whole, until its script has run, is shown.
ROOTS = {"html", "body"}
#: Elements that only a browser puts where nobody wrote them.
MADE_UP = {"html", "head", "body", "tbody"}


class ScannedPage(Page):
    """A page without its style sheets, of which no hidden part counts as seen, however large: a fragment of itself."""

    is_fragment = True

    def __init__(self, data: bytes | str) -> None:
        self.__dict__["style_sheet"] = NO_STYLES
        self._hold(decode(data), None, Hints(), NO_STYLES)


def visible_words(source: str) -> list[str]:
    """The words a reader of the page sees, in the order of Lexbor's tree."""
    parser = LexborHTMLParser(source)
    root = parser.root
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
            parts += [" ", " ".join(visible_words(_shadow(node))), " "]
        elif name in SKIPPED:
            parts.append(" " if name in BLOCK else "")
        elif name[0] not in "-_!":  # no comment, no doctype
            ways, back = _ways(name, node)
            if not ways & GONE:
                parts.append(" " if name in BLOCK or name == "br" else "")
                around.append(node)
                dimmed.append((dimmed[-1] & ~back) | (ways & ~GONE))
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


def _ways(name: str, node: LexborNode) -> tuple[int, int]:
    attribute = {key: value or "" for key, value in node.attributes.items()}
    if name in HIDDEN and not (name == "dialog" and "open" in attribute):
        return GONE, 0
    if name in ROOTS:
        return 0, 0
    written = "".join(f' {key}="{escape(value)}"' for key, value in attribute.items())
    ((ways, back),) = ScannedPage("<p>text").ways_of([f"<{name}{written}>"])
    return ways, back


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
