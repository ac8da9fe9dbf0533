"""Rate limits per host, pauses after errors, robots.txt and Retry-After."""
