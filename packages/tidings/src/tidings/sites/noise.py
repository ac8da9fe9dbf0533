"""Texts that a site repeats: calls to subscribe, house notices, the author's standing note.

A text that stands on several pages of a site is no part of any of their stories. Texts are remembered as 64-bit hashes
of their words. A page of which most has been seen before is the same story again, and nothing of it is noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple
from zlib import adler32, crc32

from tidings.article import Block, Image

#: So much of a page repeated is the same story at another address.
_SAME_STORY: Final = 0.5


class CleanedBody(NamedTuple):
    """What is left without noise, and the hashes of all texts."""

    blocks: tuple[Block, ...]
    images: tuple[Image, ...]
    texts: tuple[int, ...]


def hash_of(text: str) -> int:
    """Return a text's hash: the same in every process."""
    return hashes_of(written_of((text,)))[0]


def written_of(texts: Sequence[str]) -> list[bytes]:
    """Return texts as they are hashed."""
    return [text.encode("utf-8", "replace") for text in texts]


def hashes_of(written: Sequence[bytes]) -> tuple[int, ...]:
    """Return the hashes of texts."""
    return tuple([crc32(said) << 32 | adler32(said) for said in written])


def left_out(texts: Sequence[str], hashes: Sequence[int], noise: frozenset[int]) -> list[bool] | None:
    """Return which texts the site repeats; None if all are to be kept."""
    if not noise or noise.isdisjoint(hashes):
        return None
    out = [one in noise for one in hashes]
    repeated = sum([len(text) for text, is_out in zip(texts, out, strict=True) if is_out])
    return None if repeated > _SAME_STORY * sum(map(len, texts)) else out


def without_noise(blocks: tuple[Block, ...], images: tuple[Image, ...], noise: frozenset[int]) -> CleanedBody:
    """Return blocks and images without what the site repeats; images are moved up accordingly."""
    texts = [block.text for block in blocks]
    hashes = hashes_of(written_of(texts))
    left = left_out(texts, hashes, noise)
    if left is None:
        return CleanedBody(blocks, images, hashes)
    return CleanedBody(*taken_out(blocks, images, left), hashes)


def taken_out(
    blocks: Sequence[Block], images: Sequence[Image], left: Sequence[bool | int]
) -> tuple[tuple[Block, ...], tuple[Image, ...]]:
    """Return blocks without those that are told to be left out, and images, moved up accordingly."""
    before = 0
    moved = []
    for out in [*left, False]:
        moved.append(before)
        before += not out
    place = {image: _moved(image, moved) for image in images}
    kept = (block for block, out in zip(blocks, left, strict=True) if not out)
    return (
        tuple(replace(block, image=place[block.image]) if block.image in place else block for block in kept),
        tuple(place.values()),
    )


def _moved(image: Image, moved: Sequence[int]) -> Image:
    return image if image.place is None else replace(image, place=moved[image.place])
