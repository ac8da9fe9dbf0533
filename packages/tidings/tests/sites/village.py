"""A small made-up site: pages of one make, as many as wanted, and a redesign of it."""

from __future__ import annotations

from random import Random

_WORDS = (
    "harbour council ferry bridge storm school market winter river train budget garden museum doctor letter farmer "
    "engine island captain window summer village teacher harvest railway library orchard station pilot bakery"
).split()


def _sentence(rng: Random) -> str:
    words = [rng.choice(_WORDS) for _ in range(rng.randint(8, 16))]
    return " ".join(words).capitalize() + "."


def _paragraph(rng: Random) -> str:
    return " ".join(_sentence(rng) for _ in range(rng.randint(2, 4)))


def story(number: int) -> dict[str, object]:
    """What one story says."""
    rng = Random(number)
    return {
        "title": f"{_sentence(rng)[:-1]} in {1900 + number}",
        "author": rng.choice(["Ada Marlow", "Bert Okoye", "Cleo Nandi"]),
        "day": f"2026-03-{1 + number % 28:02d}",
        "paragraphs": [_paragraph(rng) for _ in range(rng.randint(5, 9))],
    }


def page(number: int) -> str:
    """A page of the site as it was."""
    told = story(number)
    body = "".join(f"<p>{text}</p>\n" for text in told["paragraphs"])  # type: ignore[attr-defined]
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<title>{told["title"]} | The Village Post</title>
<meta property="og:site_name" content="The Village Post"><meta property="og:title" content="{told["title"]}">
<meta property="article:published_time" content="{told["day"]}T08:30:00+00:00">
<meta name="author" content="{told["author"]}"><link rel="canonical" href="https://post.example/2026/03/story-{number}">
</head><body class="page"><header id="masthead"><a href="/">The Village Post</a>
<ul class="menu"><li><a href="/news">News</a></li><li><a href="/sport">Sport</a></li></ul></header>
<div id="columns"><div class="story-body" data-id="{number}"><h1 class="headline">{told["title"]}</h1>
<p class="byline">By {told["author"]}</p>
{body}<div class="promo"><p>Read our other stories about {_WORDS[number % len(_WORDS)]} and sign up for it.</p></div>
<p>The Village Post is printed every morning by the people of the village for the people of the village.</p>
</div><div class="sidebar"><h2>Most read</h2><ul><li><a href="/a">{_sentence(Random(number + 1))}</a></li>
<li><a href="/b">{_sentence(Random(number + 2))}</a></li></ul></div></div>
<footer class="imprint"><p>Published by the village. All rights reserved.</p></footer></body></html>"""


def redesigned(number: int) -> str:
    """The same story after the redesign."""
    told = story(number)
    body = "".join(f"<div class='para'>{text}</div>\n" for text in told["paragraphs"])  # type: ignore[attr-defined]
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{told["title"]} - Village Post</title>
<meta property="og:title" content="{told["title"]}"></head><body><nav class="topbar"><a href="/">Home</a></nav>
<main><article class="longread"><header class="lead-in"><h1>{told["title"]}</h1>
<time datetime="{told["day"]}">{told["day"]}</time></header><section class="copytext">{body}</section></article>
<aside class="teasers"><h3>More</h3><div id="columns"><a href="/x">{_sentence(Random(number + 5))}</a></div></aside>
</main></body></html>"""


def address(number: int) -> str:
    """Where the story stands."""
    return f"https://post.example/2026/03/story-{number}"


def emptied(number: int) -> str:
    """A page of the make as it was, whose container holds offers to subscribe; the story stands elsewhere."""
    told = story(number)
    rng = Random(number)
    offers = "subscribe today reader offer month price free trial cancel anytime gift newsletter box email".split()
    call = "".join(f"<li>{' '.join(rng.choices(offers, k=4)).capitalize()}</li>\n" for _ in range(50))
    body = "".join(f"<p>{text}</p>\n" for text in told["paragraphs"])  # type: ignore[attr-defined]
    head, rest = page(number).split('<p class="byline">', 1)
    tail = rest[rest.index('</div><div class="sidebar">') :]
    return (
        head.replace("<h1", "<b").replace("</h1>", "</b>")
        + f"<ul>{call}</ul>"
        + tail.replace("<footer", f"<article><h1>{told['title']}</h1>{body}</article><footer", 1)
    )
