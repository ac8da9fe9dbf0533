"""What style sheets declare, and that hostile ones take no longer the longer they are (HOSTILE 15, 35)."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tidings.page import Page
from tidings.page.style_sheet import ALWAYS, NEVER, SOMETIMES, media_holds
from tidings.page.styles import GONE, INDENT, INK, SIZE, VISIBILITY, declared, hiding


def style(block: str) -> dict[str, str]:
    plain, important = declared(block)
    return {**plain, **important}


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        ("", ALWAYS),
        ("all", ALWAYS),
        ("only screen", ALWAYS),
        ("print", NEVER),
        ("print, screen", ALWAYS),
        ("not all", NEVER),
        ("(min-width: 1px)", ALWAYS),
        ("(min-width:768px)", SOMETIMES),
        ("screen and (max-width: 40em)", SOMETIMES),
        ("(width >= 1024px)", SOMETIMES),
        ("(min-width:99999px)", NEVER),
        ("(max-width:10px)", NEVER),
        ("(prefers-color-scheme: dark)", SOMETIMES),
    ],
)
def test_when_a_media_query_holds(query: str, holds: int) -> None:
    assert media_holds(query) == holds


@pytest.mark.parametrize(
    ("block", "ways"),
    [
        ("display:none", GONE),
        ("visibility:hidden", VISIBILITY),
        ("font-size:0;color:transparent", SIZE | INK),
        ("text-indent:-9999px", INDENT),
        ("color:red;font-size:12px;visibility:visible", 0),
    ],
)
def test_the_ways_in_which_a_block_hides(block: str, ways: int) -> None:
    assert hiding(style(block))[0] == ways


def test_what_is_taken_back() -> None:
    assert hiding(style("visibility:visible;font-size:12px;color:red;text-indent:0"))[1] == (
        VISIBILITY | SIZE | INK | INDENT
    )
    assert hiding(style("font-size:2em"))[1] == 0, "twice nothing is nothing"


def _all(pattern: str, count: int) -> str:
    return "".join(map(pattern.format, range(count)))


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
    "tiny letters": lambda n: "<div style='font-size:0'>" + "<p style='font-size:1em'>a</p>" * n,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_styles_take_no_longer_the_longer_they_are(name: str) -> None:
    """A square of the size would take minutes."""
    page = Page(HOSTILE[name](8000))
    begun = time.process_time()
    assert len(page.visible) >= 0
    assert time.process_time() - begun < 4
