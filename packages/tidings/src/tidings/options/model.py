"""`ExtractOptions`: every option of an extraction, declared once."""

# ruff: noqa: RUF009  # the functions that declare options return fields

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from tidings.errors import BadOption, InputError, did_you_mean
from tidings.options.fields import (
    OptionKind,
    OptionSpec,
    choice,
    flag,
    function,
    language_codes,
    number,
    seconds,
    selectors,
    spec_of,
    text,
    texts,
)

if TYPE_CHECKING:
    from tidings.extractors.opinion import SecondOpinion

#: What to do with a part of the story: leave it to the extractor, always keep it inside the story, or drop it.
Convention = Literal["auto", "keep", "drop"]
_CONVENTIONS: Final = ("auto", "keep", "drop")
_TABLE: Final = "extract"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractOptions:
    """The options of an extraction, for every interface.

    Options are checked when they are created; a wrong one raises `BadOption`, which names it.

        >>> from tidings import ExtractOptions
        >>> ExtractOptions(prefer="recal")
        Traceback (most recent call last):
        tidings.errors.BadOption: the option prefer must be one of 'precision', 'balanced', 'recall', not 'recal'

    An article that a filter refuses has no text, and `doubt` begins with "left out: ".
    """

    prefer: Literal["precision", "balanced", "recall"] = choice(
        "balanced", ("precision", "balanced", "recall"), "Uncertain blocks: leave out, weigh or keep."
    )
    title: str | None = text("Title of the page in a feed or link. It selects one of several stories.")
    summary: str | None = text("Description of the page in a feed.")
    leave_out: tuple[str, ...] = texts(
        "Leave out elements by CSS selector, such as aside, .promo or #related; repeatable.", "SELECTOR", selectors
    )
    embedded_posts: Literal["keep", "link", "drop"] = choice(
        "keep", ("keep", "link", "drop"), "Posts of social networks inside the story: text, only a link, or nothing."
    )
    captions: Convention = choice("auto", _CONVENTIONS, "Captions of pictures.")
    standfirst: Convention = choice("auto", _CONVENTIONS, "Standfirst: the summary between headline and text.")
    key_points: Convention = choice("auto", _CONVENTIONS, "Boxes with key points.")
    ai_summaries: Convention = choice("auto", _CONVENTIONS, "Summaries that are marked as made by AI.")
    fact_boxes: Convention = choice("auto", _CONVENTIONS, "Fact boxes.")
    read_more: Convention = choice("auto", _CONVENTIONS, "Lines that lead to other stories: read more, also read.")
    entry_times: Convention = choice("auto", _CONVENTIONS, "Lines with only the time of a live-blog entry.")
    links: bool = flag(True, "Keep links.")
    images: bool = flag(True, "Keep pictures.")
    tables: bool = flag(True, "Keep tables.")
    comments: bool = flag(True, "Keep comments of readers, which are no part of the text.")
    formatting: bool = flag(True, "Keep bold, italic and other inline formatting.")
    deduplicate: bool = flag(False, "Keep a block only once if the text repeats it.")
    details: bool = flag(False, "Also extract prices, e-mail addresses, telephone numbers and products.")
    languages: tuple[str, ...] = texts("Only articles in these languages.", "tr,en", language_codes)
    with_metadata_only: bool = flag(False, "Only articles with title, URL and date.")
    min_page_size: int = number(0, "Only pages with at least this much HTML.", "CHARACTERS")
    max_page_size: int | None = number(None, "Only pages with at most this much HTML.", "CHARACTERS")
    min_text_length: int = number(0, "Only articles with at least this much text.", "CHARACTERS")
    max_text_length: int | None = number(None, "Only articles with at most this much text.", "CHARACTERS")
    url_blacklist: tuple[str, ...] = texts("Leave out pages with this URL or host; repeatable.", "URL")
    author_blacklist: tuple[str, ...] = texts("Leave out articles by this author; repeatable.", "NAME")
    timeout: float | None = seconds("Longest processor time for a page.")
    second_opinion: SecondOpinion | None = function("A function that is asked about doubtful pages.")

    def __post_init__(self) -> None:
        for name, (spec, default) in specs().items():
            value = getattr(self, name)
            if value is not default:
                object.__setattr__(self, name, spec.checked(name, value))
        for name in ("min_page_size", "min_text_length"):
            if getattr(self, name) is None:
                raise BadOption(name, "must be a whole number; 0 is no limit")

    @property
    def is_default(self) -> bool:
        """Whether all options have their default values."""
        return self is DEFAULT or self == DEFAULT

    def replace(self, **changes: Any) -> Self:
        """Return the options with some changes.

        Raises:
            BadOption: an option does not exist or has a wrong value.
        """
        _only_options(changes)
        return replace(self, **changes)

    def as_dict(self) -> dict[str, Any]:
        """Return the options that differ from their defaults, with lists in place of tuples."""
        values = {name: getattr(self, name) for name, (_, default) in specs().items() if getattr(self, name) != default}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Create options from values by name; hyphens in names stand for underscores.

        Raises:
            BadOption: an option does not exist, has a wrong value, or is a function.
        """
        named = {name.replace("-", "_"): value for name, value in values.items()}
        _only_options(named)
        for name in named:
            if specs()[name][0].kind is OptionKind.FUNCTION:
                raise BadOption(name, "is a Python function, which data cannot contain")
        return cls(**named)

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read options from the table `[extract]` of a TOML file, or from its top level if it has no tables.

        Raises:
            InputError: the file cannot be read.
            BadOption: an option does not exist or has a wrong value.
        """
        import tomllib  # noqa: PLC0415  # needed for files only

        try:
            values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise InputError(f"the options in {path} cannot be read: {error}") from error
        table = values.get(_TABLE)
        return cls.from_dict(table if isinstance(table, dict) else values)


@cache
def specs() -> dict[str, tuple[OptionSpec, Any]]:
    """Return the specification and the default of each option."""
    return {field.name: (spec_of(field), field.default) for field in fields(ExtractOptions)}


def options_help() -> str:
    """Return one line about each option that data can contain, with its values."""
    lines = []
    for name, (spec, default) in specs().items():
        if spec.kind is not OptionKind.FUNCTION:
            values = "/".join(spec.choices) or ("a list" if spec.kind is OptionKind.TEXTS else spec.kind.value)
            usual = "" if default in (None, ()) else f", default {str(default).lower()}"
            lines.append(f"{name} ({values}{usual}): {spec.help}")
    return "\n".join(lines)


def _only_options(values: Mapping[str, Any]) -> None:
    for name in values:
        if name not in specs():
            raise BadOption(str(name)[:60], f"does not exist; {did_you_mean(str(name)[:60], tuple(specs()))}")


def _checking(init: Callable[..., None]) -> Callable[..., None]:
    """Return the constructor with a typed error for an option that does not exist."""

    @wraps(init)
    def checked(self: ExtractOptions, **values: Any) -> None:
        _only_options(values)
        init(self, **values)

    return checked


setattr(ExtractOptions, "__init__", _checking(ExtractOptions.__init__))  # noqa: B010  # mypy refuses the assignment
#: All options with their default values.
DEFAULT: Final = ExtractOptions()
