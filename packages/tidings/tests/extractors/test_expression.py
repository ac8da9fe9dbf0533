"""The small language for combinations, and errors that point at the place."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import extractor
from tidings.errors import BadExpression, UnknownExtractor
from tidings.extractors import Extractor
from tidings.extractors.combine import Difference, Everything, Fallback, Intersection, Serial, Union, Vote
from tidings.extractors.explain import name_of
from tidings.extractors.learned import Learned
from tidings.extractors.published.dana import DANA, AdDANAg, DANAg, LinkFilter, Smoothing


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dana", DANA()),
        ("dana & danag", Intersection((DANA(), DANAg()))),
        ("dana | danag | addanag", Union((DANA(), DANAg(), AdDANAg()))),
        ("everything - danag", Difference(Everything(), DANAg())),
        ("dana | danag & addanag", Union((DANA(), Intersection((DANAg(), AdDANAg()))))),
        ("(dana | danag) & addanag", Intersection((Union((DANA(), DANAg())), AdDANAg()))),
        ("everything - dana & danag", Difference(Everything(), Intersection((DANA(), DANAg())))),
        ("vote(dana, danag, addanag; 2)", Vote((DANA(), DANAg(), AdDANAg()), 2.0)),
        ("vote(2*dana, danag; 2.5)", Vote((DANA(), DANAg()), 2.5, (2.0, 1.0))),
        ("vote(dana, danag)", Vote((DANA(), DANAg()))),
        ("serial(danag, dana)", Serial((DANAg(), DANA()))),
        ("fallback(dana, danag; 50)", Fallback((DANA(), DANAg()), 50)),
        ("danag(gap=3, links=filter_1)", DANAg(gap=3, links=LinkFilter.FILTER_1)),
        ("danag(smoothing=none)", DANAg(smoothing=Smoothing.NONE)),
        ("learned(model=models/my-own.npz)", Learned(model="models/my-own.npz")),
        ('learned(model="my model (2).npz")', Learned(model="my model (2).npz")),
        ("  vote( dana ,danag(gap = 4) ;1 ) ", Vote((DANA(), DANAg(gap=4)), 1.0)),
    ],
)
def test_what_an_expression_means(text: str, expected: Extractor) -> None:
    assert extractor(text) == expected


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("vote(dana, foo; 1)", 11, "no extractor called 'foo'"),
        ("vote(dana, danagg; 1)", 11, "did you mean danag"),
        ("vote(dana, danag; 3)", 18, "quorum is 3, but there are 2 votes"),
        ("vote(dana, danag; 0)", 18, "quorum"),
        ("vote(dana, danag; )", 18, "number should stand after the semicolon"),
        ("dana &", 6, "it ends"),
        ("dana danag", 5, "left over"),
        ("dana(gap=3", 10, "')' should stand here"),
        ("dana(gop=3)", 5, "it has gap, smoothing, line_length"),
        ("dana(gap=wide)", 9, "gap is a whole number"),
        ("danag(links=filter_9)", 12, "one of none, filter_1"),
        ("dana $ danag", 5, "has no meaning here"),
        ("serial(2*dana)", 7, "only a vote has weights"),
        ("serial(dana; 2)", 13, "takes no number"),
        ("(" * 40 + "dana", 32, "nests deeper"),
        ("vote(0*dana)", 5, "larger than 0"),
    ],
)
def test_an_error_points_at_the_place(text: str, at: int, message: str) -> None:
    with pytest.raises(BadExpression) as caught:
        extractor(text)
    assert message in str(caught.value)
    assert caught.value.at == at
    assert str(caught.value).splitlines()[-1] == "  " + " " * at + "^"


def test_a_plain_unknown_name_is_an_unknown_extractor() -> None:
    with pytest.raises(UnknownExtractor, match="did you mean danag"):
        extractor("danagg")


def test_an_endless_expression_is_refused_at_once() -> None:
    with pytest.raises(BadExpression, match="characters"):
        extractor("dana|" * 5000 + "dana")


names = st.sampled_from(["dana", "danag", "addanag", "everything", "danag(gap=5)"])
expressions = st.recursive(
    names,
    lambda inner: st.one_of(
        st.builds("({} & {})".format, inner, inner),
        st.builds("({} | {})".format, inner, inner),
        st.builds("({} - {})".format, inner, inner),
        st.builds("vote({}, {}, {}; 2)".format, inner, inner, inner),
        st.builds("vote(2*{}, 0.5*{})".format, inner, inner),
        st.builds("serial({}, {})".format, inner, inner),
        st.builds("fallback({}, {}; 7)".format, inner, inner),
    ),
    max_leaves=6,
)


@given(expressions)
def test_the_name_of_an_extractor_makes_the_same_one(text: str) -> None:
    made = extractor(text)
    assert extractor(name_of(made)) == made


@given(st.text(max_size=40))
def test_nonsense_is_refused_with_a_typed_error_only(text: str) -> None:
    with contextlib.suppress(BadExpression, UnknownExtractor):
        assert isinstance(extractor(text), Extractor)
