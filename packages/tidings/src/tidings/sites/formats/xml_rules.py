"""The XML format of site rules, after the document of the hybrid paper (4.7, fig. 7 and 8).

Each block is an element named after its class: `main`, `headline`, `information` or `uninformative`, with the paper's
attributes `tag`, `parenttag`, `class` and `id`. Additional attributes express what the paper's rules cannot: `field` of
an information, `left` and `right` delimiters, a constant `value`, the `path` to an element without a name. Document
types and entities are rejected. If a page is given, each block contains the text that its rule extracts from it, as in
the paper; `loads` ignores it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final
from xml.etree import ElementTree
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from tidings.errors import BadRules
from tidings.sites.templates.anchor import HOWS, Anchor, Condition, Step
from tidings.sites.templates.rule import MAIN, MOST_RULES, MOST_TEMPLATES, UNINFORMATIVE, Expected, Rule, Template
from tidings.sites.templates.site import Site, TrackedTemplate

_ELEMENTS: Final = {"main": MAIN, "headline": "title", "uninformative": UNINFORMATIVE}
#: The texts that the rules of each template extract from a page, by field.
Contents = Mapping[str, Mapping[str, str]]
_NAMES: Final = {field: name for name, field in _ELEMENTS.items()}


def dumps(site: Site, contents: Contents | None = None) -> str:
    """Serialise a site to XML, optionally with the texts that its rules extract from a page."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<site name={_quoted(site.name)}>"]
    for tracked in site.templates:
        lines += _template(tracked.template, (contents or {}).get(tracked.template.name, {}))
    return "\n".join([*lines, "</site>", ""])


def _template(template: Template, content: Mapping[str, str]) -> list[str]:
    attributes = {
        "name": template.name,
        "pattern": template.pattern,
        "encoding": template.encoding,
        "valid-from": template.valid_from.isoformat() if template.valid_from else "",
        "valid-until": template.valid_until.isoformat() if template.valid_until else "",
        "learned": template.learned,
        "agreement": "" if template.agreement is None else str(template.agreement),
        "several": "yes" if template.several else "",
    }
    expected = template.expected
    expected_attributes = {
        "words": "{} {}".format(*expected.words),
        "linkshare": str(expected.link_share),
        "latin": "" if expected.latin is None else str(expected.latin),
        "reach": str(expected.reach or ""),
    }
    return [
        f"  <template{_attributes(attributes)}>",
        f"    <expected{_attributes(expected_attributes)}>",
        *(f"      <marker text={_quoted(marker)}/>" for marker in expected.markers),
        "    </expected>",
        *(f"    <test url={_quoted(url)}/>" for url in template.test_urls),
        *(f"    <noise text={_quoted(str(text))}/>" for text in sorted(template.noise)),
        *(line for rule in template.rules for line in _rule(rule, content.get(rule.field, ""))),
        "  </template>",
    ]


def _rule(rule: Rule, content: str) -> list[str]:
    name = _NAMES.get(rule.field, "information")
    attributes = {
        "field": rule.field if name == "information" else "",
        "attribute": rule.attribute,
        "left": rule.left,
        "right": rule.right,
        "syntax": "" if rule.syntax == "html" else rule.syntax,
        "each": "yes" if rule.each else "",
        "address": "yes" if rule.address else "",
        "reach": str(rule.reach or ""),
        "starts": rule.starts,
        "path": "/".join(map(str, rule.path)),
    }
    if rule.value is not None:
        attributes["value"] = rule.value
    inner: list[str] = []
    if rule.anchor is not None:
        attributes |= {"tag": rule.anchor.tag, **_named(rule.anchor, "")}
        inner += _other_conditions(rule.anchor, "where")
    if rule.inside is not None:
        attributes |= {"parenttag": rule.inside.tag, **_named(rule.inside, "parent")}
        inner += _other_conditions(rule.inside, "parentwhere")
    if content:
        inner.append(escape(_legal(content)))
    if not inner:
        return [f"    <{name}{_attributes(attributes)}/>"]
    return [f"    <{name}{_attributes(attributes)}>", *inner, f"    </{name}>"]


def _named(anchor: Anchor, prefix: str) -> dict[str, str]:
    own = [condition.value for condition in anchor.conditions if (condition.name, condition.how) == ("id", "is")]
    words = [condition.value for condition in anchor.conditions if (condition.name, condition.how) == ("class", "word")]
    return {prefix + "class": " ".join(words), prefix + "id": own[0] if own else ""}


def _other_conditions(anchor: Anchor, element: str) -> list[str]:
    return [
        f"      <{element} name={_quoted(condition.name)} how={_quoted(condition.how)} "
        f"value={_quoted(condition.value)}/>"
        for condition in anchor.conditions
        if (condition.name, condition.how) not in (("id", "is"), ("class", "word"))
    ]


def _attributes(attributes: dict[str, str]) -> str:
    return "".join(f" {name}={_quoted(value)}" for name, value in attributes.items() if value)


def _legal(text: str) -> str:
    return "".join(char for char in text if char >= " " or char in "\t\n\r")


def _quoted(text: str) -> str:
    return quoteattr(_legal(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def loads(text: str) -> Site:
    """Parse a site from XML.

    Raises:
        BadRules: the document or a rule in it is invalid.
    """
    root = _parsed(text)
    if root.tag != "site" or not root.get("name"):
        raise BadRules("rules in XML are one element <site name=…> with a <template> for each layout")
    templates = root.findall("template")
    if len(templates) > MOST_TEMPLATES:
        raise BadRules(f"a site has at most {MOST_TEMPLATES} templates; this has {len(templates):,}")
    try:
        return Site(
            root.get("name", ""), tuple(TrackedTemplate(_read_template(element).checked()) for element in templates)
        ).checked()
    except ValueError as error:
        if isinstance(error, BadRules):
            raise
        raise BadRules(f"a value in the rules cannot be read: {error}") from error


def _parsed(text: str) -> ElementTree.Element:
    builder = ElementTree.TreeBuilder()
    parser = expat.ParserCreate("utf-8")  # the text is encoded here, whatever the document declares

    def refuse(*_: Any) -> None:
        raise BadRules("rules in XML have no document type and declare no entities; take them out")

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise BadRules(f"the rules are not well-formed XML: {error}") from error
    return builder.close()


def _read_template(template: ElementTree.Element) -> Template:
    expected = template.find("expected")
    rules = [element for element in template if element.tag in (*_ELEMENTS, "information")]
    if len(rules) > MOST_RULES:
        raise BadRules(f"a template has at most {MOST_RULES} rules; this has {len(rules):,}")
    unknown = {element.tag for element in template} - {*_ELEMENTS, "information", "expected", "test", "noise"}
    if unknown:
        raise BadRules(f"there is no block called {min(unknown)!r}; there are: {', '.join(_ELEMENTS)}, information")
    return Template(
        name=template.get("name") or "article",
        pattern=template.get("pattern", ""),
        rules=tuple(_read_rule(element) for element in rules),
        expected=_read_expected(expected) if expected is not None else Expected(),
        noise=frozenset(int(element.get("text", "")) for element in template.findall("noise")),
        encoding=template.get("encoding") or "utf-8",
        valid_from=_day(template.get("valid-from")),
        valid_until=_day(template.get("valid-until")),
        learned=template.get("learned", ""),
        agreement=float(template.get("agreement", "")) if template.get("agreement") else None,
        several=template.get("several") == "yes",
        test_urls=tuple(element.get("url", "") for element in template.findall("test")),
    )


def _read_expected(element: ElementTree.Element) -> Expected:
    low, _, high = element.get("words", "0 1000000").partition(" ")
    return Expected(
        (int(low), int(high)),
        float(element.get("linkshare", "1")),
        float(element.get("latin", "")) if element.get("latin") else None,
        tuple(marker.get("text", "") for marker in element.findall("marker")),
        int(element.get("reach") or 0),
    )


def _read_rule(element: ElementTree.Element) -> Rule:
    syntax: Any = element.get("syntax") or "html"
    return Rule(
        field=_ELEMENTS.get(element.tag, element.get("field", "")),
        anchor=_read_anchor(element, "", "where"),
        inside=_read_anchor(element, "parent", "parentwhere"),
        attribute=element.get("attribute", ""),
        left=element.get("left", ""),
        right=element.get("right", ""),
        value=element.get("value"),
        address=element.get("address") == "yes",
        syntax=syntax,
        each=element.get("each") == "yes",
        reach=int(element.get("reach") or 0),
        starts=element.get("starts", ""),
        path=tuple(_read_step(step) for step in element.get("path", "").split("/") if step),
    )


def _read_step(step: str) -> Step:
    tag, _, number = step.removesuffix("]").partition("[")
    return Step(tag, int(number))


def _read_anchor(element: ElementTree.Element, prefix: str, where: str) -> Anchor | None:
    tag, own = element.get(prefix + "tag", ""), element.get(prefix + "id", "")
    named = Anchor.of(tag.lower(), id=own, classes=element.get(prefix + "class", ""))
    others = []
    for condition in element.findall(where):
        how: Any = condition.get("how", "is")
        if how not in HOWS:
            raise BadRules(f"{how!r} is no condition on an attribute; there are: {', '.join(HOWS)}")
        others.append(Condition(condition.get("name", ""), how, condition.get("value", "")))
    anchor = Anchor(named.tag, (*named.conditions, *others))
    return anchor if anchor.tag or anchor.conditions else None


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None
