"""User accounts, and the data of users: saved and unread articles, subscriptions, followed stories and columnists.

Accounts are optional. Without them, a single local reader has this data and does not sign in.
"""
