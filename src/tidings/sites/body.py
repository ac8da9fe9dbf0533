"""The body of an article that a rule cut out: its text now, its blocks and pictures when somebody asks for them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

from tidings.article import Block, Direction, Image, Provenance
from tidings.article.direction import BY_LETTERS, direction, surely_rightwards
from tidings.article.plain import plain
from tidings.page.style_sheet import NO_STYLES, StyleSheet
from tidings.sites.fragment import Pieces, read
from tidings.sites.noise import hashes_of, left_out, without_noise, written_of
from tidings.sites.texts import rendered, texts_of

_PICTURE: Final = re.compile("<[iI][mM]")
_FIRST_IMAGE: Final = "first image of the text"


@dataclass(slots=True, eq=False)
class CutBody:
    """What was cut out of a page. Where its text cannot be told quickly, its blocks are made at once."""

    fragment: str
    base: str
    noise: frozenset[int]
    texts: Sequence[str] = ()  # of the blocks
    signs: Mapping[int, str] = field(default_factory=dict)  # before those that begin an item of a list
    hashes: tuple[int, ...] = ()  # of the texts, those left out as noise included
    size: int = 0  # characters of the page in the texts
    linked: int = 0  # no more of them than so many are in links
    rightwards: bool = False  # its letters surely run so; else they have to be looked at
    pieces: Pieces | None = None  # when they are made
    told: Mapping[str, str] = field(default_factory=dict)  # where the fields are from that are told
    lead: str | None = None  # the address of the lead picture, if that was told
    styles: StyleSheet = NO_STYLES  # of the page that it was cut out of

    @classmethod
    def of(cls, fragment: str, base: str, noise: frozenset[int], styles: StyleSheet = NO_STYLES) -> Self:
        """What a fragment says, without what its site repeats and what the page hides."""
        said = texts_of(fragment, styles)
        if said is None:
            return cls._thoroughly(fragment, base, noise, styles)
        texts, signs, put_in, linked = said
        written = written_of(texts)
        hashes = hashes_of(written)
        out = left_out(texts, hashes, noise)
        if out is not None:
            places = [place for place, is_out in enumerate(out) if not is_out]
            signs = {new: signs[old] for new, old in enumerate(places) if old in signs}
            put_in = {new: put_in[old] for new, old in enumerate(places) if old in put_in}
            texts = [texts[place] for place in places]
        size = sum(map(len, texts)) - sum(put_in.values())
        rightwards = bool(texts) and surely_rightwards(texts[0], b"".join(written))
        return cls(fragment, base, noise, texts, signs, hashes, size, linked, rightwards, styles=styles)

    @classmethod
    def _thoroughly(cls, fragment: str, base: str, noise: frozenset[int], styles: StyleSheet) -> Self:
        """The same by way of blocks."""
        found = read(fragment, base, styles)
        blocks, images, hashes = without_noise(found.blocks, found.images, noise)
        size, linked = measures(blocks)
        texts = [block.text for block in blocks]
        return cls(fragment, base, noise, texts, {}, hashes, size, linked, pieces=Pieces(blocks, images))

    @property
    def text(self) -> str:
        """The whole text."""
        return rendered(self.texts, self.signs) if self.pieces is None else plain(self.pieces.blocks)

    def direction(self, language: str) -> tuple[Direction, str]:
        """Which way the text runs, and what tells."""
        return ("ltr", BY_LETTERS) if self.rightwards else direction(self.texts, "", language)

    @property
    def may_have_pictures(self) -> bool:
        """Whether there is a picture in the source."""
        return _PICTURE.search(self.fragment) is not None

    def made(self) -> Pieces:
        """The blocks and pictures."""
        if self.pieces is None:
            found = read(self.fragment, self.base, self.styles)
            blocks, images, _ = without_noise(found.blocks, found.images, self.noise)
            self.pieces = Pieces(blocks, images)
        return self.pieces

    def fields(self) -> Mapping[str, Any]:
        """The fields of an article that are made late."""
        blocks, images = self.made()
        return {"blocks": blocks, **self.pictured(images)}

    def pictured(self, images: tuple[Image, ...]) -> dict[str, Any]:
        """The fields that hang on which pictures there are."""
        told = dict(self.told)
        direction, url = told.pop("direction"), told.pop("url", "")
        image = None
        if self.lead:
            image = next((one for one in images if one.src == self.lead), None) or Image(self.lead)
        elif images:
            image, told["image"] = images[0], _FIRST_IMAGE
        told["direction"] = direction
        if images:
            told["images"] = told["body"]
        if url:
            told["url"] = url
        return {"images": images, "image": image, "provenance": Provenance(told)}


def measures(blocks: Sequence[Block]) -> tuple[int, int]:
    """The characters of the page in blocks, and those of them in links."""
    size = linked = 0
    for block in blocks:
        for inline in block.inlines:
            length = len(inline.text)
            size += length
            if inline.href:
                linked += length
        for row in block.rows:
            size += sum(len(inline.text) for cell in row for inline in cell.inlines)
    return size, linked
