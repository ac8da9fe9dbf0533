"""RTDM: what differs between pages of a site, by the restricted top-down mapping of their trees.

Reis, Golgher, Silva, Laender 2004 ("Automatic web news extraction using tree edit distance"), as told in the N-EXT
thesis (2.5), and Vieira et al. 2006 (RTDM-TD), named in the DANA thesis (3.1.1) for templates of several documents.

1. Pages are labelled ordered rooted trees. The distance of two is the least cost of removing, inserting and replacing
   nodes, 1 each. The mapping is top-down (a mapped node's parent is mapped to the other's parent) and restricted (a
   node that is replaced by another has no mapped descendants), so that it is found level by level; equal subtrees cost
   nothing and are not looked into.
2. Pages that are alike (the distance is a small part of their nodes) are a cluster.
3. In a cluster, texts that are mapped to the same text are the template. What varies are the passages.
4. The story is told from other passages by its length: those of a hundred words or more.

Decided here: nodes are elements with text that a reader sees, and the texts; a label is the tag with its class, without
the digits of it; a text is of the template where half of the cluster has it in its place; where no sibling is alike,
the nearest is the cluster; a passage is what varies below the parent of its paragraphs; where none has a hundred words
the longest is the story; a list of more than 400 children, or what stands deeper than 200 elements, is not looked into
further; of a passage, blocks that are links alone are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.block_entropy import siblings_of
from tidings.page import Page, Spans
from tidings.page.columns import Bools, Ints
from tidings.text import FloatArray

TEXT: Final = "#text"
_KEY: Final = "labelled tree"
_DEEPEST: Final = 200
_WIDEST: Final = 400
_DIGITS: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTree:
    """A labelled ordered rooted tree, nodes in document order; node 0 is the root."""

    labels: list[str]
    children: list[list[int]]
    sizes: list[int]  # nodes of each subtree
    kinds: list[int]  # equal for equal subtrees, texts included
    runs: list[int]  # of a text its run; -1 for elements

    def __len__(self) -> int:
        return len(self.labels)


def tree_of(labels: list[str], children: list[list[int]], texts: list[str], runs: list[int]) -> LabelledTree:
    """Return a tree with what follows from its nodes: sizes, and which subtrees are equal."""
    sizes, kinds = [1] * len(labels), [0] * len(labels)
    for node in range(len(labels) - 1, -1, -1):
        inside = children[node]
        sizes[node] += sum(sizes[child] for child in inside)
        kinds[node] = hash((labels[node], texts[node], *(kinds[child] for child in inside)))
    return LabelledTree(labels, children, sizes, kinds, runs)


def page_tree(page: Page) -> LabelledTree:
    """Return the tree of a page; kept with it, for it is compared with several others."""
    known = page.memo.get(_KEY)
    if known is None:
        known = page.memo[_KEY] = _page_tree(page)
    return known


def _page_tree(page: Page) -> LabelledTree:
    elements, runs = page.elements, page.runs
    shown = np.flatnonzero(~runs.hidden)
    before = np.searchsorted(shown, np.stack([elements.first, elements.last]))
    wanted = (before[0] < before[1]) & (elements.depth <= _DEEPEST)
    wanted[0] = True
    around = page.nearest_of(wanted)
    labels, children, texts, numbers = [""], [[]], [""], [-1]  # type: list[str], list[list[int]], list[str], list[int]
    place = {0: 0}
    names, parent = page.tag_names, elements.parent.tolist()
    # An element comes before the first run in it, and after the runs before it.
    order = [(int(elements.first[one]), 0, one) for one in np.flatnonzero(wanted).tolist()[1:]]
    order += [(run, 1, run) for run in shown.tolist()]
    owner = around[runs.element]
    for _, is_text, one in sorted(order):
        above = place[int(owner[one]) if is_text else int(around[parent[one]])]
        children[above].append(len(labels))
        if is_text:
            labels.append(TEXT)
            texts.append(page.text[runs.text_start[one] : runs.text_end[one]])
            numbers.append(one)
        else:
            place[one] = len(labels)
            told = page.attributes(one).get("class", "")
            labels.append(f"{names[elements.tag[one]]} {_DIGITS.sub('', told)}" if told else names[elements.tag[one]])
            texts.append("")
            numbers.append(-1)
        children.append([])
    return tree_of(labels, children, texts, numbers)


@dataclass(slots=True)
class TopDownMapping:
    """The restricted top-down mapping of two trees."""

    first: LabelledTree
    second: LabelledTree
    cost: int = 0
    _known: dict[tuple[int, int], tuple[int, tuple[tuple[int, int], ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cost = self._distance(0, 0)

    @property
    def similarity(self) -> float:
        """One minus the cost for each node of both trees."""
        return 1 - self.cost / (len(self.first) + len(self.second))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the mapped nodes, those inside equal subtrees too."""
        open_pairs = [(0, 0)]
        while open_pairs:
            pair = open_pairs.pop()
            yield pair
            mine, theirs = self.first.children[pair[0]], self.second.children[pair[1]]
            if self.first.kinds[pair[0]] == self.second.kinds[pair[1]]:
                open_pairs += zip(mine, theirs, strict=True)
            else:
                open_pairs += self._known.get(pair, (0, ()))[1]

    def _distance(self, one: int, other: int) -> int:
        """What it costs to make one subtree the other."""
        first, second = self.first, self.second
        if first.kinds[one] == second.kinds[other]:
            return 0
        if first.labels[one] != second.labels[other]:
            return first.sizes[one] + second.sizes[other] - 1  # replaced, and all below removed and inserted
        if first.labels[one] == TEXT:
            return 1
        known = self._known.get((one, other))
        if known is None:
            known = self._known[one, other] = self._aligned(first.children[one], second.children[other])
        return known[0]

    def _aligned(self, mine: list[int], theirs: list[int]) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Return the least cost of making one list of children the other, and which are mapped."""
        kinds, other_kinds = self.first.kinds, self.second.kinds
        shorter, start, end = min(len(mine), len(theirs)), 0, 0
        while start < shorter and kinds[mine[start]] == other_kinds[theirs[start]]:
            start += 1
        while end < shorter - start and kinds[mine[-1 - end]] == other_kinds[theirs[-1 - end]]:
            end += 1
        pairs = [*zip(mine[:start], theirs[:start], strict=True)]
        pairs += zip(mine[len(mine) - end :], theirs[len(theirs) - end :], strict=True)
        cost, between = self._between(mine[start : len(mine) - end], theirs[start : len(theirs) - end])
        return cost, (*pairs, *between)

    def _between(self, mine: list[int], theirs: list[int]) -> tuple[int, list[tuple[int, int]]]:
        sizes, other_sizes = self.first.sizes, self.second.sizes
        removed, inserted = [sizes[node] for node in mine], [other_sizes[node] for node in theirs]
        beyond = sum(removed[_WIDEST:]) + sum(inserted[_WIDEST:])
        mine, theirs = mine[:_WIDEST], theirs[:_WIDEST]
        above = [0]
        for size in inserted[:_WIDEST]:
            above.append(above[-1] + size)
        rows = [above]
        for node, out in zip(mine, removed, strict=False):
            row = [above[0] + out]
            for at, other in enumerate(theirs):
                least = min(above[at + 1] + out, row[at] + inserted[at])
                if above[at] + abs(out - inserted[at]) < least:  # else no mapping of the two can be cheaper
                    least = min(least, above[at] + self._distance(node, other))
                row.append(least)
            rows.append(row)
            above = row
        return above[-1] + beyond, self._traced(rows, mine, theirs)

    def _traced(self, rows: list[list[int]], mine: list[int], theirs: list[int]) -> list[tuple[int, int]]:
        """Return the pairs of children behind the last cost; those with different labels are replaced, not mapped."""
        pairs, down, right = [], len(mine), len(theirs)
        while down and right:
            one, other = mine[down - 1], theirs[right - 1]
            here = rows[down][right]
            if here == rows[down - 1][right] + self.first.sizes[one]:
                down -= 1
            elif here == rows[down][right - 1] + self.second.sizes[other]:
                right -= 1
            else:
                down, right = down - 1, right - 1
                if self.first.labels[one] == self.second.labels[other]:
                    pairs.append((one, other))
        return pairs


@checked
@dataclass(frozen=True, slots=True)
class RTDM:
    """Long passages that vary where the trees of the site's pages are mapped onto each other."""

    words: int = 100  # of a passage that is the story: Reis et al.
    alike: float = 0.5  # similarity of pages that share a template
    share: float = 0.5  # of the cluster that has the text of a template

    def __call__(self, page: Page, /) -> Spans:
        """Return the passages that vary and are long."""
        passages, varying, words = self._passages(page)
        totals = np.bincount(passages[varying], words[varying], len(page.elements))
        if not totals.any():
            return Spans.none(len(page.text))
        chosen = totals >= self.words
        if not chosen.any():
            chosen[np.argmax(totals)] = True
        return page.shown(Spans.of_runs(page, chosen[passages] & varying))

    def score(self, page: Page, /) -> FloatArray:
        """For each block of the page the words of the varying passage around it."""
        passages, varying, words = self._passages(page)
        totals = np.bincount(passages[varying], words[varying], len(page.elements))
        at = page.blocks.first
        return np.where(varying[at], totals[passages[at]], 0.0)

    def template(self, page: Page) -> FloatArray:
        """For each run the share of the cluster that has the same text in the same place."""
        mine = page_tree(page)
        mappings = [TopDownMapping(mine, page_tree(sibling)) for sibling in siblings_of(page)]
        near = [one for one in mappings if one.similarity >= self.alike] or [
            max(mappings, key=lambda one: one.similarity)
        ]
        same = np.zeros(len(page.runs))
        for mapping in near:
            for node, other in mapping.pairs():
                if mine.runs[node] >= 0 and mine.kinds[node] == mapping.second.kinds[other]:
                    same[mine.runs[node]] += 1
        return same / len(near)

    def _passages(self, page: Page) -> tuple[Ints, Bools, Ints]:
        """Return the passage of each run (the element it is gathered in), whether it varies, and its words."""
        if not 0 <= self.alike <= 1 or not 0 < self.share <= 1:
            raise BadParameter("alike is from 0 to 1, share above 0 and up to 1: they are parts of a whole")
        runs, blocks = page.runs, page.blocks
        varying = ~runs.hidden & (self.template(page) < self.share)
        linked = blocks.words == blocks.link_words
        varying &= ~linked[runs.block]
        parent = np.maximum(page.elements.parent[blocks.element], 0)
        return parent[runs.block], varying, runs.words
