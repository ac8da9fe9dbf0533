"""An edition to take along: as a page, as plain text, as a feed, as a letter.

What came from strangers is escaped in the page and is on one line in the text; no header of a letter is made of it but
by `email`, which refuses what would begin another one (HOSTILE 41).
"""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from enum import StrEnum
from typing import Final

from markupsafe import Markup, escape

from tidings.errors import InputError
from tidings.news.accounts.mail_confirmation import address_checked
from tidings.news.feeds.outgoing import FeedAddresses, FeedEntry, OutFeed, line, name, web
from tidings.news.portal.edition import Edition, StoryTeaser
from tidings.news.web.languages import day, moment
from tidings.news.web.translations import Translation

_SECONDS: Final = 30
_STYLE: Final = (
    "margin:0 auto;max-width:640px;padding:16px;font:16px/1.5 Georgia,serif;color:#1b1a17;background:#fbf9f4"
)


@dataclass(frozen=True, slots=True)
class PaperEdition:
    """An edition, in whose words, under which name, and where its portal is."""

    edition: Edition
    words: Translation
    name: str = "Tidings"
    home: str = ""  # of the portal; without one, stories lead to where they were told

    @property
    def title(self) -> str:
        """What it is called."""
        return f"{line(self.name)} – {day(self.words, self.edition.made)}"

    def link(self, one: StoryTeaser) -> str:
        """Where a story leads."""
        return f"{self.home}{one.address}" if self.home else web(one.link)

    def sections(self) -> Iterator[tuple[str, Sequence[StoryTeaser]]]:
        """What is told, with the name of each part."""
        if self.edition.top:
            yield self.words("front.top"), self.edition.top
        for section in self.edition.sections:
            yield self.words(f"topic.{section.topic}"), section.stories


def as_page(paper: PaperEdition) -> str:
    """The edition as a page that needs nothing else: for a file, or a letter."""
    direction = paper.words.direction
    parts = [
        f'<!doctype html>\n<html lang="{paper.words.language}" dir="{direction}"><head><meta charset="utf-8">',
        Markup("<title>{}</title></head>").format(paper.title),
        f'<body style="{_STYLE}">',
        Markup("<h1>{}</h1><p>{}</p>").format(paper.title, _made(paper)),
    ]
    for title, stories in paper.sections():
        parts.append(Markup("<h2>{}</h2>").format(title))
        parts += [_story(paper, one) for one in stories]
    return "\n".join(map(str, (*parts, "</body></html>", "")))


def _story(paper: PaperEdition, one: StoryTeaser) -> Markup:
    title, link = line(one.story.title), paper.link(one)
    headline = Markup('<a style="color:#16456f" href="{}">{}</a>').format(link, title) if link else escape(title)
    summary = Markup("<p>{}</p>").format(line(one.summary)) if one.summary else ""
    return Markup('<div lang="{}" dir="{}"><h3>{}</h3>{}<p style="color:#5a554c;font-size:14px">{}</p></div>').format(
        one.story.language, one.direction, headline, summary, _tellers(one)
    )


def as_text(paper: PaperEdition) -> str:
    """The edition as plain text."""
    parts = [paper.title, _made(paper), ""]
    for title, stories in paper.sections():
        parts += [title.upper(), ""]
        for one in stories:
            told = (line(one.story.title), line(one.summary), _tellers(one), paper.link(one))
            parts += [*filter(None, told), ""]
    return "\n".join(parts)


def as_feed(paper: PaperEdition) -> OutFeed:
    """The edition as a feed: an entry a story."""
    seen: dict[int, FeedEntry] = {}
    for title, stories in paper.sections():
        for one in stories:
            seen.setdefault(one.story.id, _entry(paper, one, title))
    places = FeedAddresses(home=paper.home)
    return OutFeed(name("edition"), paper.title, _made(paper), paper.words.language, tuple(seen.values()), places)


def _entry(paper: PaperEdition, one: StoryTeaser, section: str) -> FeedEntry:
    return FeedEntry(
        id=name(f"story {one.story.id} {one.story.first.isoformat()}"),
        address=web(paper.link(one)),
        title=line(one.story.title),
        published=one.story.last,
        updated=one.story.last,
        changed=one.story.last,
        categories=(section,),
        language=one.story.language,
        direction=one.direction,
        summary=line(one.summary),
        image=web(one.image),
        site=line(one.sources[0]) if one.sources else "",
        story=one.story.id,
    )


def _made(paper: PaperEdition) -> str:
    return paper.words("front.edition", time=moment(paper.words, paper.edition.made))


def _tellers(one: StoryTeaser) -> str:
    return ", ".join(map(line, one.sources))


class MailSecurity(StrEnum):
    """How a server is spoken to."""

    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where letters are handed over."""

    host: str
    port: int = 587
    security: MailSecurity = MailSecurity.STARTTLS
    user: str = ""
    password: str = field(default="", repr=False)

    def send(self, letter: EmailMessage) -> None:
        """Hand a letter over.

        Raises:
            InputError: it was not taken; the sentence says why, without the password.
        """
        try:
            if self.security is MailSecurity.TLS:
                server: smtplib.SMTP = smtplib.SMTP_SSL(self.host, self.port, timeout=_SECONDS, context=_trust())
            else:
                server = smtplib.SMTP(self.host, self.port, timeout=_SECONDS)
            with server:
                if self.security is MailSecurity.STARTTLS:
                    server.starttls(context=_trust())
                if self.user:
                    server.login(self.user, self.password)
                server.send_message(letter)
        except (OSError, smtplib.SMTPException) as error:
            why = f"{type(error).__name__}: {error}".replace(self.password or "\0", "…")
            raise InputError(f"{self.host}, port {self.port} did not take the letter ({line(why)[:300]})") from error


def _trust() -> ssl.SSLContext:
    return ssl.create_default_context()


def letter(paper: PaperEdition, sender: str, recipients: Sequence[str]) -> EmailMessage:
    """The edition as a letter: plain text, and the page beside it.

    Raises:
        InputError: somebody's address is none.
    """
    for one in (sender, *recipients):
        address_checked(one)
    made = EmailMessage()
    made["Subject"] = line(paper.title)
    made["From"] = sender
    made["To"] = ", ".join(recipients)
    made["Date"] = format_datetime(paper.edition.made)
    made["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    made["Auto-Submitted"] = "auto-generated"
    made.set_content(as_text(paper))
    made.add_alternative(as_page(paper), subtype="html")
    return made
