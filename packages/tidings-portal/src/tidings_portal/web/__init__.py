"""HTTP infrastructure of portal, API and reader: state, sessions, CSRF, rate limits, security headers, rendering."""
