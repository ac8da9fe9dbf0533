"""Storage of learned sites: in memory, or in a file that several processes share."""
