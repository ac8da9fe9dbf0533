"""The text format of full-text site configurations that people share: one `name: value` a line.

Read are title, body, author, date, strip, strip_id_or_class, single_page_link, next_page_link and test_url, with the
part of XPath that says where an element stands. Every other line is told, and left alone.

The XPath that site configurations are written in, as far as it says where an element stands.

Shared configurations use a small part of the language: elements by name, by the id, the class or another attribute,
one inside another, an attribute at the end. That part is read into anchors; what goes beyond it is told to be so, and
nothing is ever executed. `/` is read as `//`: a child is a descendant.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tidings.errors import BadRules
from tidings.sites.anchor import Anchor, Condition
from tidings.sites.rule import DETAILS, MAIN, MOST_RULES, UNINFORMATIVE, Rule, Template, Way
from tidings.sites.site import Site, TrackedTemplate

_LONGEST: Final = 2000
_VALUE = r"""(?:"([^"]*+)"|'([^']*+)')"""
_STEP: Final = re.compile(r"/{1,2}(?:descendant::)?([a-zA-Z][\w-]*+|\*)((?:\[[^\[\]]*+\])*+)")
_ATTRIBUTE: Final = re.compile(r"/{1,2}@([\w:-]+)$")
_TAIL: Final = re.compile(r"/(?:text\(\)|node\(\))$")
_CLASS = r"""(?:normalize-space\(\s*@class\s*\)|@class)"""
_WHOLE_WORD: Final = re.compile(
    rf"""contains\(\s*concat\(\s*['"] ['"]\s*,\s*{_CLASS}\s*,\s*['"] ['"]\s*\)\s*,\s*{_VALUE}\s*\)"""
)
_PREDICATES: Final = (
    (re.compile(rf"@([\w:-]+)\s*=\s*{_VALUE}"), "is"),
    (re.compile(rf"contains\(\s*@([\w:-]+)\s*,\s*{_VALUE}\s*\)"), "holds"),
    (re.compile(rf"starts-with\(\s*@([\w:-]+)\s*,\s*{_VALUE}\s*\)"), "begins"),
)
_FIRST: Final = re.compile(r"(?:1|position\(\)\s*=\s*1)")


class NotRead(ValueError):
    """An expression that goes beyond what is read here."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an expression says that something stands."""

    anchor: Anchor
    inside: Anchor | None = None
    attribute: str = ""


def read(expression: str) -> list[Place]:
    """Return the places that an expression names, the alternatives of a union one by one.

    Raises:
        NotRead: it says something that is not read here.
    """
    if len(expression) > _LONGEST:
        raise NotRead(f"it is longer than {_LONGEST} characters")
    return [place for part in _alternatives(expression) for place in _places(part.strip())]


def _alternatives(expression: str) -> list[str]:
    """Return the sides of `|`, outside of quotes and brackets."""
    parts, depth, quote, start = [], 0, "", 0
    for at, char in enumerate(expression):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "[(":
            depth += 1
        elif char in "])":
            depth -= 1
        elif char == "|" and not depth:
            parts.append(expression[start:at])
            start = at + 1
    return [*parts, expression[start:]]


def _places(path: str) -> list[Place]:
    if path.startswith("(") and (grouped := re.fullmatch(r"\((.*)\)\[1\]", path)):
        path = grouped[1]
    attribute = ""
    if match := _ATTRIBUTE.search(path):
        attribute, path = match[1], path[: match.start()]
    path = _TAIL.sub("", path)
    steps: list[list[Anchor]] = []
    at = 0
    for step in _STEP.finditer(path):
        if step.start() != at:
            break
        at = step.end()
        tag = "" if step[1] == "*" else step[1].lower()
        steps.append(_anchors(tag, re.findall(r"\[([^\[\]]*)\]", step[2])))
    if at != len(path) or not steps:
        raise NotRead(f"{path[at:] or path!r} is not read")
    # What is around matters only where it says more than its name.
    outer = next((step for step in reversed(steps[:-1]) if step[0].conditions), None)
    insides: list[Anchor | None] = list(outer) if outer else [None]
    return [Place(anchor, inside, attribute) for anchor in steps[-1] for inside in insides]


def _anchors(tag: str, predicates: list[str]) -> list[Anchor]:
    """Return the elements that a step names: several, if its conditions are alternatives."""
    choices: list[tuple[Condition, ...]] = [()]
    for predicate in predicates:
        if _FIRST.fullmatch(predicate.strip()):
            continue
        alternatives = [_conditions(side) for side in re.split(r"\s+or\s+", predicate)]
        choices = [(*before, *more) for before in choices for more in alternatives]
    return [Anchor(tag, conditions) for conditions in choices]


def _conditions(text: str) -> tuple[Condition, ...]:
    return tuple(_condition(part.strip()) for part in re.split(r"\s+and\s+", text))


def _condition(text: str) -> Condition:
    if match := _WHOLE_WORD.fullmatch(text):
        return Condition("class", "word", (match[1] or match[2] or "").strip())
    for pattern, how in _PREDICATES:
        if match := pattern.fullmatch(text):
            value = match[2] if match[2] is not None else match[3]
            name = match[1].lower()
            if how == "holds" and name == "class" and value.strip() != value:
                return Condition(name, "word", value.strip())
            if value:
                return Condition(name, how, value)  # type: ignore[arg-type]  # one of the three above
    raise NotRead(f"the condition {text!r} is not read")


def write(anchor: Anchor, inside: Anchor | None = None, attribute: str = "") -> str:
    """Return an expression for an anchor."""
    steps = [selector for selector in (inside, anchor) if selector is not None]
    path = "".join("//" + (selector.tag or "*") + "".join(map(_predicate, selector.conditions)) for selector in steps)
    return path + (f"/@{attribute}" if attribute else "")


def _predicate(condition: Condition) -> str:
    name, how, value = condition
    quote = '"' if "'" in value else "'"
    if how == "is":
        return f"[@{name}={quote}{value}{quote}]"
    if how == "word":
        return f"[contains(concat(' ',normalize-space(@{name}),' '),{quote} {value} {quote})]"
    function = "contains" if how == "holds" else "starts-with"
    return f"[{function}(@{name},{quote}{value}{quote})]"


_FIELDS: Final = {
    "title": "title",
    "body": MAIN,
    "author": "authors",
    "date": "published",
    "strip": UNINFORMATIVE,
    "single_page_link": "single_page",
    "next_page_link": "next_page",
    "price": "prices",
    "email": "emails",
    "telephone": "telephones",
}
_DIRECTIVES: Final = {field: directive for directive, field in _FIELDS.items()}
_LINKS: Final = frozenset(("single_page", "next_page"))
_MOST_LINES: Final = 20_000


def loads(text: str, name: str) -> tuple[Site, tuple[str, ...]]:
    """Parse a site configuration. Return the site with the lines that were not understood.

    Raises:
        BadRules: there is no rule for the main text.
    """
    rules: list[Rule] = []
    tests: list[str] = []
    unread: list[str] = []
    lines = text.lstrip("\ufeff").splitlines()
    if len(lines) > _MOST_LINES:
        raise BadRules(f"a site configuration has at most {_MOST_LINES:,} lines; this has {len(lines):,}")
    for line in lines:
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        directive, _, value = stripped.partition(":")
        directive, value = directive.strip().lower(), value.strip()
        if directive == "test_url" and value:
            tests.append(value)
            continue
        read = _READERS.get(directive, _not_read)
        try:
            rules += [rule.checked() for rule in read(directive, value)]
        except (NotRead, BadRules):
            unread.append(stripped)
    if not any(rule.field == MAIN for rule in rules):
        raise BadRules(f"the configuration of {name} has no `body:` line that can be read; give it one")
    if len(rules) > MOST_RULES:
        raise BadRules(f"a site has at most {MOST_RULES} rules; this configuration has {len(rules):,}")
    template = Template(
        "configuration",
        rules=tuple(dict.fromkeys(rules)),
        learned="a site configuration",
        several=True,
        test_urls=tuple(tests),
    )
    return Site(name, (TrackedTemplate(template.checked()),)).checked(), tuple(unread)


def _xpath_rules(directive: str, value: str) -> list[Rule]:
    field = _FIELDS[directive]
    rules = []
    for place in read(value):
        attribute = place.attribute or ("href" if field in _LINKS else "")
        anchor = place.anchor if place.anchor.tag or not attribute else Anchor("a", place.anchor.conditions)
        if attribute and field in (MAIN, UNINFORMATIVE):
            raise NotRead("a text is no attribute")
        rules.append(Rule(field, anchor, place.inside, attribute, each=field in (MAIN, "authors", *DETAILS)))
    return rules


def _not_read(directive: str, _: str) -> list[Rule]:
    raise NotRead(f"{directive!r} is not read")


def _name_rules(_: str, value: str) -> list[Rule]:
    name = value.strip("\"'")
    return [Rule(UNINFORMATIVE, Anchor("", (Condition(attribute, "holds", name),))) for attribute in ("class", "id")]


_READERS: Final[dict[str, Callable[[str, str], list[Rule]]]] = {
    **dict.fromkeys(_FIELDS, _xpath_rules),
    "strip_id_or_class": _name_rules,
}


def dumps(site: Site) -> str:
    """Serialise the active templates of a site. Rules that the format cannot express become comments."""
    lines = [f"# {site.name}"]
    for tracked in site.valid:
        template = tracked.template
        lines += ["", f"# {template.name}: {template.learned}"]
        lines += [_line(rule) for rule in template.rules]
        lines += [f"test_url: {url}" for url in template.test_urls]
    return "\n".join(lines) + "\n"


def _line(rule: Rule) -> str:
    directive = _DIRECTIVES.get(rule.field)
    if rule.way is not Way.ELEMENT or rule.anchor is None or directive is None or rule.path:
        return f"# not expressible in this format:  {str(rule)!r}"
    attribute = "" if rule.field in _LINKS and rule.attribute == "href" else rule.attribute
    return f"{directive}: {write(rule.anchor, rule.inside, attribute)}"
