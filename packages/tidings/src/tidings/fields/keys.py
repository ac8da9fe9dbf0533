"""Normal forms of titles and names, for comparison."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_TYPE: Final = str.maketrans(
    dict.fromkeys("“”„‟«»″", '"')
    | dict.fromkeys("‘’‚‛`´′", "'")
    | dict.fromkeys("‐‑‒–—―−", "-")
    | {"…": "...", "\u00ad": "", "\u200b": "", "\u200c": "", "\u200d": "", "\u200e": "", "\u200f": "", "\ufeff": ""}
)
_NEITHER: Final = re.compile(r"[\W_]+")
#: The same titles and names are normalised several times per page.
_CACHE_SIZE: Final = 512


@lru_cache(_CACHE_SIZE)
def plain(text: str) -> str:
    """Normalise quotes, dashes, Unicode composition and spaces, and remove invisible characters. Case is preserved."""
    typed = text.replace("`", "'") if text.isascii() else unicodedata.normalize("NFC", text).translate(_TYPE)
    return " ".join(typed.split())


@lru_cache(_CACHE_SIZE)
def key(text: str) -> str:
    """Return a text for comparison: normalised by `plain`, and case-folded. Equal keys mean equal words."""
    return plain(text).casefold()


@lru_cache(_CACHE_SIZE)
def squashed(text: str) -> str:
    """Return only the letters and digits of a text, case-folded: "The Harbour-Times" and "theharbourtimes" are
    equal.
    """
    return _NEITHER.sub("", text.casefold())
