"""Annotating pages in the browser: the real page, its units marked by key or click (SPEC 6; hybrid rules 4.2).

`history` and `journal` keep every change, `project` knows the pages and saves the gold, `server` shows them on this
machine only. `opinions` brings two annotators together for a third.
"""
