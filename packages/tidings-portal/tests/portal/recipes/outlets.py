"""Five outlets on the loopback interface, beside the seven of the bundled newspaper, with other makes of front pages.

Each of the five tells of the same four events, by links of headlines, cards with "Full story", a table of
teasers, a weblog, and a page of pictures; so stories are told by several outlets, and what is right is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from tests.fetch.server import Reply, reply

EVENTS = {
    "ferry": (
        "Ferry to Skerry island sails again",
        (
            "The ferry {n} to Skerry island sailed again on Monday after eleven weeks in the dock at Norport. "
            "Captain Ruth Amsel said the new engine had passed every test. Forty islanders waited on the pier "
            "with flags and a brass band. The ferry company will run four crossings a day until the end of "
            "summer, and fares stay as they were. Skerry's grocer said that the shelves of the island had been "
            "empty of fruit for a month."
        ),
    ),
    "comet": (
        "Comet Hadley seen by the naked eye",
        (
            "Comet Hadley {n} can now be seen by the naked eye shortly after sunset, astronomers of the Vale "
            "observatory said. Its tail is four degrees long and points away from the sun. The comet comes back "
            "only every three thousand years. Professor Ines Rook advised people to look low in the west from a "
            "dark field. Clouds are expected to clear. The observatory opens its dome to visitors on Friday and "
            "Saturday night."
        ),
    ),
    "strike": (
        "Tram drivers of Eastmoor end their strike",
        (
            "Tram drivers of Eastmoor {n} ended their strike on Thursday after the transit board offered a rise "
            "of five percent. The union had asked for eight. Trams will run again from the first shift on Friday. "
            "Board chairman Piet Lorne spoke of a fair settlement, drivers of a long winter. Shops on the tram "
            "lines had lost a third of their trade in nine days."
        ),
    ),
    "orchard": (
        "Frost destroys the cherry blossom of the valley",
        (
            "A night of frost {n} has destroyed most of the cherry blossom in the Tarn valley, growers said on "
            "Wednesday. Temperatures fell to five below zero. Orchards near the river lost nine flowers in ten. "
            "The growers' association asks the state for help. Candles and smoke had been lit between the trees "
            "in vain. Cherries will be few and dear this summer."
        ),
    ),
}
OUTLETS = ("courier", "beacon", "ledger", "weblog", "mirror")
MORE = (
    " Readers of the paper wrote to us about it all day, and their letters are printed in the evening edition.",
    " Our reporter was there from the morning on and spoke to many of those who had come.",
    " A spokeswoman would say no more than that before the meeting of the council next week.",
    " It is the third time in ten years, as our archive shows, and the first in spring.",
    " Nobody had expected it to happen so early in the year, least of all those who know it best.",
)


@dataclass(frozen=True)
class OutletStory:
    """A story of one outlet: where it stands, what it says."""

    outlet: str
    event: str
    path: str
    title: str
    text: str
    picture: str

    @property
    def teaser(self) -> str:
        """Its beginning, as a front page prints it."""
        return self.text.partition(". ")[0] + "."


def _stories(at: int, outlet: str) -> list[OutletStory]:
    found = []
    for number, (event, (title, text)) in enumerate(EVENTS.items()):
        path = {
            "courier": f"/news/2026/03/{'-'.join(title.lower().split())}",
            "beacon": f"/story.asp?id={4700 + number}",
            "ledger": f"/a/{17 + number}",
            "weblog": f"/2026/03/1{number}/{event}.html",
            "mirror": f"/articles/{event}-{at}{number}",
        }[outlet]
        own = text.format(n=("", "line", "itself", "of ours", "again")[at]) + MORE[at]
        found.append(OutletStory(outlet, event, path, title, own, f"/pictures/{event}.jpg"))
    return found


STORIES = {outlet: _stories(at, outlet) for at, outlet in enumerate(OUTLETS)}


def _links(stories: list[OutletStory]) -> str:
    return "".join(
        f'<article><h2><a href="{one.path}">{one.title}</a></h2><p>{one.teaser}</p></article>' for one in stories
    )


def _cards(stories: list[OutletStory]) -> str:
    return "".join(
        f'<div class=card><h2>{one.title}</h2><p>{one.teaser}</p><p><a href="{one.path}">Full story</a></p></div>'
        for one in stories
    )


def _table(stories: list[OutletStory]) -> str:
    rows = (
        f'<tr><td><b>{one.title}</b><br>{one.teaser} <a href="{one.path}">Read more</a></td></tr>' for one in stories
    )
    return f"<table>{''.join(rows)}</table>"


def _weblog(stories: list[OutletStory]) -> str:
    return "".join(
        f'<div class=post><h3><a href="{one.path}">{one.title}</a></h3><p>{one.teaser}</p>'
        f'<p class=meta>Posted in <a href="/tag/{one.event}">{one.event}</a></p></div>'
        for one in stories
    )


def _pictures(stories: list[OutletStory]) -> str:
    return "".join(
        f'<div class=tile><a href="{one.path}"><img src="{one.picture}" alt="" width=400 height=300></a>'
        f'<h4><a href="{one.path}">{one.title}</a></h4></div>'
        for one in stories
    )


FRONTS: dict[str, Callable[[list[OutletStory]], str]] = dict(
    zip(OUTLETS, (_links, _cards, _table, _weblog, _pictures), strict=True)
)


def front(outlet: str) -> str:
    """The front page of an outlet."""
    menu = "".join(
        f'<li><a href="/{one}/">{one.title()}</a></li>' for one in "news sport culture about contact".split()
    )
    return (
        f"<!DOCTYPE html><html lang=en><head><title>The {outlet.title()}</title></head><body><nav><ul>{menu}</ul></nav>"
        f"<div id=main>{FRONTS[outlet](STORIES[outlet])}</div><p>© 2026 The {outlet.title()}</p></body></html>"
    )


def page(one: OutletStory) -> str:
    """The page of a story."""
    sentences = [part.strip(" .") + "." for part in one.text.split(". ") if part.strip(" .")]
    paragraphs = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    others = "".join(f'<li><a href="{two.path}">{two.title}</a></li>' for two in STORIES[one.outlet] if two is not one)
    return (
        f"<!DOCTYPE html><html lang=en><head><title>{one.title} - The {one.outlet.title()}</title>"
        f'<meta property="article:published_time" content="2026-03-16T10:00:00Z"></head><body>'
        f'<div class=menu><a href="/">Home</a> <a href="/sport/">Sport</a></div><div class=story><h1>{one.title}</h1>'
        f'<img src="{one.picture}" alt="{one.event}" width=600 height=400>{paragraphs}</div>'
        f"<div class=more><h4>More</h4><ul>{others}</ul></div></body></html>"
    )


def replies() -> dict[str, Reply]:
    """What the five servers send, by host and path."""
    sent: dict[str, Reply] = {}
    kind = {"Content-Type": "text/html; charset=utf-8"}
    for outlet, stories in STORIES.items():
        sent[f"{outlet}.example/"] = reply(front(outlet).encode(), 200, kind)
        for one in stories:
            sent[f"{outlet}.example{one.path}"] = reply(page(one).encode(), 200, kind)
    return sent
