"""URLs of an article: sanitising, the canonical URL and the pages of a split article."""
