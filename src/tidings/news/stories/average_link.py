"""Average link over a few things at once: the two groups with the highest mean likeness are joined, again and again.

Also known as UPGMA (Sokal and Michener 1958). The things may be groups already, with the number of what is in them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def average_link(likeness: NDArray[np.float64], counts: NDArray[np.float64], least: float) -> list[list[int]]:
    """Groups of things whose mean likeness is at least so much, each sorted, by their first members.

    Args:
        likeness: the mean likeness between each two things, a square.
        counts: how many each thing stands for.
        least: where to stop. Among equals the first two are joined.
    """
    means = likeness.astype(np.float64)
    np.fill_diagonal(means, -np.inf)
    sizes = counts.astype(np.float64)
    groups: list[list[int]] = [[place] for place in range(len(sizes))]
    while len(sizes) > 1:
        one, other = sorted(divmod(int(means.argmax()), len(sizes)))
        if means[one, other] < least:
            break
        joined = (means[one] * sizes[one] + means[other] * sizes[other]) / (sizes[one] + sizes[other])
        means[one] = means[:, one] = joined
        means[other] = means[:, other] = -np.inf
        means[one, one] = -np.inf
        sizes[one] += sizes[other]
        groups[one] += groups[other]
        groups[other] = []
    return sorted(sorted(group) for group in groups if group)
