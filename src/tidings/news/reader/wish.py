"""What somebody wants to read, and by which extractor: as an address or a form tells it, and as an address again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from tidings.extractors import DEFAULT
from tidings.extractors.registry import Extractor
from tidings.fields.addresses import safe
from tidings.news.web.asked_extractor import LONGEST, asked_extractor

#: Addresses that are longer stay outside: an address with one inside must fit into a request.
LONGEST_ADDRESS: Final = 2000
_HOST: Final = re.compile(r"[^\s/?#@:]+\.[^\s/?#@:.]{2,}(?::\d{1,5})?(?:[/?#].*)?", re.DOTALL)
_WEB: Final = re.compile("https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wish:
    """A page, and how to read it. An expression goes before a name."""

    url: str = ""
    name: str = ""  # of a registered extractor; empty for the usual one
    expression: str = ""

    @classmethod
    def of(cls, told: Mapping[str, object]) -> Wish:
        """As the fields of a form or the parameters of an address tell it."""

        def text(key: str, most: int) -> str:
            value = told.get(key)
            return value.strip()[:most] if isinstance(value, str) else ""

        expression, name = text("expression", LONGEST + 1), text("with", 100)
        return cls(address(text("url", 4 * LONGEST_ADDRESS)), "" if name == DEFAULT else name, expression)

    @property
    def extractor(self) -> Extractor:
        """The extractor that is asked for.

        Raises:
            ExtractorError: there is none.
        """
        return asked_extractor(self.expression or self.name)

    @property
    def method(self) -> dict[str, str]:
        """How it is read, as parameters; nothing for the usual way."""
        told = {"with": self.name, "expression": self.expression}
        return {key: value for key, value in told.items() if value}

    def at(self, path: str) -> str:
        """The wish as an address of this house."""
        return f"{path}?{urlencode({'url': self.url} | self.method)}"

    def link(self, address: str) -> str | None:
        """Where a link of the page leads: to the same reader, with the same extractor; a mail address stays one."""
        found = safe(address)
        if found is None or not _WEB.match(found) or len(found) > LONGEST_ADDRESS:
            return found
        return replace(self, url=found).at("/read")

    @property
    def original(self) -> str:
        """The page itself, where its address can be shown as a link."""
        found = safe(self.url)
        return found if found and _WEB.match(found) else ""


def address(said: str) -> str:
    """What somebody typed as an address: `example.org/story` means the web."""
    return f"https://{said}" if _HOST.fullmatch(said) else said
