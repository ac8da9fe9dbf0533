"""Access marks of a page: paywall, consent wall, login, error page and script shell.

A mark says that the page shows something else instead of the article, or only a part of it. A page with much text of
its own is never marked as a consent wall, login, error or shell, because nearly every page carries cookie notices. A
paywall is marked if the page declares it (`isAccessibleForFree`, `content_tier`), or if an element whose class names a
paywall asks the reader to pay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

import numpy as np

from tidings.fields.declared import Declared, declared
from tidings.fields.elements.by_class import boxes_holding, names
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, sums
from tidings.text.patterns import late_pattern

_INPUT, _SCRIPT = tags.NUMBERS["input"], tags.NUMBERS["script"]

#: A page with fewer characters, links included, has no menus and lists.
_SMALL: Final = 4000
#: Below this many characters outside links a page has hardly any text of its own, or none.
_LITTLE: Final = 500
_NOTHING: Final = 200
#: Share of the text of a consent wall that is in blocks about consent.
_MOSTLY: Final = 0.5
_PAYWALL_NAMES: Final = ("paywall", "regwall", "piano-", "subscriber-only", "subscription-wall", "tp-modal")
#: Substrings of those names, for a quick first check.
_PAYWALL_PARTS: Final = ("wall", "piano-", "subscriber-only", "tp-modal")
#: A longer element is not a request to pay but the article itself, with a paywall class.
_LONGEST_ASKING: Final = 900
_SHORTEST_ASKING: Final = 20

#: Words of notices in the larger languages of the web, checked only on pages with hardly any text.
_CONSENT: Final = late_pattern(
    r"cookie|consent|datenschutz|zustimm|einwillig|consentement|vie privée|privacidad|consentimiento|privacy|gdpr|"
    r"personvern|samtykke|tietosuoja|prywatno|zgod[aęy]|soukrom|súkrom|конфиденциальн|куки|çerez|עוגיות|cookies|"
    r"ملفات تعريف الارتباط|隐私|隱私|クッキー|쿠키",
    re.IGNORECASE,
)
#: Lower-case substrings of those words, for a quick first check.
_CONSENT_PARTS: Final = tuple(word.partition("[")[0] for word in _CONSENT.pattern.split("|"))
_ERROR_TITLE: Final = late_pattern(
    r"\b(?:40[0-9]|410|429|50[0-4])\b(?=\D*\Z|\D*\b(?:error|not|forbidden|bad|seite|page)\b)|not found|page not|"
    r"access denied|forbidden|just a moment|attention required|are you (?:a )?(?:human|robot)|captcha|unavailable|"
    r"nicht gefunden|fehler|introuvable|erreur|no encontrad|não encontrad|non trovat|niet gevonden|nie znaleziono|"
    r"не найден|bulunamadı|不存在|找不到|見つかりません|찾을 수 없|"
    r"يافت نشد|غير موجود|לא נמצא",
    re.IGNORECASE,
)
_SHELL_ROOT: Final = late_pattern(
    r"""<(?:div|app-root|main)[^<>]{0,200}\sid\s*=\s*["']?(?:root|app|__next|__nuxt|___gatsby|app-root|main-app|svelte|ember[^"']*)["'\s>]"""
    r"""|<app-root""",
    re.IGNORECASE,
)
_NEEDS_SCRIPT: Final = late_pattern(r"javascript", re.IGNORECASE)
_FALSE: Final = ("false", "no", "0")
#: Characters at the end of a text that are checked first.
_LAST: Final = 40


class Mark(StrEnum):
    """A reason why a page shows no article, or only a part of it."""

    PAYWALL = "paywall"  # a part of the article is for subscribers
    TRUNCATED = "truncated"  # the text breaks off
    CONSENT = "consent wall"
    LOGIN = "login"
    ERROR = "error"
    SHELL = "script shell"  # empty until scripts have run


def find(page: Page, content: Spans | None = None) -> frozenset[Mark]:
    r"""Return the access marks of a page.

    Args:
        page: the page.
        content: the selected text, to check whether it is truncated.
    """
    return frozenset(_marks(page, declared(page), content))


def _marks(page: Page, metadata: Declared, content: Spans | None) -> Iterator[Mark]:
    if is_paid(page, metadata):
        yield Mark.PAYWALL
    if page.is_cut or (content is not None and breaks_off(page, metadata, content)):
        yield Mark.TRUNCATED
    if metadata.story or "article" in page.signals.all("og:type"):
        return
    runs = page.runs
    visible = np.where(runs.hidden, 0, runs.chars)
    if int(visible.sum()) >= _SMALL:
        return
    prose = int(visible[~runs.in_link].sum())
    if prose < _LITTLE:
        if _has_password(page):
            yield Mark.LOGIN
        if any(map(_ERROR_TITLE.search, (page.signals.title[:_NOTHING], page.visible.text(page)[:_NOTHING]))):
            yield Mark.ERROR
    if prose < _NOTHING and _is_shell(page):
        yield Mark.SHELL
    elif _speaks_of_consent(page):
        yield Mark.CONSENT


def _speaks_of_consent(page: Page) -> bool:
    """Return whether most text outside links is in blocks about cookies and consent."""
    blocks = page.blocks
    own = np.where(blocks.hidden | (2 * blocks.link_words > blocks.words), 0, blocks.chars)
    speaking = 0
    for block in np.flatnonzero(own * _may_speak_of_consent(page)).tolist():
        if _CONSENT.search(page.text, int(blocks.text_start[block]), int(blocks.text_end[block])):
            speaking += int(own[block])
    return speaking >= _MOSTLY * int(own.sum()) > 0


def _may_speak_of_consent(page: Page) -> Bools:
    """Return which blocks contain a word about consent, ignoring case. Faster than the full pattern."""
    # These letters match case-insensitively, but `lower()` does not map them to ASCII.
    lower = page.text.replace("İ", "i").replace("ı", "i").replace("ſ", "s").lower()
    places = [match.start() for word in _CONSENT_PARTS if word in lower for match in re.finditer(word, lower)]
    may_be = np.full(len(page.blocks), len(lower) != len(page.text))
    if not len(may_be):
        return may_be
    may_be[np.searchsorted(page.blocks.text_start, places, side="right") - 1] = True
    return may_be


def is_paid(page: Page, metadata: Declared) -> bool:
    """Return whether a part of the article is behind a paywall, as declared or as visible on the page."""
    free = metadata.get("isAccessibleForFree")
    if free is None:
        free = metadata.web_page.get("isAccessibleForFree")
    if free is not None:
        return _is_false(free)
    parts = metadata.get("hasPart")
    if any(_is_false(part.get("isAccessibleForFree")) for part in _objects(parts)):
        return True
    tier = page.signals.first("article:content_tier", "lp.content_tier", "content_tier")
    if tier is not None and tier[1].lower() in ("locked", "paid", "premium"):
        return True
    return _asks_to_pay(page)


def breaks_off(page: Page, metadata: Declared, content: Spans) -> bool:
    """Return whether the selected text is truncated: it ends in an ellipsis, or is far shorter than the declared word
    count.
    """
    if not content:
        return False
    start, end = content.starts.item(-1), content.ends.item(-1)
    last = page.text[max(start, end - _LAST) : end].rstrip()
    if len(last) < _LAST // 2:  # much white space
        last = page.text[start:end].rstrip()
    if last.endswith(("…", "...", "[…]", "[...]", "(…)", "(...)")):
        return True
    words = metadata.get("wordCount")
    if isinstance(words, str) and words.isdigit():
        words = int(words[:9])
    return isinstance(words, int) and words >= 150 and _has_fewer_words(page, content, -(-words // 3))


def _has_fewer_words(page: Page, content: Spans, most: int) -> bool:
    """Return whether the selected text has fewer than `most` words. Stops counting there."""
    most = min(most, len(page.text) + 1)
    for start, end in content:
        most -= len(page.text[start:end].split(None, most))
        if most <= 0:
            return False
    return True


def _asks_to_pay(page: Page) -> bool:
    boxes = names(page, boxes_holding(page, _PAYWALL_PARTS))
    asking = [
        box.element for box in boxes if any(part in name.lower() for name in box.names for part in _PAYWALL_NAMES)
    ]
    if not asking:
        return False
    runs, elements = page.runs, page.elements
    prose = sums(runs.chars * ~runs.hidden)
    sizes = prose[elements.last[asking]] - prose[elements.first[asking]]
    return any(_SHORTEST_ASKING <= size <= _LONGEST_ASKING for size in sizes.tolist())


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, dict)]


def _is_false(value: Any) -> bool:
    if isinstance(value, list):
        value = value[0] if value else None
    return value is False or (isinstance(value, str) and value.strip().lower() in _FALSE)


def _has_password(page: Page) -> bool:
    """Return whether the page shows a password field. Hidden forms for scripts do not count."""
    inputs = (page.elements.tag == _INPUT).nonzero()[0][:50].tolist()
    return any(
        page.attributes(element).get("type", "").lower() == "password" and not _is_hidden(page, element)
        for element in inputs
    )


def _is_hidden(page: Page, element: int) -> bool:
    ancestors = []
    while element > 0:
        ancestors.append(element)
        element = int(page.elements.parent[element])
    return any(ways for ways, _ in page.ways_of(page.cut.tags(page.opened[ancestors])))


def _is_shell(page: Page) -> bool:
    """Return whether the page needs scripts: an empty root element, or a request to enable JavaScript."""
    if not (page.elements.tag == _SCRIPT).any():
        return False
    return bool(_SHELL_ROOT.search(page.source) or _NEEDS_SCRIPT.search(page.text))
