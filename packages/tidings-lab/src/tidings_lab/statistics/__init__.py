"""Confidence intervals, paired tests and analysis of variance."""
