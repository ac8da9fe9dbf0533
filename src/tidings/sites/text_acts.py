"""What tags do to the text around them, for `texts`."""

from __future__ import annotations

from typing import Final

from tidings.sites.plain_tags import (
    BOX,
    BREAK,
    CAPTION,
    FIGURE,
    HEADING,
    IMG,
    INLINE,
    ITEM,
    LINK,
    LIST,
    NUMBERED,
    OTHER,
    PARAGRAPH,
    PICTURE,
    QUOTE,
    RULE,
    SORTS,
    SOURCE,
    STYLE,
    TABLE,
    VOID,
)

# What a tag does to the text around it, by its name, with the `/` of an end tag: a character, so that what all tags do
# is one string. Those from BREAKS on part texts; a box counts where lists and tables are open, what makes structure
# anywhere.
INSIDE, LINK_BEGINS, LINK_ENDS, BREAKS, BETWEEN, IN_BOX, STRUCTURE, UNCLEAR = map(chr, range(1, 9))
_ACTS_OF_SORTS: Final = (
    {OTHER: UNCLEAR, BREAK: BREAKS, LINK: LINK_BEGINS}
    | dict.fromkeys((INLINE, STYLE, PICTURE, IMG, SOURCE, VOID), INSIDE)
    | dict.fromkeys((RULE, PARAGRAPH), BETWEEN)
    | dict.fromkeys((BOX, FIGURE, QUOTE), IN_BOX)
    | dict.fromkeys((HEADING, CAPTION, ITEM, LIST, NUMBERED, TABLE), STRUCTURE)
)


class _Acts(dict[str, str]):
    """What tags do by their names; those that nobody knows stand inside of texts."""

    def __missing__(self, name: str) -> str:
        return INSIDE


ACTS: Final = _Acts({name: _ACTS_OF_SORTS[sort] for name, sort in SORTS.items()})
ACTS.update(dict.fromkeys("th thead tfoot TH THEAD TFOOT".split(), STRUCTURE))
ACTS.update({"/" + name: {LINK_BEGINS: LINK_ENDS, BREAKS: UNCLEAR}.get(act, act) for name, act in ACTS.items()})
#: Tags that make lists and tables, without which there is no structure to look after.
MAKING: Final = frozenset("li ul ol menu table tbody tr td th thead tfoot".split())
#: Characters that stand for tags. No fragment has them, or it goes another way.
MARK, BREAK_MARK, INSIDE_MARK = "\x02", "\x01", "\x03"
