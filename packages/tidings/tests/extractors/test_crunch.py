"""Crunch's filters (DANA thesis 3.2.1, Algorithm 1; 3.4.1; Gupta et al. 2003)."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tidings import reading
from tidings.article import article_from_json, render
from tidings.errors import BadParameter
from tidings.extractors.published.crunch import Crunch, TextLinks, advertisement_hosts, is_advertisement
from tidings.page import Page, Spans

#: Every filter off: a test switches on the one it is about.
NOTHING = Crunch(advertisements=False, link_cells=False, text_links=TextLinks.KEEP, empty_tables=False)


def text(extractor: Crunch, source: str) -> str:
    page = Page(source)
    return extractor(page).text(page)


def test_with_every_filter_off_everything_stays() -> None:
    source = "<table><tr><td><a href='//doubleclick.net/x'>Buy</a></table><p>Story <a href=x>link</a></p>"
    assert text(NOTHING, source) == "Buy\nStory link"


# -- advertisements ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://doubleclick.net/click", True),
        ("http://ad.uk.DoubleClick.net:8080/x?y", True),
        ("//googleads.g.doubleclick.net", True),
        ("  https://user@taboola.com/", True),
        ("https://doubleclick.net./", True),
        ("https://doubleclick.net.example.org/", False),
        ("https://notdoubleclick.net/", False),
        ("https://example.org/?to=doubleclick.net", False),
        ("/doubleclick.net", False),
        ("", False),
    ],
)
def test_an_advertisement_is_known_by_its_host(address: str, expected: bool) -> None:
    assert is_advertisement(address, advertisement_hosts()) is expected


def test_the_bundled_list_is_of_host_names() -> None:
    hosts = advertisement_hosts()
    assert len(hosts) > 50
    assert all(host == host.strip().lower() and "." in host and "/" not in host for host in hosts)


def test_links_to_advertisement_servers_go() -> None:
    """ "A list of advertisement server addresses is kept to be used for identification" (3.2.1)."""
    source = "<p>Story. <a href='https://ad.doubleclick.net/x'>Buy now</a> <a href='/more'>More</a></p>"
    assert text(replace(NOTHING, advertisements=True), source) == "Story. More"
    assert (
        text(replace(NOTHING, advertisements=True, hosts=frozenset({"example.org"})), source) == "Story. Buy now More"
    )


# -- link cells -------------------------------------------------------------------------------------------------


def test_a_cell_goes_when_it_has_over_a_link_for_four_words() -> None:
    """Ratio 0.25 of links to words, a word being five letters (Gupta et al. 2003): 20 letters bear a link, not 19."""
    cells = replace(NOTHING, link_cells=True)
    assert text(cells, f"<table><tr><td>{'x' * 20} <a href=x>link</a></table>").endswith("link")
    assert text(cells, f"<table><tr><td>{'x' * 19} <a href=x>link</a></table>") == ""
    assert text(cells, f"<table><tr><td>{'x' * 19}</table>") == "x" * 19
    assert text(replace(cells, ratio=0.5), f"<table><tr><td>{'x' * 19} <a href=x>link</a></table>").endswith("link")
    assert text(replace(cells, word_length=4), f"<table><tr><td>{'x' * 19} <a href=x>link</a></table>").endswith("link")


def test_only_cells_of_tables_are_judged_unless_told_otherwise() -> None:
    """Algorithm 1: `nodeName = TD`."""
    source = "<ul><li><a href=x>Home</a><li><a href=x>News</a></ul><p>Story.</p>"
    assert text(replace(NOTHING, link_cells=True), source) == "Home\nNews\nStory."
    assert text(replace(NOTHING, link_cells=True, cells="td li"), source) == "Story."


def test_a_cell_around_the_page_stays_for_its_text() -> None:
    story = "A long story that goes on and on for the sake of its many words. " * 5
    source = f"<table><tr><td><table><tr><td><a href=x>Home</a></td></tr></table><p>{story}</p></td></tr></table>"
    assert text(replace(NOTHING, link_cells=True), source) == story.strip()


def test_cells_that_are_no_elements_are_an_error() -> None:
    with pytest.raises(BadParameter, match="'cell'"):
        Crunch(cells="td cell")(Page("<p>x"))


# -- text links -------------------------------------------------------------------------------------------------


def test_text_links_go_or_stay() -> None:
    """Algorithm 1: `ignoreTextLink`."""
    source = "<p>Read <a href=x>this <b>report</b></a> first.</p>"
    assert text(replace(NOTHING, text_links=TextLinks.REMOVE), source) == "Read first."
    assert text(replace(NOTHING, text_links=TextLinks.KEEP), source) == "Read this report first."


def test_text_links_move_to_the_bottom() -> None:
    """Algorithm 1: `addLinksToBottom`. Nothing is lost: an article has them behind its text, with their addresses."""
    crunch = replace(NOTHING, text_links=TextLinks.TO_BOTTOM)
    source = """<p>Read <a href=/r>this <b>report</b></a><a href="https://b.example/2">and that</a> first.</p>
<p>The <a href="javascript:x()">end</a><a href=/i><img src=x></a> is near.<a href=/h hidden>Hidden</a></p>"""
    page = Page(source, "https://a.example/1")
    assert crunch(page).text(page) == "Read first.\nThe is near."
    assert [page.attributes(link).get("href", "")[:8] for link in crunch.moved(page)] == ["/r", "https://", "javascri"]
    article = reading.read(page, crunch)
    assert article.text == "Read first.\n\nThe is near.\n\n- this report\n- and that\n- end"
    assert render(article, "markdown").endswith(
        "- [this report](https://a.example/r)\n- [and that](https://b.example/2)\n- end"
    )
    assert [block.text for block in article.blocks] == ["Read first.", "The is near.", "this report", "and that", "end"]
    assert article_from_json(render(article, "json")) == article


def test_links_that_another_filter_takes_out_do_not_come_back_below() -> None:
    crunch = replace(Crunch(), text_links=TextLinks.TO_BOTTOM)
    source = """<table><tr><td><a href=/1>Home</a> <a href=/2>News</a> <a href=/3>Sport</a></td></tr></table>
<p>The story, by <a href=/ann>Ann Lee</a>, is long. <a href="https://ad.doubleclick.net/x">Buy</a></p>"""
    page = Page(source)
    assert reading.read(page, crunch).text == "The story, by , is long.\n\n- Ann Lee"
    part = page.within(Spans.of_blocks(page, [0]))
    assert crunch.moved(part) == ()


@pytest.mark.parametrize("text_links", [TextLinks.KEEP, TextLinks.REMOVE])
def test_nothing_is_moved_where_that_is_not_asked_for(text_links: TextLinks) -> None:
    page = Page("<p>Read <a href=x>this</a> first.</p>")
    assert replace(NOTHING, text_links=text_links).moved(page) == ()


def test_moved_links_on_the_command_line(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>Read <a href=x>this report</a> first, for it is good.</p><p>Then read on as you like.</p>")
    command = [sys.executable, "-m", "tidings", "extract", str(page), "--with", "crunch(text_links=to_bottom)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "Read first, for it is good.\n\nThen read on as you like.\n\n- this report\n"


# -- empty tables, styles, further filters ----------------------------------------------------------------------


def test_tables_that_other_filters_emptied_go() -> None:
    """ "Delete a table without information or containing insignificant information" (3.2.1)."""
    source = "<table><tr><td><a href=x>Home</a></td><td>|</td></tr></table><p>Story.</p>"
    filters = replace(NOTHING, text_links=TextLinks.REMOVE)
    assert text(filters, source) == "|\nStory."
    assert text(replace(filters, empty_tables=True, substance=1), source) == "|\nStory."
    assert text(replace(filters, empty_tables=True, substance=2), source) == "Story."


def test_with_styles_gone_text_that_they_hide_counts_but_is_not_returned() -> None:
    """Algorithm 1: `ignoreDivStyles`."""
    hidden = f"<div style='display:none'>{'word ' * 30}</div>"
    source = f"<table><tr><td>Menu <a href=x>Home</a>{hidden}</td></tr></table>"
    cells = replace(NOTHING, link_cells=True)
    assert text(cells, source) == "Menu Home"
    assert text(replace(cells, styles=False), source) == ""


def test_without_styles_gone_hidden_links_do_not_count() -> None:
    source = f"<table><tr><td>{'x' * 20} <a href=x>seen</a> <a href=x style='display:none'>unseen</a></td></tr></table>"
    cells = replace(NOTHING, link_cells=True)
    assert text(replace(cells, styles=False), source).endswith("seen")
    assert text(cells, source) == ""


def drop_headings(page: Page) -> Spans:
    return Spans.of([(0, page.text.index("\n"))], len(page.text))


def test_a_caller_can_add_filters() -> None:
    """ "Equipped with a plug-in mechanism to enable adding heuristic filtering techniques" (3.2.1)."""
    assert text(replace(NOTHING, extra_filters=(drop_headings,)), "<h1>Title</h1><p>Story.</p>") == "Story."


@pytest.mark.parametrize("wrong", [Crunch(ratio=-1), Crunch(word_length=0), Crunch(substance=-1)])
def test_parameters_out_of_range_are_an_error(wrong: Crunch) -> None:
    with pytest.raises(BadParameter):
        wrong(Page("<p>x"))
