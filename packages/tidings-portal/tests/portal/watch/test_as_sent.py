"""What an answer says of its page reaches the article: the charset of the header, and that the page was cut."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.fetch.server import AT_ONCE, LOCAL, Server, reply
from tests.portal.watch.press import Press
from tests.portal.watch.test_watch import add, feed, item, rss, run, story
from tidings.article import Article
from tidings.fetch import Cap, Kind, Limits, Live, Over
from tidings.fields.access import Mark
from tidings.read_url import aread
from tidings_portal import store

#: Letters that another 8-bit encoding also has, as others: nothing but the header tells which are meant.
TEXTS = {
    "windows-1254": ("cp1254", "Fırtına limanı vurdu", "Şehir suskun, dedi liman müdürü; ığdır ağacı devrildi"),
    "ISO-8859-2": ("iso8859-2", "Łódź pod wodą", "Zażółć gęślą jaźń, powiedział kapitan portu w Łodzi"),
    '"windows-1257"': ("cp1257", "Vētra pār ostu", "Ķēniņš teica, ka šūpojās viss krasts līdz pat Ģipkai"),
    "utf-8": ("utf-8", "Fırtına limanı vurdu", "Şehir suskun, dedi liman müdürü; ığdır ağacı devrildi"),
}


def page(title: str, line: str) -> str:
    text = "".join(f"<p>{line} {number}.</p>" for number in range(8))
    return f"<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1>{text}</body></html>"


def watched(tmp_path: Path, *answers: bytes, limits: Limits | None = None) -> list[Article]:
    """The articles that a watch makes of some answers."""
    where = str(tmp_path / "news.tidings")
    with Press() as press:
        press.more["a.example/feed"] = rss(*(item(f"https://a.example/news/{n}", "-") for n in range(len(answers))))
        press.more |= {f"a.example/news/{n}": answer for n, answer in enumerate(answers)}
        add(where, feed(press, "a.example/feed"))
        run(press, where, limits=limits)
    with store.open(where) as kept:
        return [one.article for one in kept.each_article()]


@pytest.mark.parametrize("charset", TEXTS)
def test_the_charset_of_the_header(tmp_path: Path, charset: str) -> None:
    codec, title, line = TEXTS[charset]
    sent = reply(page(title, line).encode(codec), headers={"Content-Type": f"text/html; charset={charset}"})
    (article,) = watched(tmp_path, sent)
    assert article.title == title
    assert f"{line} 7." in article.text


def test_a_site_in_an_old_charset_is_learned(tmp_path: Path) -> None:
    """From the sixth page on rules cut the pages out, in the charset of their header still."""
    codec, _, line = TEXTS["windows-1254"]
    header = {"Content-Type": "text/html; charset=windows-1254"}
    body = "".join(f"<p>{line}, {n}. satır böyle yazıldı ve herkes okudu.</p>" for n in range(8))
    pages = [
        f"<html lang=tr><head><title>Haber {name}</title></head><body><div class=menu><a href=/>Ana</a></div>"
        f"<h1>Haber {name}</h1><div class='haber-metni'>{body.replace('satır', f'{name} satırı')}</div></body></html>"
        for name in ("bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz")
    ]
    articles = watched(tmp_path, *(reply(one.encode(codec), headers=header) for one in pages))
    assert len(articles) == 8
    assert any(article.provenance["body"].startswith("rule") for article in articles)
    for article in articles:
        assert "Şehir suskun, dedi liman müdürü; ığdır ağacı devrildi" in article.text


SMALL = Limits(caps={**Limits().caps, Kind.PAGE: Cap(600, Over.CUT)})


def test_a_page_that_was_cut_says_so(tmp_path: Path) -> None:
    """HOSTILE 10 and 15: a page over the cap is kept as far as it goes, and marked."""
    whole, cut = reply(story("A", "One")[:580]), reply(story("A long story", "A line"))
    articles = watched(tmp_path, whole, cut, limits=SMALL)
    assert sorted((article.title, Mark.TRUNCATED in article.marks) for article in articles) == [
        ("A", False),
        ("A long story", True),
    ]


def test_so_does_one_that_is_read_at_once() -> None:
    async def once(address: str) -> Article:
        async with Live(guard=LOCAL, pace=AT_ONCE, robots=False, limits=replace(SMALL)) as live:
            return await aread(address, fetcher=live)

    with Server({"/": reply(story("A long story", "A line"))}) as server:
        article = asyncio.run(once(server.url("/")))
    assert Mark.TRUNCATED in article.marks
    assert "A line 0" in article.text
