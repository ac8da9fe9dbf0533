"""Experiments: systems × pages → a table of results, cached and run on several cores, tolerant of failing systems.

    samples = corpora.load(Path("wcxb-dev"), "article")
    with Cache(default_folder()) as cache:
        rows = list(run(find(["default", "trafilatura", "n-ext(beta=0.4)"]), samples, cache=cache, jobs=2))

A system is anything that returns the text and fields of a page: an extractor of Tidings, of another project, or yours.
"""
