"""Posts of social networks that a page embeds, as the text that a script later replaces."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tidings.fields.memo import memoized
from tidings.page import Page, tags
from tidings.page.columns import Bools
from tidings.text.patterns import late_pattern

_BLOCKQUOTE: Final = tags.NUMBERS["blockquote"]
#: Class names of the networks' own embed codes. All of them use a `blockquote`.
_NETWORKS: Final = {
    "twitter-tweet": "X", "twitter-video": "X", "instagram-media": "Instagram", "tiktok-embed": "TikTok",
    "bluesky-embed": "Bluesky", "fb-post": "Facebook", "fb-xfbml-parse-ignore": "Facebook", "reddit-embed-bq": "Reddit",
    "reddit-embed": "Reddit", "reddit-card": "Reddit", "mastodon-embed": "Mastodon", "text-post-media": "Threads",
}  # fmt: skip
#: The networks that this module names.
NETWORKS: Final = frozenset(_NETWORKS.values())
#: The last line of a post on X whose class names a site has removed: `— Name (@name) May 1, 2024`.
_SIGNED: Final = late_pattern(r"[—–-] ?[^()\n]{1,60} \(@\w{1,20}\) .{0,18}\d{4}(?:年.{0,6})?\Z")
_SIGNATURE_LENGTH: Final = 140
_LONGEST_TAG: Final = 4000  # characters of a start tag that are read
#: More words are no post: a blockquote that is never closed contains the rest of the page. Instagram allows 2,200
#: characters, which is about 400 words.
_MOST_WORDS: Final = 400
#: A line of an embed code that leads to the network, such as "View this post on Instagram", has at most this many
#: words, all of them in a link, and the name of the network.
_LABEL_WORDS: Final = 9
_NAMES: Final = {"X": ("twitter", " x")}


class EmbeddedPost(NamedTuple):
    """A post that a page embeds. `text` contains its visible runs without lines that only lead to the network."""

    element: int
    network: str
    first: int  # the first run
    last: int  # one past the last run
    text: tuple[int, ...]


@memoized
def embedded_posts(page: Page) -> tuple[EmbeddedPost, ...]:
    """Return the posts that a page embeds, in document order, without posts inside posts."""
    elements = page.elements
    quotes = (elements.tag == _BLOCKQUOTE).nonzero()[0].tolist()
    posts: list[EmbeddedPost] = []
    behind = 0
    for element in quotes:
        first, last = elements.first.item(element), elements.last.item(element)
        if first < behind or first >= last:
            continue
        network = network_of(page, element)
        if network and int(page.runs.words[first:last].sum()) <= _MOST_WORDS:
            posts.append(EmbeddedPost(element, network, first, last, _text_runs(page, network, first, last)))
            behind = last
    return tuple(posts)


def network_of(page: Page, element: int) -> str:
    """Return the network whose post a blockquote is, from its class or its last line; empty if it is no post."""
    start_tag = page.cut.tag(page.opened.item(element))[:_LONGEST_TAG].lower()
    if len(start_tag) > len("<blockquote>") and any(name in start_tag for name in _NETWORKS):
        names = page.attributes(element).get("class", "").lower().split()
        network = next((_NETWORKS[name] for name in names if name in _NETWORKS), "")
        if network:
            return network
    runs, last = page.runs, page.elements.last.item(element)
    end = runs.text_end.item(last - 1) if last > page.elements.first.item(element) else 0
    begin = max(runs.text_start.item(page.elements.first.item(element)) if end else 0, end - _SIGNATURE_LENGTH)
    if page.text.find("(@", begin, end) < 0:
        return ""
    return "X" if _SIGNED.search(" ".join(page.text[begin:end].split())) else ""


def _text_runs(page: Page, network: str, first: int, last: int) -> tuple[int, ...]:
    """Return the visible runs of a post, without lines that only lead to the network."""
    runs = page.runs
    names = _NAMES.get(network, (network.lower(),))
    blocks = runs.block[first:last]
    is_label = np.zeros(last - first, np.bool_)
    for block in np.unique(blocks).tolist():
        own = (blocks == block).nonzero()[0] + first
        if not runs.in_link[own].all() or int(runs.words[own].sum()) > _LABEL_WORDS:
            continue
        line = page.text[runs.text_start.item(own[0].item()) : runs.text_end.item(own[-1].item())].lower()
        is_label[own - first] = any(name in line for name in names)
    visible: Bools = ~runs.hidden[first:last] & ~is_label
    return tuple((visible.nonzero()[0] + first).tolist())
