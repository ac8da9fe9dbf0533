"""Pages without a story: a front page's are left out, a feed's are kept and say so (DANA thesis 1.3)."""

from __future__ import annotations

from pathlib import Path

from tests.fetch.server import reply
from tests.portal import housed
from tests.portal.watch.press import Press
from tests.portal.watch.test_watch import add, feed, item, rss, run, story
from tidings_portal import store
from tidings_portal.watch.reading import NO_STORY

CARDS = "".join(
    f"<div class='card'><a href='/s/{n}'><h3>Lamp number {n} in brass</h3></a><p>Ready to ship, with shade.</p>"
    f"<span class='price'>{n},00 €</span><a href='/cart/{n}'>Add to cart</a></div>"
    for n in range(40)
)
LISTING = f"<html lang='en'><head><title>All lamps</title></head><body><h1>All lamps</h1>{CARDS}</body></html>".encode()


def test_a_feeds_item_without_a_story_is_marked(tmp_path: Path) -> None:
    where = str(tmp_path / "news.tidings")
    with Press() as press:
        told, listed = press.url("shop.example/story"), press.url("shop.example/lamps")
        press.more |= {
            "shop.example/feed": rss(item(told, "A lamp"), item(listed, "All lamps")),
            "shop.example/story": reply(story("A lamp", "Lamp")),
            "shop.example/lamps": reply(LISTING),
        }
        add(where, feed(press, "shop.example/feed"))
        run(press, where)
    with store.open(where) as kept:
        marks = {one.article.title: one.article.marks for one in kept.each_article()}
    assert marks["A lamp"] == ()
    assert marks["All lamps"] == (NO_STORY,)
    with housed.app(tmp_path / "news.tidings") as app:
        pages = [housed.client(app).get(f"/article/{number}").text for number in (1, 2)]
    assert sum("rather than an article" in page for page in pages) == 1
