"""What trained extractors have in common: weights as plain arrays in a file, and classifiers that run in NumPy.

Nothing here learns: that is `tidings_lab.learners.trainable`, with libraries that reading a page does not need.
"""
