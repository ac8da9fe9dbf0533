"""Front pages: detection of the links that lead to articles (LBNEST II.C)."""
