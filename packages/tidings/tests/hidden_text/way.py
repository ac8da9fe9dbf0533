"""A way of hiding a sentence in a story, and the page that is built from it."""

from __future__ import annotations

from typing import NamedTuple

from tests.sites import village

#: Words that occur in one sentence of a page only.
SECRET, BEFORE, AFTER = "xylophones", "marigolds", "tambourines"
SECRET_SENTENCE = f"The ombudsman praised seven velvet {SECRET} of the lighthouse keeper."
BEFORE_SENTENCE = f"Two boats with yellow {BEFORE} on board came in before the storm reached the harbour wall."
AFTER_SENTENCE = f"In the evening the fishermen played their {AFTER} for the children of the village."
_MENU = "".join(f'<li><a href="/{name}">{name.title()}</a></li>' for name in "news sport weather markets".split())


class Way(NamedTuple):
    """A piece of a page with `{}` for the sentence, the style sheets it needs, and what a person sees of it.

    `is_visible` is what the extractor is expected to do. It equals what Chromium paints, except where `policy` says why
    not.
    """

    name: str
    body: str
    head: str = ""
    is_visible: bool = False
    policy: str = ""


def story_page(way: Way, number: int = 0, sentence: str = SECRET_SENTENCE) -> str:
    """Return a news page whose story has the sentence between two visible ones, hidden in the given way."""
    story = village.story(number)
    paragraphs = story["paragraphs"]
    assert isinstance(paragraphs, list)
    first, second, *others = (f"<p>{text}</p>\n" for text in paragraphs)
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{story["title"]} | The Quay</title>
<meta property="og:site_name" content="The Quay">{way.head}</head>
<body><header class="masthead"><a href="/">The Quay</a><ul class="menu">{_MENU}</ul></header>
<div class="columns"><div class="story-body"><h1 class="headline">{story["title"]}</h1>
<p class="byline">By Ada Marlow</p>
{first}{second}<p class="before">{BEFORE_SENTENCE}</p>
{way.body.replace("{}", sentence)}
<p class="after">{AFTER_SENTENCE}</p>
{"".join(others)}</div>
<div class="sidebar"><h2>Most read</h2><ul><li><a href="/a">Ferry late again</a></li></ul></div></div>
<footer class="imprint"><p>All rights reserved.</p></footer></body></html>"""


def lines(table: str) -> list[str]:
    """Return the lines of a table of cases."""
    return [line for line in table.split("\n") if line.strip()]
