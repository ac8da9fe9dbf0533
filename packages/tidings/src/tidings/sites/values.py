"""From the string that a rule cut out to the value of a field."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

from tidings.fields import moments
from tidings.fields.addresses import absolute, safe_picture
from tidings.fields.details import details_of
from tidings.fields.names import names
from tidings.fields.summary import tag_words
from tidings.page.attributes import attributes
from tidings.page.hidden import may_hide
from tidings.page.references import unescape
from tidings.page.style_sheet import NO_STYLES, StyleSheet
from tidings.sites.fragment import FragmentPage
from tidings.sites.rule import ADDRESSES, DATES, DETAILS, Rule, Syntax

_TAG: Final = re.compile(r"<(?:!--.*?-->|script\b.*?</script\s*>|style\b.*?</style\s*>|/?[a-zA-Z][^>]*>)", re.DOTALL)
_BLOCK: Final = re.compile(r"</?(?:p|div|br|li|h[1-6]|td|tr|ul|ol|section|header)\b[^>]*>", re.IGNORECASE)
#: Fields whose values are seen from the address of the page.
_WITH_ADDRESS: Final = ADDRESSES | {"image"}
_MOST: Final = 60  # of several
_JSON: Final = json.JSONDecoder(strict=False)


def text_of(piece: str, styles: StyleSheet = NO_STYLES) -> str:
    """Return the text of a piece of HTML that a reader sees, white space folded."""
    if "<" in piece:
        if may_hide(piece.lower()) or styles:
            return _seen(f"<div>{piece}</div>", styles)
        piece = _TAG.sub("", _BLOCK.sub(" ", piece))
    text = (unescape(piece) if "&" in piece else piece).strip()
    # That there is no white space but single spaces is quicker told than what the words are.
    return text if text.isprintable() and "  " not in text else " ".join(text.split())


def _seen(fragment: str, styles: StyleSheet) -> str:
    """Return the words of a fragment that a reader sees."""
    page = FragmentPage(fragment, None, styles)
    return " ".join(page.visible.text(page).split())


def attribute_of(tag: str, name: str) -> str:
    """Return the value of an attribute of a start tag."""
    return attributes(tag).get(name, "")


def value_of(field: str, raw: Sequence[str], syntax: Syntax, base: str, language: str, *, is_text: bool = False) -> Any:
    """Return the value of a field of an article, told by strings as the page writes them; None or empty if there is
    none.
    """
    said = list(raw) if is_text else [text for one in raw for text in _read(one, syntax)]
    said = [text for text in said if text]
    if not said:
        return None
    if field == "authors":
        return tuple(dict.fromkeys(chain.from_iterable(map(_names, said))))[:_MOST]
    if field == "tags":
        return tuple(dict.fromkeys(chain.from_iterable(map(_tags, said))))[:_MOST]
    if field in DETAILS:
        return details_of(field, said, language, "rule")
    return single_value(field, said[0], base, language)


def single_value(field: str, said: str, base: str, language: str) -> Any:
    """Return the same of a field that has one value, told by one text."""
    if not said:
        return None
    if field in DATES:
        return moments.read(said, language)
    if field == "image":
        return safe_picture(absolute(said, base))
    return absolute(said, base) if field in ADDRESSES else said


def constant_value(rule: Rule, declared: str, base: str, language: str) -> Any:
    """What a rule says of a field that is the same on all pages, but for the language: a site may write in several."""
    value = rule.value or ""
    if declared and rule.field == "language":
        value = value if value[:2].lower() == declared.lower() else declared
    return _constant(rule.field, value, base if rule.field in _WITH_ADDRESS else "", language)


@lru_cache(maxsize=1024)
def _constant(field: str, value: str, base: str, language: str) -> Any:
    """Return a value that is the same on all pages, as a field has it."""
    return value_of(field, [value], "html", base, language)


#: The people who write for a site are few, and names are slowly told.
_names = lru_cache(maxsize=4096)(names)


@lru_cache(maxsize=1024)
def _tags(text: str) -> tuple[str, ...]:
    """Many sites have the same keywords on all pages."""
    return tuple(tag_words(text))


def forget() -> None:
    """Forget the values that were read, as for a measurement."""
    _names.cache_clear()
    _tags.cache_clear()


def _read(raw: str, syntax: Syntax) -> list[str]:
    if syntax == "html":
        return [text_of(raw)]
    try:
        said = _JSON.decode(f'"{raw}"' if syntax == "json" else f"[{raw}]")
    except ValueError:
        return []
    texts = said if isinstance(said, list) else [said]
    return [text_of(text) for text in texts if isinstance(text, str)]
