"""File formats of site rules: the XML of the hybrid paper, the text of shared site configurations, and JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tidings.errors import BadRules, UnknownFormat
from tidings.sites.formats import text_rules, xml_rules
from tidings.sites.storage import as_json
from tidings.sites.templates.site import Site

#: A larger file of rules is a mistake or an attack.
LARGEST: Final = 4 * 1024 * 1024

_WRITERS: Final[dict[str, Callable[[Site], str]]] = {
    "xml": xml_rules.dumps,
    "text": text_rules.dumps,
    "json": as_json.dumps,
}
NAMES: Final = tuple(_WRITERS)


def read(text: str, name: str) -> tuple[Site, tuple[str, ...]]:
    """Parse a site's rules in any supported format. Return the site, and the lines that were ignored.

    Args:
        text: the content of the file.
        name: the site's name, for formats without one.

    Raises:
        BadRules: the text is in no known format, or invalid.
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
    """Write the rules of a site in a format.

    Raises:
        UnknownFormat: there is no such format.
    """
    if form not in _WRITERS:
        raise UnknownFormat(form, NAMES)
    return _WRITERS[form](site)
