"""Markdown as GitHub reads it: CommonMark with tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from tidings.article.blocks import Block, Cell, Image, Inline, Item, Kind
from tidings.article.characters import legal
from tidings.article.formats.markdown_inline import address, escape, guard_start, line
from tidings.article.inlines import style_of
from tidings.article.model import Article, Comment
from tidings.article.options import Options
from tidings.article.outline import Entry, Listing, Node, Quote, leaves, outline
from tidings.fields.addresses import safe_picture

_BACKTICKS: Final = re.compile(r"`{3,}")
_CLOSING: Final = re.compile(r"#+\Z")
#: CommonMark 5.2: at most nine digits, no sign.
_MAX_NUMBER: Final = 999_999_999
#: Columns that a cell is spread over at most: a table is as wide as its widest row, not as a hostile `colspan`.
_MAX_SPREAD: Final = 100


def as_markdown(article: Article, options: Options) -> str:
    """The article as Markdown, without its title."""
    parts = [_nodes(outline(leaves(article, options)), options)]
    if options.comments:
        parts += [_comment(comment, options) for comment in article.comments]
    return "\n\n".join(filter(None, parts))


def _comment(comment: Comment, options: Options) -> str:
    when = comment.published.isoformat() if comment.published else ""
    head = guard_start(escape(legal(", ".join(filter(None, (comment.author, when)))).replace("\n", " ")))
    inside = _nodes(outline(leaves(Article(blocks=comment.blocks), options)), options)
    return "---\n\n" + "\n\n".join(filter(None, (head, inside)))


def _nodes(nodes: Sequence[Node], options: Options) -> str:
    return "\n\n".join(filter(None, (_node(node, options) for node in nodes)))


def _node(node: Node, options: Options) -> str:
    if isinstance(node, Quote):
        inside = _nodes(node.children, options).split("\n")
        return "\n".join("> " + one if one else ">" for one in inside)
    if isinstance(node, Listing):
        return _list(node, options)
    return _image(node) if isinstance(node, Image) else _block(node, options)


def _block(block: Block, options: Options) -> str:
    if block.kind is Kind.TABLE:
        return _table(block.rows, options)
    if block.kind is Kind.PREFORMATTED:
        return _fence(block.text)
    if block.kind is Kind.HEADING:
        # Number signs at the end would be taken for the closing of the heading.
        shown = _CLOSING.sub(lambda match: "\\" + match[0], "<br>".join(_lines(block.inlines, options)))
        return "#" * min(max(block.level or 1, 1), 6) + " " + shown if shown else ""
    shown = "\\\n".join(guard_start(one) for one in _lines(block.inlines, options))
    if block.kind is Kind.CAPTION and block.image is not None and options.images:
        return "\n\n".join(filter(None, (_image(block.image), shown)))
    return shown


def _lines(inlines: Sequence[Inline], options: Options) -> list[str]:
    """The lines of a block, empty ones left out: two line breaks would end it."""
    rows: list[list[Inline]] = [[]]
    for inline in inlines:
        for number, text in enumerate(legal(inline.text).split("\n")):
            if number:
                rows.append([])
            rows[-1].append(Inline(text, *style_of(inline)))
    shown = (line(row, options).strip() for row in rows)
    return [one for one in shown if one]


def _list(listing: Listing, options: Options) -> str:
    items = [_entry(entry, options, listing.ordered) for entry in listing.entries]
    parts: list[str] = []
    for place, (shown, tight) in enumerate(items):
        if place:
            parts.append("\n" if tight and items[place - 1][1] else "\n\n")
        parts.append(shown)
    return "".join(parts)


def _entry(entry: Entry, options: Options, ordered: bool) -> tuple[str, bool]:
    """An item, and whether it needs no empty line around it."""
    sign = _sign(entry.item, ordered)
    first, rest = entry.children[:1], entry.children[1:]
    tight = all(isinstance(child, Listing) and _interrupts(child) for child in rest)
    inside = ("\n" if tight else "\n\n").join(filter(None, (_nodes(first, options), _nodes(rest, options))))
    indent = " " * len(sign)
    return sign + "\n".join(indent + one if one else "" for one in inside.split("\n")).strip(" "), tight


def _interrupts(listing: Listing) -> bool:
    """Whether a list may follow a line of text without an empty line between (CommonMark 5.2: only from number 1)."""
    return not listing.ordered or _sign(listing.entries[0].item, ordered=True) == "1. "


def _sign(item: Item | None, ordered: bool) -> str:
    if not ordered:
        return "- "
    number = item.number if item is not None and item.number is not None else 1
    return f"{min(max(number, 0), _MAX_NUMBER)}. "


def _fence(text: str) -> str:
    shown = legal(text)
    longest = max((len(run) for run in _BACKTICKS.findall(shown)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{shown}\n{fence}"


def _image(image: Image) -> str:
    src = safe_picture(image.src)
    alt = escape(" ".join(legal(image.alt).split()))
    return f"![{alt}]({address(src)})" if src else ""


def _table(rows: Sequence[Sequence[Cell]], options: Options) -> str:
    """A table. Its first row is the head if all its cells are headers; otherwise the head is empty."""
    grid = [[_cell(cell, options) for cell in row] for row in _grid(rows)]
    if not grid:
        return ""
    width = max(map(len, grid))
    headed = all(cell.header for cell in rows[0])
    head, body = (grid[0], grid[1:]) if headed else ([], grid)
    head = head + [""] * (width - len(head))
    return "\n".join(_row(row) for row in (head, ["---"] * width, *body))


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cell(cell: Cell | None, options: Options) -> str:
    return "<br>".join(_lines(cell.inlines, options)).replace("|", "\\|") if cell is not None else ""


def _grid(rows: Sequence[Sequence[Cell]]) -> Iterator[list[Cell | None]]:
    """The cells in their columns: a cell over several columns or rows leaves the others empty."""
    widest = min(max(map(len, rows), default=0), _MAX_SPREAD)
    below: dict[int, int] = {}  # for how many more rows a column is taken from above
    for row in rows:
        placed: list[Cell | None] = []
        taken = below
        below = {column: left - 1 for column, left in taken.items() if left > 1}
        for cell in row:
            while len(placed) in taken:
                placed.append(None)
            span = max(1, min(cell.colspan, widest))
            if cell.rowspan > 1:
                below |= {len(placed) + offset: cell.rowspan - 1 for offset in range(span)}
            placed += [cell, *[None] * (span - 1)]
        yield placed
