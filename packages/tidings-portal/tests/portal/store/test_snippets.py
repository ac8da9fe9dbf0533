"""Marking what was found: a reader that skips what cannot match marks the same words as one that reads everything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tidings import newspaper
from tidings.text import base_language, letter_run_matches, letter_runs
from tidings_portal.store import parse
from tidings_portal.store.search_words import marked_stems, run_words
from tidings_portal.store.snippets import Marker

TEXTS = [(page.lang, page.gold["text"]) for page in newspaper.pages() if page.gold.get("text") and page.lang != "ja"]
LANGUAGES = sorted({language for language, _ in TEXTS})


def test_turkish_words_that_are_cut_down_to_a_letter_are_found_by_it() -> None:
    marker = Marker.of(parse("bunların"), ["tr"])
    assert marker.text("Bunun değil, bunların sırası.", "tr").marks  # their stem is p


@given(st.data())
def test_every_form_of_every_word_is_marked_and_nothing_else(data: st.DataObject) -> None:
    language, text = data.draw(st.sampled_from(TEXTS))
    other = data.draw(st.sampled_from(TEXTS))[1]
    one_token = [run for run in {*letter_runs(text), *letter_runs(other)} if len(run_words(run)) == 1 and len(run) > 1]
    words = data.draw(st.lists(st.sampled_from(sorted(one_token)), min_size=1, max_size=3))
    marker = Marker.of(parse(" ".join(f'"{word}"' if word.isupper() else word for word in words)), LANGUAGES)
    wanted = {token for _, one in marker.patterns for token in (*one.tokens, *one.instead)}
    expected = [
        match.span()
        for match in letter_run_matches(text)
        if not wanted.isdisjoint({*run_words(match[0]), *marked_stems(match[0], base_language(language))})
    ]
    shown = marker.text(text, language, length=len(text) + 1)
    assert shown.text == text
    assert list(shown.marks) == expected
