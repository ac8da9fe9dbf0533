"""HTTP over guarded connections: client, connection pools, name resolution and the SSRF guard."""
