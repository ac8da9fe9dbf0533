"""What the portal says, in each of its languages: plain tables, one folder a language, the same keys in all.

A text may hold `{name}`, which is filled in; one that counts has the forms `one` and `other`, chosen by `n`. Nothing in
a text is markup: whoever shows it escapes it as any text.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from tidings.article.direction import is_written_leftwards

#: The languages of the interface, by the names they have in themselves.
LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "tr": "Türkçe"}
FIRST: Final = "en"


@dataclass(frozen=True, slots=True)
class Translation:
    """The words of one language."""

    language: str
    texts: Mapping[str, str]

    def __call__(self, key: str, /, **values: object) -> str:
        """A text by its key.

        Raises:
            KeyError: there is none; a page that asks for it is wrong.
        """
        if "n" in values and f"{key}.other" in self.texts:
            key = f"{key}.one" if values["n"] == 1 and f"{key}.one" in self.texts else f"{key}.other"
        text = self.texts[key]
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", self.number(value) if isinstance(value, int) else str(value))
        return text

    @property
    def direction(self) -> str:
        """The way the language is written: ltr or rtl."""
        return "rtl" if is_written_leftwards(self.language) else "ltr"

    def number(self, value: int) -> str:
        """A number as it is written in the language."""
        mark = {"tr": "."}.get(self.language, ",")
        return f"{value:,}".replace(",", mark)


@cache
def words(language: str) -> Translation:
    """The words of a language; those of the first one where there is no such language."""
    language = language if language in LANGUAGES else FIRST
    texts: dict[str, str] = {}
    for table in sorted(files(__name__).joinpath(language).iterdir(), key=lambda one: one.name):
        if table.name.endswith(".toml"):
            _flatten(tomllib.loads(table.read_text("utf-8")), "", texts)
    return Translation(language, texts)


def _flatten(table: Mapping[str, Any], before: str, into: dict[str, str]) -> None:
    for key, value in table.items():
        if isinstance(value, Mapping):
            _flatten(value, f"{before}{key}.", into)
        elif f"{before}{key}" in into:
            raise ValueError(f"the text {before}{key} is there twice")
        else:
            into[f"{before}{key}"] = str(value)


def wanted(asked: str, default: str = "") -> str:
    """The language of ours that a browser likes best (RFC 9110, 12.5.4)."""
    found = next((one for one in accepted(asked) if one in LANGUAGES), "")
    return found or (default if default in LANGUAGES else FIRST)


def accepted(asked: str) -> list[str]:
    """The languages that a browser asks for, the best first."""
    found: list[tuple[float, str]] = []
    for choice in asked[:1000].split(","):
        tag, _, weight = choice.strip().partition(";")
        try:
            liking = float(weight.strip().removeprefix("q=")) if weight else 1.0
        except ValueError:
            continue
        name = tag.split("-")[0].lower()
        if name.isascii() and name.isalpha() and liking > 0:
            found.append((-liking, name))
    return [name for _, name in sorted(found, key=lambda one: one[0])]
