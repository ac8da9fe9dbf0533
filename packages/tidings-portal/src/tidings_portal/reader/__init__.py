"""The reader view: shows any web page reduced to its article, at `/read?url=…` or through a bookmarklet.

Readers can follow links within it and choose the extractor or combination of extractors. URLs are fetched through the
guard against internal addresses. The HTML is rebuilt and sanitised, and the content security policy allows only the
portal's own script. Earlier systems of this kind are the proxies Crunch and CombinE (DANA thesis, 3.2.1 and 3.4.2).
"""
