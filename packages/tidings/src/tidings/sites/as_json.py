"""What is known of a site as JSON, and back. Nothing but data: what does not fit is `BadRules`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from tidings.errors import BadRules, shown
from tidings.sites.anchor import HOWS, Anchor, Condition, Step
from tidings.sites.rule import MOST_TEMPLATES, Expected, Rule, Template
from tidings.sites.site import Health, Known, Site


def dumps(site: Site) -> str:
    """Return a site as JSON."""
    return json.dumps(
        {
            "site": site.name,
            "templates": [_template(known) for known in site.templates],
            "texts": site.texts,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def loads(text: str) -> Site:
    """Return a site from JSON.

    Raises:
        BadRules: it is no site.
    """
    try:
        said = json.loads(text)
        templates = said.get("templates", [])
        if len(templates) > MOST_TEMPLATES:
            raise BadRules(f"a site has at most {MOST_TEMPLATES} templates; this has {len(templates):,}")
        texts = tuple((_whole(value, "texts"), _whole(count, "texts")) for value, count in said.get("texts", []))
        return Site(_text(said["site"], "site"), tuple(_known(one) for one in templates), texts).checked()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, BadRules):
            raise
        raise BadRules(f"this is not what is known of a site: {error}") from error


def _text(said: Any, name: str) -> str:
    if not isinstance(said, str):
        raise BadRules(f"{name} is {_shown(said)}; it is a text")
    return said


def _whole(said: Any, name: str) -> int:
    if not isinstance(said, int) or isinstance(said, bool):
        raise BadRules(f"{name} is {_shown(said)}; it is a whole number")
    return said


def _number(said: Any, name: str) -> float:
    if not isinstance(said, int | float) or isinstance(said, bool) or not abs(said) < 2**63:
        raise BadRules(f"{name} is {_shown(said)}; it is a number")
    return float(said)


def _switch(said: Any, name: str) -> bool:
    if not isinstance(said, bool):
        raise BadRules(f"{name} is {_shown(said)}; it is true or false")
    return said


def _shown(said: Any) -> str:
    try:
        return shown(json.dumps(said), 40)
    except ValueError:  # a number of thousands of digits
        return "a very large number"


def _anchor(anchor: Anchor | None) -> Any:
    return None if anchor is None else [anchor.tag, *map(list, anchor.conditions)]


def _read_anchor(said: Any) -> Anchor | None:
    if said is None:
        return None
    tag, *conditions = said
    made = []
    for name, how, value in conditions:
        if how not in HOWS:
            raise BadRules(f"{how!r} is no condition on an attribute; there are: {', '.join(HOWS)}")
        made.append(Condition(_text(name, "attribute"), how, _text(value, "value of a condition")))
    return Anchor(_text(tag, "tag"), tuple(made))


def _rule(rule: Rule) -> dict[str, Any]:
    said = {
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
    return {name: value for name, value in said.items() if value not in (None, "", False)}


def _read_rule(said: Mapping[str, Any]) -> Rule:
    value = said.get("value")
    return Rule(
        field=_text(said["field"], "field"),
        anchor=_read_anchor(said.get("anchor")),
        inside=_read_anchor(said.get("inside")),
        attribute=_text(said.get("attribute", ""), "attribute"),
        left=_text(said.get("left", ""), "left"),
        right=_text(said.get("right", ""), "right"),
        value=None if value is None else _text(value, "value"),
        address=_switch(said.get("address", False), "address"),
        syntax=said.get("syntax") or "html",
        each=_switch(said.get("each", False), "each"),
        reach=_whole(said.get("reach", 0), "reach"),
        starts=_text(said.get("starts", ""), "starts"),
        path=tuple(Step(_text(tag, "path"), _whole(number, "path")) for tag, number in said.get("path", ())),
    )


def _template(known: Known) -> dict[str, Any]:
    template, health = known.template, known.health
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
            "doubted": health.doubted,
            "in_a_row": health.in_a_row,
            "last_served": _day(health.last_served),
            "last_doubt": health.last_doubt,
            "trial": health.trial,
            "disagreed": health.disagreed,
            "refuted": health.refuted,
        },
    }


def _known(said: Mapping[str, Any]) -> Known:
    expected, health = said.get("expected", {}), said.get("health", {})
    low, high = expected.get("words", (0, 1_000_000))
    latin, agreement = expected.get("latin"), said.get("agreement")
    template = Template(
        name=_text(said["name"], "name"),
        pattern=_text(said.get("pattern", ""), "pattern"),
        rules=tuple(_read_rule(rule) for rule in said["rules"]),
        expected=Expected(
            (_whole(low, "words"), _whole(high, "words")),
            _number(expected.get("link_share", 1.0), "link_share"),
            None if latin is None else _number(latin, "latin"),
            tuple(_text(marker, "markers") for marker in expected.get("markers", ())),
            _whole(expected.get("reach", 0), "reach"),
        ),
        noise=frozenset(_whole(text, "noise") for text in said.get("noise", ())),
        encoding=_text(said.get("encoding", "utf-8"), "encoding"),
        valid_from=_read_day(said.get("valid_from")),
        valid_until=_read_day(said.get("valid_until")),
        learned=_text(said.get("learned", ""), "learned"),
        agreement=None if agreement is None else _number(agreement, "agreement"),
        several=_switch(said.get("several", False), "several"),
        test_urls=tuple(_text(url, "test_urls") for url in said.get("test_urls", ())),
    )
    fared = Health(
        _whole(health.get("served", 0), "served"),
        _whole(health.get("doubted", 0), "doubted"),
        _whole(health.get("in_a_row", 0), "in_a_row"),
        _read_day(health.get("last_served")),
        _text(health.get("last_doubt", ""), "last_doubt"),
        _whole(health.get("trial", 0), "trial"),
        _whole(health.get("disagreed", 0), "disagreed"),
        _switch(health.get("refuted", False), "refuted"),
    )
    return Known(template.checked(), fared)


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _read_day(said: Any) -> date | None:
    return date.fromisoformat(said) if said else None
