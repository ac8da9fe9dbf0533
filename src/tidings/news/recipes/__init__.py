"""Recipes: named choices of link filters, extractor, picture rule and grouping by which a source is read.

A recipe is a TOML file. Those in `shipped` are the systems that the publications describe; whoever wants another writes
a few lines of their own, home pages and filters together (LBNEST II.C.2).

    >>> from tidings.news.recipes.catalogue import shipped
    >>> shipped("lbnest").grouping.cut
    0.38
"""
