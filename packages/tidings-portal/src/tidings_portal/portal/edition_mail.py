"""The edition as a standalone page, plain text, feed and e-mail newsletter.

Content from other sites is escaped in HTML and folded to one line in text. Mail headers are set through `email`, which
refuses line breaks (HOSTILE 41).
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
from tidings_portal.accounts.mail_confirmation import address_checked
from tidings_portal.feeds.outgoing import FeedAddresses, FeedEntry, OutFeed, line, name, web
from tidings_portal.portal.edition import Edition, StoryTeaser
from tidings_portal.web.languages import day, moment
from tidings_portal.web.translations import Translation

_SECONDS: Final = 30
_STYLE: Final = (
    "margin:0 auto;max-width:640px;padding:16px;font:16px/1.5 Georgia,serif;color:#1b1a17;background:#fbf9f4"
)


@dataclass(frozen=True, slots=True)
class PaperEdition:
    """An edition with its language, name and portal URL."""

    edition: Edition
    words: Translation
    name: str = "Tidings"
    home: str = ""  # URL of the portal; without it, stories link to the original articles

    @property
    def title(self) -> str:
        """Return the title: name and date."""
        return f"{line(self.name)} – {day(self.words, self.edition.made)}"

    def link(self, story: StoryTeaser) -> str:
        """Return the URL of a story."""
        return f"{self.home}{story.address}" if self.home else web(story.link)

    def sections(self) -> Iterator[tuple[str, Sequence[StoryTeaser]]]:
        """Yield the sections with their titles."""
        if self.edition.top:
            yield self.words("front.top"), self.edition.top
        for section in self.edition.sections:
            yield self.words(f"topic.{section.topic}"), section.stories


def as_page(paper: PaperEdition) -> str:
    """Return the edition as a standalone HTML page, for a file or an e-mail."""
    direction = paper.words.direction
    parts = [
        f'<!doctype html>\n<html lang="{paper.words.language}" dir="{direction}"><head><meta charset="utf-8">',
        Markup("<title>{}</title></head>").format(paper.title),
        f'<body style="{_STYLE}">',
        Markup("<h1>{}</h1><p>{}</p>").format(paper.title, _edition_line(paper)),
    ]
    for title, stories in paper.sections():
        parts.append(Markup("<h2>{}</h2>").format(title))
        parts += [_story(paper, one) for one in stories]
    return "\n".join(map(str, (*parts, "</body></html>", "")))


def _story(paper: PaperEdition, story: StoryTeaser) -> Markup:
    title, link = line(story.story.title), paper.link(story)
    headline = Markup('<a style="color:#16456f" href="{}">{}</a>').format(link, title) if link else escape(title)
    summary = Markup("<p>{}</p>").format(line(story.summary)) if story.summary else ""
    return Markup('<div lang="{}" dir="{}"><h3>{}</h3>{}<p style="color:#5a554c;font-size:14px">{}</p></div>').format(
        story.story.language, story.direction, headline, summary, _source_names(story)
    )


def as_text(paper: PaperEdition) -> str:
    """Return the edition as plain text."""
    parts = [paper.title, _edition_line(paper), ""]
    for title, stories in paper.sections():
        parts += [title.upper(), ""]
        for story in stories:
            parts_of_story = (line(story.story.title), line(story.summary), _source_names(story), paper.link(story))
            parts += [*filter(None, parts_of_story), ""]
    return "\n".join(parts)


def as_feed(paper: PaperEdition) -> OutFeed:
    """Return the edition as a feed with an entry per story."""
    entries: dict[int, FeedEntry] = {}
    for title, stories in paper.sections():
        for story in stories:
            entries.setdefault(story.story.id, _entry(paper, story, title))
    places = FeedAddresses(home=paper.home)
    return OutFeed(
        name("edition"), paper.title, _edition_line(paper), paper.words.language, tuple(entries.values()), places
    )


def _entry(paper: PaperEdition, story: StoryTeaser, section: str) -> FeedEntry:
    return FeedEntry(
        id=name(f"story {story.story.id} {story.story.first.isoformat()}"),
        address=web(paper.link(story)),
        title=line(story.story.title),
        published=story.story.last,
        updated=story.story.last,
        changed=story.story.last,
        categories=(section,),
        language=story.story.language,
        direction=story.direction,
        summary=line(story.summary),
        image=web(story.image),
        site=line(story.sources[0]) if story.sources else "",
        story=story.story.id,
    )


def _edition_line(paper: PaperEdition) -> str:
    return paper.words("front.edition", time=moment(paper.words, paper.edition.made))


def _source_names(story: StoryTeaser) -> str:
    return ", ".join(map(line, story.sources))


class MailSecurity(StrEnum):
    """Transport security of an SMTP server."""

    STARTTLS = "starttls"
    TLS = "tls"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class MailServer:
    """An SMTP server for outgoing mail."""

    host: str
    port: int = 587
    security: MailSecurity = MailSecurity.STARTTLS
    user: str = ""
    password: str = field(default="", repr=False)

    def send(self, message: EmailMessage) -> None:
        """Send a message.

        Raises:
            InputError: the server refused it. The error has the reason, without the password.
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
                server.send_message(message)
        except (OSError, smtplib.SMTPException) as error:
            why = f"{type(error).__name__}: {error}".replace(self.password or "\0", "…")
            raise InputError(f"{self.host}, port {self.port} did not take the letter ({line(why)[:300]})") from error


def _trust() -> ssl.SSLContext:
    return ssl.create_default_context()


def letter(paper: PaperEdition, sender: str, recipients: Sequence[str]) -> EmailMessage:
    """Return the edition as an e-mail with a plain text and an HTML part.

    Raises:
        InputError: an e-mail address is invalid.
    """
    for address in (sender, *recipients):
        address_checked(address)
    message = EmailMessage()
    message["Subject"] = line(paper.title)
    message["From"] = sender
    message["To"] = ", ".join(recipients)
    message["Date"] = format_datetime(paper.edition.made)
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(as_text(paper))
    message.add_alternative(as_page(paper), subtype="html")
    return message
