"""Who reads here, and what each of them keeps: accounts, saved and unread articles, own sources, whom they follow.

Accounts are optional. Where there are none, one nameless reader keeps all this without signing in.
"""
