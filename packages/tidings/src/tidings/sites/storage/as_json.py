"""JSON serialisation of sites. Invalid data raises `BadRules`; nothing is executed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from tidings.errors import BadRules, printable
from tidings.sites.templates.anchor import HOWS, Anchor, Condition, Step
from tidings.sites.templates.rule import MOST_TEMPLATES, Expected, Rule, Template
from tidings.sites.templates.site import Health, Site, TrackedTemplate


def dumps(site: Site) -> str:
    """Serialise a site to JSON."""
    return json.dumps(
        {
            "site": site.name,
            "templates": [_template(tracked) for tracked in site.templates],
            "texts": site.texts,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def loads(text: str) -> Site:
    """Parse a site from JSON.

    Raises:
        BadRules: the JSON is not a valid site.
    """
    try:
        said = json.loads(text)
        templates = said.get("templates", [])
        if len(templates) > MOST_TEMPLATES:
            raise BadRules(f"a site has at most {MOST_TEMPLATES} templates; this has {len(templates):,}")
        texts = tuple((_whole(data, "texts"), _whole(count, "texts")) for data, count in said.get("texts", []))
        return Site(
            _text(said["site"], "site"), tuple(_read_template(template) for template in templates), texts
        ).checked()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, BadRules):
            raise
        raise BadRules(f"this is not a site: {error}") from error


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise BadRules(f"{name} is {_abbreviated(value)}; it is a text")
    return value


def _whole(value: Any, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadRules(f"{name} is {_abbreviated(value)}; it is a whole number")
    return value


def _number(value: Any, name: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) < 2**63:
        raise BadRules(f"{name} is {_abbreviated(value)}; it is a number")
    return float(value)


def _switch(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise BadRules(f"{name} is {_abbreviated(value)}; it is true or false")
    return value


def _abbreviated(value: Any) -> str:
    try:
        return printable(json.dumps(value), 40)
    except ValueError:  # a number of thousands of digits
        return "a very large number"


def _anchor(anchor: Anchor | None) -> Any:
    return None if anchor is None else [anchor.tag, *map(list, anchor.conditions)]


def _read_anchor(data: Any) -> Anchor | None:
    if data is None:
        return None
    tag, *conditions = data
    conditions_read = []
    for name, how, value in conditions:
        if how not in HOWS:
            raise BadRules(f"{how!r} is no condition on an attribute; there are: {', '.join(HOWS)}")
        conditions_read.append(Condition(_text(name, "attribute"), how, _text(value, "value of a condition")))
    return Anchor(_text(tag, "tag"), tuple(conditions_read))


def _rule(rule: Rule) -> dict[str, Any]:
    data = {
        "field": rule.field,
        "anchor": _anchor(rule.anchor),
        "inside": _anchor(rule.inside),
        "attribute": rule.attribute,
        "left": rule.left,
        "right": rule.right,
        "value": rule.value,
        "address": rule.address,
        "syntax": "" if rule.syntax == "html" else rule.syntax,
        "each": rule.each,
        "reach": rule.reach or None,
        "starts": rule.starts,
        "path": [list(step) for step in rule.path] or None,
    }
    return {name: value for name, value in data.items() if value not in (None, "", False)}


def _read_rule(data: Mapping[str, Any]) -> Rule:
    value = data.get("value")
    return Rule(
        field=_text(data["field"], "field"),
        anchor=_read_anchor(data.get("anchor")),
        inside=_read_anchor(data.get("inside")),
        attribute=_text(data.get("attribute", ""), "attribute"),
        left=_text(data.get("left", ""), "left"),
        right=_text(data.get("right", ""), "right"),
        value=None if value is None else _text(value, "value"),
        address=_switch(data.get("address", False), "address"),
        syntax=data.get("syntax") or "html",
        each=_switch(data.get("each", False), "each"),
        reach=_whole(data.get("reach", 0), "reach"),
        starts=_text(data.get("starts", ""), "starts"),
        path=tuple(Step(_text(tag, "path"), _whole(number, "path")) for tag, number in data.get("path", ())),
    )


def _template(tracked: TrackedTemplate) -> dict[str, Any]:
    template, health = tracked.template, tracked.health
    return {
        "name": template.name,
        "pattern": template.pattern,
        "rules": [_rule(rule) for rule in template.rules],
        "expected": {
            "words": list(template.expected.words),
            "link_share": template.expected.link_share,
            "latin": template.expected.latin,
            "markers": list(template.expected.markers),
            "reach": template.expected.reach,
        },
        "noise": sorted(template.noise),
        "encoding": template.encoding,
        "valid_from": _day(template.valid_from),
        "valid_until": _day(template.valid_until),
        "learned": template.learned,
        "agreement": template.agreement,
        "several": template.several,
        "test_urls": list(template.test_urls),
        "health": {
            "served": health.served,
            "mismatched": health.mismatched,
            "in_a_row": health.in_a_row,
            "last_served": _day(health.last_served),
            "last_mismatch": health.last_mismatch,
            "trial": health.trial,
            "disagreed": health.disagreed,
            "refuted": health.refuted,
        },
    }


def _read_template(data: Mapping[str, Any]) -> TrackedTemplate:
    expected, health = data.get("expected", {}), data.get("health", {})
    low, high = expected.get("words", (0, 1_000_000))
    latin, agreement = expected.get("latin"), data.get("agreement")
    template = Template(
        name=_text(data["name"], "name"),
        pattern=_text(data.get("pattern", ""), "pattern"),
        rules=tuple(_read_rule(rule) for rule in data["rules"]),
        expected=Expected(
            (_whole(low, "words"), _whole(high, "words")),
            _number(expected.get("link_share", 1.0), "link_share"),
            None if latin is None else _number(latin, "latin"),
            tuple(_text(marker, "markers") for marker in expected.get("markers", ())),
            _whole(expected.get("reach", 0), "reach"),
        ),
        noise=frozenset(_whole(text, "noise") for text in data.get("noise", ())),
        encoding=_text(data.get("encoding", "utf-8"), "encoding"),
        valid_from=_read_day(data.get("valid_from")),
        valid_until=_read_day(data.get("valid_until")),
        learned=_text(data.get("learned", ""), "learned"),
        agreement=None if agreement is None else _number(agreement, "agreement"),
        several=_switch(data.get("several", False), "several"),
        test_urls=tuple(_text(url, "test_urls") for url in data.get("test_urls", ())),
    )
    health_read = Health(
        _whole(health.get("served", 0), "served"),
        _whole(health.get("mismatched", health.get("doubted", 0)), "mismatched"),
        _whole(health.get("in_a_row", 0), "in_a_row"),
        _read_day(health.get("last_served")),
        _text(health.get("last_mismatch", health.get("last_doubt", "")), "last_mismatch"),
        _whole(health.get("trial", 0), "trial"),
        _whole(health.get("disagreed", 0), "disagreed"),
        _switch(health.get("refuted", False), "refuted"),
    )
    return TrackedTemplate(template.checked(), health_read)


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _read_day(value: Any) -> date | None:
    return date.fromisoformat(value) if value else None
