"""What is known of a site as JSON, and back. Nothing but data: what does not fit is `BadRules`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from tidings.errors import BadRules
from tidings.sites.anchor import HOWS, Anchor, Condition
from tidings.sites.rule import MOST_TEMPLATES, Expected, Rule, Template
from tidings.sites.site import Health, Known, Site


def dumps(site: Site) -> str:
    """A site as JSON."""
    return json.dumps(
        {
            "site": site.name,
            "templates": [_template(known) for known in site.templates],
            "texts": [list(pair) for pair in site.texts],
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def loads(text: str) -> Site:
    """A site from JSON.

    Raises:
        BadRules: it is no site.
    """
    try:
        said = json.loads(text)
        templates = said.get("templates", [])
        if len(templates) > MOST_TEMPLATES:
            raise BadRules(f"a site has at most {MOST_TEMPLATES} templates; this has {len(templates):,}")
        texts = tuple((int(value), int(count)) for value, count in said.get("texts", []))
        return Site(str(said["site"]), tuple(_known(one) for one in templates), texts)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, BadRules):
            raise
        raise BadRules(f"this is not what is known of a site: {error}") from error


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
        made.append(Condition(str(name), how, str(value)))
    return Anchor(str(tag), tuple(made))


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
    }
    return {name: value for name, value in said.items() if value not in (None, "", False)}


def _read_rule(said: Mapping[str, Any]) -> Rule:
    return Rule(
        field=str(said["field"]),
        anchor=_read_anchor(said.get("anchor")),
        inside=_read_anchor(said.get("inside")),
        attribute=str(said.get("attribute", "")),
        left=str(said.get("left", "")),
        right=str(said.get("right", "")),
        value=said.get("value"),
        address=bool(said.get("address", False)),
        syntax=said.get("syntax") or "html",
        each=bool(said.get("each", False)),
        reach=int(said.get("reach", 0)),
        starts=str(said.get("starts", "")),
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
    template = Template(
        name=str(said["name"]),
        pattern=str(said.get("pattern", "")),
        rules=tuple(_read_rule(rule) for rule in said["rules"]),
        expected=Expected(
            (int(low), int(high)),
            float(expected.get("link_share", 1.0)),
            expected.get("latin"),
            tuple(map(str, expected.get("markers", ()))),
            int(expected.get("reach", 0)),
        ),
        noise=frozenset(map(int, said.get("noise", ()))),
        encoding=str(said.get("encoding", "utf-8")),
        valid_from=_read_day(said.get("valid_from")),
        valid_until=_read_day(said.get("valid_until")),
        learned=str(said.get("learned", "")),
        agreement=said.get("agreement"),
        several=bool(said.get("several", False)),
        test_urls=tuple(map(str, said.get("test_urls", ()))),
    )
    fared = Health(
        int(health.get("served", 0)),
        int(health.get("doubted", 0)),
        int(health.get("in_a_row", 0)),
        _read_day(health.get("last_served")),
        str(health.get("last_doubt", "")),
        int(health.get("trial", 0)),
        int(health.get("disagreed", 0)),
        bool(health.get("refuted", False)),
    )
    return Known(template.checked(), fared)


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _read_day(said: Any) -> date | None:
    return date.fromisoformat(said) if said else None
