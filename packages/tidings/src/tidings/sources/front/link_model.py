"""The probability that a link leads to an article: a linear model over named features.

Logistic regression with L2 penalty, trained on labelled links of news home pages, with folds grouped by site (`tidings
lab study links`). The weights are stored next to this file as readable JSON. The position on a page (headings, menus,
pictures) is not in the training data; its weights below are set by hand and small compared to the learned ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from tidings.errors import BadModel
from tidings.sources.front.link_features import address_marks, text_marks

WEIGHTS: Final = "link_weights.json"
#: What the position of a link on the page adds to its log-odds.
PLACE: Final[Mapping[str, float]] = {
    "heading": 1.0,  # the link is in a heading, or contains one
    "article": 0.5,  # it stands in an article element
    "picture": 0.3,  # it holds a picture
    "repeated": 0.3,  # two links of one card, as picture and headline
    "menu": -1.5,  # it stands in nav or footer
    "list of short links": -1.0,
    "hidden": -0.5,
}


@dataclass(frozen=True, slots=True)
class LinkModel:
    """Learned feature weights with a bias."""

    weights: Mapping[str, float]
    bias: float

    def of_address(self, address: str, home: str) -> tuple[float, set[str]]:
        """Return the log-odds of a URL, and its words for the comparison with link texts."""
        marks, slug = address_marks(address, home)
        return self.sum(marks) + self.bias, slug

    def of_text(self, text: str, slug: set[str]) -> float:
        """Return the log-odds of a link text."""
        return self.sum(text_marks(text, slug))

    def log_odds(self, address: str, text: str, home: str) -> float:
        """Return the log-odds that a link leads to an article, from URL and text."""
        of_url, slug = self.of_address(address, home)
        return of_url + self.of_text(text, slug)

    def sum(self, marks: Iterable[str]) -> float:
        """Return the sum of the weights of features. Unknown features count as 0."""
        weights = self.weights
        return sum([weights.get(mark, 0.0) for mark in marks])

    @classmethod
    def of_json(cls, text: str) -> LinkModel:
        """Load stored weights.

        Raises:
            BadModel: the text contains no weights.
        """
        try:
            document = json.loads(text)
            return cls(
                {str(name): float(value) for name, value in document["weights"].items()}, float(document["bias"])
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise BadModel(f"the weights of links cannot be read ({error}); train them again") from error


@cache
def judge() -> LinkModel:
    """Return the bundled model."""
    return LinkModel.of_json(files(__package__).joinpath(WEIGHTS).read_text("utf-8"))
