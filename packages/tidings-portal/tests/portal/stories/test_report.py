"""Articles as reports, and the examples in the docstrings."""

from __future__ import annotations

import doctest
import importlib
from datetime import UTC, datetime, timedelta, timezone

import pytest

from tidings.article import Article
from tidings_portal.stories.report import Report, moment


@pytest.mark.parametrize("module", ["tidings_portal.stories", "tidings_portal.stories.trends"])
def test_docstring_examples(module: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(module))
    assert tried > 0
    assert failed == 0


def test_an_article_as_a_report() -> None:
    article = Article(
        url="https://harbour.example/seals",
        title="Seals",
        language="en",
        published=datetime(2024, 3, 5),
        published_precision="day",
    )
    assert Report.of(7, article) == Report(7, "Seals", "", "en", datetime(2024, 3, 5, tzinfo=UTC), "harbour.example")
    better = datetime(2024, 3, 6, tzinfo=UTC)
    assert Report.of(7, article, better).published == better
    assert Report.of(7, Article(site="The Harbour")).source == "The Harbour"


def test_times_are_aware() -> None:
    aware = datetime(2024, 3, 5, 12, tzinfo=timezone(timedelta(hours=3)))
    assert moment(None) is None
    assert moment(aware) == aware
    assert moment(datetime(2024, 3, 5, 12)) == datetime(2024, 3, 5, 12, tzinfo=UTC)
