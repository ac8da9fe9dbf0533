"""The text format of shared full-text site configurations: one `name: value` per line.

Supported are title, body, author, date, strip, strip_id_or_class, single_page_link, next_page_link and test_url, with a
subset of XPath (see `xpath`). All other lines are returned unread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tidings.errors import BadRules
from tidings.sites.formats.xpath import NotRead, read, write
from tidings.sites.templates.anchor import Anchor, Condition
from tidings.sites.templates.rule import DETAILS, MAIN, MOST_RULES, UNINFORMATIVE, Rule, Template, Way
from tidings.sites.templates.site import Site, TrackedTemplate

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
    """Parse a site configuration. Return the site, and the lines that were ignored.

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
