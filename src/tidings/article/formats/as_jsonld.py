"""schema.org JSON-LD: a NewsArticle, as search engines read it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from tidings.article.characters import legal
from tidings.article.formats.as_text import as_text
from tidings.article.model import Article
from tidings.article.options import Options
from tidings.fields.addresses import safe, safe_picture


def as_jsonld(article: Article, options: Options) -> str:
    """Return the article as one object, safe to stand inside a script element."""
    address = safe(article.canonical) or safe(article.url)
    pictures = ([article.image] if article.image else []) + (list(article.images) if options.images else [])
    found: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "mainEntityOfPage": {"@type": "WebPage", "@id": address} if address else None,
        "url": safe(article.url),
        "headline": article.title,
        "author": [{"@type": "Person", "name": author} for author in article.authors],
        "datePublished": article.published_told.isoformat() if article.published_told else None,
        "dateModified": article.modified_told.isoformat() if article.modified_told else None,
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
        found["comment"] = [
            {
                "@type": "Comment",
                **({"author": {"@type": "Person", "name": comment.author}} if comment.author else {}),
                **({"dateCreated": comment.published_told.isoformat()} if comment.published_told else {}),
                "text": comment.text,
            }
            for comment in article.comments
        ]
    told = {name: value for name, value in found.items() if value or value == 0}
    written = legal(json.dumps(told, ensure_ascii=False, indent=2))
    # So that `</script>` in a text cannot end the element around it.
    return written.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
