"""Read a story file: TOML front matter, then blocks in a small Markdown.

A story is gold: what a perfect reader would take out of the page. So besides the blocks that templates draw,
this module gives the plain text of every block, and `Story.gold` puts them together.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

BlockKind = Literal["paragraph", "heading", "list", "numbered", "quote", "pre", "table", "picture"]
InlineKind = Literal["text", "link", "strong", "em", "code"]

_INLINE = re.compile(
    r"\[(?P<link>[^\]]+)\]\((?P<href>(?:[^()\s]|\([^()\s]*\))+)\)"  # an address may hold one pair of brackets
    r"|\*\*(?P<strong>.+?)\*\*|`(?P<code>[^`]+)`|\*(?P<em>[^*]+)\*"
)
_NUMBERED = re.compile(r"\d+[.)]\s+")
_PICTURE = re.compile(r"!\[(?P<caption>.*)\]\((?P<src>[^)]+)\)$")
_RULE_CELL = re.compile(r":?-+:?$")
_CLOCK = re.compile(r"(\d{1,2}:\d{2})\s+(.+)")


class StoryError(ValueError):
    """A story file that cannot be read; the message names the file, the reason and the place."""


@dataclass(frozen=True, slots=True)
class Inline:
    """A piece of running text: plain words, or words inside a link or an emphasis."""

    kind: InlineKind
    text: str = ""
    href: str = ""
    parts: tuple[Inline, ...] = ()

    @property
    def plain(self) -> str:
        """The words without markup."""
        return self.text + "".join(part.plain for part in self.parts)


Inlines: TypeAlias = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a story. Which fields are filled depends on the kind."""

    kind: BlockKind
    parts: Inlines = ()  # paragraph, heading, quote, picture (its caption)
    items: tuple[Inlines, ...] = ()  # list, numbered
    rows: tuple[tuple[Inlines, ...], ...] = ()  # table; the first row is the head
    text: str = ""  # pre
    level: int = 0  # heading: 2 to 4
    src: str = ""  # picture

    @property
    def plain(self) -> str:
        """The words of the block; a table has a line a row, its cells joined by " | "."""
        if self.kind == "pre":
            return self.text
        if self.kind == "table":
            return "\n".join(" | ".join(plain(cell) for cell in row) for row in self.rows)
        return "\n".join(plain(item) for item in self.items) if self.items else plain(self.parts)

    @property
    def clock(self) -> tuple[str, str]:
        """The heading of a live entry, "14:05 The news", as (time, rest); the time may be empty."""
        found = _CLOCK.match(self.plain)
        return (found[1], found[2]) if found else ("", self.plain)


@dataclass(frozen=True, slots=True)
class Story:
    """One story: who, when, where, and its blocks."""

    outlet: str
    slug: str
    title: str
    lang: str
    authors: tuple[str, ...]
    published: datetime | date
    modified: datetime | date | None
    section: str
    tags: tuple[str, ...]
    kind: str
    event: str | None
    summary: str
    image: str
    image_caption: str
    traps: tuple[str, ...]
    charset: str
    infobox: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]

    @property
    def day(self) -> date:
        """The day of publication."""
        return self.published.date() if isinstance(self.published, datetime) else self.published

    @property
    def gold(self) -> dict[str, Any]:
        """What a perfect extractor returns for the page of this story."""
        paragraphs: list[str] = []
        captions = [self.image_caption] if self.image_caption else []
        for block in self.blocks:
            if block.kind == "picture":
                captions.append(block.plain)
            elif block.items:
                paragraphs.extend(plain(item) for item in block.items)
            else:
                paragraphs.append(block.plain)
        pictures = [self.image, *(block.src for block in self.blocks)]
        return {
            "title": self.title,
            "authors": list(self.authors),
            "date": self.day.isoformat(),
            "published": self.published.isoformat(),
            "modified": self.modified.isoformat() if self.modified else None,
            "text": "\n\n".join(paragraphs),
            "paragraphs": paragraphs,
            "headings": [block.plain for block in self.blocks if block.kind == "heading"],
            "lists": [[plain(item) for item in block.items] for block in self.blocks if block.items],
            "tables": [[[plain(cell) for cell in row] for row in block.rows] for block in self.blocks if block.rows],
            "captions": captions,
            "pictures": list(dict.fromkeys(picture for picture in pictures if picture)),
        }


def plain(parts: Inlines) -> str:
    """The words of running text without markup."""
    return "".join(part.plain for part in parts)


def read_story(path: Path) -> Story:
    """Read `stories/<outlet>/<slug>.md`."""
    source = path.read_text(encoding="utf-8")
    try:
        _, front, body = source.split("+++\n", 2)
        meta = tomllib.loads(front)
        return Story(
            outlet=path.parent.name,
            slug=path.stem,
            title=meta["title"],
            lang=meta["lang"],
            authors=tuple(meta.get("authors", ())),
            published=meta["published"],
            modified=meta.get("modified"),
            section=meta.get("section", ""),
            tags=tuple(meta.get("tags", ())),
            kind=meta.get("kind", "article"),
            event=meta.get("event"),
            summary=meta.get("summary", ""),
            image=meta.get("image", ""),
            image_caption=meta.get("image_caption", ""),
            traps=tuple(meta.get("traps", ())),
            charset=meta.get("charset", ""),
            infobox=tuple((name, value) for name, value in meta.get("infobox", ())),
            blocks=tuple(map(read_block, split_blocks(body))),
        )
    except (ValueError, KeyError) as reason:
        message = f"{path}: not a story file ({reason!r}); see newspaper/README.md for the format"
        raise StoryError(message) from reason


def split_blocks(body: str) -> list[str]:
    """Cut the body at empty lines, but not inside preformatted text."""
    blocks: list[list[str]] = [[]]
    fenced = False
    for line in body.splitlines():
        if line.strip() or fenced:
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
        fenced ^= line.startswith("```")
    if fenced:
        raise StoryError("preformatted text is not closed with ```")
    return ["\n".join(lines) for lines in blocks if lines]


def read_block(source: str) -> Block:
    """Turn the lines of one block into a `Block`."""
    lines = source.splitlines()
    if source.startswith("```"):
        return Block("pre", text="\n".join(lines[1:-1]))
    if source.startswith("#"):
        marks, _, words = source.partition(" ")
        return Block("heading", parts=read_inline(words.strip()), level=len(marks))
    if picture := _PICTURE.match(source):
        return Block("picture", parts=read_inline(picture["caption"]), src=picture["src"])
    if all(line.startswith("- ") for line in lines):
        return Block("list", items=tuple(read_inline(line[2:].strip()) for line in lines))
    if all(_NUMBERED.match(line) for line in lines):
        items = (_NUMBERED.sub("", line, count=1).strip() for line in lines)
        return Block("numbered", items=tuple(map(read_inline, items)))
    if all(line.startswith("|") for line in lines):
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
        kept = [row for row in rows if not all(map(_RULE_CELL.match, row))]
        return Block("table", rows=tuple(tuple(map(read_inline, row)) for row in kept))
    if source.startswith(">"):
        return Block("quote", parts=read_inline(" ".join(line.lstrip("> ") for line in lines)))
    return Block("paragraph", parts=read_inline(" ".join(lines)))


def read_inline(source: str) -> Inlines:
    """Split running text into plain words, links, emphasis and code."""
    parts: list[Inline] = []
    end = 0
    for found in _INLINE.finditer(source):
        if found.start() > end:
            parts.append(Inline("text", source[end : found.start()]))
        end = found.end()
        if found["link"]:
            parts.append(Inline("link", href=found["href"], parts=read_inline(found["link"])))
        elif found["strong"]:
            parts.append(Inline("strong", parts=read_inline(found["strong"])))
        elif found["em"]:
            parts.append(Inline("em", parts=read_inline(found["em"])))
        else:
            parts.append(Inline("code", found["code"]))
    if end < len(source):
        parts.append(Inline("text", source[end:]))
    return tuple(parts)
