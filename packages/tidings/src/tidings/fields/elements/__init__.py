"""Selection of elements by words in their start tags, for field modules."""
