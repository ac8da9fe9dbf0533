"""Files of rules and filters are data (HOSTILE 20): what looks like code or a template in them is text, or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tidings.errors import TidingsError
from tidings.sites import formats
from tidings.sources import read_chain
from tidings.stories.trends import read_queries

TRICKS = (
    "__import__('pathlib').Path('{made}').touch()",
    "{{{{ 7*191 }}}}{{% import os %}}",
    "${{7*191}} #{{7*191}} <%= 7*191 %>",
    "${{jndi:ldap://127.0.0.1:1/x}}",
    "$(touch {made}) `touch {made}`",
    "!!python/object/apply:os.system ['touch {made}']",
    "%(7*191)s {{0.__class__.__mro__}} {{self.__init__.__globals__}}",
    "php:function('system', 'touch {made}')",
    "document('file:///etc/passwd')",
)
#: How a trick gets into a file of each sort, where a text is expected.
FILES: dict[str, Callable[[str], object]] = {
    "rules, XML": lambda text: formats.read(
        f"<site name='a'><template name={_quoted(text)}><main tag='div' class={_quoted(text)}/></template></site>", "a"
    ),
    "rules, JSON": lambda text: formats.read(
        json.dumps(
            {"site": "a", "templates": [{"name": text, "rules": [{"field": "main", "tag": "div", "class": text}]}]}
        ),
        "a",
    ),
    "site configuration": lambda text: formats.read(
        f"title: {text}\nbody: //div[@class='story']\nbody: {text}\nstrip: {text}\ntest_url: {text}\n", "a"
    ),
    "filters, TOML": lambda text: read_chain(f'[[filter]]\nname = "address"\nreject = [{json.dumps(text)}]\n'),
    "filters, XML": lambda text: read_chain(f"<filters><filter name='address' reject={_quoted(text)}/></filters>"),
    "the name of a filter": lambda text: read_chain(f"[[filter]]\nname = {json.dumps(text)}\n"),
    "queries": lambda text: read_queries(f"[queries]\n{json.dumps(text)} = [{json.dumps(text)}]\n"),
}


def _quoted(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return f'"{escaped}"'


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("trick", TRICKS)
def test_nothing_in_them_is_run(file: str, trick: str, tmp_path: Path) -> None:
    made = tmp_path / "made"
    try:
        told = repr(FILES[file](trick.format(made=made)))
    except TidingsError as error:
        told = str(error)
    assert not made.exists()
    assert "1337" not in told
    assert "root:" not in told
    assert "<class" not in told
