"""R2L as printed: the page is a stream of bytes, and nothing is parsed.

Source: DANA thesis 4.3. Scripts, style sheets and comments are removed; the rest is split into lines of equal length; a
byte above 127 is content, any other is code (4.3.2). Then follow the phases of `R2L`: smoothing by eq. 4.2, regions,
Algorithm 1 with a gap of 8. The characters above 127 in the selected lines are the story.

`R2L` in `dana` works on a parsed page, so that hidden text is removed and the story is a set of ranges; `text_of` here
converts bytes to text without a page. Decided here: a character of two or three bytes counts once; lines have 80
characters; other text between two letters is replaced by a blank; other encodings are converted to UTF-8 first; an
unclosed script continues to the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.dana import main_regions, regions, smooth
from tidings.page import Page, Spans
from tidings.page.columns import Bools, Ints
from tidings.page.decode import decode

_PARTS: Final = (("<script", "</script"), ("<style", "</style"), ("<!--", "-->"))
_NO_CONTENT: Final = "|".join(rf"{start}.*?(?:{end}|\Z)" for start, end in _PARTS)
_BYTES: Final = re.compile(_NO_CONTENT.encode(), re.IGNORECASE | re.DOTALL)
_LETTERS: Final = re.compile(_NO_CONTENT, re.IGNORECASE | re.DOTALL)
_CODE: Final = re.compile(rb"[\x00-\x7f]+")


def main_lines(is_content: Bools, gap: int, line_length: int) -> list[tuple[int, int]]:
    """Return the ranges of characters that belong to the story, given which characters are content (phases one to
    three).
    """
    count = -(-len(is_content) // line_length)
    lines = np.zeros(count * line_length, np.uint8)
    lines[: len(is_content)] = is_content
    content: Ints = lines.reshape(-1, line_length).sum(1, dtype=np.int64)
    size = np.full(count, line_length, np.int64)
    if count:
        size[-1] = len(is_content) - (count - 1) * line_length
    lines_of_story = main_regions(regions(smooth(content, size - content)), content, gap)
    return [(first * line_length, min((last + 1) * line_length, len(is_content))) for first, last in lines_of_story]


def text_of(data: bytes, gap: int = 8, line_length: int = 80) -> str:
    """Return the story of a page in a right-to-left script, given its bytes."""
    try:
        data.decode()
    except UnicodeDecodeError:
        data = decode(data).text.encode()
    stream = np.frombuffer(_BYTES.sub(b"", data), np.uint8)
    begins = np.flatnonzero((stream & 0xC0) != 0x80)  # the first byte of each character
    letters: NDArray[np.uint8] = stream[begins]
    begins = np.append(begins, len(stream))
    parts = [
        _CODE.sub(b" ", stream[begins[start] : begins[end]].tobytes())
        for start, end in main_lines(letters > 127, gap, line_length)
    ]
    return " ".join(b" ".join(parts).decode(errors="replace").split())


@checked
@dataclass(frozen=True, slots=True)
class R2LBytes:
    """R2L as printed: characters above 127 where they outnumber ASCII, counted in the source without parsing it."""

    gap: int = 8  # thesis 4.3.4
    line_length: int = 80  # the thesis gives no figure

    def __call__(self, page: Page, /) -> Spans:
        """Return the visible characters that all four phases select."""
        if self.gap < 0 or self.line_length < 1:
            raise BadParameter("gap is 0 or more, line_length 1 or more: they are lines, and characters of a line")
        codes = np.frombuffer(page.source.encode("utf-32-le", "surrogatepass"), np.uint32)
        is_counted = np.ones(len(codes), np.bool_)
        for cut in _LETTERS.finditer(page.source):
            is_counted[cut.start() : cut.end()] = False
        place = np.flatnonzero(is_counted)
        is_content = codes[place] > 127
        chosen = np.zeros(len(codes), np.bool_)
        for start, end in main_lines(is_content, self.gap, self.line_length):
            chosen[place[start:end][is_content[start:end]]] = True
        letters = np.append(chosen, False)[page.source_of_text[:-1]] & (page.text_codes > 127)
        letters[1:-1] |= (page.text_codes[1:-1] <= 32) & letters[:-2] & letters[2:]
        return page.shown(page.limited(Spans.of_mask(letters)))
