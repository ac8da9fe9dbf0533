"""Stories: which articles tell the same, which are copies, what is new, what it is about, and how topics come and go.

Pure: plain records in, frozen records out, no network, no files, no SQL. What grows keeps its state as bytes.

>>> from tidings.news.stories.report import Report
>>> from tidings.news.stories.tracker import Tracker
>>> tracker = Tracker()
>>> tracker.add(Report(1, "Seals return to the harbour", "Grey seals were seen in Norport harbour.", "en")).is_first
True
"""
