"""What the blocks of a cut piece say, told by the compiled core without making them.

The blocks of `fragment` say the same; where there is no core, or it leaves a piece to Python, they are asked.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple, Self

from tidings.article import Item, Kind
from tidings.article.context import ROLES
from tidings.article.credits import CREDIT_WORDS
from tidings.article.direction import LETTERS, has_leftwards
from tidings.article.pictures import AROUND, ASKED_NAMES, GALLERY_WORDS, NEAREST
from tidings.article.places import LONGEST_CAPTION, RUNS_ABOVE
from tidings.article.tables import TABLE_SETS, sets_of_tags
from tidings.article.text import Line, plain
from tidings.article.units import BLOCK_WORDS, SAYING
from tidings.core.rules import AskedOfPictures, BlockTexts, Fragments
from tidings.page import cut, tags
from tidings.page.compiled import scanner
from tidings.page.style_sheet import StyleSheet
from tidings.page.tag_words import TagWords
from tidings.sites.noise import hashes_of, left_out, written_of
from tidings.text.normalise import without_breaks

#: Sets of tags, by the bit under which the core knows them (`core/src/block_texts.rs`).
_SETS: Final = (
    *TABLE_SETS,
    tags.HIDDEN,
    tags.RAW | tags.numbers("html body svg"),
    tags.numbers("dialog template"),
    tags.numbers("ol"),
    tags.numbers("ol ul menu dir"),
    tags.numbers("li"),
    tags.numbers("a"),
    tags.numbers("button"),
    tags.HEADINGS,
)
#: What is asked of pictures (`core/src/fragment_pictures.rs`).
_PICTURE_NUMBERS: Final = array(
    "q",
    (
        *(tags.NUMBERS[name] for name in "img figure figcaption html body".split()),
        *(LONGEST_CAPTION, RUNS_ABOVE, tags.NUMBERS["picture"], AROUND, NEAREST),
    ),
)
_KINDS: Final = tuple(Kind)
_UNNUMBERED: Final = Item()
#: Blocks and characters that tell the script of a text.
_FIRST, _SAMPLE = 8, 400


class FinishedText(NamedTuple):
    """What a fragment says as an article has it, without what its site repeats; and what is checked of it."""

    text: str
    size: int  # characters of the page in it
    linked: int  # no more of the characters of all blocks than so many are in links
    latin: float  # the share of ASCII in its beginning
    letters: str  # the beginning of what its blocks say, if a letter of any block runs leftwards
    hashes: tuple[int, ...]  # of the texts of all blocks


class FragmentText(NamedTuple):
    """What a fragment says, block by block."""

    texts: list[str]
    linked: int  # no more characters than so many are in links
    kinds: list[int]  # of each block
    items: list[int]  # the item that each block begins: 0 for none, 1 for one without a number, else the number and one
    depths: list[int]  # how deep in lists each block stands

    @classmethod
    def told(cls, said: BlockTexts) -> Self:
        """As the core tells it."""
        rows, text = said.rows, said.text
        ends = rows[::4]
        texts = [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        return cls(texts, said.linked, rows[1::4], rows[2::4], rows[3::4])

    def finished(self, noise: frozenset[int]) -> FinishedText:
        """As an article has it, without some texts, told by their hashes; of main texts in UTF-8 the core has it."""
        hashes = hashes_of(written_of(self.texts))
        out = left_out(self.texts, hashes, noise)
        kept = self if out is None else self.without(out)
        letters = "".join(kept.texts)[:LETTERS] if has_leftwards("".join(self.texts)) else ""
        size = sum(map(len, kept.texts))
        return FinishedText(without_breaks(kept.text), size, self.linked, latin_share(kept.texts), letters, hashes)

    def without(self, out: list[bool]) -> FragmentText:
        """What is left when some blocks are out."""
        left = [place for place, is_out in enumerate(out) if not is_out]
        kinds, items, depths = ([column[place] for place in left] for column in (self.kinds, self.items, self.depths))
        return FragmentText([self.texts[place] for place in left], self.linked, kinds, items, depths)

    @property
    def lines(self) -> list[Line]:
        """The same with what each block is."""
        return [
            Line(text, _KINDS[kind], None if not item else _UNNUMBERED if item == 1 else Item(True, item - 1), depth)
            for text, kind, item, depth in zip(self.texts, self.kinds, self.items, self.depths, strict=True)
        ]

    @property
    def text(self) -> str:
        """The whole text."""
        return plain(self.lines) if any(self.items) else "\n\n".join(self.texts)


def latin_share(texts: Sequence[str]) -> float:
    """The share of ASCII in the beginning of a text: one for Latin, little for other scripts."""
    sample = "".join(texts[:_FIRST])[:_SAMPLE]
    return 1.0 if sample.isascii() else len(sample.encode("ascii", "ignore")) / len(sample)


@cache
def fragments() -> Fragments | None:
    """What the core must know to read fragments; None if it cannot hold the words."""
    units, words, galleries = SAYING.compiled, BLOCK_WORDS.compiled, TagWords(GALLERY_WORDS).compiled
    if units is None or words is None or galleries is None:
        return None
    asked = AskedOfPictures(_PICTURE_NUMBERS, ASKED_NAMES, "\n".join(CREDIT_WORDS).encode(), galleries)
    return Fragments(scanner().tables, ROLES, sets_of_tags(_SETS), cut.MAX_TAGS, units, words, asked)


def text_of_fragment(fragment: str, styles: StyleSheet) -> FragmentText | None:
    """What a fragment says under the style sheets of its page; None if its blocks have to be asked."""
    known = fragments()
    if known is None:
        return None
    try:
        source = fragment.encode()
    except UnicodeEncodeError:
        return None
    said = known.text(source, styles.compiled)
    return None if said is None else FragmentText.told(said)
