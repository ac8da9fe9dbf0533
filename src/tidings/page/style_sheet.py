"""What the `<style>` elements of a page hide.

Only selectors that one start tag answers are read: a name, a class, an id, or some of these together (`p.note`), and
lists of them. What asks for an element's surroundings, state or other attributes (`.a .b`, `:hover`, `[x]`) says
nothing here. A rule under a condition (`@media`, `@supports`) counts as on the screens that people read with: one that
holds on all of them counts as any other, one that holds on none (`print`) not at all, and of one that holds on some
only what it shows, for text that anybody sees is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from threading import Lock
from typing import Final, NamedTuple

from tidings import core
from tidings.page.lengths import pixels
from tidings.page.styles import Declarations, declared, hiding, plain_css

#: A selector that asks for one name.
_SINGLE: Final = re.compile(r"[.#]?(?:[\w-]|[^\x00-\x7f])+\Z", re.ASCII)
_PART: Final = re.compile(r"([.#]?)((?:[\w-]|\\[0-9a-fA-F]{1,6}\s?|\\.|[^\x00-\x7f])++)", re.ASCII)
_COMMENT: Final = re.compile(r"/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/")
_COMMENT_OR_STRING: Final = re.compile(r"""/\*.*?(?:\*/|\Z)|"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?""", re.DOTALL)
_KEYFRAMES: Final = re.compile(r"@(?:-\w+-)?keyframes\s+([\w-]+)\s*\{", re.IGNORECASE | re.ASCII)
_LONGEST: Final = 4_000_000  # characters of style sheets that are read; pages with more are no pages for people
#: Rules for one name, and names that an element has together, of which is remembered what they declare.
_MOST_RULES: Final = 100
_MOST_KNOWN: Final = 4096
_LONGEST_QUERY: Final = 500
#: Widths, in pixels, of the screens that people read with.
_SCREENS: Final = (320.0, 375.0, 768.0, 1024.0, 1366.0, 1920.0)
_WIDTH: Final = re.compile(r"\(\s*(min|max)-(?:device-)?width\s*:\s*([^()\s]+)\s*\)")
_RANGE: Final = re.compile(r"\(\s*width\s*([<>]=?)\s*([^()\s]+)\s*\)")

#: When a condition holds: on no screen, on some (or nobody knows), on all.
NEVER, SOMETIMES, ALWAYS = 0, 1, 2
_NESTED: Final = -1  # inside another rule: about something in an element, and none of ours


_ROOTS: Final = frozenset(("html", "body", "main"))
#: Classes of what libraries fade in when it is scrolled to: eight in ten of its words are in the gold.
_FADED_IN: Final = re.compile(
    r"\.(?:.*(?:animat|elementor-invisible|fade-?in|reveal)|wow\Z|aos)", re.IGNORECASE | re.ASCII
)


#: A selector, its block, when it holds, and its place in the sheet.
_Written = tuple[str, str, int, int]


class _BraceInString(Exception):  # no failure: the sheet is read again without its strings
    """A brace that is none."""


class _StyleRule(NamedTuple):
    """A block of declarations for elements that have all of some names."""

    needs: frozenset[str]  # `p`, `.note`, `#top`
    order: tuple[int, int, int, int]  # ids, classes and names that it needs, and its place in the sheet
    block: str
    holds: int


class StyleSheet:
    """The rules of a page's own style sheets, by the names that they are about.

    A sheet has hundreds of rules, and a page asks for few of them: reading only takes it apart into selectors and
    blocks, and what they say is looked at when somebody asks. Where the core judges, nothing is read here.
    """

    def __init__(self, css: str = "") -> None:
        self._css = css[:_LONGEST]
        self._rules: dict[str, list[_StyleRule]] = {}  # what was asked for before
        self._known: dict[tuple[str, ...], tuple[Declarations, Declarations]] = {}
        self.answers: dict[str, tuple[int, int]] = {}  # of start tags, for those who ask again and again

    @cached_property
    def _read(self) -> _SheetReading:
        try:
            return _SheetReading(_without_comments(self._css))
        except _BraceInString:
            return _SheetReading(_COMMENT_OR_STRING.sub(lambda match: "" if match[0][0] == "/" else "''", self._css))

    @cached_property
    def compiled(self) -> core.Sheet | None:
        """The same in the core; None where there is none, or Python has to read the sheets."""
        return core.sheet(self._css)

    def __bool__(self) -> bool:
        if self.compiled is not None:
            return not self.compiled.is_empty
        return bool(self._read.written)

    @property
    def moving(self) -> frozenset[str]:
        """The names of animations."""
        return self._read.moving

    def style(self, name: str, attributes: Mapping[str, str], inline: str | None) -> Declarations | None:
        """What the sheets and its own `style` declare of an element; None if both say nothing."""
        known = self._known_names(name, attributes)
        if not known and not inline:
            return None
        result, important = self._merged(known) if known else ({}, {})
        own, own_important = _declared(inline) if inline else ({}, {})
        return {**result, **own, **important, **own_important}

    def hiding_rules(self, name: str, attributes: Mapping[str, str]) -> tuple[int, ...]:
        """Which of the rules for an element may hide it, by their places in the sheets."""
        known = self._known_names(name, attributes)
        return tuple(rule.order[-1] for rule in self._matching(known) if _hides(rule.block))

    def _known_names(self, name: str, attributes: Mapping[str, str]) -> tuple[str, ...]:
        written, compounds = self._read.written, self._read.compounds
        return tuple(key for key in names_of(name, attributes) if key in written or key in compounds)

    def _merged(self, names: tuple[str, ...]) -> tuple[Declarations, Declarations]:
        """What the rules for some names declare, and what of it is important."""
        found = self._known.get(names)
        if found is None:
            result: dict[str, str] = {}
            important: dict[str, str] = {}
            for rule in sorted(self._matching(names), key=_order):
                if rule.holds == ALWAYS or not _hides(rule.block):
                    plain, strong = _declared(rule.block)
                    result.update(plain)
                    important.update(strong)
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[names] = (result, important)
        return found

    def _matching(self, names: tuple[str, ...]) -> list[_StyleRule]:
        has = frozenset(names)
        return [
            rule
            for key in names
            if key in self._read.written
            for rule in self._of(key)
            if len(rule.needs) == 1 or rule.needs <= has
        ]

    def _of(self, name: str) -> list[_StyleRule]:
        """The rules for a name."""
        found = self._rules.get(name)
        if found is None:
            found = [_rule(*written) for written in self._read.written[name]]
            if len(found) > _MOST_RULES:
                found = _joined(found)
            self._rules[name] = found
        return found


class _SheetReading:
    """A sheet taken apart: what is written for each name."""

    def __init__(self, css: str) -> None:
        self.written: dict[str, list[_Written]] = {}
        self.compounds: set[str] = set()  # names that rules ask for together with others
        # What is open: a selector or condition, when it holds itself, and when what is around it does.
        around: list[tuple[str, int, int]] = []
        inside, place = ALWAYS, 0
        for chunk in css.split("}"):
            if chunk.count('"') % 2 or chunk.count("'") % 2:
                raise _BraceInString
            head, brace, block = chunk.rpartition("{")
            if not brace:
                if around:
                    selector, holds, inside = around.pop()
                    if holds == _NESTED and chunk.strip():  # declarations behind a rule inside the rule
                        self._add(selector, chunk, inside, place)
                continue
            if "{" in head or ";" in head:
                if head.count('"') % 2 or head.count("'") % 2:
                    raise _BraceInString
                *outer, head = head.split("{")
                for one in outer:
                    prelude = self._before(one, around, place)
                    around.append((prelude, _condition(prelude), inside))
                    inside = min(inside, around[-1][1])
                head = self._before(head, around, place)
            place += 1
            if inside > NEVER:
                self._add(head, block, inside, place)
        self.moving = frozenset(name.lower() for name in _KEYFRAMES.findall(css)) if "keyframes" in css else frozenset()

    def _before(self, head: str, around: list[tuple[str, int, int]], place: int) -> str:
        """What stands before a brace, without statements and declarations before it."""
        before, _, prelude = head.rpartition(";")
        if before and around and around[-1][1] == _NESTED and around[-1][2] > NEVER:
            self._add(around[-1][0], before, around[-1][2], place)
        return prelude.strip()

    def _add(self, selectors: str, block: str, holds: int, place: int) -> None:
        for part in selectors.split(",") if "," in selectors else (selectors,):
            selector = part.strip()
            if "\\" in selector:
                self._add_parts(_PART.findall(selector), selector, block, holds, place)
            # What asks for more than one start tag tells is most of a sheet, and has a space or a colon in it.
            elif " " in selector or ":" in selector:
                continue
            elif selector.rfind(".") > 0 or selector.rfind("#") > 0:
                self._add_parts(_PART.findall(selector), selector, block, holds, place)
            elif _SINGLE.match(selector):
                name = selector if selector[0] in ".#" else selector.lower()
                self.written.setdefault(name, []).append((selector, block, holds, place))

    def _add_parts(self, parts: list[tuple[str, str]], selector: str, block: str, holds: int, place: int) -> None:
        if "".join(map("".join, parts)) != selector or any(not sign for sign, _ in parts[1:]):
            return
        needs = _needs(parts)
        # By what fewest elements have: the last, which is an id or a class where there is one.
        self.written.setdefault(needs[-1], []).append((selector, block, holds, place))
        self.compounds.update(needs)


def _needs(parts: list[tuple[str, str]]) -> list[str]:
    """The names that a selector asks for, told by its parts."""
    return [sign + (plain_css(name) if sign else name.lower()) for sign, name in parts]


def _rule(selector: str, block: str, holds: int, place: int) -> _StyleRule:
    parts = _PART.findall(selector)
    needs = _needs(parts)
    ids, classes = sum(sign == "#" for sign, _ in parts), sum(sign == "." for sign, _ in parts)
    # A page that is hidden as a whole, and what is faded in, is hidden until a script has run.
    if needs[-1] in _ROOTS or (_FADED_IN.search(needs[-1]) and "none" not in block):
        holds = SOMETIMES
    return _StyleRule(frozenset(needs), (ids, classes, len(parts) - ids - classes, place), block, holds)


def _joined(rules: Iterable[_StyleRule]) -> list[_StyleRule]:
    """Rules for the same elements as one; of too many the last, for no page that people read has as many."""
    alike: dict[tuple[object, ...], list[_StyleRule]] = {}
    for rule in rules:
        alike.setdefault((rule.needs, rule.order[:3], rule.holds), []).append(rule)
    found = [one[-1]._replace(block=";".join(rule.block for rule in one)) for one in alike.values()]
    return found[-_MOST_RULES:]


def names_of(name: str, attributes: Mapping[str, str]) -> list[str]:
    """What selectors can ask of an element: its name, its classes, its id."""
    found = [name]
    if classes := attributes.get("class"):
        found += ["." + one for one in dict.fromkeys(classes.split())]
    if identity := attributes.get("id"):
        found.append("#" + identity)
    return found


def _order(rule: _StyleRule) -> tuple[int, int, int, int]:
    return rule.order


@lru_cache(maxsize=1024)
def _declared(block: str) -> tuple[dict[str, str], dict[str, str]]:
    return declared(block)


@lru_cache(maxsize=1024)
def _hides(block: str) -> bool:
    plain, important = declared(block)
    return hiding({**plain, **important})[0] != 0


def _without_comments(css: str) -> str:
    if "/*" in css:
        css = _COMMENT.sub("", css)
    return css.replace("<!--", "").replace("-->", "") if "--" in css else css


def _condition(prelude: str) -> int:
    """When what is inside a block holds."""
    if not prelude.startswith("@"):
        return _NESTED
    name, _, rest = prelude.partition(" ")
    name = name.lower().partition("(")[0]
    if name in ("@layer", "@scope", "@starting-style"):
        return ALWAYS if name == "@layer" else NEVER
    if name == "@supports":
        return SOMETIMES if "not" in rest.lower() else ALWAYS
    if name == "@media":
        return media_holds(prelude[len("@media") :])
    return SOMETIMES if name == "@container" else NEVER


@lru_cache(maxsize=1024)
def media_holds(query: str) -> int:
    """When a media query, as of `@media` or of the `media` attribute, holds."""
    if len(query) > _LONGEST_QUERY:
        return SOMETIMES
    return max((_one_holds(" ".join(one.lower().split())) for one in query.split(",")), default=ALWAYS)


def _one_holds(query: str) -> int:
    query = query.removeprefix("only ")
    if not query or query in ("all", "screen", "not print", "not speech"):
        return ALWAYS
    kind = query.split(" ")[0]
    if kind in ("print", "speech", "tty", "tv", "projection", "handheld", "braille", "embossed", "aural"):
        return NEVER
    if query in ("not all", "not screen"):
        return NEVER
    rest = query
    fits = [True] * len(_SCREENS)
    for match in (*_WIDTH.finditer(query), *_RANGE.finditer(query)):
        width = pixels(match[2])
        if width is None:
            return SOMETIMES
        least = match[1] in ("min", ">", ">=")
        fits = [
            fit and (screen >= width if least else screen <= width) for fit, screen in zip(fits, _SCREENS, strict=True)
        ]
        rest = rest.replace(match[0], "")
    unknown = "(" in rest or "not" in rest.split()
    if not any(fits):
        return SOMETIMES if unknown and "not" in rest.split() else NEVER
    return ALWAYS if all(fits) and not unknown else SOMETIMES


#: The sheets of a site are the same on many of its pages. Large ones are not kept.
_KEPT: Final[dict[str, StyleSheet]] = {}
_MOST_KEPT: Final = 32
_LARGEST_KEPT: Final = 200_000
_LOCK: Final = Lock()
NO_STYLES: Final = StyleSheet()


def style_sheet(css: str) -> StyleSheet:
    """The style sheet that a text is, read once for all pages that have the same."""
    if len(css) > _LARGEST_KEPT:
        return StyleSheet(css)
    with _LOCK:
        found = _KEPT.get(css)
    if found is None:
        found = StyleSheet(css)
        with _LOCK:
            while len(_KEPT) >= _MOST_KEPT:
                del _KEPT[next(iter(_KEPT))]
            _KEPT[css] = found
    return found
