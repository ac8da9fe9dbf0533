"""TitleFinder: the definitions of the thesis's chapter 5, what it says of them, and the sample newspaper."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import newspaper
from tidings.fields.titles.title_finder import Form, headline, headline_text, largest_heading, scores
from tidings.page import Hints, Page, Spans
from tidings.text import fold_space

FINDERS = (Form.TF, Form.TF_IDF, Form.OSM, Form.AGGREGATE)
finders = pytest.mark.parametrize("form", FINDERS)
STORY = "<p>After two years the harbour carries cars again.</p><p>Engineers had found cracks in the old piers.</p>"


def page(title: str, body: str, language: str = "en", hints: Hints | None = None) -> Page:
    return Page(f'<html lang="{language}"><head><title>{title}</title></head><body>{body}</body></html>', hints=hints)


def found(page: Page, form: Form = Form.TF) -> str:
    result = headline(page, form)
    assert result is not None
    return result.text


# -- the equations ----------------------------------------------------------------------------------------------

QUERY = ["bridge", "reopens", "gazette"]
SENTENCES = [["bridge", "reopens"], ["gazette"], ["bridge", "traffic", "harbour", "reopens"], ["weather"]]
TF = [2 / math.sqrt(3 * 2), 1 / math.sqrt(3), 2 / math.sqrt(3 * 4), 0]
#: idf of a term in two of four sentences, and in one (eq. 2.8).
TWICE, ONCE = math.log(4 / 2), math.log(4 / 1)
#: Query weights are tf-idf; each sentence has length 1.
OSM = [2 * TWICE / math.sqrt(2), ONCE, 2 * TWICE / math.sqrt(4), 0]
_QUERY_LENGTH = math.sqrt(2 * TWICE**2 + ONCE**2)
TF_IDF = [
    2 * TWICE**2 / (_QUERY_LENGTH * math.sqrt(2 * TWICE**2)),
    ONCE**2 / (_QUERY_LENGTH * ONCE),
    2 * TWICE**2 / (_QUERY_LENGTH * math.sqrt(2 * TWICE**2 + 2 * ONCE**2)),
    0,
]


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (Form.TF, TF),
        (Form.TF_IDF, TF_IDF),
        (Form.OSM, OSM),
        (Form.AGGREGATE, [sum(three) for three in zip(TF, TF_IDF, OSM, strict=True)]),
    ],
)
def test_four_forms(form: Form, expected: list[float]) -> None:
    """Thesis eq. 2.6 to 2.9 and 5.2; 5.3: the aggregate is the sum of the other three."""
    assert scores(QUERY, SENTENCES, form) == pytest.approx(expected)


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=5), min_size=1, max_size=6))
def test_cosines_lie_between_0_and_1(sentences: list[list[str]]) -> None:
    """Thesis 5.3.3: "its value being in the range between 0 and 1"."""
    for form in (Form.TF, Form.TF_IDF):
        found = scores(["a", "b"], sentences, form)
        assert (found >= 0).all()
        assert (found <= 1 + 1e-12).all()


# -- finding ----------------------------------------------------------------------------------------------------


@finders
def test_most_similar_text_is_the_headline(form: Form) -> None:
    """Thesis 5.3: the title element, with the name of the site in it, is the query."""
    body = f"<ul><li>News<li>Sport</ul><h1>Harbour bridge reopens</h1>{STORY}<h2>Bridge weather</h2>"
    found = headline(page("Harbour bridge reopens - The Gazette", body), form)
    assert found is not None
    assert found.text == "Harbour bridge reopens"
    assert found.form is form
    assert found.score > 0


@finders
def test_no_heading_is_needed(form: Form) -> None:
    """Thesis 5.4.4: headlines stand in DIV and SPAN elements on the BBC, Jame Jam and Ahram sites."""
    body = f"<h1>Gazette</h1><div><span>Harbour bridge reopens</span></div>{STORY}"
    assert found(page("Harbour bridge reopens - Gazette", body), form) == "Harbour bridge reopens"


def test_heading_that_names_the_site_misleads_only_the_baseline() -> None:
    """Thesis 5.4.4: Slashdot, Spiegel and ZDF have the name of the site in H1."""
    document = page("Harbour bridge reopens - Gazette", f"<h1>The Gazette</h1><h2>Harbour bridge reopens</h2>{STORY}")
    assert found(document, Form.LARGEST_HEADING) == "The Gazette"
    assert found(document, Form.TF) == "Harbour bridge reopens"


def test_quotes_commas_and_colons_do_not_count() -> None:
    """Thesis 5.3.1: they "are deleted from the content"."""
    body = f"<p>Bridge</p><h1>“Never again”: harbour, bridge reopen</h1>{STORY}"
    result = headline(page('"Never again" harbour bridge reopen', body))
    assert result is not None
    assert result.text == "“Never again”: harbour, bridge reopen"
    assert result.score == pytest.approx(1)


def test_stop_words_do_not_count() -> None:
    """Thesis 2.1.4.4: stop words are removed; words are not stemmed."""
    body = "<p>It is in the of and to a</p><p>harbour bridges</p><p>a harbour</p>"
    assert found(page("It is the bridge in a harbour", body)) == "a harbour"


def test_title_of_stop_words_only_keeps_them() -> None:
    assert found(page("Who are we?", f"<p>We</p><h1>Who are we?</h1>{STORY}")) == "Who are we?"


def test_scripts_styles_and_comments_are_no_candidates() -> None:
    """Thesis 5.3.1."""
    body = "<script>Bridge reopens</script><style>Bridge reopens</style><!-- Bridge reopens --><p>A bridge</p>"
    assert found(page("Bridge reopens", body)) == "A bridge"


def test_hidden_text_is_no_candidate() -> None:
    body = f'<h1 style="display:none">Bridge reopens</h1><p hidden>Bridge reopens</p><p>Bridge</p>{STORY}'
    document = page("Bridge reopens", body)
    assert found(document) == "Bridge"
    assert largest_heading(document) is None


@finders
def test_headline_unlike_the_title_cannot_be_found(form: Form) -> None:
    """Thesis 5.4.1: where the title says nothing of the headline, "TitleFinder is not able to extract" it."""
    assert headline(page("Zeitung", f"<h1>Harbour bridge reopens</h1>{STORY}"), form) is None


# -- baselines --------------------------------------------------------------------------------------------------


def test_title_element_is_taken_as_it_is() -> None:
    """Thesis 5.4.3; it is nowhere on the page."""
    result = headline(page("Bridge  reopens - Gazette", STORY), Form.TITLE_ELEMENT)
    assert result is not None
    assert result.text == "Bridge reopens - Gazette"
    assert not result.spans


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<h2>first</h2><h1>largest</h1><h1>second</h1>", "largest"),
        ("<h3>smaller</h3><h2>largest</h2>", "largest"),
        ("<h1></h1><h1 hidden>unseen</h1><h4>largest</h4>", "largest"),
        ("<h1>in <em>three</em> runs</h1>", "in three runs"),
    ],
)
def test_first_heading_of_the_highest_order(body: str, expected: str) -> None:
    """Thesis 5.4.3: "the first encounter of the highest order headline element"."""
    assert found(page("", body), Form.LARGEST_HEADING) == expected


# -- what the thesis left open ----------------------------------------------------------------------------------


def test_name_of_the_site_outweighs_a_short_headline() -> None:
    """Thesis 5.4.4 names this weakness, 5.5 the remedy: drop title words that the main content does not hold."""
    body = f"<p>Anselm Bay Observer Weekly</p><h1>Harbour reopens</h1>{STORY}<p>Anselm Bay Observer Weekly</p>"
    document = page("Harbour reopens - Anselm Bay Observer Weekly", body)
    assert found(document) == "Anselm Bay Observer Weekly"
    main = Spans.of_runs(document, [1, 2, 3])
    better = headline(document, content=main)
    assert better is not None
    assert better.text == "Harbour reopens"


def test_headings_count_as_content() -> None:
    """Main content without the headline must not take the headline's own words away."""
    document = page("Quay closed - Harbour Gazette", f"<h1>Quay closed</h1>{STORY}<p>Harbour Gazette</p>")
    result = headline(document, content=Spans.of_runs(document, [1, 2]))
    assert result is not None
    assert result.text == "Quay closed"


def test_headings_that_are_links_do_not() -> None:
    """The name of the site, linked to its front page, is often a heading."""
    name = "<h2><a href=/>Anselm Bay Observer Weekly</a></h2>"
    document = page("Harbour reopens - Anselm Bay Observer Weekly", f"{name}<h1>Harbour reopens</h1>{STORY}")
    assert found(document) == "Anselm Bay Observer Weekly"
    result = headline(document, content=Spans.of_runs(document, [2, 3]))
    assert result is not None
    assert result.text == "Harbour reopens"


def test_title_of_which_the_content_holds_nothing_is_asked_as_a_whole() -> None:
    document = page("Quay closed", "<p>Quay closed</p><p>Nothing of it.</p>")
    result = headline(document, content=Spans.of_runs(document, [1]))
    assert result is not None
    assert result.text == "Quay closed"


@pytest.mark.parametrize(
    ("body", "run"),
    [
        ("<p>Bridge reopens</p><h2>Bridge reopens</h2><h1>Bridge reopens</h1>", 2),
        ("<a href=x>Bridge reopens</a><h2>Bridge reopens</h2><h2>Bridge reopens</h2>", 1),
        ("<p>Bridge reopens</p><div>Bridge reopens</div>", 0),
    ],
)
def test_of_equals_a_heading_of_high_order_then_the_earliest(body: str, run: int) -> None:
    document = page("Bridge reopens", body)
    result = headline(document)
    assert result is not None
    assert (result.first, result.last) == (run, run + 1)
    assert result.spans == Spans.of_runs(document, [run])


def test_hints_only_when_asked() -> None:
    body = f"<h1>Bridge reopens</h1><h2>Quay closed</h2>{STORY}"
    hinted = page("Bridge reopens", body, hints=Hints(anchor="Quay closed"))
    assert found(hinted) == "Bridge reopens"
    result = headline(hinted, hinted=True)
    assert result is not None
    assert result.text == "Quay closed"


def test_part_of_a_page_has_its_own_headline() -> None:
    document = page("Bridge reopens", "<h1>Bridge reopens</h1><p>The bridge</p>")
    part = document.within(Spans.of_runs(document, [1]))
    result = headline(part)
    assert result is not None
    assert result.text == "The bridge"
    assert result.first == 0
    assert result.spans == part.scope


@pytest.mark.parametrize("source", ["x", "<p>", "<title></title><p>text", "<title>only a title</title>"])
@pytest.mark.parametrize("form", [*FINDERS, Form.LARGEST_HEADING])
def test_nothing_to_find(source: str, form: Form) -> None:
    assert headline(Page(source), form) is None


def test_text_to_ask_by_is_the_best_there_is() -> None:
    assert headline_text(page("Bridge reopens - Gazette", "<h1>Gazette</h1><p>Bridge reopens</p>")) == "Bridge reopens"
    assert headline_text(page("Gazette", "<h2>Bridge reopens</h2>")) == "Bridge reopens"
    assert headline_text(page("Gazette", STORY)) == "Gazette"
    assert headline_text(Page("<p>x")) == ""


@given(st.lists(st.sampled_from(["bridge", "bridge reopens", "reopens gazette", "weather", "the"]), max_size=8))
def test_headline_is_a_visible_run_with_the_highest_score(texts: list[str]) -> None:
    document = page("Bridge reopens - Gazette", "".join(f"<p>{text}</p>" for text in texts))
    result = headline(document)
    words = [[word for word in text.split() if word != "the"] for text in texts]
    best = scores(["bridge", "reopens", "gazette"], words).max(initial=0)
    if result is None:
        assert best == 0
    else:
        assert result.score == pytest.approx(best)
        assert result.text == texts[result.first]
        assert np.flatnonzero(result.spans.runs(document)).tolist() == [result.first]


# -- the sample newspaper ---------------------------------------------------------------------------------------


def test_newspaper() -> None:
    """All 52 stories by TF, 49 by the other forms, 44 by the largest heading, none by the title element."""
    right: Counter[Form] = Counter()
    stories = [sample for sample in newspaper.pages() if sample.page_type != "front"]
    for sample in stories:
        document = Page(sample.html, sample.url)
        for form in Form:
            result = headline(document, form)
            wanted = fold_space(sample.gold["title"])  # a no-break space is a space
            right[form] += result is not None and result.text == wanted
    assert right[Form.TF] == len(stories)
    assert min(right[form] for form in FINDERS) >= 0.9 * len(stories)
    assert right[Form.TITLE_ELEMENT] < right[Form.LARGEST_HEADING] < min(right[form] for form in FINDERS)
