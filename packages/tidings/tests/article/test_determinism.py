"""The same page gives the same article, whatever was read before it and beside it."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

import tidings
from tidings import newspaper
from tidings.article import render

RUNS, THREADS = 1000, 16


def article(page: newspaper.SamplePage) -> str:
    return render(tidings.extract(page.html, page.url), "json")


@pytest.mark.soak
def test_a_thousand_shuffled_reads_on_sixteen_threads_agree_to_the_byte() -> None:
    pages = list(newspaper.pages())
    first = [article(page) for page in pages]
    order = [place % len(pages) for place in range(RUNS)]
    random.Random(7).shuffle(order)
    with ThreadPoolExecutor(THREADS) as pool:
        again = list(pool.map(lambda place: article(pages[place]), order))
    assert [text == first[place] for place, text in zip(order, again, strict=True)] == [True] * RUNS
