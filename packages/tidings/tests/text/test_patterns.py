"""Regular expressions that wait for their first use."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.text.patterns import LateWords, late_pattern


def test_it_answers_as_a_compiled_one_does() -> None:
    late, compiled = late_pattern("(S)eal[s]?", re.IGNORECASE), re.compile("(S)eal[s]?", re.IGNORECASE)
    text = "Seals and a seal."
    assert late.pattern == compiled.pattern
    assert late.findall(text) == compiled.findall(text)
    assert [one.span() for one in late.finditer(text)] == [(0, 5), (12, 16)]
    assert late.sub("otter", text) == "otter and a otter."
    assert late.subn("otter", text)[1] == 2
    assert late.split("a seal b") == ["a ", "s", " b"]
    assert late.fullmatch("seals") is not None
    assert late.match(" seals") is None
    assert (late.groups, late.flags) == (compiled.groups, compiled.flags)


def test_it_is_compiled_once_and_not_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_now = re.compile

    def counted(pattern: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(pattern)
        return compile_now(pattern, flags)

    monkeypatch.setattr(re, "compile", counted)
    late = late_pattern("seal")
    assert compiled == []
    assert late.search("a seal")
    assert late.search("no otter") is None
    assert late.match("seal")
    assert compiled == ["seal"]


WORDS = (
    r"updat|mis[e]? à jour|stand[: ]|обновл|به‌?روз",
    r"(?<![a-z])logos?(?![a-z])|©",
    r"bulunamadı|kein",
    r"\bby\b|Von",
)
PIECES = (
    *"updat|UPDATE|Mise à jour|MISE À JOUR|Stand:|ОБНОВЛ|logo|LOGOS|xlogo|©|bulunamadi|KEİN|BY|von|Von".split("|"),
    *" ıİſKΣςµé“",
)


@given(st.sampled_from(WORDS), st.lists(st.sampled_from(PIECES), max_size=5).map("".join))
def test_words_are_found_as_a_search_without_case_finds_them(words: str, text: str) -> None:
    assert LateWords(words)(text) == bool(re.search(words, text, re.IGNORECASE))


@given(st.text(max_size=20))
def test_words_are_found_in_any_text_as_a_search_without_case_finds_them(text: str) -> None:
    for words in (r"s|k|i", r"ы|å", r"[^\w\s]"):
        assert LateWords(words)(text) == bool(re.search(words, text, re.IGNORECASE))
