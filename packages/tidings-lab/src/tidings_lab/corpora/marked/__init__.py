"""Ground truth without page text: marks of pages that are elsewhere, by offset and digest.

    from tidings_lab.corpora import load
    samples = load(Path("marked:/data"))  # the marks in this package, joined with the pages in /data

`README.md` beside this file says what was marked, by which conventions, and how well two passes agree.
"""

from tidings_lab.corpora.marked.join import PREFIX, marked_samples, page_kinds
from tidings_lab.corpora.marked.record import PageMarks, Pass, read_record, record, write_record

__all__ = ["PREFIX", "PageMarks", "Pass", "marked_samples", "page_kinds", "read_record", "record", "write_record"]
