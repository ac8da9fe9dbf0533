"""Translations of the user interface: a folder of TOML tables per language, with the same keys in all.

A text may have placeholders such as `{name}`. A text with a number has the CLDR plural forms of its language (`one`,
`few`, `other` …), selected by `n`. Texts are plain, and templates escape them. Each folder is a language of the
interface; its `language.toml` has the native name and the plural rule.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from tidings.article.direction import is_written_leftwards


def _tables(language: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for table in sorted(files(__name__).joinpath(language).iterdir(), key=lambda one: one.name):
        if table.name.endswith(".toml"):
            yield table.name, tomllib.loads(table.read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class LanguageRules:
    """The rules of a language: its native name, its thousands separator, and its plural rule (a key of `PLURALS`)."""

    name: str
    thousands: str
    plural: str


def _rules() -> Mapping[str, LanguageRules]:
    folders = sorted(one.name for one in files(__name__).iterdir() if one.joinpath("language.toml").is_file())
    return {code: LanguageRules(**dict(_tables(code))["language.toml"]) for code in folders}


def _slavic(n: int) -> str:
    if n % 10 == 1 and n % 100 != 11:
        return "one"
    return "few" if n % 10 in {2, 3, 4} and n % 100 not in {12, 13, 14} else "many"


def _arabic(n: int) -> str:
    if n in {1, 2}:
        return "one" if n == 1 else "two"
    last = n % 100
    return "few" if 3 <= last <= 10 else "many" if 11 <= last <= 99 else "other"


#: Which form a number takes, and all forms there are (Unicode CLDR, plural rules for whole numbers).
PLURALS: Final[Mapping[str, tuple[Callable[[int], str], tuple[str, ...]]]] = {
    "one": (lambda n: "one" if n == 1 else "other", ("one", "other")),
    "none or one": (lambda n: "one" if n in {0, 1} else "other", ("one", "other")),
    "slavic": (_slavic, ("one", "few", "many")),
    "arabic": (_arabic, ("one", "two", "few", "many", "other")),
}
RULES: Final = _rules()
#: The languages of the interface, by the names they have in themselves.
LANGUAGES: Final[Mapping[str, str]] = {code: one.name for code, one in RULES.items()}
FIRST: Final = "en"


@dataclass(frozen=True, slots=True)
class Translation:
    """The texts of the user interface in one language."""

    language: str
    texts: Mapping[str, str]

    def __call__(self, key: str, /, **values: object) -> str:
        """Return the text with a key, filled in with values. `n` selects the plural form.

        Raises:
            KeyError: no text has this key.
        """
        number = values.get("n")
        if isinstance(number, int) and f"{key}.other" in self.texts:
            form = PLURALS[RULES[self.language].plural][0](number)
            key = f"{key}.{form}" if f"{key}.{form}" in self.texts else f"{key}.other"
        text = self.texts[key]
        for name, value in values.items():
            text = text.replace(f"{{{name}}}", self.number(value) if isinstance(value, int) else str(value))
        return text

    @property
    def direction(self) -> str:
        """Return the writing direction: `ltr` or `rtl`."""
        return "rtl" if is_written_leftwards(self.language) else "ltr"

    def number(self, value: int) -> str:
        """Return a number in the notation of the language."""
        return f"{value:,}".replace(",", RULES[self.language].thousands)


@cache
def words(language: str) -> Translation:
    """Return the translation for a language, or for the first language if it has none."""
    language = language if language in LANGUAGES else FIRST
    texts: dict[str, str] = {}
    for name, table in _tables(language):
        if name != "language.toml":
            _flatten(table, "", texts)
    return Translation(language, texts)


def _flatten(table: Mapping[str, Any], before: str, into: dict[str, str]) -> None:
    for key, value in table.items():
        if isinstance(value, Mapping):
            _flatten(value, f"{before}{key}.", into)
        elif f"{before}{key}" in into:
            raise ValueError(f"the text {before}{key} is defined twice")
        else:
            into[f"{before}{key}"] = str(value)


def best_language(header: str, default: str = "") -> str:
    """Return the interface language that an Accept-Language header prefers (RFC 9110, 12.5.4)."""
    language = next((language for language in accepted(header) if language in LANGUAGES), "")
    return language or (default if default in LANGUAGES else FIRST)


def accepted(header: str) -> list[str]:
    """Return the languages of an Accept-Language header, the preferred ones first."""
    weighted: list[tuple[float, str]] = []
    for choice in header[:1000].split(","):
        tag, _, weight = choice.strip().partition(";")
        try:
            preference = float(weight.strip().removeprefix("q=")) if weight else 1.0
        except ValueError:
            continue
        name = tag.split("-")[0].lower()
        if name.isascii() and name.isalpha() and preference > 0:
            weighted.append((-preference, name))
    return [name for _, name in sorted(weighted, key=lambda pair: pair[0])]
