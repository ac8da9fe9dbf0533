"""Browsers that somebody has signed in with before: what strangers do with a name is not held against them.

As OWASP has it ("Slow Down Online Guessing Attacks with Device Cookies"): at the first sign-in a browser gets a random
number and a mark, which only this house can make, that binds it to the name. It opens nothing: attempts from it
are counted apart, that is all. Nothing of it is stored; where failures are counted it stands by its digest.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from typing import Final

from starlette.requests import HTTPConnection

from tidings.news.web.house import House
from tidings.news.web.proxies import address_of
from tidings.news.web.tokens import digest_of
from tidings.news.web.visit import DEVICE

_PURPOSE: Final = "device"
#: Names that one browser is known by: those of a household.
_MOST: Final = 8
_WRITTEN: Final = re.compile(rf"([0-9a-f]{{32}})((?:\.[0-9a-f]{{32}}){{0,{_MOST}}})")


@dataclass(frozen=True, slots=True)
class Device:
    """A browser: where it is, its number, and the marks of the names that it was signed in with, the last one first."""

    address: str  # what visitors are counted by: `publish.web.proxies`
    number: str = ""
    marks: tuple[str, ...] = ()

    @classmethod
    def of(cls, connection: HTTPConnection) -> Device:
        """The browser that a request comes from, as its cookie says; one without a number if it says nothing."""
        found = _WRITTEN.fullmatch(connection.cookies.get(DEVICE, ""))
        address = address_of(connection)
        return cls(address) if found is None else cls(address, found[1], tuple(found[2].split(".")[1:]))

    def known_as(self, house: House, name: str) -> str:
        """What attempts with a name are counted by, if the browser was signed in with it before; else empty."""
        is_known = [house.is_signed(_PURPOSE, f"{self.number} {name}", mark) for mark in self.marks]
        return digest_of(self.number) if any(is_known) else ""

    def signed_in(self, house: House, name: str) -> Device:
        """The browser after a sign-in with a name."""
        number = self.number or secrets.token_hex(16)
        mark = house.sign(_PURPOSE, f"{number} {name}")
        return Device(self.address, number, (mark, *(one for one in self.marks if one != mark))[:_MOST])

    @property
    def cookie(self) -> str:
        """What the browser keeps."""
        return ".".join((self.number, *self.marks))
