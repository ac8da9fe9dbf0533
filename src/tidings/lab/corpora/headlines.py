"""Whether gold text opens with the headline, where only the page itself can tell.

big5 and waddle have no gold title, and their texts mostly open with the headline: of every third page, 77 of 80 and
117 of 126 are found to, and one of 53 of fundus, whose texts never do.
"""

from __future__ import annotations

from tidings.errors import PageError
from tidings.fields.headline import Form, headline
from tidings.lab.corpora.sample import Sample, opens_with
from tidings.page import Page


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
