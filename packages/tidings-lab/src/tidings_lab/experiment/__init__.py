"""Experiments: systems run on pages, with cached results in a table, on several cores; a failing system does not end a
run.

    samples = corpora.load(Path("wcxb-dev"), "article")
    with Cache(default_folder()) as cache:
        rows = list(run(find(["default", "trafilatura", "n-ext(beta=0.4)"]), samples, cache=cache, jobs=2))

A system is anything that returns the text and fields of a page: an extractor of Tidings, of another project, or yours.
"""
