"""Tables of an analysis of variance and of Scheffé's test for each pair of means (N-EXT thesis 5.3)."""

from __future__ import annotations

from collections.abc import Sequence

from tidings_lab.statistics.anova import Anova, anova
from tidings_lab.statistics.scheffe import scheffe
from tidings_lab.tables import Table


def analysed(title: str, names: Sequence[str], groups: Sequence[Sequence[float]]) -> tuple[Table, Table]:
    """Return the table of an analysis of variance, and a table of the pairs of groups that differ at p < 0.05."""
    variance = anova(groups)
    columns = ("groups", "values in each", "F", "F table (0.05)", "p", "means differ")
    sizes = ", ".join(str(size) for size in sorted(set(variance.sizes)))
    row = (len(groups), sizes, variance.f, variance.f_table(), variance.p, "yes" if variance.significant() else "no")
    return Table(f"{title}: analysis of variance", columns, (row,)), _pairs(title, names, variance)


def _pairs(title: str, names: Sequence[str], variance: Anova) -> Table:
    rows = tuple(
        (
            f"{names[pair.first]} – {names[pair.second]}",
            variance.means[pair.first] - variance.means[pair.second],
            pair.f,
            pair.critical,
            "yes" if pair.differs else "no",
        )
        for pair in scheffe(variance)
    )
    return Table(f"{title}: Scheffé's test", ("pair", "difference", "F", "critical", "differ"), rows)
