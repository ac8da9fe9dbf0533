"""The portal: a news site for the articles in a store (N-EXT thesis ch. 7, fig. 1.2)."""
