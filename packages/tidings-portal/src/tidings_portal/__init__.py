"""The service: it follows the news, keeps it, groups it into stories, and publishes it again.

`watch` polls, fetches and reads; `store` keeps; `stories` groups; `portal`, `api`, `reader`, `feeds`, `exports` and
`mcp` give it out again, on what all web pages share (`web`, `accounts`); `newspaper` is the sample press that is shown
before anything was read. It needs the extra `tidings[news]`; the library below it does not know of it.
"""
