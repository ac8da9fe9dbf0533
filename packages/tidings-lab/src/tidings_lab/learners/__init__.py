"""Learning from labelled pages: features, learners, training. What is learned runs in `extractors`."""
