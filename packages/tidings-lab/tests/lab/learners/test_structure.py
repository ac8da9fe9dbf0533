"""The structure check (memory-based thesis 6.8, figure 6.9)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.page import Page
from tidings_lab.learners.element_classes import ElementClass, ElementClasses
from tidings_lab.learners.structure_check import Fault, FaultKind, check, in_order

G, T, H, B = ElementClass


@pytest.mark.parametrize(
    ("classes", "faults"),
    [
        ([T, B, B], []),
        ([G, T, G, B, H, B, G, H, B], []),
        ([B, H, B], [Fault(FaultKind.NO_TITLE, 3)]),
        ([], [Fault(FaultKind.NO_TITLE, 0)]),
        ([T, B, T], [Fault(FaultKind.TWO_TITLES, 2)]),
        ([T, H, G, H, B], [Fault(FaultKind.HEADINGS_TOGETHER, 3)]),
        ([T, H, H, H], [Fault(FaultKind.HEADINGS_TOGETHER, 2), Fault(FaultKind.HEADINGS_TOGETHER, 3)]),
        ([T, T, H, H], [Fault(FaultKind.TWO_TITLES, 1), Fault(FaultKind.HEADINGS_TOGETHER, 3)]),
    ],
)
def test_the_three_errors(classes: list[ElementClass], faults: list[Fault]) -> None:
    assert check(classes) == tuple(faults)


@given(st.lists(st.sampled_from(list(ElementClass))))
def test_garbage_changes_nothing_but_places(classes: list[ElementClass]) -> None:
    kept = [one for one in classes if one is not G]
    assert [fault.kind for fault in check(classes)] == [fault.kind for fault in check(kept)]
    assert any(fault.kind is FaultKind.NO_TITLE for fault in check(classes)) == (T not in classes)


def test_a_headline_of_several_elements_is_one() -> None:
    page = Page("<h1>Two <em>seals</em> return</h1><p>Body <b>text</b> here.</p>")
    text = np.array([{"h1": 1, "em": 1, "p": 3, "b": 3}.get(page.tag_names[tag], 0) for tag in page.elements.tag])
    tail = np.array([{"em": 1, "b": 3}.get(page.tag_names[tag], 0) for tag in page.elements.tag])
    parts = in_order(page, ElementClasses(text.astype(np.int8), tail.astype(np.int8)))
    assert parts.classes == (T, B)
    assert parts.runs.tolist() == [0, 3]
    assert check(parts.classes) == ()
