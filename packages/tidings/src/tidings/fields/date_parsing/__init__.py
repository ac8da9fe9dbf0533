"""Date parsing: numeric and written dates of many languages and calendars."""
