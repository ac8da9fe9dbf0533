"""How sure a difference is: intervals by bootstrap, paired tests, analysis of variance with Scheffé's test."""

from tidings.lab.statistics.bootstrap import Interval, interval
from tidings.lab.statistics.paired import TestOutcome, bootstrap_difference, permutation_test, t_test, wilcoxon_test
from tidings.lab.statistics.variance import Anova, Pair, anova, pair_f, scheffe

__all__ = [
    "Anova",
    "Interval",
    "Pair",
    "TestOutcome",
    "anova",
    "bootstrap_difference",
    "interval",
    "pair_f",
    "permutation_test",
    "scheffe",
    "t_test",
    "wilcoxon_test",
]
