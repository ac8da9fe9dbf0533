"""Measures of a result against ground truth; docs/reference/measures.md says when to use which.

>>> from tidings_lab.metrics.texts import word_score >>> word_score("the seals are back again", "the seals are
back").precision 0.8
"""
