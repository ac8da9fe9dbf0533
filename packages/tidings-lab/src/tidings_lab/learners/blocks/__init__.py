"""The block learner of the hybrid approach: classes of blocks from ground truth, tables of blocks, and learners.

Source: Uzun, Agun and Yerlikaya 2013 ("A hybrid approach for extracting informative content from web pages"), section
4.
"""
