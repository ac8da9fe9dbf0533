"""Equality of headlines.

The strict rule compares characters after Unicode NFC and collapsing of white space. The common rule also replaces
curly, low and angle quotes by straight ones, all dashes and hyphens by `-`, and `…` by three points, and removes
invisible characters (soft hyphen, zero-width space, direction marks). Case counts in both.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from tidings.text import fold_space

_INVISIBLE: Final = "\u00ad\u200b\u200e\u200f\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_TYPOGRAPHY: Final = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″〝〞＂", '"'),
        **dict.fromkeys("‘’‚‛‹›′ʼʹ`´＇", "'"),
        **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
        "…": "...",
        # Not the zero-width joiners: Persian and Hindi words differ by them.
        **dict.fromkeys(
            "\u00ad\u200b\u200e\u200f\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff", ""
        ),
    }
)
#: Longer texts are no headlines and are not normalised, because ordering combining marks takes quadratic time.
_LONGEST: Final = 2000


def fold_strict(text: str) -> str:
    """Normalise to NFC and collapse white space."""
    return " ".join(_composed(text).split())


def fold_typography(text: str) -> str:
    """Normalise NFC, white space, quotes, dashes and the ellipsis, and remove invisible characters."""
    return fold_space(_composed(text).translate(_TYPOGRAPHY))


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text) if len(text) <= _LONGEST else text


def same_headline(result: str, gold: str, *, strict: bool = False) -> bool:
    """Return whether two headlines are equal by the common or the strict rule of this module."""
    fold = fold_strict if strict else fold_typography
    return fold(result) == fold(gold)
