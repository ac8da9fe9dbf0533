"""Made pages of several sites, each with a story, a menu, a headline, a byline and a date: the answers are known."""

from __future__ import annotations

from datetime import date

import numpy as np

from tidings_lab.learners.blocks.instances import Attribute, BlockInstances
from tidings_lab.learners.blocks.labelled_tables import BlockPage, taught
from tidings_lab.learners.blocks.page_gold import PageGold

WORDS = (
    "harbour council storm bridge market river winter school train garden museum letter engine village summer".split()
)


def story(seed: int, lines: int = 6) -> list[str]:
    """Paragraphs that no other page has."""
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, 25).tolist()).capitalize() + "." for _ in range(lines)]


def page_and_gold(site: int, number: int = 0) -> tuple[str, PageGold]:
    """Return a page and its gold; sites differ in the names of boxes, pages of a site only in their text."""
    lines = story(100 * site + number)
    title = f"The {WORDS[site % 15]} of the {WORDS[(site + 3 + number) % 15]} number {site} {number}"
    menu = "".join(f"<li><a href=/{entry}>{WORDS[entry]} pages</a></li>" for entry in range(8))
    related = "".join(f"<div class=teaser><a href=/t{one}>Another {WORDS[one]} story</a></div>" for one in range(4))
    body = "".join(f"<p>{line}</p>" for line in lines)
    html = (
        f"<html lang=en><head><title>{title}</title></head><body><div id=top{site}><ul>{menu}</ul></div>"
        f"<div class=page{site}><h1>{title}</h1><div class=m{site}><span class=by>By <a href=/who>Ada Byron</a></span>"
        f"<time datetime=2026-03-0{1 + number % 9}>{1 + number % 9} March 2026</time></div>"
        f"<div class=text{site}>{body}<div class=box><a href=/buy>Subscribe now</a></div></div>"
        f"<div class=more>{related}</div></div><div class=foot>All <a href=/legal>rights</a></div></body></html>"
    )
    gold = PageGold("\n\n".join(lines), title, ("Ada Byron",), date(2026, 3, 1 + number % 9), language="en")
    return html, gold


def taught_pages(sites: int = 12, each: int = 2) -> list[BlockPage]:
    """Labelled pages of several sites."""
    return [
        taught(html.encode(), "", f"site{site}", gold)
        for site in range(sites)
        for number in range(each)
        for html, gold in [page_and_gold(site, number)]
    ]


def table(size: int = 300, seed: int = 0, classes: int = 3) -> BlockInstances:
    """A table with two numbers and two names, which determine the class except for some noise."""
    random = np.random.default_rng(seed)
    labels = random.integers(0, classes, size)
    first = np.round(random.gamma(2.0, 10.0, size) + 25 * labels * (random.random(size) < 0.8), 3)
    second = random.integers(0, 40, size).astype(np.float64) + 10 * (labels == 1)
    name = np.where(random.random(size) < 0.6, labels, random.integers(0, 4, size))
    flag = (random.random(size) < 0.3 + 0.2 * labels).astype(np.float64)
    attributes = (
        Attribute("first"),
        Attribute("second"),
        Attribute("name", tuple("wxyz")),
        Attribute("flag", ("no", "yes")),
    )
    places = np.arange(size)
    names = tuple("abc"[:classes])
    return BlockInstances(attributes, names, np.column_stack([first, second, name, flag]), labels, places, places // 5)
