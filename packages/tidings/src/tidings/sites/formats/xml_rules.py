"""The rules of a site as XML, after the well-formed document of the hybrid paper (4.7, fig. 7 and 8).

Each block is an element named after its class, `main`, `headline`, `information` or `uninformative`, with the
attributes `tag`, `parenttag`, `class` and `id` of the paper. What the paper's rules cannot say has attributes of its
own: `field` of an information, `left` and `right` delimiters, a `value` that is always the same, the `path` to an
element without a name. Document types and entities are refused.

With a page, each block holds what its rule cuts out of it, as the paper's document does; who reads rules passes over
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final
from xml.etree import ElementTree
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from tidings.errors import BadRules
from tidings.sites.anchor import HOWS, Anchor, Condition, Step
from tidings.sites.rule import MAIN, MOST_RULES, MOST_TEMPLATES, UNINFORMATIVE, Expected, Rule, Template
from tidings.sites.site import Known, Site

_ELEMENTS: Final = {"main": MAIN, "headline": "title", "uninformative": UNINFORMATIVE}
#: What the rules of each template cut out of a page, by field.
Contents = Mapping[str, Mapping[str, str]]
_NAMES: Final = {field: name for name, field in _ELEMENTS.items()}


def dumps(site: Site, contents: Contents | None = None) -> str:
    """Return a site as XML, with what its rules cut out of a page where that is told."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<site name={_quoted(site.name)}>"]
    for known in site.templates:
        lines += _template(known.template, (contents or {}).get(known.template.name, {}))
    return "\n".join([*lines, "</site>", ""])


def _template(template: Template, content: Mapping[str, str]) -> list[str]:
    said = {
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
    looks = {
        "words": "{} {}".format(*expected.words),
        "linkshare": str(expected.link_share),
        "latin": "" if expected.latin is None else str(expected.latin),
        "reach": str(expected.reach or ""),
    }
    return [
        f"  <template{_attributes(said)}>",
        f"    <expected{_attributes(looks)}>",
        *(f"      <marker text={_quoted(marker)}/>" for marker in expected.markers),
        "    </expected>",
        *(f"    <test url={_quoted(url)}/>" for url in template.test_urls),
        *(f"    <noise text={_quoted(str(text))}/>" for text in sorted(template.noise)),
        *(line for rule in template.rules for line in _rule(rule, content.get(rule.field, ""))),
        "  </template>",
    ]


def _rule(rule: Rule, content: str) -> list[str]:
    name = _NAMES.get(rule.field, "information")
    said = {
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
        said["value"] = rule.value
    inner: list[str] = []
    if rule.anchor is not None:
        said |= {"tag": rule.anchor.tag, **_named(rule.anchor, "")}
        inner += _others(rule.anchor, "where")
    if rule.inside is not None:
        said |= {"parenttag": rule.inside.tag, **_named(rule.inside, "parent")}
        inner += _others(rule.inside, "parentwhere")
    if content:
        inner.append(escape(_legal(content)))
    if not inner:
        return [f"    <{name}{_attributes(said)}/>"]
    return [f"    <{name}{_attributes(said)}>", *inner, f"    </{name}>"]


def _named(anchor: Anchor, prefix: str) -> dict[str, str]:
    own = [one.value for one in anchor.conditions if (one.name, one.how) == ("id", "is")]
    words = [one.value for one in anchor.conditions if (one.name, one.how) == ("class", "word")]
    return {prefix + "class": " ".join(words), prefix + "id": own[0] if own else ""}


def _others(anchor: Anchor, element: str) -> list[str]:
    return [
        f"      <{element} name={_quoted(one.name)} how={_quoted(one.how)} value={_quoted(one.value)}/>"
        for one in anchor.conditions
        if (one.name, one.how) not in (("id", "is"), ("class", "word"))
    ]


def _attributes(said: dict[str, str]) -> str:
    return "".join(f" {name}={_quoted(value)}" for name, value in said.items() if value)


def _legal(text: str) -> str:
    return "".join(char for char in text if char >= " " or char in "\t\n\r")


def _quoted(text: str) -> str:
    return quoteattr(_legal(text), {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def loads(text: str) -> Site:
    """Return a site from XML.

    Raises:
        BadRules: it is not such a document, or a rule in it makes no sense.
    """
    root = _parsed(text)
    if root.tag != "site" or not root.get("name"):
        raise BadRules("rules in XML are one element <site name=…> with a <template> for each make of page")
    templates = root.findall("template")
    if len(templates) > MOST_TEMPLATES:
        raise BadRules(f"a site has at most {MOST_TEMPLATES} templates; this has {len(templates):,}")
    try:
        return Site(root.get("name", ""), tuple(Known(_read_template(one).checked()) for one in templates)).checked()
    except ValueError as error:
        if isinstance(error, BadRules):
            raise
        raise BadRules(f"a value in the rules cannot be read: {error}") from error


def _parsed(text: str) -> ElementTree.Element:
    builder = ElementTree.TreeBuilder()
    parser = expat.ParserCreate("utf-8")  # whatever the document says: it comes as text

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


def _read_template(said: ElementTree.Element) -> Template:
    expected = said.find("expected")
    rules = [one for one in said if one.tag in (*_ELEMENTS, "information")]
    if len(rules) > MOST_RULES:
        raise BadRules(f"a template has at most {MOST_RULES} rules; this has {len(rules):,}")
    unknown = {one.tag for one in said} - {*_ELEMENTS, "information", "expected", "test", "noise"}
    if unknown:
        raise BadRules(f"there is no block called {min(unknown)!r}; there are: {', '.join(_ELEMENTS)}, information")
    return Template(
        name=said.get("name") or "article",
        pattern=said.get("pattern", ""),
        rules=tuple(_read_rule(one) for one in rules),
        expected=_read_expected(expected) if expected is not None else Expected(),
        noise=frozenset(int(one.get("text", "")) for one in said.findall("noise")),
        encoding=said.get("encoding") or "utf-8",
        valid_from=_day(said.get("valid-from")),
        valid_until=_day(said.get("valid-until")),
        learned=said.get("learned", ""),
        agreement=float(said.get("agreement", "")) if said.get("agreement") else None,
        several=said.get("several") == "yes",
        test_urls=tuple(one.get("url", "") for one in said.findall("test")),
    )


def _read_expected(said: ElementTree.Element) -> Expected:
    low, _, high = said.get("words", "0 1000000").partition(" ")
    return Expected(
        (int(low), int(high)),
        float(said.get("linkshare", "1")),
        float(said.get("latin", "")) if said.get("latin") else None,
        tuple(one.get("text", "") for one in said.findall("marker")),
        int(said.get("reach") or 0),
    )


def _read_rule(said: ElementTree.Element) -> Rule:
    syntax: Any = said.get("syntax") or "html"
    return Rule(
        field=_ELEMENTS.get(said.tag, said.get("field", "")),
        anchor=_read_anchor(said, "", "where"),
        inside=_read_anchor(said, "parent", "parentwhere"),
        attribute=said.get("attribute", ""),
        left=said.get("left", ""),
        right=said.get("right", ""),
        value=said.get("value"),
        address=said.get("address") == "yes",
        syntax=syntax,
        each=said.get("each") == "yes",
        reach=int(said.get("reach") or 0),
        starts=said.get("starts", ""),
        path=tuple(_read_step(step) for step in said.get("path", "").split("/") if step),
    )


def _read_step(said: str) -> Step:
    tag, _, number = said.removesuffix("]").partition("[")
    return Step(tag, int(number))


def _read_anchor(said: ElementTree.Element, prefix: str, where: str) -> Anchor | None:
    tag, own = said.get(prefix + "tag", ""), said.get(prefix + "id", "")
    named = Anchor.of(tag.lower(), id=own, classes=said.get(prefix + "class", ""))
    others = []
    for one in said.findall(where):
        how: Any = one.get("how", "is")
        if how not in HOWS:
            raise BadRules(f"{how!r} is no condition on an attribute; there are: {', '.join(HOWS)}")
        others.append(Condition(one.get("name", ""), how, one.get("value", "")))
    anchor = Anchor(named.tag, (*named.conditions, *others))
    return anchor if anchor.tag or anchor.conditions else None


def _day(said: str | None) -> date | None:
    return date.fromisoformat(said) if said else None
