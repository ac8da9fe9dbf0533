"""Store methods by subject, each written once for both databases."""
