"""Rules of sites as files: the XML of the hybrid paper, the text of shared site configurations, and our own JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tidings.errors import BadRules, UnknownFormat
from tidings.sites import as_json
from tidings.sites.formats import text_rules, xml_rules
from tidings.sites.site import Site

#: A larger file of rules is a mistake or an attack.
LARGEST: Final = 4 * 1024 * 1024

_WRITERS: Final[dict[str, Callable[[Site], str]]] = {
    "xml": xml_rules.dumps,
    "text": text_rules.dumps,
    "json": as_json.dumps,
}
NAMES: Final = tuple(_WRITERS)


def read(text: str, name: str) -> tuple[Site, tuple[str, ...]]:
    """Return a site from a file of any of the formats, and the lines that were not understood.

    Args:
        text: what the file holds.
        name: of the site, for formats that do not tell it.

    Raises:
        BadRules: it is none of the formats, or says something impossible.
    """
    if len(text) > LARGEST:
        raise BadRules(f"a file of rules has at most {LARGEST:,} characters; this has {len(text):,}")
    start = text.lstrip("\ufeff \t\r\n")[:1]
    if start == "<":
        return xml_rules.loads(text), ()
    if start == "{":
        return as_json.loads(text), ()
    return text_rules.loads(text, name)


def write(site: Site, form: str) -> str:
    """Return a site in a format.

    Raises:
        UnknownFormat: there is none of that name.
    """
    if form not in _WRITERS:
        raise UnknownFormat(form, NAMES)
    return _WRITERS[form](site)
