"""LBNEST's rule for images (II.C.2.v): the nearest text below decides."""

from __future__ import annotations

import pytest

from tidings import newspaper
from tidings.extractors import extractor
from tidings.extractors.published.lbnest_images import story_images
from tidings.page import Page, Spans

STORY = "<p>Grey seals return to the estuary after forty years.</p>"
PAGE = (
    "<header><img src=logo.png><p>The Harbour Gazette</p></header>"
    f"<h1>Grey seals return</h1><img src=lead.png>{STORY}<img src=second.png>{STORY.replace('seals', 'seal pups')}"
    "<footer><ul><li><img src=thumb1.png>Bridge opens</li><li><img src=thumb2.png>Ferry sails</li></ul>"
    "<img src=dot.png></footer>"
)


def story(page: Page) -> Spans:
    bounds = zip(page.blocks.text_start.tolist(), page.blocks.text_end.tolist(), strict=True)
    return Spans.of(((start, end) for start, end in bounds if "Grey seal" in page.text[start:end]), len(page.text))


def sources(page: Page, spans: Spans) -> list[str]:
    return [page.attributes(image)["src"] for image in story_images(page, spans).tolist()]


def test_the_text_below_decides_and_never_the_text_above() -> None:
    """Thumbnails at the foot follow the end of the story: walking up would find it, walking down does not."""
    page = Page(PAGE)
    assert sources(page, story(page)) == ["lead.png", "second.png"]


def test_a_picture_with_nothing_below_is_nobodys() -> None:
    page = Page(PAGE)
    assert "dot.png" not in sources(page, page.visible)
    assert len(sources(page, page.visible)) == 5


def test_text_that_nobody_sees_is_passed_over() -> None:
    page = Page(f"<img src=a.png><p hidden>Bridge opens</p>{STORY}")
    assert sources(page, story(page)) == ["a.png"]


@pytest.mark.parametrize("html", ["", "<img src=a.png>", "<p>words", "<img src=a.png><p hidden>unseen</p>"])
def test_nothing_to_find(html: str) -> None:
    page = Page(f"<body>{html}</body>")
    assert len(story_images(page, page.visible)) == 0


def test_on_the_newspaper() -> None:
    """All images that it keeps belong to the story; it misses those over captions outside the selected text.

    The default extractor leaves most captions out of the text, so few images remain.
    """
    right = wrong = 0
    for one in newspaper.pages():
        if one.page_type == "front":
            continue
        page = Page(one.html, one.url)
        told = [page.attributes(image) for image in story_images(page, extractor("learned")(page)).tolist()]
        found = {(image.get("data-src") or image["src"]).rpartition("/")[2] for image in told}
        right += len(found & {*one.gold["pictures"]})
        wrong += len(found - {*one.gold["pictures"]})
    assert right >= 10
    assert wrong == 0
