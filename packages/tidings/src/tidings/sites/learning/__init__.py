"""Learning a site's templates from its pages."""

from tidings.sites.learning.induce import SERVED, induce, word_f1

__all__ = ["SERVED", "induce", "word_f1"]
