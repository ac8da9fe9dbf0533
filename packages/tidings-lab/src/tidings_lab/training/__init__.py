"""Training of extractors (`tidings lab train`)."""
