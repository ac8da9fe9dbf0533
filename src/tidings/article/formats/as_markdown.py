"""Markdown as GitHub reads it: CommonMark with tables, notes (`[^1]`), callouts (`> [!note]`) and formulas (`$…$`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from tidings.article.blocks import Block, Cell, Embed, Image, Inline, Item, Kind
from tidings.article.characters import legal
from tidings.article.formats.markdown_inline import address, escape, guard_start, line, no_tags, note_name
from tidings.article.inlines import style_of
from tidings.article.model import Article, Comment
from tidings.article.options import Options
from tidings.article.outline import Entry, Listing, Node, Pictures, Quote, leaves, noted, outline
from tidings.article.text import credits_of, opens_with, signature
from tidings.fields.addresses import safe, safe_picture

_BACKTICKS: Final = re.compile(r"`{3,}")
_NOT_IN_INFO: Final = re.compile(r"[^\w#+.-]")
_CLOSING: Final = re.compile(r"#+\Z")
#: CommonMark 5.2: at most nine digits, no sign.
_MAX_NUMBER: Final = 999_999_999
#: Columns that a cell is spread over at most: a table is as wide as its widest row, not as a hostile `colspan`.
_MAX_SPREAD: Final = 100


class _MarkdownStyle(NamedTuple):
    """What all blocks of a text are written with."""

    options: Options
    notes: frozenset[str] = frozenset()
    has_formulas: bool = False


def as_markdown(article: Article, options: Options) -> str:
    """Return the article as Markdown."""
    formulas = any(inline.formula for block in article.blocks for inline in block.inlines)
    writing = _MarkdownStyle(options, noted(article), formulas)
    parts = [_nodes(outline(leaves(article, options)), writing).removeprefix("---\n\n")]
    if options.headline and not opens_with(article.blocks, article.title):
        parts.insert(0, "# " + escape(" ".join(legal(article.title).split())))
    if options.comments:
        parts += [_comment(comment, writing) for comment in article.comments]
    return "\n\n".join(filter(None, parts))


def _comment(comment: Comment, writing: _MarkdownStyle) -> str:
    when = comment.published_told.isoformat() if comment.published_told else ""
    head = guard_start(escape(legal(", ".join(filter(None, (comment.author, when)))).replace("\n", " ")))
    inside = _nodes(
        outline(leaves(Article(blocks=comment.blocks), writing.options)), writing._replace(notes=frozenset())
    )
    return "---\n\n" + "\n\n".join(filter(None, (head, inside)))


def _nodes(nodes: Sequence[Node], writing: _MarkdownStyle) -> str:
    made: list[str] = []
    for label, group in groupby(nodes, _label_of):
        if label is None:
            made += [_node(node, writing) for node in group]
        else:
            inside = "\n\n".join(filter(None, (_node(node, writing) for node in group)))
            made.append(f"[^{note_name(label)}]: " + inside.replace("\n", "\n    ").replace("\n    \n", "\n\n"))
    return "\n\n".join(filter(None, made))


def _label_of(node: Node) -> str | None:
    return node.label if isinstance(node, Block) and node.kind is Kind.NOTE else None


def _node(node: Node, writing: _MarkdownStyle) -> str:
    if isinstance(node, Quote):
        return _quote(node, writing)
    if isinstance(node, Listing):
        return _list(node, writing)
    if isinstance(node, Pictures):
        return _gallery(node, writing)
    return _image(node, node.caption) if isinstance(node, Image) else _block(node, writing)


def _gallery(node: Pictures, writing: _MarkdownStyle) -> str:
    """Return a list of pictures, each with its caption, below the title."""
    entries = []
    for one in node.captions:
        lines = _lines(one.inlines, writing)
        image = ""
        if one.image is not None and writing.options.images:
            image = _image(one.image, "" if lines else one.image.caption)
        shown = "\\\n".join([image, *lines] if image else [guard_start(line) for line in lines])
        if shown:
            entries.append("- " + shown.replace("\n", "\n  "))
    title = "\\\n".join(guard_start(one) for one in _lines(node.head.inlines, writing))
    return "\n\n".join(filter(None, (title, "\n".join(entries))))


def _quote(node: Quote, writing: _MarkdownStyle) -> str:
    inside = _nodes(node.children, writing)
    head = node.head
    if head is not None and head.kind is Kind.DETAILS:
        title = " ".join(_lines(head.inlines, writing))
        return f"<details>\n<summary>{title}</summary>\n\n{inside}\n\n</details>"
    lines = inside.split("\n") if inside else []
    if head is not None:
        title = " ".join(_lines(head.inlines, writing))
        sort = re.sub(r"[^a-z]", "", head.label.lower()) or "note"
        # The title is left out where it only says again what sort of callout it is.
        lines = [f"[!{sort}]" + (f" {title}" if title and title.lower().strip(":! ") != sort else ""), *lines]
    return "\n".join("> " + one if one else ">" for one in lines)


def _block(block: Block, writing: _MarkdownStyle) -> str:  # noqa: PLR0911  # one kind each
    if block.kind is Kind.TABLE:
        return _table(block.rows, writing)
    if block.kind is Kind.PREFORMATTED:
        return _fence(block.text, block.language)
    if block.kind is Kind.FORMULA:
        said = "\n".join(one for one in legal(block.text).split("\n") if one.strip()).replace("$$", r"\$\$")
        return f"$$\n{no_tags(said)}\n$$" if said else ""
    if block.kind is Kind.HEADING:
        # Number signs at the end would be taken for the closing of the heading.
        shown = _CLOSING.sub(lambda match: "\\" + match[0], "<br>".join(_lines(block.inlines, writing)))
        return "#" * min(max(block.level or 1, 1), 6) + " " + shown if shown else ""
    shown = "\\\n".join(guard_start(one) for one in _lines(block.inlines, writing))
    if block.post is not None:
        return "\n\n".join(
            filter(None, ("---", f"**{escape(' '.join(legal(signature(block.post)).split()))}**", shown))
        )
    if block.kind is Kind.EMBED and block.embed is not None:
        return _embed(block.embed, shown)
    if block.kind is Kind.ATTRIBUTION:
        return shown if shown.startswith(("—", "–")) or shown.endswith(":") or not shown else f"— {shown}"
    if block.kind is Kind.CAPTION and block.image is not None and writing.options.images:
        return "\n\n".join(filter(None, (_image(block.image), shown)))
    return shown


def _embed(embed: Embed, shown: str) -> str:
    said = escape(" ".join(legal(credits_of(embed)).split()))
    url = safe(embed.url)
    link = f"[{said}]({address(url)})" if url else said
    quoted = "\n".join("> " + one for one in shown.split("\n")) + "\n>\n> — " if shown else ""
    return quoted + link


def _lines(inlines: Sequence[Inline], writing: _MarkdownStyle) -> list[str]:
    """Return the lines of a block, empty ones left out: two line breaks would end it."""
    rows: list[list[Inline]] = [[]]
    dollars = sum(inline.text.count("$") for inline in inlines if not inline.formula)
    for inline in inlines:
        texts = [inline.text] if inline.formula else legal(inline.text).split("\n")
        for number, text in enumerate(texts):
            if number:
                rows.append([])
            rows[-1].append(Inline(text, *style_of(inline)))
    is_tex = dollars > 1 or (dollars > 0 and writing.has_formulas)
    shown = (line(row, writing.options, writing.notes, dollars=is_tex).strip() for row in rows)
    return [one for one in shown if one]


def _list(listing: Listing, writing: _MarkdownStyle) -> str:
    items = [_entry(entry, writing, listing.ordered) for entry in listing.entries]
    parts: list[str] = []
    for place, (shown, tight) in enumerate(items):
        if place:
            parts.append("\n" if tight and items[place - 1][1] else "\n\n")
        parts.append(shown)
    return "".join(parts)


def _entry(entry: Entry, writing: _MarkdownStyle, ordered: bool) -> tuple[str, bool]:
    """Return an item, and whether it needs no empty line around it."""
    sign = _sign(entry.item, ordered)
    first, rest = entry.children[:1], entry.children[1:]
    tight = all(isinstance(child, Listing) and _interrupts(child) for child in rest)
    inside = ("\n" if tight else "\n\n").join(filter(None, (_nodes(first, writing), _nodes(rest, writing))))
    indent = " " * len(sign)
    return sign + "\n".join(indent + one if one else "" for one in inside.split("\n")).strip(" "), tight


def _interrupts(listing: Listing) -> bool:
    """Return whether a list may follow a line of text without an empty line between (CommonMark 5.2: only from number
    1).
    """
    return not listing.ordered or _sign(listing.entries[0].item, ordered=True) == "1. "


def _sign(item: Item | None, ordered: bool) -> str:
    if not ordered:
        return "- "
    number = item.number if item is not None and item.number is not None else 1
    return f"{min(max(number, 0), _MAX_NUMBER)}. "


def _fence(text: str, language: str = "") -> str:
    shown = legal(text)
    longest = max((len(run) for run in _BACKTICKS.findall(shown)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{_NOT_IN_INFO.sub('', language)}\n{shown}\n{fence}"


def _image(image: Image, caption: str = "") -> str:
    """Return a picture; a caption that is no part of the text is its title."""
    src = safe_picture(image.src)
    alt, told = (escape(" ".join(legal(said).split())) for said in (image.alt, caption))
    title = ' "' + told.replace('"', '\\"') + '"' if told else ""
    return f"![{alt}]({address(src)}{title})" if src else ""


def _table(rows: Sequence[Sequence[Cell]], writing: _MarkdownStyle) -> str:
    """Return a table. Its first row is the head if all its cells are headers; otherwise the head is empty."""
    grid = [[_cell(cell, writing) for cell in row] for row in _grid(rows)]
    if not grid:
        return ""
    width = max(map(len, grid))
    headed = all(cell.header for cell in rows[0])
    head, body = (grid[0], grid[1:]) if headed else ([], grid)
    head = head + [""] * (width - len(head))
    return "\n".join(_row(row) for row in (head, ["---"] * width, *body))


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cell(cell: Cell | None, writing: _MarkdownStyle) -> str:
    return "<br>".join(_lines(cell.inlines, writing)).replace("|", "\\|") if cell is not None else ""


def _grid(rows: Sequence[Sequence[Cell]]) -> Iterator[list[Cell | None]]:
    """Yield the cells in their columns: a cell over several columns or rows leaves the others empty."""
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
