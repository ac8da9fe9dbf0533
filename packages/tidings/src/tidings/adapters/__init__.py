"""Tidings under the interfaces of others, one module each, imported only by those who use it.

`trafilatura`, `readability` and `newspaper` have the calls of those programs: one changed import. The others are parts
of frameworks: `scrapy`, `web_poet`, `datatrove`, `nemo_curator`, `langchain`, `llama_index`, `haystack`, `duckdb`,
`polars`.
"""
