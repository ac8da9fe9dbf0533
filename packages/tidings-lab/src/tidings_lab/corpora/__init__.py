"""Corpora: pages with ground truth, readers for common layouts, and splits by site.

    from tidings_lab.corpora import load, read
    samples = load(Path("wcxb-dev"), "article")  # the pages with ground-truth text
    corpus = read(Path("wcxb-dev"), check=True)  # every page, and the problems with the others

"Gold" in names means ground truth: the text and fields that a perfect extractor would return.
"""

from tidings_lab.corpora.corpus import Corpus, CorpusLayout, CorpusProblem, CorpusTrouble
from tidings_lab.corpora.files import load, read, recognise, write
from tidings_lab.corpora.folds import Fold, digest, folds, split
from tidings_lab.corpora.headline_in_text import opens_with_headline
from tidings_lab.corpora.sample import Sample

__all__ = [
    "Corpus",
    "CorpusLayout",
    "CorpusProblem",
    "CorpusTrouble",
    "Fold",
    "Sample",
    "digest",
    "folds",
    "load",
    "opens_with_headline",
    "read",
    "recognise",
    "split",
    "write",
]
