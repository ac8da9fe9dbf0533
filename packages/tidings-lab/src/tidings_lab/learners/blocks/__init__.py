"""The block learner of the hybrid approach: classes of blocks from gold, tables of them, and the learners compared.

Uzun, Agun and Yerlikaya 2013 ("A hybrid approach for extracting informative content from web pages"), section 4.
"""
