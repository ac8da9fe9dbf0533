"""One module or package a publication: its method as printed, with the section it comes from.

An extractor here is changed only where its publication says otherwise than its code, or where the docstring says what
the publication leaves open. Those who want a better method write another one: the default is in `learned`.
"""
