"""When two headlines are the same.

Strictly: the same characters after Unicode NFC and folding of white space. Commonly: also with curly, low and angle
quotes as straight ones, every dash and hyphen as `-`, `…` as three points, and characters nobody sees (soft hyphen,
zero-width space, direction marks) left out. Case counts in both.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from tidings.text import fold_space

_UNSEEN: Final = "\u00ad\u200b\u200e\u200f\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_SEEN_ALIKE: Final = str.maketrans(
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


#: Longer texts are no headlines and stay uncomposed: putting combining marks in order takes quadratic time.
_LONGEST: Final = 2000


def fold_strict(text: str) -> str:
    """NFC and white space."""
    return " ".join(_composed(text).split())


def fold_typography(text: str) -> str:
    """NFC, white space, quotes, dashes, the ellipsis and what nobody sees."""
    return fold_space(_composed(text).translate(_SEEN_ALIKE))


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text) if len(text) <= _LONGEST else text


def same_headline(result: str, gold: str, *, strict: bool = False) -> bool:
    """Whether two headlines are the same, by the common or the strict rule of this module."""
    fold = fold_strict if strict else fold_typography
    return fold(result) == fold(gold)
