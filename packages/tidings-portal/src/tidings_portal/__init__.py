"""The news portal: polls sources, stores their articles, groups them into stories and publishes them.

`watch` polls sources and fetches and extracts pages; `store` has the articles; `stories` groups them; `portal`, `api`,
`reader`, `feeds`, `exports` and `mcp` publish them; `web` and `accounts` are what all web pages share. The library
does not depend on this package.
"""
