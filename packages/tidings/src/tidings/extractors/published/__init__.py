"""Extractors from publications: one module or package for each, with the method as printed and the sections it comes
from.

A module changes only if it contradicts its publication, except for decisions that its docstring lists because the
publication leaves them open. A better method belongs into a module of its own: the default extractor is in `learned`.
"""
