"""Writing titles and names alike, so that the same one from two places is seen to be the same."""

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
#: The same titles and names are written alike several times a page.
_KEPT: Final = 512


@lru_cache(_KEPT)
def plain(text: str) -> str:
    """Straight quotes and dashes, composed letters, folded space, no invisible characters; case as it is."""
    typed = text.replace("`", "'") if text.isascii() else unicodedata.normalize("NFC", text).translate(_TYPE)
    return " ".join(typed.split())


@lru_cache(_KEPT)
def key(text: str) -> str:
    """As `plain`, without case: equal keys, equal words."""
    return plain(text).casefold()


@lru_cache(_KEPT)
def squashed(text: str) -> str:
    """Return letters and digits alone, without case: "The Harbour-Times" and "theharbourtimes" are one name."""
    return _NEITHER.sub("", text.casefold())
