"""The lead image that a page declares for its article.

OpenGraph and the structured data mostly agree, but templates also put the site's logo there if an article has no
picture. URLs of logos and placeholders are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tidings.fields.declared import Declared, address
from tidings.fields.sourced import Sourced
from tidings.fields.urls.sanitise import picture_address
from tidings.page import Page
from tidings.text.patterns import LateWords, late_pattern

_META: Final = ("og:image", "og:image:secure_url", "og:image:url", "twitter:image", "twitter:image:src")
#: Words in file names of logos and placeholders.
_NO_STORY: Final = LateWords(
    r"(?<![a-z])(?:logo|icon|placeholder|default|blank|sprite|favicon|fallback|avatar|spacer|pixel|no-?image)s?(?![a-z])",
)
#: Folders of logos and icons.
_FURNITURE: Final = late_pattern(r"/(?:icon|logo|sprite|emoji|avatar|badge|flag)s?/", re.IGNORECASE)
#: The same words without context, for a quick first check.
_WORDS: Final = LateWords(
    *"logo icon placeholder default blank sprite fallback avatar spacer pixel noimage no-image emoji badge flag".split()
)


def find(page: Page, declared: Declared, base: str) -> Sourced[str] | None:
    """Return the absolute URL of a page's lead image with its provenance, or None."""
    for value, by in _declared_images(page, declared):
        url = picture_address(value, base) if value else None
        if url and not is_furniture(url):
            return Sourced(url, by)
    return None


def is_furniture(src: str) -> bool:
    """Return whether the URL is that of a logo or placeholder, by its words."""
    path = src.partition("?")[0]
    return _WORDS(path) and (_NO_STORY(path.rpartition("/")[2]) or _FURNITURE.search(path) is not None)


def _declared_images(page: Page, declared: Declared) -> Iterator[tuple[str, str]]:
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
