"""Flat blocks in their lists and quotes, shown as indented lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tidings.article import Article, Block, Image, Inline, Item, Kind, Options
from tidings.article.formats.outline import Listing, Node, Quote, leaves, outline


def item(text: str, depth: int = 1, number: int | None = None, quote_depth: int = 0) -> Block:
    return Block(Kind.LIST_ITEM, (Inline(text),), None, depth, Item(number is not None, number), quote_depth)


def paragraph(text: str, depth: int = 0) -> Block:
    return Block(Kind.PARAGRAPH, (Inline(text),), None, depth)


def quote(text: str, depth: int = 0, begins: Item | None = None) -> Block:
    return Block(Kind.QUOTE, (Inline(text),), None, depth, begins, 1)


def picture(place: int) -> Image:
    return Image(f"https://example.org/{place}.png", place=place)


def drawn(*blocks: Block, images: Sequence[Image] = ()) -> list[str]:
    found = leaves(Article(blocks=blocks, images=tuple(images)), Options(images=True))
    return list(_drawn(outline(found), ""))


def _drawn(nodes: Sequence[Node], indent: str) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Quote):
            yield from _drawn(node.children, indent + "> ")
        elif isinstance(node, Listing):
            for entry in node.entries:
                yield indent + ("# " if node.ordered else "- ") + ("begins" if entry.item else "holds")
                yield from _drawn(entry.children, indent + "  ")
            yield indent + "end"
        else:
            yield indent + (node.text if isinstance(node, Block) else "picture")


def test_items_of_one_list() -> None:
    assert drawn(item("a"), item("b"), paragraph("c")) == ["- begins", "  a", "- begins", "  b", "end", "c"]


def test_a_list_of_another_sort_is_another_list() -> None:
    assert drawn(item("a"), item("b", number=1)) == ["- begins", "  a", "end", "# begins", "  b", "end"]


def test_deeper_and_back() -> None:
    assert drawn(item("a"), item("b", 2, 1), item("c", 2, 2), paragraph("more", 1), item("d")) == [
        "- begins",
        "  a",
        "  # begins",
        "    b",
        "  # begins",
        "    c",
        "  end",
        "  more",
        "- begins",
        "  d",
        "end",
    ]


def test_an_item_that_only_holds_a_deeper_one() -> None:
    assert drawn(item("a", 2, 1)) == ["- holds", "  # begins", "    a", "  end", "end"]


def test_quotes_in_items_and_items_in_quotes() -> None:
    assert drawn(item("a"), quote("b", 1), item("c")) == ["- begins", "  a", "  > b", "- begins", "  c", "end"]
    assert drawn(quote("a", 1, Item())) == ["- begins", "  > a", "end"]
    assert drawn(quote("a"), item("b", quote_depth=1), quote("c")) == ["> a", "> - begins", ">   b", "> end", "> c"]


def test_a_picture_stays_in_what_is_open_on_both_sides() -> None:
    assert drawn(item("a"), item("b"), images=[picture(1)]) == [
        "- begins",
        "  a",
        "  picture",
        "- begins",
        "  b",
        "end",
    ]
    assert drawn(item("a"), paragraph("b"), images=[picture(1)]) == ["- begins", "  a", "end", "picture", "b"]
    assert drawn(paragraph("a"), item("b"), images=[picture(1), picture(2)])[:2] == ["a", "picture"]
    assert drawn(paragraph("a"), images=[picture(-3), picture(99)]) == ["picture", "a", "picture"]


def test_a_picture_with_a_caption_or_outside_the_text_is_no_leaf() -> None:
    captioned = Block(Kind.CAPTION, (Inline("c"),), image=picture(0))
    assert drawn(captioned, images=[picture(0)]) == ["c"]
    assert drawn(paragraph("a"), images=[Image("https://example.org/x.png")]) == ["a"]


def test_nesting_has_an_end() -> None:
    assert max(line.count("  ") for line in drawn(item("a", 10**9))) == 32
