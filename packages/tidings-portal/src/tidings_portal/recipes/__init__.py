"""Recipes: named settings of link filters, extractor, picture rule and grouping for reading a source.

A recipe is a TOML file. Those in `shipped` are the systems of the publications. Your own recipe is a few lines of TOML,
with home pages and filters together (LBNEST II.C.2).

    >>> from tidings_portal.recipes.catalogue import shipped
    >>> shipped("lbnest").grouping.cut
    0.38
"""
