"""RTDM: text that differs between pages of a site, found by the restricted top-down mapping of their trees.

Source: Reis, Golgher, Silva, Laender 2004 ("Automatic web news extraction using tree edit distance"), as described in
the N-EXT thesis (2.5), and Vieira et al. 2006 (RTDM-TD), which the DANA thesis (3.1.1) mentions for templates of
several documents.

1. Pages are labelled ordered rooted trees. Their distance is the least cost of removing, inserting and replacing nodes,
   1 each. The mapping is top-down (the parents of mapped nodes are mapped) and restricted (a replaced node has no
   mapped descendants), so that it is computed level by level; equal subtrees cost nothing and are skipped.
2. Similar pages (with a distance that is small compared to the number of nodes) form a cluster.
3. Texts that are mapped to equal texts within a cluster are the template. Varying texts form passages.
4. Passages of a hundred words or more are the story.

Decided here: nodes are elements with visible text, and the texts; a label is the tag with its class without digits; a
text belongs to the template if half of the cluster has it in its place; if no sibling is similar, the nearest one is
the cluster; a passage is the varying text below the parent of its paragraphs; if no passage has a hundred words, the
longest is the story; lists of more than 400 children and elements deeper than 200 are not compared further; blocks that
consist of links are removed from passages.
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
    """A tree with labelled nodes in document order, which represents a page; node 0 is the root."""

    labels: list[str]
    children: list[list[int]]
    sizes: list[int]  # nodes of each subtree
    kinds: list[int]  # equal for equal subtrees, texts included
    runs: list[int]  # the run of a text; -1 for elements

    def __len__(self) -> int:
        return len(self.labels)


def tree_of(labels: list[str], children: list[list[int]], texts: list[str], runs: list[int]) -> LabelledTree:
    """Create a tree, computing the sizes of its subtrees and equal numbers for equal subtrees."""
    sizes, kinds = [1] * len(labels), [0] * len(labels)
    for node in range(len(labels) - 1, -1, -1):
        child_nodes = children[node]
        sizes[node] += sum(sizes[child] for child in child_nodes)
        kinds[node] = hash((labels[node], texts[node], *(kinds[child] for child in child_nodes)))
    return LabelledTree(labels, children, sizes, kinds, runs)


def page_tree(page: Page) -> LabelledTree:
    """Return the labelled tree of a page. Memoised, because it is compared with several others."""
    cached = page.memo.get(_KEY)
    if cached is None:
        cached = page.memo[_KEY] = _page_tree(page)
    return cached


def _page_tree(page: Page) -> LabelledTree:
    elements, runs = page.elements, page.runs
    visible = np.flatnonzero(~runs.hidden)
    before = np.searchsorted(visible, np.stack([elements.first, elements.last]))
    is_node = (before[0] < before[1]) & (elements.depth <= _DEEPEST)
    is_node[0] = True
    nearest_node = page.nearest_of(is_node)
    labels, children, texts, numbers = [""], [[]], [""], [-1]  # type: list[str], list[list[int]], list[str], list[int]
    place = {0: 0}
    names, parent = page.tag_names, elements.parent.tolist()
    # Sort elements before their first run and after the runs before them.
    order = [(int(elements.first[index]), 0, index) for index in np.flatnonzero(is_node).tolist()[1:]]
    order += [(run, 1, run) for run in visible.tolist()]
    owner = nearest_node[runs.element]
    for _, is_text, index in sorted(order):
        parent_node = place[int(owner[index]) if is_text else int(nearest_node[parent[index]])]
        children[parent_node].append(len(labels))
        if is_text:
            labels.append(TEXT)
            texts.append(page.text[runs.text_start[index] : runs.text_end[index]])
            numbers.append(index)
        else:
            place[index] = len(labels)
            class_name = page.attributes(index).get("class", "")
            labels.append(
                f"{names[elements.tag[index]]} {_DIGITS.sub('', class_name)}"
                if class_name
                else names[elements.tag[index]]
            )
            texts.append("")
            numbers.append(-1)
        children.append([])
    return tree_of(labels, children, texts, numbers)


@dataclass(slots=True)
class TopDownMapping:
    """The cheapest restricted top-down mapping of a tree onto another, which pairs corresponding nodes."""

    first: LabelledTree
    second: LabelledTree
    cost: int = 0
    _cache: dict[tuple[int, int], tuple[int, tuple[tuple[int, int], ...]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cost = self._distance(0, 0)

    @property
    def similarity(self) -> float:
        """Return the similarity of two trees: 1 minus the cost of the mapping per node."""
        return 1 - self.cost / (len(self.first) + len(self.second))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield the mapped nodes, including those inside equal subtrees."""
        open_pairs = [(0, 0)]
        while open_pairs:
            pair = open_pairs.pop()
            yield pair
            children, other_children = self.first.children[pair[0]], self.second.children[pair[1]]
            if self.first.kinds[pair[0]] == self.second.kinds[pair[1]]:
                open_pairs += zip(children, other_children, strict=True)
            else:
                open_pairs += self._cache.get(pair, (0, ()))[1]

    def _distance(self, node: int, other: int) -> int:
        """Return the cost of transforming one subtree into the other."""
        first, second = self.first, self.second
        if first.kinds[node] == second.kinds[other]:
            return 0
        if first.labels[node] != second.labels[other]:
            return first.sizes[node] + second.sizes[other] - 1  # replace the root, remove and insert all descendants
        if first.labels[node] == TEXT:
            return 1
        cached = self._cache.get((node, other))
        if cached is None:
            cached = self._cache[node, other] = self._aligned(first.children[node], second.children[other])
        return cached[0]

    def _aligned(self, mine: list[int], theirs: list[int]) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Return the least edit cost between two lists of child nodes, and the pairs of nodes mapped to each other."""
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
                if above[at] + abs(out - inserted[at]) < least:  # a lower bound of the distance
                    least = min(least, above[at] + self._distance(node, other))
                row.append(least)
            rows.append(row)
            above = row
        return above[-1] + beyond, self._traced(rows, mine, theirs)

    def _traced(self, rows: list[list[int]], mine: list[int], theirs: list[int]) -> list[tuple[int, int]]:
        """Return the pairs of children in the cheapest alignment.

        Pairs with different labels are left out, because they are replacements.

        Args:
            rows: the matrix of costs.
            mine: the children in the first tree.
            theirs: the children in the second tree.
        """
        pairs, down, right = [], len(mine), len(theirs)
        while down and right:
            node, other = mine[down - 1], theirs[right - 1]
            cost = rows[down][right]
            if cost == rows[down - 1][right] + self.first.sizes[node]:
                down -= 1
            elif cost == rows[down][right - 1] + self.second.sizes[other]:
                right -= 1
            else:
                down, right = down - 1, right - 1
                if self.first.labels[node] == self.second.labels[other]:
                    pairs.append((node, other))
        return pairs


@checked
@dataclass(frozen=True, slots=True)
class RTDM:
    """Long passages that vary between the pages of a site, found by mapping their trees onto each other."""

    words: int = 100  # of a passage of the story, at least: Reis et al.
    similarity: float = 0.5  # of pages that share a template, at least
    share: float = 0.5  # of the cluster that has a text of the template, at least

    def __call__(self, page: Page, /) -> Spans:
        """Return the long passages that vary between pages of the site."""
        passages, varying, words = self._passages(page)
        totals = np.bincount(passages[varying], words[varying], len(page.elements))
        if not totals.any():
            return Spans.none(len(page.text))
        chosen = totals >= self.words
        if not chosen.any():
            chosen[np.argmax(totals)] = True
        return page.shown(Spans.of_runs(page, chosen[passages] & varying))

    def score(self, page: Page, /) -> FloatArray:
        """Return for each block the number of words of the varying passage around it."""
        passages, varying, words = self._passages(page)
        totals = np.bincount(passages[varying], words[varying], len(page.elements))
        at = page.blocks.first
        return np.where(varying[at], totals[passages[at]], 0.0)

    def template(self, page: Page) -> FloatArray:
        """Return for each run of text the share of similar sibling pages that have the same text in the same place."""
        tree = page_tree(page)
        mappings = [TopDownMapping(tree, page_tree(sibling)) for sibling in siblings_of(page)]
        cluster = [mapping for mapping in mappings if mapping.similarity >= self.similarity] or [
            max(mappings, key=lambda mapping: mapping.similarity)
        ]
        same = np.zeros(len(page.runs))
        for mapping in cluster:
            for node, other in mapping.pairs():
                if tree.runs[node] >= 0 and tree.kinds[node] == mapping.second.kinds[other]:
                    same[tree.runs[node]] += 1
        return same / len(cluster)

    def _passages(self, page: Page) -> tuple[Ints, Bools, Ints]:
        """Return for each run of text its passage (the parent of its block), whether its text varies between pages of
        the site, and its number of words.
        """
        if not 0 <= self.similarity <= 1 or not 0 < self.share <= 1:
            raise BadParameter("similarity is from 0 to 1, share above 0 and up to 1: they are parts of a whole")
        runs, blocks = page.runs, page.blocks
        varying = ~runs.hidden & (self.template(page) < self.share)
        linked = blocks.words == blocks.link_words
        varying &= ~linked[runs.block]
        parent = np.maximum(page.elements.parent[blocks.element], 0)
        return parent[runs.block], varying, runs.words
