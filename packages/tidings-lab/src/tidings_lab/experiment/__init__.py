"""Experiments: systems × pages × parameters → one table, kept by content, on several cores, whatever fails on the way.

samples = corpora.load(Path("wcxb-dev"), "article")
with Cache(default_folder()) as cache:
rows = list(run(find(["default", "trafilatura", "n-ext(beta=0.4)"]), samples, cache=cache, jobs=2))
"""
