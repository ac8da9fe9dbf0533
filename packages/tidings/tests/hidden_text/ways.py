"""All ways of hiding a sentence, and all controls that only look like it."""

from __future__ import annotations

from tests import hidden_ways
from tests.hidden_text import elements, properties, selectors, visible
from tests.hidden_text.way import Way


def _unique(ways: list[Way]) -> list[Way]:
    """Return the ways without repeated ones, each under a name of its own."""
    unique = {(way.body, way.head): way for way in reversed(ways)}
    names: dict[str, int] = {}
    named = []
    for way in reversed(unique.values()):
        names[way.name] = names.get(way.name, 0) + 1
        named.append(way if names[way.name] == 1 else way._replace(name=f"{way.name} ({names[way.name]})"))
    return named


_ELSEWHERE, _ARIA, _TINY = "its sheet is elsewhere", "decoration by the page's own word", "6 px at most"
#: Why some ways of `tests.hidden_ways` are not what Chromium paints.
_POLICIES = {
    "a class in a paragraph": _ELSEWHERE,
    "hidden list": _ELSEWHERE,
    "hidden heading": _ELSEWHERE,
    "part of a caption": _ELSEWHERE,
    "alt text by class": _ELSEWHERE,
    "aria-hidden": _ARIA,
    "font-size:0.01em": _TINY,
    "font-size:1%": _TINY,
    "color:#fff;background:#fff url(night.jpg)": "its picture is not loaded here",
    "flex:1;width:0;overflow:hidden": "its parent may be a flex box",
    "details": "a reader opens it",
    "a picture among letters of no size": "the picture is visible, not its alternative text",
}


def _policy(way: Way) -> str:
    return _ELSEWHERE if way.name.startswith("class ") else _POLICIES.get(way.name, "")


WAYS: list[Way] = _unique(
    [
        *selectors.HIDDEN,
        *properties.HIDDEN,
        *elements.HIDDEN,
        *visible.FADED_OUT,
        *visible.SHOWN,
        *(way._replace(policy=_policy(way)) for way in hidden_ways.HIDDEN),
        *(way._replace(is_visible=True, policy=_policy(way)) for way in hidden_ways.SHOWN),
    ]
)
HIDDEN = [way for way in WAYS if not way.is_visible]
VISIBLE = [way for way in WAYS if way.is_visible]
