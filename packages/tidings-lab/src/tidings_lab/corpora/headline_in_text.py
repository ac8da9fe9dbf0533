"""Whether a ground-truth text begins with the headline, for corpora that do not say so.

The corpora big5 and waddle have no title in their ground truth, and most of their texts begin with the headline. On
every third page the rule finds it in 77 of 80 and 117 of 126 texts, and in one of 53 of fundus, whose texts never begin
with it.
"""

from __future__ import annotations

from tidings.errors import PageError
from tidings.fields.headline import Form, headline
from tidings.page import Page
from tidings.text import words
from tidings_lab.corpora.sample import Sample


def opens_with(text: str, headline: str) -> bool:
    """Whether a text opens with a headline, which may be a title element with the site's name around it."""
    wanted = words(headline)
    first = words(text.lstrip().split("\n", 1)[0][:1000])
    if not wanted or not first:
        return False
    if first[: len(wanted)] == wanted:
        # A line much longer than the headline is a sentence: "Port Selene is the capital of …".
        return len(first) <= 2 * len(wanted)
    # Three words, as "News" opens many texts and is part of many titles.
    return len(first) >= max(3, len(wanted) / 2) and f" {' '.join(first)} " in f" {' '.join(wanted)} "


def opens_with_headline(sample: Sample, page: Page | None = None) -> bool:
    """As the corpus tells; else whether the text opens with the page's title element or a headline found on the page.

    Args:
        sample: a page with gold text.
        page: the same page, where it is at hand; read anew if None.

    Raises:
        InputError: the page must be looked at and its file cannot be read.
    """
    if sample.headline_in_text is not None:
        return sample.headline_in_text
    text = sample.gold.get("text") or ""
    if not text:
        return False
    try:
        page = page or Page(sample.html, sample.url or None)
    except PageError:
        return False
    found = (headline(page, form) for form in (Form.TITLE_ELEMENT, Form.TF, Form.LARGEST_HEADING))
    return any(one is not None and opens_with(text, one.text) for one in found)
