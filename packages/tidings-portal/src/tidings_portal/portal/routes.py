"""Routes of the portal, with the seconds that each page is cached."""

from __future__ import annotations

from typing import Final

from starlette.routing import BaseRoute, Route

from tidings_portal.accounts.current_user import action
from tidings_portal.portal import extraction_page, paper, sources
from tidings_portal.portal.about import about, manifest, opensearch, preferences
from tidings_portal.portal.articles import article
from tidings_portal.portal.front_page import front_page
from tidings_portal.portal.lists import category, events, feed_list, latest, most_read, topic
from tidings_portal.portal.sample import remove_sample
from tidings_portal.portal.search import search
from tidings_portal.portal.stories import story
from tidings_portal.portal.trends import trends, trends_csv
from tidings_portal.web.pages import page

_SOON, _LATER = 5, 20

ROUTES: Final[list[BaseRoute]] = [
    Route("/", front_page),
    Route("/topic/{name}", page(topic, _LATER)),
    Route("/paper", page(paper.paper)),
    Route("/paper", action(paper.change), methods=["POST"]),
    Route("/latest", page(latest, _SOON)),
    Route("/most-read", page(most_read, _LATER)),
    Route("/category/{name:path}", page(category, _SOON)),
    Route("/article/{number}", page(article)),
    Route("/article/{number}/how", page(extraction_page.how)),
    Route("/article/{number}/drawn", extraction_page.drawn),
    Route("/article/{number}/saved", extraction_page.saved),
    Route("/story/{number}", page(story)),
    Route("/search", page(search, _SOON)),
    Route("/opensearch.xml", opensearch),
    Route("/manifest.webmanifest", manifest),
    Route("/events", page(events, _SOON)),
    Route("/trends", page(trends, _LATER)),
    Route("/trends.csv", trends_csv),
    Route("/sources", page(sources.sources)),
    Route("/sources", sources.add, methods=["POST"]),
    Route("/sources.opml", sources.download),
    Route("/sources/import", sources.import_, methods=["POST"]),
    Route("/sources/{number}", page(sources.source)),
    Route("/sources/{number}", sources.change, methods=["POST"]),
    Route("/sources/{number}/poll", sources.poll, methods=["POST"]),
    Route("/sources/{number}/remove", page(sources.removal)),
    Route("/sources/{number}/remove", sources.remove, methods=["POST"]),
    Route("/feeds", page(feed_list, _LATER)),
    Route("/about", page(about, _LATER)),
    Route("/preferences", preferences, methods=["POST"]),
    Route("/sample/remove", remove_sample, methods=["POST"]),
]
