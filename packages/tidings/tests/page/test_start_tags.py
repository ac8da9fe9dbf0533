"""Start tags by spelling say of each element what its own start tag is."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tidings import Page

TAGS = ("<p>", '<p class="a">', "<p CLASS=a>", "<b>", "<xmp>", "</p>", "</b>", "<br>", "<script>a</script>", "text")


@given(st.lists(st.sampled_from(TAGS), max_size=30), st.integers(1, 3))
def test_each_element_has_its_own_spelling(parts: list[str], every: int) -> None:
    page = Page("".join(parts) + "end")
    holding = np.flatnonzero(page.elements.last > page.elements.first)[1:]
    some = holding[::every]
    spellings, spelling = page.start_tags.of(some)
    assert len(set(spellings)) == len(spellings)
    assert [spellings[one] for one in spelling.tolist()] == page.cut.tags(page.opened[some])
    assert set(spelling.tolist()) == set(range(len(spellings)))
