"""What stands around a piece of text: links, emphasis, headings, lists, quotes, tables.

Asked of an element, answered from the answer for its parent, and kept: each element on the way to chosen text is
looked at once, however deep the page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from enum import IntEnum
from typing import Final, NamedTuple

from tidings.article.inlines import PLAIN, Style, with_style
from tidings.fields.addresses import absolute
from tidings.page import Page, tags


class Role(IntEnum):
    """What a tag means for the text inside it; the core knows these numbers (`core/src/blocks.rs`)."""

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


class Place(NamedTuple):
    """The larger elements around an element, itself included, by number; 0 is none."""

    heading: int = 0
    preformatted: int = 0
    caption: int = 0
    figure: int = 0
    table: int = 0  # the table of data
    cell: int = 0  # the cell of it
    quotes: int = 0
    quoted: bool = False  # a quote is nearer than a list item
    lists: int = 0  # how many
    innermost: int = 0  # of the lists
    item: int = 0  # the nearest list item
    owner: int = 0  # the list of that item
    depth: int = 0  # of that item
    defines: bool = False  # that item is the definition of a term before it


class Context(NamedTuple):
    """What stands around an element, itself included. Text inside a line has the place of its line."""

    style: Style = PLAIN
    place: Place = Place()


_NOTHING: Final = Context()
#: Contexts that are kept: each takes 300 bytes, and a page may have a hundred thousand list items.
_MOST: Final = 20_000


class Contexts:
    """The contexts of a page's elements."""

    def __init__(self, page: Page, base: str, data_tables: Collection[int], roots: Iterable[int] = ()) -> None:
        self._page = page
        self._base = base
        self._data_tables = data_tables
        self._tag = page.elements.tag
        self._parent = page.elements.parent
        # What stands around a root does not count: a comment is no list item, though often written as one.
        self._roots: dict[int, Context] = {0: _NOTHING, **dict.fromkeys(roots, _NOTHING)}
        self._known = self._roots.copy()

    def __getitem__(self, element: int) -> Context:
        known = self._known
        context = known.get(element)
        if context is not None:
            return context
        if len(known) > len(self._roots) + _MOST:  # those behind are asked for in the order of the page
            known = self._known = self._roots.copy()
        way = []
        while context is None:
            way.append(element)
            element = self._parent.item(element)
            context = known.get(element)
        for inner in reversed(way):
            tag = self._tag.item(inner)
            if tag in _STYLES:
                context = Context(_STYLES[tag](self, context.style, inner), context.place)
            elif tag in _PLACES:
                context = Context(context.style, _PLACES[tag](self, context.place, inner))
            known[inner] = context
        return context

    def link(self, around: Style, element: int) -> Style:
        """Inside a link."""
        href = self._page.attributes(element).get("href")
        if href is None:  # the target of a link, not a link
            return around
        return Style(absolute(href, self._base), *around[1:])

    def item(self, around: Place, element: int) -> Place:
        """Inside a list item, a term or a definition."""
        # An item outside any list is shown as one of a list.
        defines = ROLES[self._tag.item(element)] == Role.DEFINITION
        # As `_replace` would make it, which takes three times as long.
        lists, innermost = around.lists, around.innermost
        return Place(*around[:7], False, lists, innermost, element, innermost, max(lists, 1), defines)

    def list(self, around: Place, element: int) -> Place:
        """Inside a list."""
        return Place(*around[:8], around.lists + 1, element, *around[10:])

    def table(self, around: Place, element: int) -> Place:
        """Inside a table: of data, or one for layout, which ends a table of data around it."""
        return around._replace(table=element if element in self._data_tables else 0, cell=0)


_Styled = Callable[[Contexts, Style, int], Style]
_Placed = Callable[[Contexts, Place, int], Place]


def _styled(style: Style) -> _Styled:
    return lambda _, around, __: style if around is PLAIN else with_style(around, style)


_STYLES: Final[dict[int, _Styled]] = {
    number: rule
    for role, rule in {
        Role.LINK: Contexts.link,
        Role.STRONG: _styled(Style(strong=True)),
        Role.EMPHASIS: _styled(Style(emphasis=True)),
        Role.CODE: _styled(Style(code=True)),
        Role.SUPERSCRIPT: _styled(Style(superscript=True)),
        Role.SUBSCRIPT: _styled(Style(subscript=True)),
    }.items()
    for number in tags.numbers(_TAGS[role])
}
_PLACES: Final[dict[int, _Placed]] = {
    number: rule
    for role, rule in {
        Role.PREFORMATTED: lambda _, around, element: around._replace(preformatted=around.preformatted or element),
        Role.CAPTION: lambda _, around, element: around._replace(caption=element),
        Role.FIGURE: lambda _, around, element: around._replace(figure=element),
        Role.QUOTE: lambda _, around, __: around._replace(quotes=around.quotes + 1, quoted=True),
        Role.LIST: Contexts.list,
        Role.ORDERED: Contexts.list,
        Role.TERMS: Contexts.list,
        Role.ITEM: Contexts.item,
        Role.TERM: Contexts.item,
        Role.DEFINITION: Contexts.item,
        Role.TABLE: Contexts.table,
        Role.CELL: lambda _, around, element: around._replace(cell=element) if around.table else around,
        **dict.fromkeys(HEADINGS, lambda _, around, element: around._replace(heading=element)),
    }.items()
    for number in tags.numbers(_TAGS[role])
}
