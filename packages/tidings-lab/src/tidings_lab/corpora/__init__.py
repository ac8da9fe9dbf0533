"""Pages with gold: one layout on disk, readers for the layouts that people have, and parts that no site is in twice.

from tidings_lab.corpora import load, read
samples = load(Path("wcxb-dev"), "article")  # the pages with gold text
corpus = read(Path("wcxb-dev"), check=True)  # every page, and what is wrong with the rest
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
