"""Other projects' readers, each under its name, to be measured beside ours."""

from typing import Final

from tidings.lab.peers import (
    boilerpy3,
    floor,
    goose3,
    justext,
    news_please,
    newspaper4k,
    readability,
    resiliparse,
    trafilatura,
)
from tidings.lab.peers.peer import Peer

#: All peers, the floor last.
PEERS: Final[dict[str, Peer]] = {
    peer.name: peer
    for peer in (
        Peer("trafilatura", "trafilatura", trafilatura.read),
        Peer("trafilatura-fast", "trafilatura", trafilatura.read, (("fast", True),)),
        Peer("trafilatura-precision", "trafilatura", trafilatura.read, (("favor_precision", True),)),
        Peer("trafilatura-recall", "trafilatura", trafilatura.read, (("favor_recall", True),)),
        Peer("trafilatura-no-comments", "trafilatura", trafilatura.read, (("include_comments", False),)),
        Peer("newspaper4k", "newspaper4k", newspaper4k.read),
        Peer("readability-lxml", "readability-lxml", readability.read),
        Peer("resiliparse", "resiliparse", resiliparse.read),
        Peer("justext", "jusText", justext.read),
        Peer("boilerpy3", "boilerpy3", boilerpy3.read),
        Peer("goose3", "goose3", goose3.read),
        Peer("news-please", "news-please", news_please.read),
        Peer("html2text", "html2text", floor.html2text),
        Peer("inscriptis", "inscriptis", floor.inscriptis),
    )
}

__all__ = ["PEERS", "Peer"]
