"""Galleries are one thing: their captions are no paragraphs, and every format shows them together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.lab.structure.test_structure import pages, read
from tests.lab.structure.written import page
from tidings import Page, extractors, reading
from tidings.article import Article, Block, Image, Inline, Kind, Options, article_from_json, render

NAMES = [one.name for one in pages() if one.name.startswith("gallery")]
FIGURES = "".join(
    f'<figure><img src="https://img.example.org/{n}.jpg" alt=""><figcaption>Bank {n}.</figcaption></figure>'
    for n in (1, 2)
)


def article(name: str) -> Article:
    return read(next(one.html for one in pages() if one.name == name))


@pytest.mark.parametrize("name", NAMES)
def test_every_format_shows_the_pictures_of_a_gallery_together(name: str) -> None:
    found = article(name)
    shown = Options(images=True)
    assert '<figure data-gallery="3">\n<figure><img' in render(found, "html", shown)
    assert render(found, "markdown", shown).count("- ![") == 3
    assert '<figure type="gallery">' in render(found, "tei", shown)
    assert '<gallery size="3"' in render(found, "xml", shown)
    assert article_from_json(render(found, "json")) == found
    for image in found.images:
        assert image.place is not None
        assert found.blocks[image.place].image == image


@pytest.mark.parametrize("name", NAMES)
def test_captions_of_a_gallery_are_no_paragraphs(name: str) -> None:
    inner = [block for block in article(name).blocks if block.text.startswith("Seal number")]
    assert {block.kind for block in inner} <= {Kind.CAPTION}
    assert {block.item for block in inner} <= {None}


@pytest.mark.parametrize("name", NAMES)
def test_who_asks_for_text_alone_gets_the_same(name: str) -> None:
    html = next(one.html for one in pages() if one.name == name)
    chooser = extractors.extractor("everything")
    assert reading.read(Page(html), chooser, for_text=True).text == reading.read(Page(html), chooser).text


def test_a_gallery_in_a_callout_is_counted_in_it() -> None:
    found = read(page(f'<div class="admonition note"><p>The banks.</p><div class="gallery">{FIGURES}</div></div>'))
    place = next(at for at, block in enumerate(found.blocks) if block.kind is Kind.CALLOUT)
    inner = found.blocks[place + 1 : place + 1 + found.blocks[place].size]
    assert [block.kind for block in inner] == [Kind.QUOTE, Kind.GALLERY, Kind.CAPTION, Kind.CAPTION]


def test_a_box_with_a_long_text_is_no_gallery() -> None:
    text = "<p>" + "Nobody had counted the seals of this bank before. " * 20 + "</p>"
    kinds = {block.kind for block in read(page(f'<div class="slider">{FIGURES}{text}</div>')).blocks}
    assert Kind.GALLERY not in kinds
    assert Kind.CAPTION in kinds


def test_two_figures_beside_each_other_are_no_gallery() -> None:
    assert Kind.GALLERY not in {block.kind for block in read(page(f"<div>{FIGURES}</div>")).blocks}


def test_a_gallery_that_counts_wrongly_ends_where_its_captions_end() -> None:
    caption = Block(Kind.CAPTION, (Inline("One."),), image=Image("https://img.example.org/1.jpg"))
    behind = Block(Kind.PARAGRAPH, (Inline("Two."),))
    wrong = Article(blocks=(Block(Kind.GALLERY, size=2**62), caption, behind))
    assert render(wrong, "html").endswith("</figure>\n<p>Two.</p>\n</article>")
    alone = replace(wrong, blocks=wrong.blocks[:1])
    assert render(alone, "html") == '<article dir="ltr">\n\n</article>'
    assert render(alone, "markdown") == ""
