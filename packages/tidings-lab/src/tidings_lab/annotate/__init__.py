"""Annotation of pages in the browser: units of the real page are marked by key or click (SPEC 6; hybrid rules 4.2).

`history` and `journal` store every change, `project` manages the pages and saves the ground truth, and `server` serves
the interface on this machine only. `double_annotation` combines two annotators for a third.
"""
