"""Properties that the columns of every page have, whatever its markup."""

from __future__ import annotations

import numpy as np

from tidings import Page
from tidings.page import tags
from tidings.page.references import unescape


def check_columns(page: Page) -> None:
    """Assert the properties of a page's columns."""
    _check_cut(page)
    _check_elements(page)
    _check_runs(page)
    _check_blocks(page)


def _check_cut(page: Page) -> None:
    cut = page.cut
    assert len(cut.bounds) == 2 * len(cut.codes) + 2
    assert cut.bounds[0] == 0
    assert cut.bounds[-1] == len(page.source)
    assert (np.diff(cut.bounds) >= 0).all()
    assert all(page.source[at] == "<" for at in cut.tag_start.tolist())
    assert (np.abs(cut.codes) < len(cut.names)).all()


def _check_elements(page: Page) -> None:
    elements, count = page.elements, len(page.cut.codes)
    size = len(elements)
    assert elements.parent[0] == -1
    assert ((elements.parent[1:] >= 0) & (elements.parent[1:] < np.arange(1, size))).all()
    assert (np.diff(page.opened) > 0).all()
    assert (page.cut.codes[page.opened[1:]] == elements.tag[1:]).all()
    assert ((page.closed >= page.opened) & (page.closed <= count)).all()
    assert (elements.start <= elements.end).all()
    assert (elements.first <= elements.last).all()
    assert len(page.owner) == count + 1
    assert ((page.owner >= 0) & (page.owner < size)).all()


def _check_runs(page: Page) -> None:
    runs, text, source = page.runs, page.text, page.source
    borders = np.column_stack((runs.text_start, runs.text_end)).ravel()
    assert (np.diff(borders) >= 0).all()
    assert (runs.text_start < runs.text_end).all()
    assert (np.diff(page.piece) > 0).all()
    assert (page.owner[page.piece] == runs.element).all()
    between = (text[end:start] for end, start in zip(runs.text_end[:-1], runs.text_start[1:], strict=True))
    assert not unescape("".join(between)).strip()
    for run in range(len(runs)):
        decoded = unescape(source[runs.start[run] : runs.end[run]])
        assert text[runs.text_start[run] : runs.text_end[run]].split() == decoded.split()
    origin = page.source_of_text
    assert len(origin) == len(text) + 1
    assert (np.diff(origin) >= 0).all()
    assert len(runs.hidden) == len(runs.words) == len(runs.in_link) == len(runs)
    assert (runs.words >= 0).all()


def _check_blocks(page: Page) -> None:
    runs, blocks = page.runs, page.blocks
    lengths = blocks.last - blocks.first
    assert (lengths > 0).all()
    assert np.repeat(np.arange(len(blocks)), lengths).tolist() == runs.block.tolist()
    assert blocks.words.sum() == runs.words.sum()
    assert blocks.link_words.sum() == runs.words[runs.in_link].sum()
    assert set(page.elements.tag[blocks.element].tolist()) <= {0, *tags.BLOCK}
