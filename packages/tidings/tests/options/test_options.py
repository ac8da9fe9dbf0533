"""`ExtractOptions`: checks, forms, and what each option does to an article."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tidings
from tidings import ExtractOptions
from tidings.errors import BadArgument, BadOption, InputError
from tidings.options.articles import LEFT_OUT
from tidings.options.model import DEFAULT, options_help, specs

SENTENCE = "The wardens counted forty pups on the sandbank at dawn, more than in any year on record, they said."
POST = (
    '<blockquote class="twitter-tweet"><p>Seals everywhere.</p>&mdash; Anna Lee (@anna) '
    '<a href="https://x.com/anna/status/1">May 1, 2024</a></blockquote>'
)
PAGE = f"""<html lang=en><head><title>Seals are back</title><meta name=author content="Ann Lee"></head><body><article>
<h1>Seals are back</h1><p class=standfirst>Forty pups, a record, and nobody knows why they came here.</p>
<div class=key-points><h2>Key points</h2><ul><li>Forty pups were counted</li><li>That is a record</li></ul></div>
<p>One. {SENTENCE} A <b>bold</b> <a href=/x>link</a>.</p>{POST}<p>Two. {SENTENCE}</p>
<div class=ai-summary><p>Summary by AI: forty pups, one beach, and many happy wardens.</p></div>
<figure><img src=/a.jpg width=600 height=400><figcaption>A seal on the beach at noon</figcaption></figure>
<p>Three. {SENTENCE}</p><p><a href=/y>Read more: Ferry delayed again by the storm</a></p><p>Four. {SENTENCE}</p>
<div class=fact-box><h3>Fact box</h3><p>Seals weigh up to 300 kilograms and eat fish.</p></div>
<h3>10:42</h3><p>Five. {SENTENCE}</p><p>Five. {SENTENCE}</p>
<table><tr><th>Year<th>Pups<tr><td>2024<td>40</table><p>Six. {SENTENCE}</p></article></body></html>"""
URL = "https://gazette.example/seals"
#: What each part of the page reads like.
PARTS = {
    "captions": "A seal on the beach",
    "standfirst": "Forty pups, a record",
    "key_points": "That is a record",
    "ai_summaries": "many happy wardens",
    "fact_boxes": "300 kilograms",
    "read_more": "Ferry delayed",
    "entry_times": "10:42",
}


def _options(**options: Any) -> ExtractOptions:
    return ExtractOptions(**options)


def _extract(**options: Any) -> tidings.Article:
    return tidings.extract(PAGE, URL, options=_options(**options))


@pytest.mark.parametrize(
    ("values", "option", "reason"),
    [
        ({"prefer": "recal"}, "prefer", "'precision', 'balanced', 'recall', not 'recal'"),
        ({"prefr": "recall"}, "prefr", "did you mean prefer"),
        ({"links": "yes"}, "links", "True or False"),
        ({"leave_out": "p..x"}, "leave_out", "'p..x' is not a CSS selector"),
        ({"leave_out": ("aside", "p{}")}, "leave_out", "'p{}'"),
        ({"leave_out": "</style>"}, "leave_out", "not a CSS selector"),
        ({"leave_out": "p::before"}, "leave_out", "not a CSS selector"),
        ({"languages": 3}, "languages", "a list of texts, not int"),
        ({"languages": ["en", 3]}, "languages", "3 is none"),
        ({"url_blacklist": b"x"}, "url_blacklist", "not bytes"),
        ({"timeout": 0}, "timeout", "above 0"),
        ({"timeout": float("nan")}, "timeout", "above 0"),
        ({"min_page_size": None}, "min_page_size", "0 is no limit"),
        ({"max_text_length": -1}, "max_text_length", "not negative"),
        ({"min_text_length": True}, "min_text_length", "whole number"),
        ({"title": 3}, "title", "must be a str, not int"),
        ({"embedded_posts": "auto"}, "embedded_posts", "'keep', 'link', 'drop'"),
        ({"captions": "link"}, "captions", "'auto', 'keep', 'drop'"),
        ({"second_opinion": "me"}, "second_opinion", "a function, not str"),
    ],
)
def test_a_wrong_option_is_an_error_that_names_it(values: dict[str, Any], option: str, reason: str) -> None:
    creators: tuple[Callable[..., ExtractOptions], ...] = (ExtractOptions, DEFAULT.replace)
    for create in creators:
        with pytest.raises(BadOption) as caught:
            create(**values)
        assert caught.value.option == option
        assert reason in str(caught.value)


def test_texts_have_one_form() -> None:
    options = _options(
        languages=["de-AT, TR", "de"], leave_out="aside, div > p.x, p:is(.a, .b)", url_blacklist=iter("a")
    )
    assert options.languages == ("de", "tr")
    assert options.leave_out == ("aside", "div > p.x", "p:is(.a, .b)")
    assert options.url_blacklist == ("a",)


def test_options_survive_dicts_and_pickles() -> None:
    options = _options(tables=False, leave_out="aside", languages=("en",), max_page_size=9, captions="drop")
    assert options.as_dict() == {
        "tables": False, "leave_out": ["aside"], "languages": ["en"], "max_page_size": 9, "captions": "drop",
    }  # fmt: skip
    assert ExtractOptions.from_dict(options.as_dict()) == options == pickle.loads(pickle.dumps(options))  # noqa: S301  # our own
    assert ExtractOptions.from_dict({"leave-out": ["aside"]}).leave_out == ("aside",)
    assert DEFAULT.as_dict() == {}
    assert _options().is_default


def test_data_contains_no_functions() -> None:
    with pytest.raises(BadOption, match="Python function"):
        ExtractOptions.from_dict({"second_opinion": "os:system"})


def test_options_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "options.toml"
    file.write_text('[extract]\nleave-out = [".promo"]\nprefer = "recall"\n')
    assert ExtractOptions.from_file(file) == _options(leave_out=".promo", prefer="recall")
    file.write_text('prefer = "precision"\n')
    assert ExtractOptions.from_file(str(file)).prefer == "precision"
    file.write_text('prefre = "precision"\n')
    with pytest.raises(BadOption, match="prefre"):
        ExtractOptions.from_file(file)
    for wrong in ("= nothing", None):
        if wrong is None:
            file.unlink()
        else:
            file.write_text(wrong)
        with pytest.raises(InputError, match="cannot be read"):
            ExtractOptions.from_file(file)


def test_every_option_has_a_description() -> None:
    lines = options_help().splitlines()
    assert [line.partition(" ")[0] for line in lines] == [name for name in specs() if name != "second_opinion"]
    assert all(spec.help.endswith(".") for spec, _ in specs().values())


@pytest.mark.parametrize("part", PARTS)
def test_a_part_can_be_dropped(part: str) -> None:
    article = _extract(**{part: "drop"})
    assert PARTS[part] not in article.text
    others = [name for name in PARTS if PARTS[name] in tidings.extract(PAGE, URL).text and name != part]
    assert others
    assert all(PARTS[name] in article.text for name in others)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_inside_the_story_can_be_kept(part: str) -> None:
    from tidings.options.conventions import with_conventions
    from tidings.page import Page

    page = Page(PAGE)
    bare = page.visible
    for name in PARTS:
        bare = with_conventions(page, bare, _options(**{name: "drop"}))
    assert PARTS[part] not in bare.text(page)
    assert PARTS[part] in with_conventions(page, bare, _options(**{part: "keep"})).text(page)


def test_a_part_outside_the_story_stays_out() -> None:
    from tidings.options.conventions import with_conventions
    from tidings.page import Page, Spans

    page = Page(
        f"<article><p>{SENTENCE}</p><p>{SENTENCE}</p></article><aside><div class=fact-box>Beside it.</div></aside>"
    )
    story = Spans.of([(0, page.text.find("Beside"))], len(page.text))
    assert "Beside" not in with_conventions(page, story, ExtractOptions(fact_boxes="keep")).text(page)


@pytest.mark.parametrize(("value", "text", "embeds"), [("keep", True, 1), ("link", False, 1), ("drop", False, 0)])
def test_embedded_posts(value: str, text: bool, embeds: int) -> None:
    article = _extract(embedded_posts=value)
    assert ("Seals everywhere." in article.text) is text
    assert sum(block.embed is not None for block in article.blocks) == embeds


def test_contents_that_are_not_kept() -> None:
    usual = tidings.extract(PAGE, URL)
    assert any(inline.href for block in usual.blocks for inline in block.inlines)
    bare = _extract(links=False, formatting=False, images=False)
    assert bare.text == usual.text
    assert not any(inline.href or inline.strong for block in bare.blocks for inline in block.inlines)
    assert usual.images
    assert not bare.images
    assert not any(block.image for block in bare.blocks)
    assert "2024" in usual.text
    assert "Year" not in _extract(tables=False).text
    assert usual.text.count("Five. ") == 2
    assert _extract(deduplicate=True).text.count("Five. ") == 1


def test_comments_are_left_out() -> None:
    remarks = "".join(
        f"<div class=comment><b>Bo {number}</b> <time>2 May 2024</time><p>I saw them all at once today.</p></div>"
        for number in range(4)
    )
    html = PAGE.replace("</body>", f"<section class=comments>{remarks}</section></body>")
    assert tidings.extract(html).comments
    assert not tidings.extract(html, options=ExtractOptions(comments=False)).comments


def test_elements_are_left_out_by_selector() -> None:
    article = _extract(leave_out=("article > table", ".fact-box"))
    assert "2024 |" not in article.text
    assert "300 kilograms" not in article.text
    assert "Six." in article.text


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"languages": "tr"}, "in another language"),
        ({"min_page_size": 100_000}, "less than 100,000 characters"),
        ({"max_page_size": 10}, "the page has more than 10 characters"),
        ({"min_text_length": 100_000}, "the text has less than"),
        ({"max_text_length": 10}, "the text has more than"),
        ({"url_blacklist": URL}, "the URL"),
        ({"url_blacklist": f"{URL}/#top"}, "the URL"),
        ({"url_blacklist": "gazette.example"}, "the URL"),
        ({"author_blacklist": "ann lee"}, "the author"),
    ],
)
def test_a_filter_leaves_the_article_out_and_says_so(options: dict[str, Any], reason: str) -> None:
    article = _extract(**options)
    assert article.text == ""
    assert article.doubt.startswith(LEFT_OUT)
    assert reason in article.doubt
    assert tidings.extract_text(PAGE, URL, options=ExtractOptions(**options)) == ""


@pytest.mark.parametrize(
    "options",
    [
        {"languages": "en-US"}, {"min_page_size": 10, "max_page_size": 100_000}, {"url_blacklist": "https://gazette.example/"},
        {"url_blacklist": "azette.example"}, {"author_blacklist": "Ann"}, {"min_text_length": 10},
    ],
)  # fmt: skip
def test_a_filter_that_fits_changes_nothing(options: dict[str, Any]) -> None:
    assert _extract(**options) == tidings.extract(PAGE, URL)


def test_only_articles_with_metadata() -> None:
    assert tidings.extract("<p>Seals are back.</p>", options=ExtractOptions(with_metadata_only=True)).text == ""


def test_keywords_override_the_options() -> None:
    seen: list[object] = []
    options = ExtractOptions(prefer="precision", second_opinion=seen.append)
    assert tidings.extract(PAGE, options=options, prefer="recall") == tidings.extract(
        PAGE, options=options.replace(prefer="recall")
    )
    with pytest.raises(BadOption, match="prefer"):
        tidings.extract(PAGE, options=options, prefer="recal")  # type: ignore[arg-type]
    for call in (tidings.extract, tidings.extract_text):
        with pytest.raises(BadArgument, match="options must be ExtractOptions, not dict"):
            call(PAGE, options={"prefer": "recall"})  # type: ignore[arg-type]


@pytest.mark.parametrize("option", [name for name in PARTS if name != "entry_times"])
def test_text_and_article_agree(option: str) -> None:
    options = _options(**{option: "drop"})
    assert tidings.extract_text(PAGE, URL, options=options) == tidings.extract(PAGE, URL, options=options).text


def test_default_options_take_the_usual_path() -> None:
    assert tidings.extract(PAGE, URL, options=ExtractOptions()) == tidings.extract(PAGE, URL)


def test_a_reader_applies_options_to_pages_of_known_sites() -> None:
    reader = tidings.Reader(learn_from=2, options=_options(tables=False, languages="en"))
    pages = [PAGE.replace("Seals", f"Seals {number}").replace("forty", f"{number} forty") for number in range(6)]
    articles = [reader.extract(page, f"https://gazette.example/{number}") for number, page in enumerate(pages)]
    assert all("Six." in article.text and "Year" not in article.text for article in articles)
    assert reader.extract(PAGE.replace("lang=en", "lang=tr"), "https://gazette.example/9").doubt in (
        "",
        f"{LEFT_OUT}in another language",
    )
    assert "Ferry" not in tidings.Reader(options=ExtractOptions(read_more="drop")).extract(PAGE, URL).text
