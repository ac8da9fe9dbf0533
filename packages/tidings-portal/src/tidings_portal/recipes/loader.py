"""Parser of recipes in TOML. Errors name the line and the allowed values.

    summary = "The river papers"
    base = "lbnest"                    # defaults for the other keys
    extractor = "vote(dana, danag, bte; 2)"
    poll = "30m"

    [[filter]]                         # in this order; see `tidings links --chain`
    name = "words"
    minimum = 5

    [stories]
    method = "complete-link"
    cut = 0.4

    [options]                          # of the extraction: `tidings.ExtractOptions`
    leave-out = ["aside", ".promo"]
    embedded-posts = "link"

    [[home]]
    address = "https://river.example/"
    folder = "river"

A recipe is data, never executed (HOSTILE 20). Extractors that need a browser, and expressions that run more than
`MOST_COST` extractors, are refused: a watch reads thousands of pages.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeVar

from tidings import extractors
from tidings.errors import BadFilter, BadModel, BadOption, BadRecipe, ExtractorError, did_you_mean
from tidings.extractors import Extractor, entries
from tidings.extractors.registry import ALIASES, needs_siblings
from tidings.options import ExtractOptions
from tidings.page import Page
from tidings.sources import BEST, LBNEST, chain_of
from tidings.urls import URL
from tidings_portal.recipes.recipe import (
    CategoryRule,
    GroupingMethod,
    HomePageEntry,
    PictureRule,
    Recipe,
    StoryGrouping,
    Verification,
)

LONGEST: Final = 100_000
#: The maximum cost of an expression: an extractor costs one, those in `_DEAR` four (10 ms per page, not 1 to 3).
MOST_COST: Final = 24
_DEAR: Final = frozenset({"NEXT", "LBNEST", "CorrelationClustering", "SimilarityBased"})
_CHAINS: Final = {"learned": BEST, "lbnest": LBNEST}
_KINDS: Final = ("auto", "feed", "front", "sitemap")
_TEACHERS: Final = ("extractor", "none")
_MOST_HOME_PAGES: Final = 1000
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")
_LENGTH: Final = re.compile(r"(\d{1,4})\s*(m|h|d)")
_UNITS: Final = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
_TOP: Final = (
    *("summary", "base", "links", "filter", "verify", "extractor", "model", "pictures", "teacher", "stories"),
    *("categories", "languages", "poll", "home", "options"),
)
_STORIES: Final = ("method", "cut", "days", "stems")
_HOME: Final = ("address", "as", "title", "folder")
_TINY: Final = "<html><body><div><p>One sentence of a page that is there to try a model on.</p></div></body></html>"

Choice = TypeVar("Choice", bound=StrEnum)
#: Returns a recipe by its name, for `base`. The names that lead to it are passed, to detect cycles.
FindRecipe = Callable[[str, tuple[str, ...]], Recipe]


def read_recipe(
    text: str, name: str, find: FindRecipe, *, folder: Path | None = None, above: tuple[str, ...] = ()
) -> Recipe:
    """Return the recipe of a TOML text.

    Args:
        text: the TOML text.
        name: the name of the recipe.
        find: returns the base recipe.
        folder: the folder of its model.
        above: the recipes that are based on it, outermost first.

    Raises:
        BadRecipe: it cannot be used; the message names the line, and what is allowed.
    """
    if not _NAME.fullmatch(name):
        raise BadRecipe(name[:60], 0, "a name has small letters, digits and hyphens, and begins with a letter or digit")
    if len(text) > LONGEST:
        raise BadRecipe(name, 0, f"it has {len(text):,} characters; {LONGEST:,} are the most")
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        line = re.search(r"at line (\d+)", str(error))
        last = len(text.splitlines())
        raise BadRecipe(name, int(line[1]) if line else last, f"this is no TOML: {str(error)[:200]}") from None
    return _Declaration(text, name, values, folder).recipe(find, above)


class _Declaration:
    """A partly parsed recipe."""

    def __init__(self, text: str, name: str, values: Mapping[str, Any], folder: Path | None) -> None:
        self._lines = text.splitlines()
        self._name = name
        self._values = values
        self._folder = folder

    def recipe(self, find: FindRecipe, above: tuple[str, ...]) -> Recipe:
        self._only(self._values, _TOP, "a recipe")
        base = Recipe(self._name)
        if "base" in self._values:
            named = self._text("base")
            path = (*above, self._name)
            if named in path:
                raise self._wrong("base", f"it stands on itself: {' → '.join((*path, named))}")
            try:
                base = find(named, path)
            except BadRecipe as error:
                raise self._wrong("base", str(error)) from None
        model = self._model() if "model" in self._values else base.model
        built, extractor = self._extractor(base, model)
        chain, links = self._chain(base)
        return Recipe(
            self._name,
            self._text("summary", base.summary, most=300),
            chain,
            links,
            self._choice("verify", Verification, base.verify),
            extractor,
            model,
            self._choice("pictures", PictureRule, base.pictures),
            self._one_of("teacher", _TEACHERS) == "extractor" if "teacher" in self._values else base.is_teacher,
            self._grouping(base.grouping),
            self._choice("categories", CategoryRule, base.categories),
            self._languages(base.languages),
            self._length("poll", base.poll),
            self._home(),
            self._options(base.options),
            built,
        )

    def _options(self, base: ExtractOptions) -> ExtractOptions:
        table = self._values.get("options", {})
        if not isinstance(table, dict):
            raise self._wrong("options", "the options of the extraction are a table: [options]")
        try:
            return ExtractOptions.from_dict(base.as_dict() | {name.replace("-", "_"): table[name] for name in table})
        except BadOption as error:
            raise self._wrong("options", str(error)) from None

    # -- parts ----------------------------------------------------------------------------------------------

    def _extractor(self, base: Recipe, model: str) -> tuple[Extractor, str]:
        expression = self._text("extractor", base.extractor, most=2000)
        expression = ALIASES.get(expression, expression)
        where = "extractor" if "extractor" in self._values else "model"
        if expression in {entry.name for entry in entries(laid_out=True) if entry.needs_layout}:
            raise self._wrong(
                where, f"{expression} works only on pages that a browser has drawn; take another extractor"
            )
        try:
            built = extractors.extractor(expression)
        except ExtractorError as error:
            raise self._wrong(where, str(error)) from None
        if reason := _unusable(built, expression):
            raise self._wrong(where, reason)
        cost = sum(4 if type(leaf).__name__ in _DEAR else 1 for leaf in _leaves(built))
        if cost > MOST_COST:
            raise self._wrong(where, f"this costs as much as {cost} extractors; {MOST_COST} are the most")
        if model:
            with_model = _with_model(built, model)
            if with_model is None:
                raise self._wrong(
                    "model", f"{expression} takes no model; those of `memory-based`, `learned` and others do"
                )
            built = with_model
        if model or "model=" in expression:
            try:
                built(Page(_TINY))
            except (BadModel, OSError) as error:
                raise self._wrong("model" if "model" in self._values else where, str(error)) from None
            except ExtractorError as error:
                raise self._wrong(where, str(error)) from None
        return built, expression

    def _model(self) -> str:
        model = self._text("model", most=1000)
        path = Path(model).expanduser()
        if not path.is_absolute() and self._folder is not None:
            path = self._folder / path
        return str(path)

    def _chain(self, base: Recipe) -> tuple[Any, str]:
        declared = self._values.get("filter")
        if declared is not None:
            if "links" in self._values:
                raise self._wrong("links", "the recipe declares filters of its own; leave out one of the two")
            if not isinstance(declared, list) or not all(isinstance(table, dict) for table in declared):
                raise self._wrong("filter", "each filter begins with [[filter]], in two pairs of brackets")
            try:
                return chain_of(declared), "own"
            except BadFilter as error:
                number = re.match(r"filter (\d+)", str(error))
                named = re.search(r"filter '([^']*)'", str(error))
                at = int(number[1]) if number else self._number_of(declared, named[1] if named else "")
                raise BadRecipe(self._name, self._line("name", "filter", at), str(error)) from None
        if "links" not in self._values:
            return base.chain, base.links
        kind = self._one_of("links", tuple(_CHAINS))
        return _CHAINS[kind], kind

    @staticmethod
    def _number_of(declared: Sequence[Mapping[str, Any]], name: str) -> int:
        return next((at for at, table in enumerate(declared, 1) if table.get("name") == name), 1)

    def _grouping(self, base: StoryGrouping) -> StoryGrouping:
        values = self._values.get("stories", {})
        if not isinstance(values, dict):
            raise self._wrong("stories", "it is a table: [stories] with method, cut, days and stems")
        self._only(values, _STORIES, "[stories]", "stories")
        method = base.method
        if "method" in values:
            method = self._chosen(values["method"], "method", GroupingMethod, "stories")
        cut = self._number(values, "cut", base.cut, 0.0, 1.0, "stories")
        days = self._number(values, "days", base.days, 1, 90, "stories")
        stems = values.get("stems", base.stemmed)
        if not isinstance(stems, bool):
            raise BadRecipe(
                self._name, self._line("stems", "stories"), f"stems is {str(stems)[:40]!r}; it is true or false"
            )
        return StoryGrouping(method, float(cut), int(days), stems)

    def _languages(self, base: tuple[str, ...]) -> tuple[str, ...]:
        languages = self._values.get("languages")
        if languages is None:
            return base
        if not isinstance(languages, list) or not all(
            isinstance(language, str) and _LANGUAGE.fullmatch(language) for language in languages
        ):
            raise self._wrong("languages", 'it is a list of codes: ["fa", "ar"]')
        return tuple(languages)

    def _home(self) -> tuple[HomePageEntry, ...]:
        tables = self._values.get("home", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise self._wrong("home", "each home page begins with [[home]], in two pairs of brackets")
        if len(tables) > _MOST_HOME_PAGES:
            raise self._wrong("home", f"{len(tables):,} home pages are named; {_MOST_HOME_PAGES:,} are the most")
        return tuple(self._home_page(table, at) for at, table in enumerate(tables, 1))

    def _home_page(self, values: Mapping[str, Any], at: int) -> HomePageEntry:
        self._only(values, _HOME, "[[home]]", "home", at)
        for name, value in values.items():
            if not isinstance(value, str):
                raise BadRecipe(self._name, self._line(name, "home", at), f"{name} is a text")
        address = values.get("address", "")
        line = self._line("address", "home", at)
        if URL.try_parse(address) is None:
            raise BadRecipe(self._name, line, f"{address[:80]!r} is not a valid URL; write https://…")
        kind = values.get("as", "auto")
        if kind not in _KINDS:
            where = self._line("as", "home", at)
            raise BadRecipe(self._name, where, f"as is {kind[:40]!r}; it is one of {', '.join(_KINDS)}")
        return HomePageEntry(address, kind, values.get("title", ""), values.get("folder", ""), line)

    # -- values ---------------------------------------------------------------------------------------------

    def _text(self, key: str, usual: str = "", most: int = 200) -> str:
        value = self._values.get(key, usual)
        if not isinstance(value, str) or (key in self._values and not value.strip()):
            raise self._wrong(key, f"{key} is a text")
        if len(value) > most:
            raise self._wrong(key, f"{key} has {len(value):,} characters; {most:,} are the most")
        return value

    def _one_of(self, key: str, allowed: Sequence[str]) -> str:
        value = self._values[key]
        if value not in allowed:
            raise self._wrong(key, f"{key} is {str(value)[:60]!r}; it is one of {', '.join(allowed)}")
        return str(value)

    def _choice(self, key: str, kind: type[Choice], usual: Choice) -> Choice:
        return self._chosen(self._values[key], key, kind) if key in self._values else usual

    def _chosen(self, value: object, key: str, kind: type[Choice], table: str = "") -> Choice:
        allowed = [member.value for member in kind]
        if value not in allowed:
            reason = f"{key} is {str(value)[:60]!r}; it is one of {', '.join(allowed)}"
            raise BadRecipe(self._name, self._line(key, table), reason)
        return kind(value)

    def _number(self, values: Mapping[str, Any], key: str, usual: float, low: float, high: float, table: str) -> float:
        value = values.get(key, usual)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        is_whole = not isinstance(usual, int) or isinstance(value, int)
        if not is_number or not is_whole or not low <= value <= high:
            what = "a whole number" if isinstance(usual, int) else "a number"
            reason = f"{key} is {str(value)[:40]!r}; it is {what} from {low:g} to {high:g}"
            raise BadRecipe(self._name, self._line(key, table), reason)
        return float(value)

    def _length(self, key: str, usual: timedelta | None) -> timedelta | None:
        if key not in self._values:
            return usual
        match = _LENGTH.fullmatch(self._text(key).strip())
        if match is None or not int(match[1]):
            raise self._wrong(key, f'{key} is a length of time: "30m", "2h", "1d"')
        return int(match[1]) * _UNITS[match[2]]

    # -- errors -----------------------------------------------------------------------------------------------

    def _only(
        self, values: Mapping[str, Any], allowed: Sequence[str], where: str, table: str = "", at: int = 1
    ) -> None:
        for key in values:
            if key not in allowed:
                reason = f"{where} has no part {key[:60]!r}; {did_you_mean(key, tuple(allowed))}"
                raise BadRecipe(self._name, self._line(key, table, at), reason)

    def _wrong(self, key: str, reason: str) -> BadRecipe:
        return BadRecipe(self._name, self._line(key), reason)

    def _line(self, key: str, table: str = "", at: int = 1) -> int:
        """Return the line number of a key in a recipe: at the top level or in the `at`-th table of a name; if it is
        missing, of the table.
        """
        section, count, header = "", 0, 0
        pattern = re.compile(rf"""\s*["']?{re.escape(key)}["']?\s*=""")
        for number, line in enumerate(self._lines, 1):
            if match := re.match(r"\s*\[+\s*([\w.\"'-]+)", line):
                section = match[1].strip("\"'").partition(".")[0]
                count += section == table
                if (section == table and count == at) or (not table and section == key):
                    header = header or number
            elif section == table and (not table or count == at) and pattern.match(line):
                return number
        return header


def _leaves(extractor: Extractor) -> list[Extractor]:
    """Return the extractors that a combination runs."""
    inner = [part for field in dataclasses.fields(extractor) for part in _inside(getattr(extractor, field.name))]  # type: ignore[arg-type]  # every extractor is a dataclass
    return [leaf for part in inner for leaf in _leaves(part)] if inner else [extractor]


def _inside(value: object) -> list[Extractor]:
    several = value if isinstance(value, tuple) else (value,)
    return [item for item in several if isinstance(item, Extractor) and hasattr(item, "__dataclass_fields__")]


def _with_model(extractor: Extractor, model: str) -> Extractor | None:
    """Return a combination of extractors with a model wherever one needs it and has none; None if none does."""
    changes: dict[str, Any] = {}
    for field in dataclasses.fields(extractor):  # type: ignore[arg-type]  # as above
        value = getattr(extractor, field.name)
        if field.name == "model" and value == "":
            changes["model"] = model
        elif inner := _inside(value):
            with_it = {id(part): replaced for part in inner if (replaced := _with_model(part, model)) is not None}
            if with_it and isinstance(value, tuple):
                changes[field.name] = tuple(with_it.get(id(part), part) for part in value)
            elif with_it:
                changes[field.name] = with_it[id(value)]
    return dataclasses.replace(extractor, **changes) if changes else None  # type: ignore[type-var]  # as above


def _unusable(extractor: Extractor, name: str) -> str:
    """Return why an extractor cannot be used by a watcher; "" if it can."""
    if laid_out := sorted({type(leaf).__name__ for leaf in _leaves(extractor)} & _laid_out()):
        return f"{laid_out[0]} works only on pages that a browser has drawn; leave it out"
    return f"{name} compares several pages of a site; here each is read by itself" if needs_siblings(extractor) else ""


def _laid_out() -> frozenset[str]:
    return frozenset(str(entry.place).rpartition(":")[2] for entry in entries(laid_out=True) if entry.needs_layout)
