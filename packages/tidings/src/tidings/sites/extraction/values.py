"""Conversion of the strings that rules extract into field values."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from tidings.fields.authors.names import names
from tidings.fields.date_parsing import parsing
from tidings.fields.details import details_of
from tidings.fields.summary import tag_words
from tidings.fields.urls.sanitise import absolute, safe_picture
from tidings.page.attributes import attributes
from tidings.page.hidden import may_hide
from tidings.page.references import unescape
from tidings.page.style_sheet import NO_STYLES, StyleSheet
from tidings.sites.extraction.fragment import FragmentPage
from tidings.sites.templates.rule import ADDRESSES, DATES, DETAILS, Rule, Syntax

_TAG: Final = re.compile(r"<(?:!--.*?-->|script\b.*?</script\s*>|style\b.*?</style\s*>|/?[a-zA-Z][^>]*>)", re.DOTALL)
_BLOCK: Final = re.compile(r"</?(?:p|div|br|li|h[1-6]|td|tr|ul|ol|section|header)\b[^>]*>", re.IGNORECASE)
#: Fields whose values are relative to the page's URL.
_WITH_ADDRESS: Final = ADDRESSES | {"image"}
_MOST: Final = 60  # values per field
_JSON: Final = json.JSONDecoder(strict=False)


def text_of(piece: str, styles: StyleSheet = NO_STYLES) -> str:
    """Return the visible text of a piece of HTML, with white space folded."""
    if "<" in piece:
        if may_hide(piece.lower()) or styles:
            return _visible_text(f"<div>{piece}</div>", styles)
        piece = _TAG.sub("", _BLOCK.sub(" ", piece))
    text = (unescape(piece) if "&" in piece else piece).strip()
    # Checking for single spaces is faster than splitting into words.
    return text if text.isprintable() and "  " not in text else " ".join(text.split())


def _visible_text(fragment: str, styles: StyleSheet) -> str:
    """Return the visible words of a fragment."""
    page = FragmentPage(fragment, None, styles)
    return " ".join(page.visible.text(page).split())


def attribute_of(tag: str, name: str) -> str:
    """Return the value of an attribute of a start tag."""
    return attributes(tag).get(name, "")


def value_of(field: str, raw: Sequence[str], syntax: Syntax, base: str, language: str, *, is_text: bool = False) -> Any:
    """Convert strings that a rule extracted to the value of an article field; return None or an empty tuple if there is
    none.

    Args:
        field: the name of the field, such as "authors".
        raw: the extracted strings.
        syntax: how the strings are written, such as HTML or JSON.
        base: the URL to which relative URLs are resolved.
        language: the language of the page, for dates and names.
        is_text: whether the strings are plain text already.
    """
    texts = list(raw) if is_text else [text for piece in raw for text in _read(piece, syntax)]
    texts = [text for text in texts if text]
    if not texts:
        return None
    if field == "authors":
        return tuple(dict.fromkeys(chain.from_iterable(map(_names, texts))))[:_MOST]
    if field == "tags":
        return tuple(dict.fromkeys(chain.from_iterable(map(_tags, texts))))[:_MOST]
    if field in DETAILS:
        return details_of(field, texts, language, "rule")
    return single_value(field, texts[0], base, language)


def single_value(field: str, value: str, base: str, language: str) -> Any:
    """Return the value of a single-valued field from one string."""
    if not value:
        return None
    if field in DATES:
        return parsing.read(value, language)
    if field == "image":
        return safe_picture(absolute(value, base))
    return absolute(value, base) if field in ADDRESSES else value


def constant_value(rule: Rule, declared: str, base: str, language: str) -> Any:
    """Return the value of a rule whose field is the same on all pages of a site, such as the site's name. For the
    language, the language that the page declares (`declared`) has priority.
    """
    value = rule.value or ""
    if declared and rule.field == "language":
        value = value if value[:2].lower() == declared.lower() else declared
    return _constant(rule.field, value, base if rule.field in _WITH_ADDRESS else "", language)


@lru_cache(maxsize=1024)
def _constant(field: str, value: str, base: str, language: str) -> Any:
    """Convert a constant string to the value of its field."""
    return value_of(field, [value], "html", base, language)


#: A site has few authors, and parsing names is slow.
_names = lru_cache(maxsize=4096)(names)


@lru_cache(maxsize=1024)
def _tags(text: str) -> tuple[str, ...]:
    """Split a string into tags. Cached, because many sites have the same keywords on all pages."""
    return tuple(tag_words(text))


def forget() -> None:
    """Clear the caches of this module, for measurements."""
    _names.cache_clear()
    _tags.cache_clear()


def _read(raw: str, syntax: Syntax) -> list[str]:
    if syntax == "html":
        return [text_of(raw)]
    try:
        decoded = _JSON.decode(f'"{raw}"' if syntax == "json" else f"[{raw}]")
    except (ValueError, RecursionError):
        return []
    texts = decoded if isinstance(decoded, list) else [decoded]
    return [text_of(text) for text in texts if isinstance(text, str)]
