"""Values that no parameter can have (HOSTILE 38): a typed error that names the parameter, whichever way they come."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from tests.extractors.documents import article
from tests.extractors.drawn import unstyled
from tidings import extractor
from tidings.errors import BadExpression, BadParameter, ExtractorError, TidingsError
from tidings.extractors import Entry, entries
from tidings.extractors.combine import Fallback, Serial, Union, Vote
from tidings.extractors.parameters import LARGEST, checked, kinds
from tidings.extractors.published.bte import BTE
from tidings.extractors.published.cetr import CETR
from tidings.extractors.published.correlation_clustering import CorrelationClustering
from tidings.extractors.published.dana import DANA
from tidings.page import Hints, Page, Spans

HTML = article(6)
PAGE, DRAWN = Page(HTML, hints=Hints(siblings=(Page(article(2)),))), unstyled(HTML)
NAN, INFINITY = float("nan"), float("inf")
#: What no number may be, of any parameter.
NO_NUMBERS: tuple[Any, ...] = (
    NAN, INFINITY, -INFINITY, 1e308, 10**30, -(10**30), 10**5000, "x", "", b"x", [], {}, 1j, object(), True,
)  # fmt: skip
#: What may be right for some numbers and wrong for others: then too the error is a typed one.
DOUBTFUL = (-1, 0, -0.0, 1, 1.5, -1.5, 5e-324, 2**31, 2**53, None)
#: The same where they are written.
WRITTEN = (
    "1.5", "-1", "-1.5", "0", "0.0", "9" * 30, "-" + "9" * 30, "9" * 250, "0." + "0" * 200 + "1", "nan", "inf",
    "-inf", "1e999", "-1e999", "true", "x", '"x"', '""', "none", "1.5.5", "--1", "0x10", "1_000", "٣",
)  # fmt: skip
every_extractor = pytest.mark.parametrize("entry", entries(laid_out=True), ids=lambda entry: entry.name)


def parameters(entry: Entry) -> list[str]:
    instance: Any = entry.make()
    return [field.name for field in dataclasses.fields(instance)]


def written(entry: Entry) -> Iterator[str]:
    """Every parameter of an extractor with everything that can be written for one."""
    for name in parameters(entry):
        for value in WRITTEN:
            yield f"{entry.name}({name}={value})"


def used(made_extractor: Any, entry: Entry) -> None:
    """Do all that an extractor does with its parameters."""
    page = DRAWN if entry.needs_layout else PAGE
    for method in ("__call__", "score", "decide"):
        if hasattr(made_extractor, method):
            getattr(made_extractor, method)(page)


def failure(made_extractor: Any, entry: Entry) -> TidingsError | None:
    """Return the error of an extractor; errors that are not ours are raised."""
    try:
        used(made_extractor, entry)
    except TidingsError as error:
        return error
    return None


@every_extractor
def test_in_python(entry: Entry) -> None:
    instance: Any = entry.make()
    for name, kind in kinds(type(instance)).items():
        is_number = bool({int, float}.intersection(kind.types))
        for value in (*NO_NUMBERS, *DOUBTFUL):
            wrong = dataclasses.replace(instance, **{name: value})
            if is_number and value in NO_NUMBERS and value not in DOUBTFUL:
                with pytest.raises(BadParameter, match=name):
                    used(wrong, entry)
                continue
            error = failure(wrong, entry)
            if isinstance(error, BadParameter):
                assert name in str(error), value
            elif error is not None:  # a model that is not there
                assert isinstance(value, str)


@every_extractor
def test_whole_numbers_are_whole(entry: Entry) -> None:
    made: Any = entry.make()
    for name, kind in kinds(type(made)).items():
        if kind.types == (int,):
            with pytest.raises(BadParameter, match=f"{name} .* is 1.5; it is a whole number"):
                used(dataclasses.replace(made, **{name: 1.5}), entry)
            with pytest.raises(BadExpression, match=f"{name} is 1.5; it is a whole number"):
                extractor(f"{entry.name}({name}=1.5)")


@every_extractor
def test_in_an_expression(entry: Entry) -> None:
    for expression in written(entry):
        with suppress(BadExpression):
            error = failure(extractor(expression), entry)
            assert error is None or isinstance(error, ExtractorError) or "model=" in expression, expression


def test_what_is_right_is_still_right() -> None:
    assert extractor("cetr(line_length=none)") == CETR(line_length=None)
    assert extractor("lqf-50(threshold=1)")(PAGE) == extractor("lqf-50(threshold=1.0)")(PAGE)
    assert DANA(gap=np.int64(20))(PAGE) == DANA()(PAGE)  # type: ignore[arg-type]  # as it comes out of an array
    assert CorrelationClustering(seed=20_091_231_235_959)(PAGE) is not None


def test_seeds_are_not_negative() -> None:
    with pytest.raises(BadParameter, match="seed of CorrelationClustering is -1; it is a whole number from 0"):
        CorrelationClustering(seed=-1)(PAGE)
    with pytest.raises(BadExpression, match="seed is -1; it is a whole number from 0"):
        extractor("correlation-clustering(seed=-1)")


def test_numbers_of_numbers() -> None:
    """Numbers inside a parameter are checked too."""
    made = CorrelationClustering()
    with pytest.raises(BadParameter, match="height of LookWeights is nan"):
        dataclasses.replace(made, weights=dataclasses.replace(made.weights, height=NAN))(PAGE)


@pytest.mark.parametrize(
    "combination",
    [
        Fallback((BTE(),), 1.5),  # type: ignore[arg-type]
        Fallback((BTE(),), -1),
        Fallback((BTE(),), 10**30),
        Vote((BTE(), DANA()), NAN),
        Vote((BTE(), DANA()), None, (1.0, INFINITY)),
        Vote((BTE(), DANA()), None, (1.0, NAN)),
        Vote((BTE(), DANA()), None, (1.0, -1.0)),
        Vote((BTE(), DANA()), None, (1.0, "2")),  # type: ignore[arg-type]
        Union([BTE()]),  # type: ignore[arg-type]
        Serial((BTE(), "dana")),  # type: ignore[arg-type]
        Union((BTE(), DANA(gap=0.5))),  # type: ignore[arg-type]
    ],
)
def test_of_combinations(combination: Any) -> None:
    with pytest.raises(BadParameter):
        combination(PAGE)


@pytest.mark.parametrize(
    "expression",
    [
        "fallback(bte, dana; 1.5)",
        "fallback(bte, dana; -3)",
        f"fallback(bte, dana; {LARGEST + 1})",
        f"fallback(bte, dana; {'9' * 400})",
        f"vote({'9' * 400}*bte, dana)",
        f"vote({'9' * 400}.5*bte, dana; 1)",
        f"vote(bte, dana; {'9' * 400})",
        "vote(0.0*bte, dana)",
    ],
)
def test_of_combinations_that_are_written(expression: str) -> None:
    with pytest.raises(BadExpression):
        extractor(expression)


def test_of_somebodys_own_extractor() -> None:
    @checked
    @dataclasses.dataclass(frozen=True)
    class Own:
        words: int = 20
        other: Unheard = 1  # type: ignore[name-defined]  # noqa: F821

        def __call__(self, page: Page, /) -> Spans:
            return page.visible

    assert Own(words=3)(PAGE) == PAGE.visible


def test_what_can_be_changed_is_looked_at_each_time() -> None:
    @checked
    @dataclasses.dataclass
    class Changing:
        gap: int = 1

        def __call__(self, page: Page, /) -> Spans:
            return Spans.all(len(page.text))

    method = Changing()
    assert method(PAGE)
    method.gap = "x"  # type: ignore[assignment]
    with pytest.raises(BadParameter, match="gap"):
        method(PAGE)
