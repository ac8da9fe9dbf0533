"""Which pictures belong to a story."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.article import Article, Image, Kind, assemble
from tidings.article.pictures.select import gallery_boxes, pictures_at
from tidings.article.units.article_tables import GALLERY_WORDS
from tidings.page import Page, Spans, tags
from tidings.page.tag_words import TELLING

BASE = "https://example.org/"


def chosen(html: str, *words: str) -> Article:
    """The article whose text is the blocks that hold one of the words; all blocks if there are none."""
    page = Page(html, BASE)
    blocks = page.blocks
    texts = [page.text[start:end] for start, end in zip(blocks.text_start, blocks.text_end, strict=True)]
    mask = [not words or any(word in text for word in words) for text in texts]
    return assemble(page, Spans.of_blocks(page, mask))


def sources(article: Article) -> list[str]:
    return [image.src.removeprefix(BASE) for image in article.images]


def test_a_picture_between_paragraphs() -> None:
    article = chosen('<p>a</p><img src="x.png" alt="An  x"><p>b</p>')
    assert article.images == (Image(BASE + "x.png", "An x", "", 1),)


def test_a_figure_with_its_caption() -> None:
    article = chosen("<p>a</p><figure><img src=x.png alt=''><figcaption>The <b>x</b>.</figcaption></figure><p>b</p>")
    image = Image(BASE + "x.png", "", "The x.", 1)
    assert article.images == (image,)
    assert [(block.kind, block.image) for block in article.blocks] == [
        (Kind.PARAGRAPH, None),
        (Kind.CAPTION, image),
        (Kind.PARAGRAPH, None),
    ]


def test_a_figure_whose_caption_was_not_chosen() -> None:
    html = "<p>one</p><figure><img src=x.png><figcaption>words</figcaption></figure><p>two</p>"
    article = chosen(html, "one", "two")
    assert article.images == (Image(BASE + "x.png", "", "words", 1),)
    assert [block.kind for block in article.blocks] == [Kind.PARAGRAPH, Kind.PARAGRAPH]


def test_the_first_picture_of_a_figure_has_its_caption() -> None:
    html = "<p>a</p><figure><img src=x.png><img src=y.png><figcaption>both</figcaption></figure><p>b</p>"
    assert [image.caption for image in chosen(html).images] == ["both", ""]


def test_a_box_in_the_middle_keeps_its_pictures_to_itself() -> None:
    html = "<main><p>one</p><aside><img src=small.png><a href=x>Other story</a></aside><p>two</p></main>"
    assert sources(chosen(html, "one", "two")) == []
    assert sources(chosen(html)) == ["small.png"]


def test_pictures_before_and_behind_the_story() -> None:
    html = "<body><img src=logo.png><main><img src=lead.png><p>one</p><p>two</p><img src=ad.png></main><p>three</p>"
    assert sources(chosen(html, "one", "two")) == ["lead.png"]
    assert sources(chosen("<body><img src=logo.png><p>one</p><p>two</p>")) == []


def test_a_lead_behind_hidden_text() -> None:
    figure = "<figure><img src=lead.png><figcaption>words</figcaption></figure>"
    assert sources(chosen(f"<main>{figure}<i hidden>no</i><p>one</p></main>", "one")) == ["lead.png"]
    assert sources(chosen(f"<main>{figure}<i>Share</i><p>one</p></main>", "one")) == []


def test_a_gallery_between_paragraphs() -> None:
    figures = "<figure><img src=a.png><figcaption>x</figcaption></figure><figure><img src=b.png></figure>"
    assert sources(chosen(f"<p>one</p><div>{figures}</div><p>two</p>", "one", "two")) == ["a.png", "b.png"]


@pytest.mark.parametrize(
    ("tag", "src"),
    [
        ('<img src="a.png">', "a.png"),
        ('<img src="blank.gif" data-src="late.png">', "late.png"),
        ('<img src="a.png" srcset="b.png 300w, c.png 1200w, d.png 600w">', "c.png"),
        ('<img src="data:image/gif;base64,xx" data-srcset="a,b.png 1x, c.png 2x">', "c.png"),
        ('<img data-src="javascript:x" src="a.png">', "a.png"),
        ('<img src="a.png" width="1" height="1">', None),
        ('<img src="data:image/png;base64,xx">', None),
        ("<img>", None),
    ],
)
def test_the_address_of_a_picture(tag: str, src: str | None) -> None:
    article = chosen(f"<p>a</p>{tag}<p>b</p>")
    assert sources(article) == ([] if src is None else [src])


def test_the_same_picture_once() -> None:
    html = "<p>a</p><img data-src=x.png><noscript><img src=x.png></noscript><p>b</p>"
    assert sources(chosen(html, "a", "b")) == ["x.png"]


def test_a_short_text_alone_with_a_picture_in_a_box_is_its_caption() -> None:
    above = "".join(f"<p>story {number}</p>" for number in range(5))
    box = '<div class="{}"><img src=x.png><div>{}</div></div>'
    for inside, found in (
        (box.format("media", "Getty Images"), ["x.png"]),
        (box.format("wp-caption", "<p class=wp-caption-text>Seals in May"), ["x.png"]),
        (box.format("media", '<a href="/b">Another one</a>'), []),
        (box.format("author-box", "Anna Holm"), []),
        (box.format("media", "word " * 100), []),
    ):
        assert sources(chosen(f"<main>{above}{inside}<p>story end</p></main>", "story")) == found
    # Above the story stand those who wrote it.
    top = f"<main><p>story</p>{box.format('media', 'Anna Holm')}{above}</main>"
    assert sources(chosen(top, "story")) == []


def test_signs_to_send_a_story_on_and_what_scripts_fill_in_are_no_pictures() -> None:
    tags = '<img src="/i/facebook.svg"><img src="/i/share-twitter.png"><img src="/a_${size}.jpg"><img src="/seal.jpg">'
    assert sources(chosen(f"<p>a</p>{tags}<p>b</p>")) == ["seal.jpg"]
    late = '<img data-src="/a_${size}.jpg" src="/a_600.jpg">'
    assert sources(chosen(f"<p>a</p>{late}<p>b</p>")) == ["a_600.jpg"]


_TAGS = (
    '<img src="a.jpg" alt="b &amp; c">', "<img SRC=a.jpg alt='d' src=e.jpg>", "<img data-src=f.jpg style=opacity:0>",
    '<img srcset="g.jpg 2x, h.jpg 1x" hidden>', "<img \u212a=1 src=i.jpg>", "<img src=j.jpg class=x>",
    "<img width=1 src=k>",
    "<img src='l.jpg>", "<img alt = m src = n.jpg/>", "<picture><source srcset=o.jpg>", "</picture>", "<div class=x>",
    "<div hidden>", "<template>", "</template>", "</div>", "<style>.x{visibility:hidden}</style>", "text",
    "<img src=p.jpg aria-hidden=true>", "<dialog>", "</dialog>", "<img src=\ud800.jpg>", "<a><p><a>",
    "<img src=/q.jpg alt='r &lt; s'>", '<img src="/t.jpg?u=1&amp;v=2" width=300>', "<img src=http://w.example/x.png>",
    '<img srcset="/y.jpg 1.5x, /z.jpg 2x ,/a&amp;b.jpg 2x" src=/c.jpg>', '<img srcset="/d 2w /e 3w" src=/f>',
    "<img data-src=/g{h} data-original=data:x src=/i.jpg>", "<img src=/logo.png>", "<img src=/share-mail.PNG>",
    "<img src=/j width=48 height=48>", "<img src=/k width=+9 height=300>", '<img src="/l" hidden>',
    "<img src=/m style='visibility:hidden'>", "<img data-src=/n style='opacity:0'>", '<img src="/o&#46;jpg">',
    "<img srcset='/p&#44; 2x' src=/q>", "<img src=/r class=x style='a\"b'>", "<img src=/s id='\"' class=x>",
)  # fmt: skip


@given(st.lists(st.sampled_from(_TAGS), min_size=1, max_size=12))
def test_pictures_of_odd_tags_have_safe_urls_and_are_visible(pieces: list[str]) -> None:
    page = Page("<p>x" + "".join(pieces), BASE)
    images = np.flatnonzero(page.elements.tag == tags.NUMBERS["img"])
    found = pictures_at(page, images, BASE, page.visible)
    assert all(re.match(r"https?://[^\s<>\"{}]+\Z", image.src) for image in found)
    is_hidden = page.unseen(images.tolist())
    may_fade_in = ["opacity" in page.attributes(image).get("style", "") for image in images.tolist()]
    assert len(found) <= sum(not hidden or fades for hidden, fades in zip(is_hidden, may_fade_in, strict=True))


def test_names_of_galleries_have_a_word_that_is_looked_for_on_every_page() -> None:
    assert TELLING.bits(GALLERY_WORDS) is not None
    called = (
        "gallery Galerie galleria slideshow slide-show slider carousel carrousel swiper splide slick-list glide__track "
        "flickity fotorama photoset photo-set photogrid photo-grid imagegrid image-grid picturegrid picture-grid "
        "diaporama Bilderstrecke lightbox-group imagerow image-row imagepair image-pair mosaic photostory photo-story"
    ).split()
    for name in called:
        page = Page(f"<body><div class={name}><p><img src=a.png><img src=b.png></p></div>")
        assert gallery_boxes(page, _picture(page)) == [_picture(page) - 2], name
    plain = Page("<body><div class=pair><figure><figure><img src=a.png></figure></figure></div>")
    assert gallery_boxes(plain, _picture(plain)) == [_picture(plain) - 2]
    other = Page("<body><div class=pair><p><img src=a.png></p></div>")
    assert gallery_boxes(other, _picture(other)) == []


def _picture(page: Page) -> int:
    return int((page.elements.tag == tags.NUMBERS["img"]).argmax())
