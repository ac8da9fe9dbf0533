"""Front pages: which of their links lead to stories (LBNEST II.C)."""
