"""Learners: training data from pages with ground truth, features, and training algorithms. Trained models run in
`tidings.extractors`.
"""
