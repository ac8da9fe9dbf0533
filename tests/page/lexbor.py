"""The standards-complete parser that the scanner is checked against: Lexbor, through selectolax.

It answers with what a reader sees: words, where elements of `tags.BLOCK` part words, `tags.SKIPPED` has no text, and
what `is_hidden` or `tags.HIDDEN` takes away leaves a gap, as it does in `Spans.text`, unless it is most of the page.
"""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tidings.page import tags
from tidings.page.hidden import is_hidden
from tidings.page.page import MAIN_PART

BLOCK = {tags.NAMES[number] for number in tags.BLOCK}
SKIPPED = {tags.NAMES[number] for number in tags.SKIPPED}
HIDDEN = {tags.NAMES[number] for number in tags.HIDDEN}
#: A page hidden as a whole, until its script has run, is shown.
ROOTS = {"html", "body"}
#: Elements that only a browser puts where nobody wrote them.
MADE_UP = {"html", "head", "body", "tbody"}


def visible_words(source: str) -> list[str]:
    """The words a reader of the page sees, in the order of Lexbor's tree."""
    root = LexborHTMLParser(source).root
    total = _size(root) if root is not None else 0
    parts: list[str] = []
    around: list[LexborNode] = []
    node = root.child if root is not None else None
    while node is not None or around:
        if node is None:
            node = around.pop()
            parts.append(" " if node.tag in BLOCK else "")
            node = node.next
            continue
        name = node.tag or "-"
        if name == "-text":
            parts.append(node.text_content or "")
        elif name == "template" and "shadowrootmode" in node.attributes:
            parts += [" ", " ".join(visible_words(_shadow(node))), " "]
        elif name in SKIPPED:
            parts.append(" " if name in BLOCK else "")
        elif name[0] not in "-_!":  # no comment, no doctype
            if not _unseen(name, node) or ((size := _size(node)) >= MAIN_PART and 2 * size > total):
                parts.append(" " if name in BLOCK or name == "br" else "")
                around.append(node)
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


def _unseen(name: str, node: LexborNode) -> bool:
    attribute = {key: value or "" for key, value in node.attributes.items()}
    if name in HIDDEN and not (name == "dialog" and "open" in attribute):
        return True
    return name not in ROOTS and is_hidden(attribute)


def _shadow(node: LexborNode) -> str:
    """The source of a shadow root, which Lexbor keeps apart from the tree."""
    return (node.html or "").partition(">")[2].removesuffix("</template>")


def _size(node: LexborNode) -> int:
    """How many characters of text it holds, white space folded."""
    words: list[str] = []
    inside = node.child
    around: list[LexborNode] = []
    while inside is not None or around:
        if inside is None:
            inside = around.pop().next
            continue
        if inside.tag == "template" and "shadowrootmode" in inside.attributes:
            words += [" " * _size(shadow)] if (shadow := LexborHTMLParser(_shadow(inside)).root) is not None else []
        elif inside.tag == "-text":
            words += (inside.text_content or "").split()
        elif inside.tag not in SKIPPED and inside.child is not None:
            around.append(inside)
            inside = inside.child
            continue
        inside = inside.next
    return len(" ".join(words))


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
