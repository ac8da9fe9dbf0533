"""Delivery of news: reader rules, webhooks, mail, Markdown files and WebSub."""
