"""Repeated texts of a site ("noise"): calls to subscribe, notices, notes about the author.

A text on several pages of a site belongs to no article. Texts are stored as 64-bit hashes of their words. A page that
mostly consists of known texts is the same article again, and then nothing is noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple
from zlib import adler32, crc32

from tidings.article import Block, Image

#: A page with this share of repeated text is the same article at another URL.
_SAME_STORY: Final = 0.5


class CleanedBody(NamedTuple):
    """Blocks and images without repeated texts, and the hashes of all texts."""

    blocks: tuple[Block, ...]
    images: tuple[Image, ...]
    texts: tuple[int, ...]


def hash_of(text: str) -> int:
    """Return a 64-bit hash of a text, equal in every process."""
    return hashes_of(written_of((text,)))[0]


def written_of(texts: Sequence[str]) -> list[bytes]:
    """Encode texts as bytes for `hashes_of`."""
    return [text.encode("utf-8", "replace") for text in texts]


def hashes_of(encoded_texts: Sequence[bytes]) -> tuple[int, ...]:
    """Return the hashes of texts."""
    return tuple([crc32(encoded) << 32 | adler32(encoded) for encoded in encoded_texts])


def left_out(texts: Sequence[str], hashes: Sequence[int], noise: frozenset[int]) -> list[bool] | None:
    """Return for each text whether it is noise (repeated by the site). Return None if no text is noise, or if more than
    half of the page is: then the page is a copy of an earlier article.
    """
    if not noise or noise.isdisjoint(hashes):
        return None
    out = [text_hash in noise for text_hash in hashes]
    repeated = sum([len(text) for text, is_out in zip(texts, out, strict=True) if is_out])
    return None if repeated > _SAME_STORY * sum(map(len, texts)) else out


def without_noise(blocks: tuple[Block, ...], images: tuple[Image, ...], noise: frozenset[int]) -> CleanedBody:
    """Return blocks and images without repeated texts, with adjusted positions of images."""
    texts = [block.text for block in blocks]
    hashes = hashes_of(written_of(texts))
    is_noise = left_out(texts, hashes, noise)
    if is_noise is None:
        return CleanedBody(blocks, images, hashes)
    return CleanedBody(*without_blocks(blocks, images, is_noise), hashes)


def without_blocks(
    blocks: Sequence[Block], images: Sequence[Image], is_removed: Sequence[bool | int]
) -> tuple[tuple[Block, ...], tuple[Image, ...]]:
    """Return blocks and images without the blocks flagged in `is_removed`, with adjusted positions of images."""
    before = 0
    moved = []
    for out in [*is_removed, False]:
        moved.append(before)
        before += not out
    place = {image: _moved(image, moved) for image in images}
    remaining = (block for block, out in zip(blocks, is_removed, strict=True) if not out)
    return (
        tuple(replace(block, image=place[block.image]) if block.image in place else block for block in remaining),
        tuple(place.values()),
    )


def _moved(image: Image, moved: Sequence[int]) -> Image:
    return image if image.place is None else replace(image, place=moved[image.place])
