"""Sites: what is known of how each is built, so that its next page is cut out as strings."""
