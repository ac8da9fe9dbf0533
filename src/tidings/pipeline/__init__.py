"""The order of the stages: the one place that knows that pages are fetched before they are read."""
