"""The outlets: their addresses, dates, phrases, and the rest of a story's page: teasers, comments, advertisements.

Nothing here is random: where a page needs some comments or some teasers, `pick` chooses by a hash, so the
same sources always make the same bytes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from storyfile import Story

RIGHT_TO_LEFT = frozenset({"ar", "fa", "ur", "ps", "he"})

# Label in the page → Python codec. A page that says iso-8859-1 is read as windows-1252 by every browser.
CODECS = {
    "utf-8": "utf-8",
    "iso-8859-1": "cp1252",
    "windows-1254": "cp1254",
    "shift_jis": "cp932",
}

# Every story is from March 2026. In the Persian calendar that is Esfand 1404, nine days further on.
_DAY = {
    "en": "{day} March 2026",
    "de": "{day}. März 2026",
    "fr": "{day} mars 2026",
    "ja": "2026年3月{day}日",
    "tr": "{day} Mart 2026",
    "ar": "{day} مارس/ آذار 2026",
    "fa": "{day_fa} مارس ۲۰۲۶ - {esfand} اسفند ۱۴۰۴",
    "ur": "{day} مارچ 2026",
    "ps": "{day} مارچ 2026",
    "he": "{day} במרץ 2026",
}
_PERSIAN_DIGITS = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")

Phrases = Mapping[str, Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outlet:
    """One newspaper, agency or encyclopaedia, as described in `templates/<outlet>/outlet.toml`."""

    slug: str
    title: str
    host: str
    url: str  # path of a story, with {section} {slug} {number} {name} {lang} {day}
    langs: tuple[str, ...]  # the first is the language of the front page
    feed: str  # rss, atom, rdf or json
    feed_path: str
    charset: str = "utf-8"
    charsets: Mapping[str, str] = field(default_factory=dict)  # by language, and "front"
    front_by_lang: bool = False  # one front page and one feed for each language
    redesign: date | None = None  # pages before this day are drawn by article-old.html
    old_url: str = ""
    tagline: str = ""
    menu: tuple[str, ...] = ()
    services: tuple[str, ...] = ()

    def charset_of(self, story: Story) -> str:
        """The encoding that the page of the story declares."""
        return story.charset or self.charsets.get(story.lang, self.charset)

    def mark_of(self, story: Story) -> str | None:
        """The word "old" or "new" when the outlet was redesigned, else nothing."""
        if self.redesign is None:
            return None
        return "old" if story.day < self.redesign else "new"

    def url_of(self, story: Story) -> str:
        """The address of a story."""
        path = self.old_url if self.mark_of(story) == "old" else self.url
        return f"https://{self.host}" + path.format(
            section=slugify(story.section) or "news",
            slug=story.slug,
            number=number(f"{story.outlet}/{story.slug}"),
            name=quote(story.title.replace(" ", "_")),
            lang=story.lang,
            day=story.day.strftime("%Y%m%d"),
        )


@dataclass(frozen=True, slots=True)
class Teaser:
    """A link to a story as other pages show it. `more`: only a "read more" anchor is linked."""

    title: str
    url: str
    summary: str = ""
    image: str = ""
    section: str = ""
    published: datetime | date | None = None
    more: bool = False
    lang: str = ""


@dataclass(frozen=True, slots=True)
class Comment:
    """What a reader wrote under a story."""

    name: str
    text: str
    clock: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything on a page that is not its story."""

    related: Sequence[Teaser]
    latest: Sequence[Teaser]
    comments: Sequence[Comment]
    appended: Story | None
    hidden: Sequence[str]
    ads: Sequence[str]

    def noise(self, story: Story, phrases: Phrases) -> dict[str, list[str]]:
        """For each trap of the story, words that are on the page and must not be in its text."""
        words: dict[str, list[str]] = {
            "comments": [comment.text for comment in self.comments],
            "related": [teaser.title for teaser in self.related],
            "appended": self.appended.gold["paragraphs"][:3] if self.appended else [],
            "consent": [phrases["consent_text"]],
            "hidden": list(self.hidden),
            "share": [phrases["share"]],
            "ads": list(self.ads),
            "unclosed": [],
        }
        chosen = {trap: words[trap] for trap in story.traps}
        if story.kind == "teaser":
            chosen["paywall"] = [phrases["paywall_text"]]
        return chosen


@dataclass(frozen=True, slots=True)
class Newspaper:
    """All sources: outlets, stories and the phrases of the interface."""

    outlets: Mapping[str, Outlet]
    stories: Sequence[Story]
    phrases: Mapping[str, Phrases]

    def stories_of(self, outlet: Outlet, lang: str | None = None) -> list[Story]:
        """The stories of an outlet, newest first."""
        found = [s for s in self.stories if s.outlet == outlet.slug and lang in (None, s.lang)]
        return sorted(found, key=lambda s: (s.day, s.published.isoformat(), s.slug), reverse=True)

    def teaser(self, story: Story, *, more: bool = False) -> Teaser:
        """How other pages point to a story."""
        url = self.outlets[story.outlet].url_of(story)
        return Teaser(story.title, url, story.summary, story.image, story.section, story.published, more, story.lang)

    def surroundings(self, story: Story) -> Surroundings:
        """Choose the rest of a story's page. The traps of the story decide which parts the template shows."""
        outlet, phrases = self.outlets[story.outlet], self.phrases[story.lang]
        siblings = [s for s in self.stories_of(outlet, story.lang) if s != story]
        cousins = [s for s in self.stories if s.lang == story.lang and s.outlet != story.outlet]
        older = [s for s in siblings if s.day <= story.day]
        follower = next((s for s in older + siblings + cousins if s.kind in ("article", "list", "column")), None)
        if "appended" in story.traps and follower is None:
            raise ValueError(f"{story.outlet}/{story.slug}: no other story in {story.lang!r} to append")
        invented = [
            Teaser(words, f"https://{outlet.host}/{slugify(story.section) or 'news'}/{number(words)}")
            for words in pick(phrases["teasers"], 5, story.slug)
        ]
        teasers = [self.teaser(s) for s in pick(siblings, 3, story.slug, key=lambda s: s.slug)]
        names = pick(phrases["comment_names"], 4, story.slug)
        texts = pick(phrases["comment_texts"], 4, story.slug)
        return Surroundings(
            related=[*teasers, *invented][:5],
            latest=invented,
            comments=[
                Comment(name, text, f"{8 + place * 3:02}:{number(text) % 60:02}")
                for place, (name, text) in enumerate(zip(names, texts, strict=False))
            ],
            appended=follower if "appended" in story.traps else None,
            hidden=[phrases["newsletter_text"], *pick(phrases["teasers"], 2, f"hidden {story.slug}")],
            ads=pick(phrases["ad_texts"], 3, story.slug),
        )


def read_outlet(folder: Path) -> Outlet:
    """Read the description of an outlet from the folder of its templates."""
    described = tomllib.loads((folder / "outlet.toml").read_text(encoding="utf-8"))
    for name in ("langs", "menu", "services"):
        described[name] = tuple(described.get(name, ()))
    return Outlet(slug=folder.name, **described)


def pick(items: Sequence[T], count: int, seed: str, key: Callable[[T], str] = str) -> list[T]:
    """Choose some items in an order that depends on nothing but their words and the seed."""
    return sorted(items, key=lambda item: sha256(f"{seed}/{key(item)}".encode()).digest())[:count]


def number(words: str) -> int:
    """A five-digit number for these words, always the same."""
    return int(sha256(words.encode()).hexdigest()[:8], 16) % 90_000 + 10_000


def token(words: str, length: int = 8) -> str:
    """Letters and digits for these words, always the same, as build tools make them."""
    return sha256(words.encode()).hexdigest()[:length]


def slugify(words: str) -> str:
    """The words in a form for addresses; nothing is left of words in other than Latin letters."""
    folded = words.lower().translate(str.maketrans("äöüßéèêçğışñ", "aouseeecgisn"))
    return re.sub(r"[^a-z0-9]+", "-", folded).strip("-")


def spoken_day(moment: datetime | date, lang: str) -> str:
    """The day as the language writes it."""
    if (moment.year, moment.month) != (2026, 3):
        raise ValueError(f"{moment}: stories are from March 2026; add the month to newspaper/press.py")
    return _DAY[lang].format(
        day=moment.day,
        day_fa=str(moment.day).translate(_PERSIAN_DIGITS),
        esfand=str(moment.day + 9).translate(_PERSIAN_DIGITS),
    )


def clock(moment: datetime | date, lang: str = "en") -> str:
    """The time of day, empty when only the day is known."""
    if not isinstance(moment, datetime):
        return ""
    return f"{moment:%H:%M}".translate(_PERSIAN_DIGITS) if lang == "fa" else f"{moment:%H:%M}"


def sloppy(words: str) -> str:
    """Escape only what would break the page: as hand-made templates do, `&` and a lone `<` stay bare."""
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", words)
