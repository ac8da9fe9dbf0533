"""Training of the published extractors that learn: each file writes weights for the extractor of the same name.

A learner has two steps: `prepare` reads off a page what it will be taught with, once; `fit` learns from what many pages
gave. So folds prepare a page once, whatever they leave out.
"""
