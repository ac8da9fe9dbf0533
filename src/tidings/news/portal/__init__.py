"""The portal: a news site of one's own over a store (N-EXT thesis ch. 7, fig. 1.2)."""
