"""The Google Reader API as FreshRSS speaks it: what feed readers on phones and terminals connect to.

Under `/api/greader.php`, the address that these programs ask for. Documented by FreshRSS (Google Reader compatible API)
and by FeedHQ (API reference); what neither has is answered with 400, as there.
"""
