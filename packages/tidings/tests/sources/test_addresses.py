"""One spelling for each address (HOSTILE 4, 15, 21)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import Growth
from tidings.sources.addresses import canonical, is_home, key

BASE = "https://base.example/p/q"


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("HTTP://User:pw@WWW.Example.COM.:80/a/../b/./c%7e%2f?utm_source=x&id=3&fbclid=9#top", "http://www.example.com/b/c~%2F?id=3"),
        ("https://example.com:443", "https://example.com/"),
        ("https://example.com:8443/", "https://example.com:8443/"),
        ("https://müller.example/straße?q=ü", "https://xn--mller-kva.example/stra%C3%9Fe?q=%C3%BC"),
        ("/x?y=1&amp=2", "https://base.example/x?y=1&amp=2"),
        ("//b.example/z", "https://b.example/z"),
        ("?page=2", "https://base.example/p/q?page=2"),
        (" \thttps://a.example/x\n", "https://a.example/x"),
        ("https://a.example/a b", "https://a.example/a%20b"),
        ("https://a.example/%zz", "https://a.example/%25zz"),
        ("https://a.example/#!/story/1", "https://a.example/#!/story/1"),
        ("https://[::1]:8080/x", "https://[::1]:8080/x"),
        ("https://www.google.com/url?q=https%3A%2F%2Fa.example%2Fx%3Futm_source%3D1&sa=t", "https://a.example/x"),
        ("https://www.google.com/amp/s/a.example/x/amp/", "https://a.example/x/amp/"),
        ("https://a-example.cdn.ampproject.org/c/s/a.example/x", "https://a.example/x"),
    ],
)  # fmt: skip
def test_the_canonical_form(said: str, found: str) -> None:
    assert canonical(said, BASE) == found
    assert canonical(found) == found


@pytest.mark.parametrize(
    "said",
    ["", "javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "file:///etc/passwd", "ftp://a.example/",
     "mailto:a@b.example", "http://[::]@[:", "http://[::]@]", "https://[a:b]/",
     "http://", "https://a.example:99999/", "https://[::1", "https://" + "a" * 5000 + ".example/", "tel:123", "gopher://a.example/"],
)  # fmt: skip
def test_what_cannot_be_fetched_is_none(said: str) -> None:
    assert canonical(said) is None


def test_the_same_story_in_five_feeds() -> None:
    forms = [
        "https://www.harbour.example/news/seals?utm_source=rss&utm_medium=feed",
        "http://harbour.example/news/seals/",
        "https://m.harbour.example/news/seals?fbclid=abc#comments",
        "https://harbour.example/news/seals/amp/",
        "https://amp.harbour.example/news/seals?ref=homepage&cmpid=12",
    ]
    assert len({key(canonical(form) or "") for form in forms}) == 1


def test_what_differs_stays_different() -> None:
    forms = ["https://a.example/?p=1", "https://a.example/?p=2", "https://a.example/story?id=1&ref=99812", "https://a.example/story?id=1",
             "https://a.example/amplifier", "https://a.example/example", "https://b.example/example"]  # fmt: skip
    assert len({key(canonical(form) or "") for form in forms}) == len(forms)


def test_home_pages_and_sites() -> None:
    assert is_home("https://www.a.example/")
    assert is_home("https://a.example/?utm_source=x")
    assert not is_home("https://a.example/x")


@given(st.text(alphabet="htps:/.?#&=%@[]ab1-_~\\ \té!é", max_size=40), st.sampled_from(["", BASE, "http://[::1]/"]))
def test_a_fixed_point_that_never_raises(said: str, base: str) -> None:
    found = canonical(said, base)
    if found is not None:
        assert canonical(found) == found
        assert found.isascii()
        assert found.startswith(("http://", "https://"))
        assert key(found)


@pytest.mark.parametrize("piece", ["@", "%", "&", "/", "../", "[", "?", "%41"])
def test_time_grows_with_the_size(piece: str, growth: Growth) -> None:
    assert (
        growth(
            lambda: [canonical("https://a.example/" + piece * 200) for _ in range(50)],
            lambda: [canonical("https://a.example/" + piece * 800) for _ in range(50)],
        )
        < 8
    )
