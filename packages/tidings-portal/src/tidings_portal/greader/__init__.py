"""The Google Reader API in the dialect of FreshRSS, for feed readers on phones and in terminals.

It is served at `/api/greader.php`, the path that these programs use. FreshRSS (Google Reader compatible API) and FeedHQ
(API reference) document it. Operations that neither documents get the status 400, as they do there.
"""
