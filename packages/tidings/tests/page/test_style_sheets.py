"""Hostile style sheets take no longer the longer they are (HOSTILE 15, 35)."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tidings.page import Page


def _all(pattern: str, count: int) -> str:
    return "".join(map(pattern.format, range(count)))


_NESTED = ".a{& &,& &{" * 20 + "display:none" + "}" * 40

#: Pages of a size, each of which would take the square of it where something is looked for again and again.
HOSTILE: dict[str, Callable[[int], str]] = {
    "rules for one class": lambda n: f"<style>{'.a{top:0}' * n}</style>{_all('<p class=a id=b{}>x', n)}",
    "classes": lambda n: f"<style>{_all('.a{}{{display:none}}', n)}</style>{_all('<p class=a{}>x', n)}",
    "open braces": lambda n: "<style>" + "a{" * n + "}" * n + "</style><p class=a>x",
    "open quotes": lambda n: "<style>" + "a{b:'}" * n + "</style><p class=a>x",
    "queries": lambda n: "<style>@media " + "(min-width:1px)" * n + "{.a{display:none}}</style><p class=a>x",
    "sheets": lambda n: "<style>.a{top:0}</style>" * n + "<p class=a>x",
    "a long word": lambda n: f"<p style='transform:{'a' * n * 5}'>x",
    "a long number": lambda n: f"<p style='opacity:{'1' * n * 5}x'>x",
    "many words": lambda n: f"<p style='background:{'a ' * n * 5}'>x",
    "open brackets": lambda n: f"<p style='transform:{'a(' * n * 5}'>x",
    "open comments": lambda n: f"<p style='{'/*' * n * 5}'>x",
    "variables": lambda n: f"<p style='display:{'var(--a,' * n}'>x",
    "styles": lambda n: "<p style='a'>" * n,
    "hidden paragraphs": lambda n: "<p class='b c' style='display:none'>hello there</p>" * n,
    "descendants": lambda n: f"<style>{'a ' * 200}.a{{display:none}}</style>" + "<a><p class=a>x" * (n // 8),
    "universal rules": lambda n: f"<style>{_all('[b{}] * *{{display:none}}', n // 4)}</style>" + "<p>x</p>" * n,
    "relations": lambda n: "<style>div:has(p ~ b){display:none}</style>" + "<div><p>x</p>" * (n // 4),
    "siblings": lambda n: "<style>p:nth-of-type(2n) ~ i ~ p{display:none}</style>" + "<p>x</p>" * n,
    "nested rules": lambda n: f"<style>{_NESTED}</style>" + "<p class=a>x" * n,
    "chains of variables": lambda n: (
        f"<style>:root{{{_all('--a{}:var(--b) var(--b);', n)}--b:var(--a0)}}p{{display:var(--a1)}}</style>"
        + "<p>x</p>" * n
    ),
    "tiny letters": lambda n: "<div style='font-size:0'>" + "<p style='font-size:1em'>a</p>" * n,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_styles_take_no_longer_the_longer_they_are(name: str) -> None:
    """A square of the size would take minutes."""
    page = Page(HOSTILE[name](8000))
    begun = time.process_time()
    assert len(page.visible) >= 0
    assert time.process_time() - begun < 4
