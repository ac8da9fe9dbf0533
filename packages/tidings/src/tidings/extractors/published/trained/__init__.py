"""Weights of trained extractors as plain arrays, and classifiers that run on them in NumPy.

The models are trained by `tidings lab train`, which needs further libraries.
"""
