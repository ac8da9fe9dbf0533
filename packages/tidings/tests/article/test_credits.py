"""Who made a picture, as pages say it; decks and headings whose section was left out."""

from __future__ import annotations

import pytest

from tidings import Page, Spans
from tidings.article import Article, Kind, assemble
from tidings.article.pictures.credits import credit_in

TEXT = "The harbour office counted more seals this spring than in any year since the records began, said the wardens."


def read(inside: str, *, without: str = "") -> Article:
    page = Page(f"<html><body><main><h1>Seals</h1>{inside}</main></body></html>", "https://example.org/a")
    shown = page.visible
    if without:
        start = page.text.index(without)
        shown -= Spans.of([(start, start + len(without))], len(page.text))
    return assemble(page, shown)


@pytest.mark.parametrize(
    ("caption", "credit"),
    [
        ("A seal in May. Photo: Pia Holm", "Pia Holm"),
        ("A seal in May. (Photo by Pia Holm/Getty Images)", "Pia Holm/Getty Images"),
        ("A seal in May. (AP Photo/Pia Holm)", "AP Photo/Pia Holm"),
        ("Eine Robbe im Mai. Foto: Pia Holm/dpa", "Pia Holm/dpa"),
        ("Un phoque en mai. Crédit photo : Pia Holm", "Pia Holm"),
        ("Una foca en mayo. Foto: Pia Holm", "Pia Holm"),
        ("Тюлень в мае. Фото: Пиа Хольм / ТАСС", "Пиа Хольм / ТАСС"),
        ("A seal in May. © Pia Holm", "Pia Holm"),
        ("A seal in May. Pia Holm / Reuters", "Pia Holm / Reuters"),
        ("A seal in May. Getty Images", "Getty Images"),
        ("Photograph: Pia Holm/The Harbour Post", "Pia Holm/The Harbour Post"),
        ("A seal on the northern sandbank in May.", ""),
        ("The photo shows a seal and its pup, the first of this year, on the northern sandbank.", ""),
        ("", ""),
    ],
)
def test_captions_say_whose_picture_it_is(caption: str, credit: str) -> None:
    assert credit_in(caption) == credit


@pytest.mark.parametrize(
    "mark",
    [
        '<span class="credit">Pia Holm</span>',
        '<span class="image-credit">Photo: Pia Holm</span>',
        '<small class="caption__copyright">© Pia Holm</small>',
        '<cite class="photographer">Pia Holm</cite>',
    ],
)
def test_what_a_figure_marks_is_the_credit(mark: str) -> None:
    picture = f'<figure><img src="/seal.jpg" alt="Seal"><figcaption>A seal in May. {mark}</figcaption></figure>'
    (image,) = read(f"<p>{TEXT}</p>{picture}<p>{TEXT}</p>").images
    assert image.credit == "Pia Holm"
    assert image.caption.startswith("A seal in May.")


def test_structured_data_says_what_the_page_does_not() -> None:
    told = (
        '<script type="application/ld+json">{"@type": "NewsArticle", "image": [{"@type": "ImageObject", '
        '"url": "https://cdn.example.org/2024/grey-seal.jpg?w=1200", "caption": "A grey seal.", '
        '"creator": {"@type": "Person", "name": "Pia Holm"}, "copyrightNotice": "The Post"}]}</script>'
    )
    picture = '<figure><img src="https://cdn.example.org/2024/grey-seal-800x600.jpg" alt="Seal">{}</figure>'
    (image,) = read(f"{told}<p>{TEXT}</p>{picture.format('')}<p>{TEXT}</p>").images
    assert (image.caption, image.credit) == ("A grey seal.", "Pia Holm")
    own = picture.format("<figcaption>Another. Photo: Ole Vik</figcaption>")
    (image,) = read(f"{told}<p>{TEXT}</p>{own}<p>{TEXT}</p>").images
    assert (image.caption, image.credit) == ("Another. Photo: Ole Vik", "Ole Vik")
    (image,) = read(f"{told}<p>{TEXT}</p>{picture.format('').replace('grey', 'harbour')}<p>{TEXT}</p>").images
    assert (image.caption, image.credit) == ("", "")


def test_a_deck_is_a_paragraph() -> None:
    article = read(
        f'<h2 class="article__deck">How wardens count them</h2><p>{TEXT}</p><h2>How it began</h2><p>{TEXT}</p>'
    )
    assert [block.kind for block in article.blocks[1:4]] == [Kind.PARAGRAPH, Kind.PARAGRAPH, Kind.HEADING]


def test_a_heading_whose_section_was_left_out_goes_and_others_stay() -> None:
    inside = f"<p>{TEXT}</p><h2>Boats</h2><p>{TEXT} Twice.</p><h2>Related</h2><p>Other stories of the day.</p>"
    assert [block.text for block in read(inside, without="Other stories of the day.").blocks][-1] == f"{TEXT} Twice."
    assert "Related" in read(inside).text
    assert read(f"<p>{TEXT}</p><h2>The end of the story</h2>").blocks[-1].kind is Kind.HEADING
