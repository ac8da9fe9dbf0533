"""schema.org JSON-LD: a NewsArticle for search engines."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tidings.article.formats.as_text import as_text
from tidings.article.formats.characters import legal
from tidings.article.formats.options import Options
from tidings.article.model.article import Article
from tidings.fields.urls.sanitise import safe, safe_picture


def as_jsonld(article: Article, options: Options) -> str:
    """Return the article as one object that can be embedded in a script element."""
    address = safe(article.canonical) or safe(article.url)
    pictures = ([article.image] if article.image else []) + (list(article.images) if options.images else [])
    properties: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "mainEntityOfPage": {"@type": "WebPage", "@id": address} if address else None,
        "url": safe(article.url),
        "headline": article.title,
        "author": [{"@type": "Person", "name": author} for author in article.authors],
        "datePublished": article.published_as_stated.isoformat() if article.published_as_stated else None,
        "dateModified": article.modified_as_stated.isoformat() if article.modified_as_stated else None,
        "publisher": {"@type": "Organization", "name": article.site} if article.site else None,
        "inLanguage": article.language,
        "description": article.summary,
        "articleSection": article.section,
        "keywords": list(article.tags),
        "image": list(dict.fromkeys(src for picture in pictures if (src := safe_picture(picture.src)))),
        "isAccessibleForFree": False if "paywall" in article.marks else None,
        "wordCount": len(article.words),
        "articleBody": as_text(article, replace(options, comments=False)),
    }
    if options.comments:
        properties["comment"] = [
            {
                "@type": "Comment",
                **({"author": {"@type": "Person", "name": comment.author}} if comment.author else {}),
                **({"dateCreated": comment.published_as_stated.isoformat()} if comment.published_as_stated else {}),
                "text": comment.text,
            }
            for comment in article.comments
        ]
    non_empty = {name: value for name, value in properties.items() if value or value == 0}
    json_text = legal(json.dumps(non_empty, ensure_ascii=False, indent=2))
    # A text with `</script>` must not end the script element.
    return json_text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
