"""Which pictures of a plain fragment belong to its text, and which captions to which pictures.

The rules are those of `article.pictures`, for a fragment all of whose text is chosen.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, NamedTuple

from tidings.article import Block, Image
from tidings.article.pictures import BESIDE, LONGEST_CAPTION, picture_of
from tidings.fields.named import names_of
from tidings.page.attributes import attributes


class Seen(NamedTuple):
    """A picture as it stands in the fragment."""

    said: str  # its attributes
    sources: tuple[str, ...]  # those of what a `picture` around it offers
    place: int  # the block it stands before
    texts: int  # how many pieces of text stand before it
    figure: int
    number: int  # of its element
    parents: tuple[int, ...]  # the nearest elements around it


class Caption(NamedTuple):
    """An element with a name like those of captions, by number, and its part of the text."""

    number: int
    first: int
    last: int


@dataclass(slots=True)
class Pictures:
    """The pictures and captions of a fragment being read."""

    base: str
    seen: list[Seen] = field(default_factory=list)
    captioned: list[tuple[int, int]] = field(default_factory=list)  # blocks that are captions, with their figures
    said: list[str] = field(default_factory=list)  # every text with what stands before it
    captions: list[Caption] = field(default_factory=list)
    ends: dict[int, int] = field(default_factory=dict)  # of elements that were closed, the number of the one behind

    def images(self, blocks: list[Block], texts: int) -> tuple[Image, ...]:
        """The pictures of the story; those of figures are given to the blocks that are their captions."""
        captions: dict[int, str] = {}  # of figures
        for place, figure in self.captioned:
            said = " ".join(blocks[place].text.split())
            captions[figure] = f"{captions[figure]} {said}" if figure in captions else said
        waiting = dict(captions)
        found: dict[str, Image] = {}
        by_figure: dict[int, Image] = {}
        for seen in self.seen:
            # One behind all text belongs to what follows, unless its caption is in the text.
            if seen.texts >= texts and not (seen.figure and seen.figure in captions):
                continue
            shown = picture_of(attributes(f"<img {seen.said}>"), self.base, partial(_attributes, seen.sources))
            if shown is not None and shown.src not in found:
                caption = waiting.pop(seen.figure, "") if seen.figure else ""
                found[shown.src] = Image(shown.src, shown.alt, caption or self.beside(seen), seen.place)
                by_figure.setdefault(seen.figure, found[shown.src])
        for place, figure in self.captioned:
            if figure and figure in by_figure:
                blocks[place] = replace(blocks[place], image=by_figure.pop(figure))
        return tuple(found.values())

    def beside(self, seen: Seen) -> str:
        """The text of the element named after captions that stands beside a picture."""
        if not self.captions:
            return ""
        another = min((one.number for one in self.seen if one.number > seen.number), default=_NEVER)
        for parent in seen.parents:
            end = min(self.ends.get(parent, _NEVER), seen.number + BESIDE)
            for caption in sorted(self.captions):
                if seen.number < caption.number < end and caption.last > caption.first:
                    if caption.number > another:
                        return ""
                    words = " ".join("".join(self.said[caption.first : caption.last]).split())
                    return words if len(words) <= LONGEST_CAPTION else ""
            if another < end:
                return ""
        return ""


_NEVER: Final = 1 << 60


def _attributes(sources: tuple[str, ...]) -> list[dict[str, str]]:
    return [attributes(f"<source {source}>") for source in sources]


def is_caption(said: str) -> bool:
    """Whether what a start tag says makes its element a caption by name."""
    if "caption" not in said.lower():
        return False
    return any("caption" in name.lower() for name in names_of(f"<p {said}>"))
