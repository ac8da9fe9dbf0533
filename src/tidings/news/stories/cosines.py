"""The cosines of a new article with all before it, by an index: term weights times rarity, on vectors of length 1.

Rarities change with every article. They are frozen for a while, and lengths with them; both are worked out anew when
the number of articles has grown by a tenth. So an article costs the postings of its terms, and now and then one pass
over everything. The most frequent terms, which make up a hundredth of the article's squared length, are left out: their
postings are the longest and say least.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.news.stories.packing import Column
from tidings.news.stories.rarity import Rarity
from tidings.news.stories.sparse_rows import Floats, Growing, Ints, Postings, SparseRows

Cosines = NDArray[np.float64]

_LEFT_OUT: Final = 0.01
_GROWN: Final = 1.1
_ONE_THREAD: Final = 1 << 17  # multiplications


class CosineIndex:
    """Articles as weighted terms. They are known by their rows, in the order they came."""

    __slots__ = ("_lengths", "_postings", "_rarities", "_rarity", "_refreshed", "_rows", "most_terms")

    def __init__(self, rarity: Rarity, most_terms: int) -> None:
        self.most_terms = most_terms
        self._rarity = rarity
        self._rows = SparseRows()
        self._postings = Postings()
        self._rarities = Growing(np.empty(0, np.float64))  # as frozen
        self._lengths = Growing(np.empty(0, np.float64))
        self._refreshed = 0

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, weights: Mapping[str, float]) -> Cosines:
        """Enter an article by the weights of its terms; its cosine with each one before it."""
        before = len(self._rows.numbers)
        terms, values = self._rows.add(self._heaviest(weights))
        unseen = list(islice(reversed(self._rows.numbers), len(self._rows.numbers) - before))[::-1]
        self._rarity.see(terms, unseen)
        if len(self._rows) >= _GROWN * self._refreshed:
            self._refresh()
        else:
            new = np.arange(self._rarities.size, len(self._rows.numbers), dtype=np.int32)
            self._rarities.extend(self._rarity.of(new))
            self._rarities.all[terms] = self._rarity.of(terms)
            self._lengths.append(float(np.linalg.norm(values * self._rarities.all[terms])))
        cosines = self._cosines(terms, values)
        self._postings.add(len(self._rows) - 1, terms, values)
        return cosines

    def between(self, groups: list[list[int]]) -> Cosines:
        """The sums of the cosines between the articles of groups, given by their rows: a square, group by group.

        What a group has in common with itself is not told.
        """
        rows = [row for group in groups for row in group]
        vectors = [self._vector(row) for row in rows]
        sizes = [len(terms) for terms, _ in vectors]
        terms = np.concatenate([terms for terms, _ in vectors])
        weights = np.concatenate([vector for _, vector in vectors])
        owners = np.repeat([number for number, group in enumerate(groups) for _ in group], sizes)
        held_by = np.bincount(terms, minlength=len(self._rows.numbers))
        shared = held_by[terms] > 1
        columns = np.cumsum(held_by > 1) - 1
        width = int(columns[-1]) + 1 if len(columns) else 0
        places = owners[shared] * width + columns[terms[shared]]
        summed = np.bincount(places, weights[shared], minlength=len(groups) * width).astype(np.float32)
        summed = summed.reshape(len(groups), width)
        turned = summed.T.copy()
        found = np.zeros((len(groups), len(groups)))
        # In pieces too small for the linear algebra to start threads, which would cost more than the product.
        step = max(1, _ONE_THREAD // len(groups) ** 2)
        for start in range(0, width, step):
            found += summed[:, start : start + step] @ turned[start : start + step]
        return found

    def _heaviest(self, weights: Mapping[str, float]) -> Mapping[str, float]:
        """Of an article with very many terms, those that weigh most."""
        if len(weights) <= self.most_terms:
            return weights
        known, rarities = self._rows.numbers, self._rarities.all
        unseen = self._rarity.unseen()
        terms = sorted(weights)
        numbers = np.array([known.get(term, -1) for term in terms])
        rarity = np.where((numbers >= 0) & (numbers < len(rarities)), rarities[numbers] if len(rarities) else 0, unseen)
        order = np.argsort(-rarity * np.array([weights[term] for term in terms]), kind="stable")
        return {terms[place]: weights[terms[place]] for place in order[: self.most_terms].tolist()}

    def _refresh(self) -> None:
        """Rarities as they are now, and the lengths that follow."""
        self._refreshed = len(self._rows)
        self._rarities = Growing(self._rarity.of_all())
        squares = (self._rows.values * self._rarities.all[self._rows.terms]) ** 2
        owners = np.repeat(np.arange(len(self._rows)), np.diff(self._rows.starts))
        self._lengths = Growing(np.sqrt(np.bincount(owners, squares, minlength=len(self._rows))))

    def _cosines(self, terms: Ints, values: Floats) -> Cosines:
        length = float(self._lengths.all[-1])
        if not length:
            return np.zeros(len(self._rows) - 1)
        rarities = self._rarities.all[terms]
        weights = values * rarities / length
        order = np.argsort(rarities, kind="stable")
        looked_up = order[np.cumsum(weights[order] ** 2) > _LEFT_OUT]
        factors = weights[looked_up] * rarities[looked_up]
        common = self._postings.summed(terms[looked_up].tolist(), factors, len(self._rows) - 1)
        lengths = self._lengths.all[:-1]
        np.divide(common, lengths, out=common, where=lengths > 0)
        return common

    def _vector(self, row: int) -> tuple[Ints, Cosines]:
        terms, values = self._rows.row(row)
        return terms, values * self._rarities.all[terms] / max(float(self._lengths.all[row]), 1e-12)

    def some(self, kept: NDArray[np.int64]) -> CosineIndex:
        """Only these articles, in this order; rarities stay as far as their terms do."""
        rows = self._rows.some(kept)
        terms = np.array([self._rows.numbers[term] for term in rows.numbers], np.int64)
        fewer = CosineIndex(self._rarity.some(terms), self.most_terms)
        fewer._rows = rows
        fewer._postings = Postings.of(rows, rows.values)
        fewer._refresh()
        return fewer

    def columns(self) -> dict[str, Column]:
        """For keeping."""
        return {
            **self._rows.columns(),
            **self._rarity.columns(),
            "lengths": self._lengths.all,
            "rarities": self._rarities.all,
            "most": np.array([self.most_terms, self._refreshed], np.int64),
        }

    @classmethod
    def of(cls, columns: Mapping[str, Column], common: Mapping[str, float]) -> CosineIndex:
        """As it was kept: the next article finds the same cosines as if nothing had been."""
        most, refreshed = columns["most"].tolist()
        index = cls(Rarity.of_columns(columns, common), most)
        index._rows = SparseRows.of(columns)
        index._postings = Postings.of(index._rows, index._rows.values)
        index._rarities = Growing(columns["rarities"].astype(np.float64))
        index._lengths = Growing(columns["lengths"].astype(np.float64))
        index._refreshed = refreshed
        return index
