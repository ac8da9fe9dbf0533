"""An article below its title: the headline is not there twice, and no sentence is lost with it."""

from __future__ import annotations

from tidings.article import Article, Block, Image, Inline, Kind
from tidings_portal.web.article_html import below_title

TITLE = "Çok kullanan çok ödeyecek"


def paragraph(text: str) -> Block:
    return Block(Kind.PARAGRAPH, (Inline(text),))


def texts(*blocks: Block) -> list[str]:
    return [one.text for one in below_title(Article(title=TITLE, blocks=blocks)).blocks]


def test_the_headline_goes_with_what_stands_around_it() -> None:
    text = paragraph("Meclis, su fiyatını görüşmeye başladı.")
    assert texts(Block(Kind.HEADING, (Inline(TITLE),), level=1), text) == [text.text]
    head = paragraph(f"{TITLE}\nSelin Yosunlu - 11 Mart 2026 17:25")
    assert texts(paragraph("Ana Sayfa > Siyaset"), head, text) == [text.text]


def test_no_sentence_is_lost() -> None:
    begins = paragraph(f"{TITLE}, dedi bakan.")
    assert texts(begins) == [begins.text]
    long = paragraph("Bir cümle, sonra bir cümle daha. " * 6)
    assert texts(long, paragraph(TITLE)) == [long.text, TITLE]
    told = paragraph(f"{TITLE}\n{'Bir cümle. ' * 20}")
    assert texts(told) == [told.text]
    assert [one.text for one in below_title(Article(title="", blocks=(begins,))).blocks] == [begins.text]


def test_pictures_stay_where_they_are_in_the_text() -> None:
    blocks = (paragraph("Ana Sayfa"), paragraph(TITLE), paragraph("Bir."), paragraph("İki."))
    places = (None, 0, 2, 3)
    images = tuple(Image(f"https://kiyi.example/{place}.png", place=place) for place in places)
    shown = below_title(Article(title=TITLE, blocks=blocks, images=images))
    assert [one.place for one in shown.images] == [None, 0, 0, 1]


def test_headings_rank_below_the_title() -> None:
    block = Block(Kind.HEADING, (Inline("Maliyet"),), level=1)
    assert below_title(Article(title=TITLE, blocks=(paragraph("Bir."), block))).blocks[1].level == 2
