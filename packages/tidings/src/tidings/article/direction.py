"""Text direction: left to right or right to left."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from tidings.article.model.article import Direction
from tidings.page import Page, Spans
from tidings.page.columns import any_set
from tidings.page.counts import code_points
from tidings.text.patterns import late_pattern

#: Hebrew, Arabic, Syriac, Thaana, N'Ko, Samaritan, Mandaic, their forms, and the right-to-left scripts of plane 1.
_RIGHT_TO_LEFT: Final = late_pattern(
    r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_LETTER: Final = re.compile(r"[^\W\d_]")
_LANGUAGES: Final = frozenset("ar arc arz ckb dv fa glk he iw ji ks lrc mzn nqo pnb ps sd syr ug ur yi".split())
_SCRIPTS: Final = frozenset("arab hebr syrc thaa nkoo samr mand adlm rohg".split())  # ISO 15924

BY_LETTERS: Final = "letters of the text"

#: Below the lower share of right-to-left letters a text is left to right, above the upper right to left, whatever the
#: page declares: pages leave `dir="rtl"` around an English guest column. Between them the declaration decides.
_LOW, _HIGH = 0.2, 0.7
#: Characters of the text that are sampled.
LETTERS: Final = 20_000
#: A letter within this many characters of the start is certainly in the sample.
_BEGINNING: Final = 2_000


def runs_rightwards(page: Page, visible: Spans, *, may_run_leftwards: bool) -> bool:
    """Return whether the text is certainly left to right: it has letters, and none of a right-to-left script."""
    remaining = _BEGINNING
    for start, end in visible:
        if _LETTER.search(page.text, start, min(end, start + remaining)):
            break
        remaining -= end - start
        if remaining <= 0:
            return False
    else:
        return False
    return not may_run_leftwards or not _RIGHT_TO_LEFT.search("".join([page.text[start:end] for start, end in visible]))


def direction(texts: Iterable[str], declared: str, language: str) -> tuple[Direction, str]:
    """Return the direction of a text and its source: the letters, the declared `dir`, or the language."""
    share = _share(_sample(texts))
    if share is not None and not _LOW < share < _HIGH:
        return ("rtl" if share >= _HIGH else "ltr"), BY_LETTERS
    if declared in ("ltr", "rtl"):
        return ("rtl" if declared == "rtl" else "ltr"), "dir attribute"
    if language:
        return ("rtl" if is_written_leftwards(language) else "ltr"), "language"
    return ("rtl" if share is not None and share > 0.5 else "ltr"), BY_LETTERS


def is_written_leftwards(language: str) -> bool:
    """Return whether a language, or the script in its code, is written from right to left."""
    primary, *others = language.lower().replace("_", "-").split("-")
    script = next((part for part in others if len(part) == len("arab")), None)
    return script in _SCRIPTS if script else primary in _LANGUAGES


def _share(text: str) -> float | None:
    """Return the share of right-to-left letters among the letters; None where there are no letters."""
    # Most texts have none of these letters; testing for them is faster than counting.
    if text.isascii() or not has_leftwards(text):
        return 0.0 if _LETTER.search(text) else None
    letters = _LETTER.findall(text)
    return len(_RIGHT_TO_LEFT.findall("".join(letters))) / len(letters) if letters else None


def has_leftwards(text: str) -> bool:
    """Return whether a text has a right-to-left letter."""
    codes = code_points(text)  # a range test on code points is faster than the pattern
    return any_set((codes - 0x590 < 0x370) | (codes >= 0xFB1D)) and _RIGHT_TO_LEFT.search(text) is not None


def _sample(texts: Iterable[str]) -> str:
    sample: list[str] = []
    size = 0
    for text in texts:
        sample.append(text)
        size += len(text)
        if size >= LETTERS:
            break
    return "".join(sample)[:LETTERS]
