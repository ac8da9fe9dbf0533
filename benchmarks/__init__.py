"""Speed as ratios measured in one run, with the machine and versions beside them."""
