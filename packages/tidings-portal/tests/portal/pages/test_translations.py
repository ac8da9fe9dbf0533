"""What the portal says: the same keys in every language, none that a page asks for in vain, none that nobody says."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

import tidings_portal
from tidings_portal.watch import health
from tidings_portal.web.languages import long_day
from tidings_portal.web.translations import LANGUAGES, PLURALS, RULES, words

HOME = Path(tidings_portal.__file__).parent
WHOLE = re.compile(r"""(?:\bt|words|t\.words)\(\s*["']([a-z0-9_.]+)["']\s*[,)]""")
CHOSEN = re.compile(r"""["']([a-z_]+\.[a-z_.]+)["']""")
BEGUN = re.compile(r"""["']([a-z0-9_.]+[._])["']\s*~|f["']([a-z0-9_.]+[._])\{""")
NAMES = re.compile(r"\{([a-z]+)\}")


def written() -> str:
    """All templates and all code of this part."""
    files = [*HOME.joinpath("portal").rglob("*.html"), *HOME.rglob("*.py")]  # not the pages of the sample newspaper
    return "\n".join(file.read_text("utf-8") for file in files)


COUNTED = {key.removesuffix(".one") for key in words("en").texts if key.endswith(".one")}


def base(key: str) -> str:
    """A key without the form of a number."""
    before = key.rpartition(".")[0]
    return before if before in COUNTED else key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_phrase(language: str) -> None:
    english, told = words("en").texts, words(language).texts
    assert {base(key) for key in told} == {base(key) for key in english}
    _, forms = PLURALS[RULES[language].plural]
    for key in COUNTED:
        assert {f"{key}.{form}" for form in (*forms, "other")} <= set(told), key
    for key, text in told.items():
        assert text.strip(), key
        names = set(NAMES.findall(english[f"{base(key)}.other" if base(key) in COUNTED else key]))
        is_form = base(key) in COUNTED and not key.endswith(".other")
        assert set(NAMES.findall(text)) == names or (is_form and names - {"n"} <= set(NAMES.findall(text)) <= names), (
            key
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_months_and_days_have_their_names(language: str) -> None:
    said = words(language)
    assert len(said("time.months").split()) == 12
    assert len(said("time.weekdays").split()) == 7
    assert long_day(said, datetime(2026, 11, 17, 12, tzinfo=UTC)).count("2026") == 1


def test_numbers_take_the_forms_of_their_language() -> None:
    def forms(rule: str, *numbers: int) -> list[str]:
        return [PLURALS[rule][0](number) for number in numbers]

    assert forms("slavic", 1, 2, 5, 11, 12, 21, 22, 25, 101, 111) == (
        "one few many many many one few many one many".split()
    )
    assert forms("arabic", 0, 1, 2, 3, 10, 11, 99, 100, 103) == ("other one two few few many many other few".split())
    assert forms("none or one", 0, 1, 2) == ["one", "one", "other"]


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
