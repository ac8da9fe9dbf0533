"""What the portal says: the same keys in every language, none that a page asks for in vain, none that nobody says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tidings.news
from tidings.news.watch import health
from tidings.news.web.words import LANGUAGES, words

HOME = Path(tidings.news.__file__).parent
WHOLE = re.compile(r"""(?:\bt|words|t\.words)\(\s*["']([a-z0-9_.]+)["']\s*[,)]""")
CHOSEN = re.compile(r"""["']([a-z_]+\.[a-z_.]+)["']""")
BEGUN = re.compile(r"""["']([a-z0-9_.]+[._])["']\s*~|f["']([a-z0-9_.]+[._])\{""")
NAMES = re.compile(r"\{([a-z]+)\}")


def written() -> str:
    """All templates and all code of this part."""
    files = [*HOME.joinpath("portal").rglob("*.html"), *HOME.rglob("*.py")]  # not the pages of the sample newspaper
    return "\n".join(file.read_text("utf-8") for file in files)


def test_all_languages_have_the_same_keys() -> None:
    tables = {code: words(code).texts for code in LANGUAGES}
    assert set(tables["en"]) == set(tables["tr"])
    for key, text in tables["en"].items():
        assert text.strip(), key
        assert set(NAMES.findall(text)) == set(NAMES.findall(tables["tr"][key])) or key.endswith(".one"), key


def test_every_text_that_is_asked_for_is_there() -> None:
    known = set(words("en").texts)
    plain = known | {key.rpartition(".")[0] for key in known if key.endswith((".one", ".other"))}
    asked = {key for key in WHOLE.findall(written()) if not key.endswith((".", "_"))}
    assert len(asked) > 200
    assert asked <= plain, sorted(asked - plain)


def test_no_text_is_there_for_nobody() -> None:
    source = written()
    asked = {*WHOLE.findall(source), *CHOSEN.findall(source)}
    begun = (*(one or other for one, other in BEGUN.findall(source)), "problem.")
    unsaid = {
        key
        for key in words("en").texts
        if key not in asked
        and key.removesuffix(".one").removesuffix(".other") not in asked
        and key.removesuffix(".title").removesuffix(".text") not in asked
        and not key.startswith(begun)
    }
    assert not unsaid, " ".join(sorted(unsaid))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_state_of_a_source_has_its_words(language: str) -> None:
    texts = words(language).texts
    states = {"new", "failed"}
    states |= {state for _, state, _ in health._FAILURES} | {state for state, _ in health._STATUSES.values()}
    source = Path(health.__file__).read_text("utf-8")
    states |= set(re.findall(r'Health\(\s*"([a-z ]+)"', source)) | set(
        re.findall(r'Trouble\.[A-Z_]+, "([a-z ]+)"', source)
    )
    states |= {"not a feed", "not a sitemap", "server error"}
    assert len(states) > 25
    for state in states:
        key = f"state.{state.replace(' ', '_')}"
        assert f"{key}.title" in texts, state
        assert f"{key}.text" in texts, state
    assert "state.ok.title" in texts
