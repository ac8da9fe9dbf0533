"""The answers as text that a model reads: short, with the number and the address of everything it may ask for next."""

from __future__ import annotations

from tidings.news.mcp.answers import Found, ListedArticle, ListedStory, ReadArticle, Stories, ToldStory


def article(told: ReadArticle) -> str:
    """An article: a head of what is known of it, a line, its text."""
    head = {
        "title": told.title,
        "address": told.address,
        "site": told.site,
        "authors": ", ".join(told.authors),
        "published": told.published,
        "modified": told.modified,
        "language": told.language,
        "section": told.section,
        "kind": told.kind,
        "behind": ", ".join(told.marks),
        "number": told.number,
        "story": told.story,
    }
    lines = [f"{name}: {value}" for name, value in head.items() if value]
    if told.start >= told.characters:
        body = "(There is no text here.)" if told.characters else "(There is no article on this page.)"
    else:
        body = told.markdown
    return "\n".join(lines) + "\n\n---\n\n" + body + _rest(told)


def _rest(told: ReadArticle) -> str:
    if told.next_start is None:
        return ""
    return f"\n\n---\n\n({told.next_start:,} of {told.characters:,} characters; ask again with start={told.next_start})"


def found(told: Found) -> str:
    """What a search found."""
    several = f"{told.found:,}" + (" or more" if told.or_more else "")
    return "\n\n".join([f"{several} found", *map(_listed, told.articles), *_more(told.after)])


def stories(told: Stories) -> str:
    """A list of stories."""
    return "\n\n".join([*map(_story, told.stories), *_more(told.after)] or ["There are no such stories."])


def story(told: ToldStory) -> str:
    """A story and its articles."""
    return "\n\n".join([_story(told.story), *map(_listed, told.articles), *_more(told.after)])


def _listed(one: ListedArticle) -> str:
    about = [one.time[:10], one.site, ", ".join(one.authors), one.category]
    if one.story is not None:
        about.append(f"story {one.story}")
    lines = [f"article {one.number}: {one.title}", " · ".join(filter(None, about)), one.address, one.text]
    return "\n".join(filter(None, lines))


def _story(one: ListedStory) -> str:
    days = " to ".join(dict.fromkeys((one.first[:10], one.last[:10])))
    about = [days, f"{one.articles} articles of {one.sites} sites", one.category]
    return "\n".join(filter(None, [f"story {one.number}: {one.title}", " · ".join(filter(None, about)), one.summary]))


def _more(after: str | None) -> list[str]:
    return [f"(There is more: ask again with after={after!r})"] if after is not None else []
