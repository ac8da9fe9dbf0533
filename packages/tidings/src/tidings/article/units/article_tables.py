"""Tags and words that the Rust core needs to build articles, and the tables that hold them there."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from typing import Final

from tidings.core.rules import ArticleTables, PictureTables
from tidings.page import cut, tags
from tidings.page.compiled import scanner
from tidings.page.tag_words import TELLING, TagWords

#: Words in the start tags of units, by type of unit. Each word has at least three letters.
WORDS: Final = {
    "code": (
        "<pre", "codemirror", "cm-content", "view-line", "ace_line", "syntaxhighlighter", "crayon", "blob-code",
        "code-block", "codeblock", "white-space", "fragment",
    ),
    "formula": ("<math", "katex", "mathjax", "mjx-", "math/", "latex", "mwe-math", "tex-svg"),
    "note": (
        "footnote", "fnref", "noteref", "cite_", "_ftn", "endnote", "sdfoot", "ftnt", "sidenote",
        "marginnote", "ltx_note", 'href="#fn', "<sup",
    ),
    "box": (
        "admonition", "alert", "callout", "notice", "hint", "<details", "warning", "notecard", "custom-block", "-aside",
        "toggle-card",
    ),
    "quote": ("<blockquote", "quote"),
    "embed": ("<iframe", "<video", "<audio", "youtube"),
    "anchor": (
        "permalink", "headerlink", "anchor", "hash-link", "heading-link", "editsection", "header-link", "<button",
    ),
    "aside": ("sidenote", "marginnote", "ltx_note"),
    "inline": ("<ruby", "<ins", "<del", "<strike", "<s>"),
    "table": ("<table",),
}  # fmt: skip
UNIT_WORDS: Final = TagWords(
    tuple(dict.fromkeys(word for words in WORDS.values() for word in words)), companion=TELLING
)
#: Units that change the type of blocks but not their text; and the words of the other units.
_ANYWAY: Final = ("embed", "inline", "box", "quote", "table")
SAYING: Final = TagWords(
    tuple(
        dict.fromkeys(
            [
                # "<sup" hints at notes only if links lead to places on the page; anchor words count only if their link
                # does not lead to another page. A button in a heading is found by its tag.
                *("<sup", *WORDS["anchor"][:-1]),
                *(word for name in WORDS if name not in _ANYWAY for word in WORDS[name] if word != "<button"),
                *"-tweet twitter-video instagram-media tiktok-embed bluesky-embed reddit- mastodon-embed".split(),
                *("text-post-media", "fb-post", "xfbml", "<dt"),
            ]
        )
    )
)
#: Words in start tags of pictures, first; then of elements that change blocks without changing the text: units, rare
#: callouts, abbreviations, audio files, and the metadata of a fragment.
BLOCK_WORDS: Final = TagWords(
    tuple(
        dict.fromkeys(
            [
                "<img",
                *(word for name in _ANYWAY if name != "table" for word in WORDS[name]),
                *("tion-macro", '="version', '="note"', "expand-co", '="section'),
                *"<abbr <acronym ld+json <meta <base".split(),
                *".mp3 .m4a .m4b .ogg .oga .opus .aac .flac .wav".split(),
            ]
        )
    )
)
#: The maximum length of a caption, and the minimum number of selected runs above a caption in a box without figure.
LONGEST_CAPTION: Final = 600
_RUNS_ABOVE: Final = 4
#: The maximum distance of a caption from a picture without figure: in ancestors, and in elements.
_MOST_ANCESTORS: Final = 3
_MOST_ELEMENTS: Final = 24
#: Every gallery name contains one of these words; most pages have none.
GALLERY_WORDS: Final = tuple(
    "galler galerie slide rousel swiper splide slick- glide__ flickity fotorama photos photo- photogrid egrid e-grid "
    "diaporama bilderstrecke lightbox-group image-row imagerow image-pair imagepair mosaic".split()
)
#: Every credit name contains one of these words; most figures have none.
CREDIT_WORDS: Final = tuple(
    "credit copyright photographer osource o-source esource e-source attribution bildnachweis rights agency".split()
)


class Role(IntEnum):
    """The meaning of a tag for the text inside it. The numbers are shared with the core (`core/src/blocks.rs`)."""

    LINK = 1
    STRONG = 2
    EMPHASIS = 3
    CODE = 4
    SUPERSCRIPT = 5
    SUBSCRIPT = 6
    PREFORMATTED = 7
    CAPTION = 8
    FIGURE = 9
    QUOTE = 10
    LIST = 11
    ITEM = 12
    TERM = 13
    DEFINITION = 14
    TABLE = 15
    CELL = 16
    H1 = 17
    H2 = 18
    H3 = 19
    H4 = 20
    H5 = 21
    H6 = 22
    ORDERED = 23
    TERMS = 24


HEADINGS: Final = tuple(role for role in Role if Role.H1 <= role <= Role.H6)
_TAGS: Final = {
    Role.LINK: "a",
    Role.STRONG: "strong b",
    Role.EMPHASIS: "em i cite dfn var",
    Role.CODE: "code kbd samp tt",
    Role.SUPERSCRIPT: "sup",
    Role.SUBSCRIPT: "sub",
    Role.PREFORMATTED: "pre listing xmp",
    Role.CAPTION: "figcaption caption",
    Role.FIGURE: "figure",
    Role.QUOTE: "blockquote",
    Role.LIST: "ul menu dir",
    Role.ORDERED: "ol",
    Role.TERMS: "dl",
    Role.ITEM: "li",
    Role.TERM: "dt",
    Role.DEFINITION: "dd",
    Role.TABLE: "table",
    Role.CELL: "td th",
    **{role: role.name.lower() for role in HEADINGS},
}
_NUMBERED: Final = {number: role for role, names in _TAGS.items() for number in tags.numbers(names)}
#: The role of each tag, the last for those outside the standard.
ROLES: Final = bytes(_NUMBERED.get(number, 0) for number in range(len(tags.NAMES) + 1))
#: Sets of tags, by the core's bit number (`core/src/block_texts.rs`): tables, cells, headers, rows,
#: captions, tags never in a data table, tags never in a cell of one without headers; then those of fragments.
_SETS: Final = (
    tags.numbers("table"),
    tags.numbers("td th"),
    tags.numbers("th"),
    tags.numbers("tr tbody thead tfoot table"),
    tags.numbers("caption"),
    tags.numbers("blockquote figure figcaption table"),
    tags.numbers("ul ol dl menu dir pre listing xmp h1 h2 h3 h4 h5 h6"),
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
#: Tags and limits for pictures (`core/src/pictures.rs`).
_PICTURE_NUMBERS: Final = array(
    "q",
    (
        *(tags.NUMBERS[name] for name in "img figure figcaption html body picture source".split()),
        *(LONGEST_CAPTION, _RUNS_ABOVE, _MOST_ANCESTORS, _MOST_ELEMENTS),
    ),
)


def _sets_of_tags(sets: Sequence[frozenset[int]]) -> array[int]:
    """Return the bit set of each tag, the last for tags outside the standard."""
    bits = array("H", bytes(2 * (len(tags.NAMES) + 1)))
    for bit, numbers in enumerate(sets):
        for number in numbers:
            bits[number] |= 1 << bit
    return bits


@cache
def article_tables() -> ArticleTables:
    """Return the tags and words as stored in the core."""
    units, words, galleries = (words_table.compiled for words_table in (SAYING, BLOCK_WORDS, TagWords(GALLERY_WORDS)))
    picture_tables = PictureTables(_PICTURE_NUMBERS, "\n".join(CREDIT_WORDS).encode(), galleries)
    return ArticleTables(scanner().tables, ROLES, _sets_of_tags(_SETS), cut.MAX_TAGS, units, words, picture_tables)
