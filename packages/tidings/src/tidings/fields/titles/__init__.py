"""The headline of an article: candidates, features, the choice among them, and TitleFinder."""
