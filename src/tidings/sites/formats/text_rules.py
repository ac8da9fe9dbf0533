"""The text format of full-text site configurations that people share: one `name: value` a line.

Read are title, body, author, date, strip, strip_id_or_class, single_page_link, next_page_link and test_url, with the
part of XPath that says where an element stands. Every other line is told, and left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tidings.errors import BadRules
from tidings.sites.anchor import Anchor, Condition
from tidings.sites.formats import xpath
from tidings.sites.rule import MAIN, MOST_RULES, UNINFORMATIVE, Rule, Template, Way
from tidings.sites.site import Known, Site

_FIELDS: Final = {
    "title": "title",
    "body": MAIN,
    "author": "authors",
    "date": "published",
    "strip": UNINFORMATIVE,
    "single_page_link": "single_page",
    "next_page_link": "next_page",
}
_DIRECTIVES: Final = {field: directive for directive, field in _FIELDS.items()}
_LINKS: Final = frozenset(("single_page", "next_page"))
_MOST_LINES: Final = 20_000


def loads(text: str, name: str) -> tuple[Site, tuple[str, ...]]:
    """A site from the text of a configuration, and the lines that were not understood.

    Raises:
        BadRules: nothing in it says where the text of a page stands.
    """
    rules: list[Rule] = []
    tests: list[str] = []
    unread: list[str] = []
    lines = text.lstrip("\ufeff").splitlines()
    if len(lines) > _MOST_LINES:
        raise BadRules(f"a site configuration has at most {_MOST_LINES:,} lines; this has {len(lines):,}")
    for line in lines:
        said = line.strip()
        if not said or said.startswith("#"):
            continue
        directive, _, value = said.partition(":")
        directive, value = directive.strip().lower(), value.strip()
        if directive == "test_url" and value:
            tests.append(value)
            continue
        read = _READERS.get(directive, _not_read)
        try:
            rules += [rule.checked() for rule in read(directive, value)]
        except (xpath.NotRead, BadRules):
            unread.append(said)
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
    return Site(name, (Known(template.checked()),)).checked(), tuple(unread)


def _by_path(directive: str, value: str) -> list[Rule]:
    field = _FIELDS[directive]
    rules = []
    for place in xpath.read(value):
        attribute = place.attribute or ("href" if field in _LINKS else "")
        anchor = place.anchor if place.anchor.tag or not attribute else Anchor("a", place.anchor.conditions)
        if attribute and field in (MAIN, UNINFORMATIVE):
            raise xpath.NotRead("a text is no attribute")
        rules.append(Rule(field, anchor, place.inside, attribute, each=field in (MAIN, "authors")))
    return rules


def _not_read(directive: str, _: str) -> list[Rule]:
    raise xpath.NotRead(f"{directive!r} is not read")


def _by_name(_: str, value: str) -> list[Rule]:
    name = value.strip("\"'")
    return [Rule(UNINFORMATIVE, Anchor("", (Condition(attribute, "holds", name),))) for attribute in ("class", "id")]


_READERS: Final[dict[str, Callable[[str, str], list[Rule]]]] = {
    **dict.fromkeys(_FIELDS, _by_path),
    "strip_id_or_class": _by_name,
}


def dumps(site: Site) -> str:
    """The templates of a site that are in use as text. What the format cannot say stands in comments."""
    lines = [f"# {site.name}"]
    for known in site.valid:
        template = known.template
        lines += ["", f"# {template.name}: {template.learned}"]
        lines += [_line(rule) for rule in template.rules]
        lines += [f"test_url: {url}" for url in template.test_urls]
    return "\n".join(lines) + "\n"


def _line(rule: Rule) -> str:
    directive = _DIRECTIVES.get(rule.field)
    if rule.way is not Way.ELEMENT or rule.anchor is None or directive is None or rule.path:
        return f"# not said in this format: {str(rule)!r}"
    attribute = "" if rule.field in _LINKS and rule.attribute == "href" else rule.attribute
    return f"{directive}: {xpath.write(rule.anchor, rule.inside, attribute)}"
