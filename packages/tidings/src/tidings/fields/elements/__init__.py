"""Selection of elements by their start tags, for the fields."""
