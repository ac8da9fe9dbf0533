"""Response bodies: decompression with size limits."""
