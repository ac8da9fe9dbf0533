"""The reader: any page of the web, reduced to its content, as the proxies of Crunch and CombinE gave it.

DANA thesis 3.2.1 (Crunch: a public web proxy, links kept reachable) and 3.4.2 (CombinE: an HTTP proxy that filters on
the fly, by any combination of extractors). Here it is a page of the portal: `/read?url=…`, a bookmarklet, links that
stay in the reader, the extractor or combination changed by the one who reads. What is fetched goes through the one
guard; what is shown was parsed, written anew and sanitised, under a policy that runs nothing but our own script.
"""
