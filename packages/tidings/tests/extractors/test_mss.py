"""MSS: tokens, the vocabulary, and the stretch that is taken (DANA thesis 3.3.1.4; Pasternack and Roth 2009)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tidings.errors import BadModel, BadParameter
from tidings.extractors.hashed_words import hashes_of
from tidings.extractors.model_files import read, save
from tidings.extractors.published.mss import MSS, MSSK
from tidings.extractors.published.trained.trigrams import (
    SOME_WORD,
    TokenVocabulary,
    TrigramBayes,
    halves,
    token_row,
    trigrams,
)
from tidings.page import Page, tags

P, A = tags.NUMBERS["p"], tags.NUMBERS["a"]
STORY = "<p>" + "Some words of a story that goes on for a while, one after the other. " * 6 + "</p>"
LINKS = "<ul>" + "<li><a href=x>Topic</a></li>" * 20 + "</ul>"


def vocabulary(*words: str) -> TokenVocabulary:
    """Each word a token of its own."""
    form = halves(np.array([hashes_of(word).item() for word in words], np.uint64))
    order = np.argsort(form)
    first = TokenVocabulary(np.zeros(0, np.uint32), np.zeros(0, np.int64)).first_word
    return TokenVocabulary(form[order], (first + np.arange(len(words)))[order])


def test_a_page_is_a_row_of_tags_words_and_numbers() -> None:
    """ "Break up the HTML document into a list of tags, words and numbers" (3.3.1.4), without scripts."""
    row = token_row(Page("<p>Seen <a href=x>2013 b2b</a><script>no</script> ends</p>"))
    assert row.tag.tolist() == [P, 0, A, 0, 0, -A, 0, -P]
    assert row.is_number.tolist() == [False, True, False, False]
    assert row.word.tolist() == [hashes_of(word).item() for word in ("seen", "2013", "b2b", "ends")]


def test_the_parent_is_what_is_open() -> None:
    """ "Parent tag of token in the DOM tree" (3.3.1.4): for a start tag its parent, for an end tag its own element."""
    page = Page("<p>Seen <a href=x>two</a> end</p>")
    row = token_row(page)
    assert row.parent.tolist() == [0, P, P, A, A, P, P]
    assert page.elements.tag[0] == 0


def test_hidden_text_is_no_token() -> None:
    row = token_row(Page("<p>one</p><p hidden>two</p>"))
    assert len(row.word) == 1


def test_words_of_scripts_without_spaces_and_numbers_of_any_script() -> None:
    row = token_row(Page("<p>市議会 ٢٠١٣</p>"))
    assert row.is_number.tolist() == [False, False, False, True]


def test_all_numbers_are_one_token_and_unknown_words_another() -> None:
    """ "Generalize numeric tokens, all numbers stemmed to 1" (3.3.1.4)."""
    known = vocabulary("said", "the")
    found = known(token_row(Page("<p>The 12 ferries said 3</p>"))).tolist()
    start = 1 + 2 * known.tag_numbers(np.array([P])).item()
    first = known.first_word
    assert found == [start, first + 1, known.number, SOME_WORD, first, known.number, start + 1]


def test_tags_outside_the_standard_are_one_token() -> None:
    known = vocabulary("x")
    one, two = (known(token_row(Page(f"<{name}>x</{name}>"))).tolist() for name in ("my-box", "your-box"))
    assert one == two


def test_a_trigram_is_a_token_and_its_two_successors() -> None:
    """ "The token itself and its 2 successors" (3.3.1.4)."""
    assert trigrams(np.array([1, 2, 3]), 10).tolist() == [123, 230, 300]


def test_an_unseen_trigram_counts_as_its_shape_does() -> None:
    known = vocabulary("said")
    size, said = known.size, known.first_word
    shape = np.array([SOME_WORD])
    three = int(trigrams(np.array([said] * 3), size)[0])
    model = TrigramBayes(known, np.array([0, three]), np.array([2.0, -3.0]), np.zeros(len(tags.NAMES) + 1), 0.0)
    odds = {text: _log_odds(model, text)[0] for text in ("said said said", "said said other", "other words here")}
    assert odds == pytest.approx({"said said said": -3.0, "said said other": 2.0, "other words here": 2.0})
    assert trigrams(shape, size).tolist() == [0]


def _log_odds(model: TrigramBayes, text: str) -> list[float]:
    probability = model.probabilities(token_row(Page(text)))
    return np.log(probability / (1 - probability)).tolist()  # type: ignore[no-any-return]  # of an array of floats


def test_the_stretch_is_the_story() -> None:
    page = Page(f"<body>{LINKS}<div>{STORY * 3}</div>{LINKS}</body>")
    found = MSS()(page).text(page)
    assert found.count("story") == 18
    assert found.count("Topic") <= 2


def test_several_stretches_leave_out_what_is_between() -> None:
    page = Page(f"<body>{LINKS}{STORY * 3}{LINKS * 3}{STORY * 3}{LINKS}</body>")
    assert MSSK()(page).text(page).count("story") == 36
    assert MSSK()(page).text(page).count("Topic") <= 4
    one = MSS()(page).text(page)
    assert MSS(k=20, share=1.0)(page).text(page).count("story") in (18, 36)
    assert MSS(k=1)(page).text(page) == one


def test_the_picture_shows_the_climb() -> None:
    page = Page(f"<body>{LINKS}{STORY * 3}{LINKS}</body>")
    picture = MSS().picture(page)
    curve = picture.series[0][1]
    assert picture.chosen is not None
    chosen = np.flatnonzero(picture.chosen)
    assert curve[chosen[-1]] - curve[chosen[0]] > 0.9 * (curve.max() - curve[: chosen[0] + 1].min())


@pytest.mark.parametrize("wrong", [MSS(k=0), MSS(share=-0.1), MSS(share=2)])
def test_parameters_out_of_range_are_an_error(wrong: MSS) -> None:
    with pytest.raises(BadParameter):
        wrong(Page("<p>x"))


def test_weights_come_back_as_they_were(tmp_path: Path) -> None:
    model = read(TrigramBayes, "mss", "")
    save(model, "mss", tmp_path / "again.npz")
    page = Page(STORY + LINKS)
    assert MSS(model=str(tmp_path / "again.npz"))(page) == MSS()(page)
    assert (tmp_path / "again.npz").stat().st_size < 200_000


def test_trigrams_out_of_order_are_refused() -> None:
    known = vocabulary("x")
    with pytest.raises(BadModel, match="trigrams"):
        TrigramBayes(known, np.array([2, 1]), np.zeros(2), np.zeros(len(tags.NAMES) + 1), 0.0)


def test_the_numbers_of_words_are_part_of_the_file() -> None:
    """With other numbers no word of a stored vocabulary would be known: then all weights are to be learned anew."""
    assert hashes_of("harbour").item() == 15237720324136248706
    known = read(TrigramBayes, "mss", "").vocabulary
    row = token_row(Page("<p>the The of zzyzx</p>"))
    the, again, of, unknown = known(row)[row.tokens.place].tolist()
    assert the == again >= known.first_word
    assert of not in (the, SOME_WORD)
    assert unknown == SOME_WORD
