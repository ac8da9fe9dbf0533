"""What stands between a reader and the story."""

from __future__ import annotations

import json

import pytest

from tidings.fields.access import Mark, find
from tidings.page import Page, Spans

PROSE = "<p>" + "The seals are back in the estuary, and the town is glad of it. " * 40 + "</p>"


def marks(html: str) -> frozenset[Mark]:
    return find(Page(html))


def declared(**more: object) -> str:
    thing = {"@type": "NewsArticle", "headline": "Seals", **more}
    return f'<script type="application/ld+json">{json.dumps(thing)}</script>'


@pytest.mark.parametrize(
    "html",
    [
        declared(isAccessibleForFree=False) + PROSE,
        declared(isAccessibleForFree="False") + PROSE,
        declared(hasPart=[{"@type": "WebPageElement", "isAccessibleForFree": "False", "cssSelector": ".paid"}]) + PROSE,
        '<meta property="article:content_tier" content="locked">' + PROSE,
        PROSE + '<div class="article-paywall"><h3>Read on</h3><p>Subscribe to read all of this story.</p></div>',
        '<div itemscope itemtype="https://schema.org/NewsArticle"><meta itemprop="isAccessibleForFree" content="false">'
        + PROSE,
    ],
)
def test_paywalls(html: str) -> None:
    assert marks(html) == {Mark.PAYWALL}


@pytest.mark.parametrize(
    "html",
    [
        declared(isAccessibleForFree=True) + PROSE + '<div class="paywall">Subscribe to read all of this story.</div>',
        declared() + PROSE,
        '<meta property="article:content_tier" content="free">' + PROSE,
        f'<div class="paywall-content">{PROSE}</div>',
        PROSE + '<div class="paywall" hidden>Subscribe to read all of this story.</div>',
        PROSE + '<div class="cookie-banner">We use cookies. Accept all cookies, or read our privacy policy.</div>',
        PROSE + '<form><input type="password"></form>',
        "<title>Error 404 page not found, explained</title>" + PROSE * 2,
        "<p>Seals are back.</p>",
        "<p>x</p>",
    ],
)
def test_no_wall(html: str) -> None:
    assert marks(html) == frozenset()


@pytest.mark.parametrize(
    ("html", "mark"),
    [
        (
            "<h1>Before you continue</h1><p>We use cookies and ask for your consent.</p><button>Accept</button>",
            Mark.CONSENT,
        ),
        ("<p>Wir verwenden Cookies. Bitte stimmen Sie zu: Ihre Einwilligung zum Datenschutz.</p>", Mark.CONSENT),
        ("<form><p>Sign in to go on</p><input type=Password></form>", Mark.LOGIN),
        ("<title>404 Not Found</title><h1>Oh dear</h1>", Mark.ERROR),
        ("<title>Seite nicht gefunden</title><h1>404</h1>", Mark.ERROR),
        ("<title>Just a moment...</title><p>Checking.</p>", Mark.ERROR),
        ('<div id="root"></div><script src="app.js"></script><noscript>No</noscript>', Mark.SHELL),
        ("<p>Please enable JavaScript.</p><script>x</script>", Mark.SHELL),
    ],
)
def test_pages_without_a_story(html: str, mark: Mark) -> None:
    assert mark in marks(html)


def test_a_hidden_form_is_no_login() -> None:
    html = (
        '<div style="display:none"><form><input type="password"><label>Name</label></form></div><p>Seals are back.</p>'
    )
    assert marks(html) == frozenset()


def test_a_short_story_that_is_declared_is_one() -> None:
    assert marks(declared() + "<p>We use cookies: the bakery's new sign asks for consent.</p>") == frozenset()


@pytest.mark.parametrize(
    ("html", "cut"),
    [
        ("<p>The seals are back in the…</p>", True),
        ("<p>The seals are back [...]</p>", True),
        ("<p>The seals are back.</p>", False),
        (declared(wordCount=900) + "<p>The seals are back.</p>", True),
        (declared(wordCount="4") + "<p>The seals are back.</p>", False),
        (declared(wordCount=[]) + "<p>The seals are back.</p>", False),
    ],
)
def test_a_text_that_breaks_off(html: str, cut: bool) -> None:
    page = Page(html)
    assert (Mark.TRUNCATED in find(page, Spans.all(len(page.text)))) is cut
    assert Mark.TRUNCATED not in find(page)
    assert Mark.TRUNCATED not in find(page, Spans.none(len(page.text)))


def test_a_title_without_end() -> None:
    assert marks("<title>" + "404 " * 500_000 + "</title><p>x") == {Mark.ERROR}


@pytest.mark.parametrize("word", ["COOKIE", "COOKİE", "cookıe", "conſent", "ZGODĘ", "ÇEREZ", "隐私"])
def test_case_does_not_count_in_words_of_consent(word: str) -> None:
    assert marks(f"<p>Reading on needs this: {word}.</p><p>İ</p>") == {Mark.CONSENT}
    assert marks("<p>Reading on needs this: nothing.</p><p>İ</p>") == frozenset()
