"""Sequences of filters, and their declaration in TOML or XML (LBNEST II.C.2: filter sequences of the configuration).

    [[filter]]
    name = "words"
    minimum = 4

    <filters><filter name="words" minimum="4"/></filters>

A declaration is data: names of filters that exist and their parameters. Nothing in it is run (HOSTILE 20).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, get_args, get_origin, get_type_hints

from tidings.errors import BadFilter, BadPattern, did_you_mean
from tidings.sources.front.filters import (
    FILTERS,
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
from tidings.sources.link import ProblemKind
from tidings.sources.xml_tree import XmlNode, read_xml

_LONGEST: Final = 100_000
_MOST_FILTERS: Final = 50
_MOST_PATTERNS: Final = 100


@dataclass(frozen=True, slots=True)
class Chain:
    """Filters in the order in which they are asked, with their names."""

    filters: tuple[tuple[str, Filter], ...]

    def judge(self, candidate: LinkCandidate, view: PageContext) -> tuple[FilterVerdict, str]:
        """What the chain says of a link: the first filter that does not let it pass decides, and gives the reason.

        A filter that asks for the teaser lets the others be heard first: one of them may drop the link for good.
        """
        asked = ""
        for name, one in self.filters:
            verdict = one(candidate, view)
            if verdict is FilterVerdict.DROP:
                return verdict, name
            if verdict is FilterVerdict.ASK:
                asked = asked or name
        return (FilterVerdict.ASK, asked) if asked else (FilterVerdict.PASS, "")


#: As published: words and the site's name, on links that lead to pages.
LBNEST: Final = Chain((("home-pages", HomePages()), ("words", WordsFilter()), ("site-name", SiteName())))
#: The default: the learned judge on links within the site.
BEST: Final = Chain(
    (("home-pages", HomePages()), ("same-site", SameSite()), ("site-name", SiteName()), ("learned", LearnedFilter()))
)


def read_chain(text: str) -> Chain:
    """Return a chain from its declaration in TOML or XML.

    Raises:
        BadFilter: it cannot be read, or names what there is not.
    """
    if len(text) > _LONGEST:
        raise BadFilter(f"the declaration has {len(text):,} characters; {_LONGEST:,} are enough")
    return chain_of(_of_xml(text) if text.lstrip("\ufeff \t\r\n").startswith("<") else _of_toml(text))


def chain_of(declared: Sequence[Mapping[str, Any]]) -> Chain:
    """Return a chain of declared filters: for each its name and its parameters.

    Raises:
        BadFilter: a filter or a parameter of it is none that there is.
    """
    if not declared:
        raise BadFilter('no filter is declared; begin with [[filter]] and name = "words"')
    if len(declared) > _MOST_FILTERS:
        raise BadFilter(f"{len(declared)} filters are declared; {_MOST_FILTERS} are enough")
    return Chain(tuple(_made(one, at) for at, one in enumerate(declared, 1)))


def _of_toml(text: str) -> list[Mapping[str, Any]]:
    try:
        told = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is no TOMLDecodeError
        raise BadFilter(f"the filters are no TOML: {error}") from error
    unknown = set(told) - {"filter"}
    if unknown:
        raise BadFilter(f"the filters hold {min(unknown)!r}; there is only [[filter]]")
    declared = told.get("filter", [])
    if not isinstance(declared, list) or not all(isinstance(one, dict) for one in declared):
        raise BadFilter("each filter begins with [[filter]], in two pairs of brackets")
    return declared


def _of_xml(text: str) -> list[Mapping[str, Any]]:
    tree = read_xml(text)
    wrong = [problem for problem in tree.problems if problem.trouble is not ProblemKind.TOO_LARGE]
    if tree.root is None or wrong:
        raise BadFilter(f"the filters are no XML: {wrong[0] if wrong else 'there is no element'}")
    if tree.root.name != "filters":
        raise BadFilter(f"the filters stand in <filters>, not in <{tree.root.name[:40]}>")
    return [_told(node) for node in tree.root.children]


def _told(node: XmlNode) -> Mapping[str, Any]:
    if node.name != "filter":
        raise BadFilter(f"in <filters> there are only <filter> elements, no <{node.name[:40]}>")
    told: dict[str, Any] = dict(node.attributes)
    for child in node.children:
        told.setdefault(child.name, [])
        if not isinstance(told[child.name], list):
            raise BadFilter(f"{child.name!r} is given both as an attribute and as an element")
        told[child.name].append(child.text())
    return told


def _made(told: Mapping[str, Any], at: int) -> tuple[str, Filter]:
    name = told.get("name")
    if not isinstance(name, str) or name not in FILTERS:
        known = did_you_mean(name, tuple(FILTERS)) if isinstance(name, str) else "there are: " + ", ".join(FILTERS)
        raise BadFilter(f"filter {at}: there is no filter called {name!r}; {known}")
    make = FILTERS[name]
    hints = get_type_hints(make)
    parameters = {one.name: hints[one.name] for one in fields(make) if one.init}  # type: ignore[arg-type]  # all are dataclasses
    given = {}
    for parameter, value in told.items():
        if parameter == "name":
            continue
        if parameter not in parameters:
            known = did_you_mean(parameter, tuple(parameters)) if parameters else "it has none"
            raise BadFilter(f"the filter {name!r} has no parameter {parameter!r}; {known}")
        given[parameter] = _value(name, parameter, parameters[parameter], value)
    try:
        return name, checked(name, make(**given))
    except BadPattern as error:
        raise BadPattern(error.pattern, error.at, f"{error.reason} (filter {name!r})") from None


def _value(name: str, parameter: str, kind: Any, value: Any) -> Any:
    """Return a value as the parameter wants it: XML gives text where TOML gives numbers."""
    wanted = {int: "a whole number", float: "a number", bool: "true or false"}.get(kind, "a list of texts")
    wrong = BadFilter(f"the filter {name!r}: {parameter} is {str(value)[:60]!r}, and should be {wanted}")
    if get_origin(kind) is tuple and get_args(kind)[0] is str:
        values = [value] if isinstance(value, str) else value
        if (
            not isinstance(values, list)
            or not all(isinstance(one, str) for one in values)
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
