"""Stories: clustering of articles about one event, near duplicates, novelty, summaries, topics and trends.

Pure functions and classes: plain records in, frozen records out, no network, files or SQL. Growing state is saved as
bytes.

>>> from tidings_portal.stories.report import Report
>>> from tidings_portal.stories.tracker import Tracker
>>> tracker = Tracker()
>>> tracker.add(Report(1, "Seals return to the harbour", "Grey seals were seen in Norport harbour.", "en")).is_first
True
"""
