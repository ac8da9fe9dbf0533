"""How likely a link leads to a story: a linear model over named marks.

Logistic regression with a quadratic penalty, learned from labelled links of news home pages alone, by folds grouped by
site (`tidings lab study links`). The weights lie beside this as JSON that can be read by a person. What a front page
shows beyond address and text (headings, menus, pictures) is in no labelled set that may be learned from; its weights
are set by hand below, small against the learned ones.
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
#: What the place of a link on the page adds to the logarithm of its odds.
PLACE: Final[Mapping[str, float]] = {
    "heading": 1.0,  # the link is in a heading, or holds one
    "article": 0.5,  # it stands in an article element
    "picture": 0.3,  # it holds a picture
    "repeated": 0.3,  # two links of one card, as picture and headline
    "menu": -1.5,  # it stands in nav or footer
    "list of short links": -1.0,
    "hidden": -0.5,
}


@dataclass(frozen=True, slots=True)
class LinkModel:
    """Learned weights of marks, and what stands when there are none."""

    weights: Mapping[str, float]
    bias: float

    def of_address(self, address: str, home: str) -> tuple[float, set[str]]:
        """What an address says for itself, and its words to compare texts with."""
        marks, slug = address_marks(address, home)
        return self.sum(marks) + self.bias, slug

    def of_text(self, text: str, slug: set[str]) -> float:
        """What the text of a link says for it."""
        return self.sum(text_marks(text, slug))

    def log_odds(self, address: str, text: str, home: str) -> float:
        """Return both together: the logarithm of the odds that the link leads to a story."""
        found, slug = self.of_address(address, home)
        return found + self.of_text(text, slug)

    def sum(self, marks: Iterable[str]) -> float:
        """Return the weights of marks together; a mark that was never seen says nothing."""
        weights = self.weights
        return sum([weights.get(mark, 0.0) for mark in marks])

    @classmethod
    def of_json(cls, text: str) -> LinkModel:
        """From stored weights.

        Raises:
            BadModel: the text holds none.
        """
        try:
            told = json.loads(text)
            return cls({str(name): float(value) for name, value in told["weights"].items()}, float(told["bias"]))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise BadModel(f"the weights of links cannot be read ({error}); train them again") from error


@cache
def judge() -> LinkModel:
    """Return the judge that comes with Tidings."""
    return LinkModel.of_json(files(__package__).joinpath(WEIGHTS).read_text("utf-8"))
