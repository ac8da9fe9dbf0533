"""The picture that a page declares for its story.

OpenGraph and the structured data mostly agree; both are also where templates put the logo of the site when a story has
no picture. An address that says it is one is passed over, unless nothing else is declared of a story.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tidings.fields.addresses import picture_address
from tidings.fields.declared import Declared, address
from tidings.fields.sourced import Sourced
from tidings.page import Page
from tidings.text.patterns import LateWords, late_pattern

_META: Final = ("og:image", "og:image:secure_url", "og:image:url", "twitter:image", "twitter:image:src")
#: Words in the name of a file that is no picture of a story.
_NO_STORY: Final = LateWords(
    r"(?<![a-z])(?:logo|icon|placeholder|default|blank|sprite|favicon|fallback|avatar|spacer|pixel|no-?image)s?(?![a-z])",
)
#: Folders in which sites keep what is on every page.
_FURNITURE: Final = late_pattern(r"/(?:icon|logo|sprite|emoji|avatar|badge|flag)s?/", re.IGNORECASE)
#: Those words, wherever they stand: most addresses have none.
FURNITURE_WORDS: Final = tuple(
    "logo icon placeholder default blank sprite fallback avatar spacer pixel noimage no-image emoji badge flag".split()
)
_WORDS: Final = LateWords(*FURNITURE_WORDS)


def find(page: Page, declared: Declared, base: str) -> Sourced[str] | None:
    """Return the lead picture of a page, as an absolute address, with what told it."""
    for told, by in _told(page, declared):
        found = picture_address(told, base) if told else None
        if found and not is_furniture(found):
            return Sourced(found, by)
    return None


def is_furniture(src: str) -> bool:
    """Return whether the address says that a picture is a logo or a stand-in."""
    path = src.partition("?")[0]
    return _WORDS(path) and (_NO_STORY(path.rpartition("/")[2]) or _FURNITURE.search(path) is not None)


def _told(page: Page, declared: Declared) -> Iterator[tuple[str, str]]:
    for name in _META[:3]:
        for value in page.signals.named.get(name, ())[:1]:
            yield value, f"meta {name}"
    yield address(declared.get("image")), declared.by("image")
    for name in _META[3:]:
        for value in page.signals.named.get(name, ())[:1]:
            yield value, f"meta {name}"
    yield address(declared.get("thumbnailUrl")), declared.by("thumbnailUrl")
    for rel, href in page.signals.links:
        if rel == "image_src":
            yield href, "link image_src"
