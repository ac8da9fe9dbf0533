"""Filter chains and their configuration in TOML or XML (LBNEST II.C.2: filter sequences of the configuration).

    [[filter]]
    name = "words"
    minimum = 4

    <filters><filter name="words" minimum="4"/></filters>

A configuration is data (filter names with parameters) and nothing in it is executed (HOSTILE 20).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, get_args, get_origin, get_type_hints

from tidings.errors import BadFilter, BadPattern, did_you_mean
from tidings.sources.front.filters import (
    FILTERS,
    FORMER_FILTERS,
    FORMER_PARAMETERS,
    Filter,
    FilterVerdict,
    HomePages,
    LearnedFilter,
    LinkCandidate,
    PageContext,
    SameSite,
    SiteName,
    WordsFilter,
    checked,
)
from tidings.sources.problems import ProblemKind
from tidings.sources.xml_tree import XmlNode, read_xml

_LONGEST: Final = 100_000
_MOST_FILTERS: Final = 50
_MOST_PATTERNS: Final = 100


@dataclass(frozen=True, slots=True)
class Chain:
    """Filters in the order of their evaluation, with their names."""

    filters: tuple[tuple[str, Filter], ...]

    def judge(self, candidate: LinkCandidate, view: PageContext) -> tuple[FilterVerdict, str]:
        """Return the verdict of the chain on a link and the name of the deciding filter.

        The first filter that drops the link decides. If a filter asks for the teaser, later filters are still
        evaluated, because one of them may drop the link.
        """
        asking = ""
        for name, link_filter in self.filters:
            verdict = link_filter(candidate, view)
            if verdict is FilterVerdict.DROP:
                return verdict, name
            if verdict is FilterVerdict.ASK:
                asking = asking or name
        return (FilterVerdict.ASK, asking) if asking else (FilterVerdict.PASS, "")


#: The published chain: number of words and the site's name.
LBNEST: Final = Chain((("home-pages", HomePages()), ("words", WordsFilter()), ("site-name", SiteName())))
#: The default: the learned model on links within the site.
BEST: Final = Chain(
    (("home-pages", HomePages()), ("same-site", SameSite()), ("site-name", SiteName()), ("learned", LearnedFilter()))
)


def read_chain(text: str) -> Chain:
    """Parse a chain from TOML or XML.

    Raises:
        BadFilter: the text is invalid, or names an unknown filter.
    """
    if len(text) > _LONGEST:
        raise BadFilter(f"the declaration has {len(text):,} characters; {_LONGEST:,} are enough")
    return chain_of(_of_xml(text) if text.lstrip("\ufeff \t\r\n").startswith("<") else _of_toml(text))


def chain_of(declared: Sequence[Mapping[str, Any]]) -> Chain:
    """Build a chain from filter names with parameters.

    Raises:
        BadFilter: a filter or one of its parameters is unknown.
    """
    if not declared:
        raise BadFilter('no filter is declared; begin with [[filter]] and name = "words"')
    if len(declared) > _MOST_FILTERS:
        raise BadFilter(f"{len(declared)} filters are declared; {_MOST_FILTERS} are enough")
    return Chain(tuple(_built(declaration, at) for at, declaration in enumerate(declared, 1)))


def _of_toml(text: str) -> list[Mapping[str, Any]]:
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is no TOMLDecodeError
        raise BadFilter(f"the filters are no TOML: {error}") from error
    unknown = set(document) - {"filter"}
    if unknown:
        raise BadFilter(f"the filters hold {min(unknown)!r}; there is only [[filter]]")
    declared = document.get("filter", [])
    if not isinstance(declared, list) or not all(isinstance(declaration, dict) for declaration in declared):
        raise BadFilter("each filter begins with [[filter]], in two pairs of brackets")
    return declared


def _of_xml(text: str) -> list[Mapping[str, Any]]:
    tree = read_xml(text)
    wrong = [problem for problem in tree.problems if problem.trouble is not ProblemKind.TOO_LARGE]
    if tree.root is None or wrong:
        raise BadFilter(f"the filters are no XML: {wrong[0] if wrong else 'there is no element'}")
    if tree.root.name != "filters":
        raise BadFilter(f"the filters stand in <filters>, not in <{tree.root.name[:40]}>")
    return [_declaration(node) for node in tree.root.children]


def _declaration(node: XmlNode) -> Mapping[str, Any]:
    if node.name != "filter":
        raise BadFilter(f"in <filters> there are only <filter> elements, no <{node.name[:40]}>")
    values: dict[str, Any] = dict(node.attributes)
    for child in node.children:
        values.setdefault(child.name, [])
        if not isinstance(values[child.name], list):
            raise BadFilter(f"{child.name!r} is given both as an attribute and as an element")
        values[child.name].append(child.text())
    return values


def _built(declaration: Mapping[str, Any], at: int) -> tuple[str, Filter]:
    name = declaration.get("name")
    if isinstance(name, str):
        name = FORMER_FILTERS.get(name, name)
    if not isinstance(name, str) or name not in FILTERS:
        hint = did_you_mean(name, tuple(FILTERS)) if isinstance(name, str) else "there are: " + ", ".join(FILTERS)
        raise BadFilter(f"filter {at}: there is no filter called {name!r}; {hint}")
    make = FILTERS[name]
    hints = get_type_hints(make)
    settings = fields(make)  # type: ignore[arg-type]  # all are dataclasses
    parameters = {setting.name: hints[setting.name] for setting in settings if setting.init}
    arguments = {}
    for declared_name, value in declaration.items():
        if declared_name == "name":
            continue
        parameter = FORMER_PARAMETERS.get(declared_name, declared_name)
        if parameter not in parameters:
            hint = did_you_mean(parameter, tuple(parameters)) if parameters else "it has none"
            raise BadFilter(f"the filter {name!r} has no parameter {parameter!r}; {hint}")
        arguments[parameter] = _value(name, parameter, parameters[parameter], value)
    try:
        return name, checked(name, make(**arguments))
    except BadPattern as error:
        raise BadPattern(error.pattern, error.at, f"{error.reason} (filter {name!r})") from None


def _value(name: str, parameter: str, kind: Any, value: Any) -> Any:
    """Convert a value to its parameter's type. XML has text where TOML has numbers."""
    expected = {int: "a whole number", float: "a number", bool: "true or false"}.get(kind, "a list of texts")
    wrong = BadFilter(f"the filter {name!r}: {parameter} is {str(value)[:60]!r}, and should be {expected}")
    if get_origin(kind) is tuple and get_args(kind)[0] is str:
        values = [value] if isinstance(value, str) else value
        if (
            not isinstance(values, list)
            or not all(isinstance(item, str) for item in values)
            or len(values) > _MOST_PATTERNS
        ):
            raise wrong
        return tuple(values)
    if isinstance(value, str):
        if kind is bool and value.lower() in {"true", "false"}:
            return value.lower() == "true"
        try:
            return kind(value) if kind is not bool else _raise(wrong)
        except ValueError:
            raise wrong from None
    if isinstance(value, bool) is not (kind is bool) or not isinstance(value, (int, float) if kind is float else kind):
        raise wrong
    return value


def _raise(error: BadFilter) -> Any:
    raise error
