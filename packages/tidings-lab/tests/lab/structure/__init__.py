"""Pages written for the structure of articles: each pattern as the tools that are named write it, with its units."""
