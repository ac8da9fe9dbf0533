"""A client of the Google Reader API, written from its documentation (FreshRSS, FeedHQ), which counts what it asks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from httpx2 import Response
from jsonschema import validate
from starlette.testclient import TestClient

BASE = "/api/greader.php"
STATE = "user/-/state/com.google/"
LABEL = "user/-/label/"

_TEXT = {"type": "string"}
_NUMBER_TEXT = {"type": "string", "pattern": "^[0-9]+$"}
_LINKS = {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["href"]}}
_ITEM = {
    "type": "object",
    "required": ["id", "crawlTimeMsec", "timestampUsec", "published", "title", "canonical", "alternate", "summary",
                 "categories", "origin", "author"],
    "properties": {
        "id": {"type": "string", "pattern": "^tag:google.com,2005:reader/item/[0-9a-f]{16}$"},
        "crawlTimeMsec": _NUMBER_TEXT,
        "timestampUsec": _NUMBER_TEXT,
        "published": {"type": "integer"},
        "title": _TEXT,
        "canonical": _LINKS,
        "alternate": _LINKS,
        "summary": {"type": "object", "required": ["content"], "properties": {"content": _TEXT}},
        "categories": {"type": "array", "items": _TEXT},
        "origin": {"type": "object", "required": ["streamId", "title", "htmlUrl"]},
        "author": _TEXT,
    },
}  # fmt: skip
_ITEMS = {
    "type": "object",
    "required": ["id", "updated", "items"],
    "properties": {"items": {"type": "array", "items": _ITEM}, "continuation": _TEXT, "updated": {"type": "integer"}},
}
#: What answers look like, by path.
SCHEMAS: dict[str, Any] = {
    "stream/contents": _ITEMS,
    "stream/items/contents": _ITEMS,
    "stream/items/ids": {
        "type": "object",
        "required": ["itemRefs"],
        "properties": {
            "itemRefs": {
                "type": "array",
                "items": {"type": "object", "required": ["id"], "properties": {"id": _NUMBER_TEXT}},
            },
            "continuation": _TEXT,
        },
    },
    "subscription/list": {
        "type": "object",
        "required": ["subscriptions"],
        "properties": {
            "subscriptions": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["id", "title", "categories", "url", "htmlUrl", "iconUrl"],
                    "properties": {
                        "id": {"type": "string", "pattern": "^feed/[0-9]+$"},
                        "categories": {
                            "type": "array",
                            "items": {"type": "object", "required": ["id", "label"]},
                        },
                    },
                },
            }
        },
    },
    "tag/list": {
        "type": "object",
        "required": ["tags"],
        "properties": {"tags": {"type": "array", "items": {"type": "object", "required": ["id"]}}},
    },
    "unread-count": {
        "type": "object",
        "required": ["max", "unreadcounts"],
        "properties": {
            "max": {"type": "integer"},
            "unreadcounts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["id", "count", "newestItemTimestampUsec"],
                    "properties": {"count": {"type": "integer"}, "newestItemTimestampUsec": _NUMBER_TEXT},
                },
            },
        },
    },
    "user-info": {"type": "object", "required": ["userId", "userName", "userProfileId", "userEmail"]},
    "subscription/quickadd": {"type": "object", "required": ["numResults"]},
}


@dataclass
class GReaderClient:
    """A program on a phone."""

    http: TestClient
    auth: str = field(default="", repr=False)
    token: str = field(default="", repr=False)
    asked: int = 0

    def sign_in(self, name: str, password: str) -> Response:
        self.asked += 1
        answer = self.http.post(f"{BASE}/accounts/ClientLogin", data={"Email": name, "Passwd": password})
        if answer.status_code == 200:
            lines = dict(line.split("=", 1) for line in answer.text.splitlines())
            assert lines.keys() == {"SID", "LSID", "Auth"}
            self.auth = lines["Auth"]
            self.token = self.ask("token").text
        return answer

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"GoogleLogin auth={self.auth}"} if self.auth else {}

    def ask(self, path: str, **told: Any) -> Response:
        self.asked += 1
        return self.http.get(f"{BASE}/reader/api/0/{path}", params=told or None, headers=self.headers)

    def get(self, path: str, /, **told: Any) -> Any:
        answer = self.ask(path, output="json", **told)
        assert answer.status_code == 200, answer.text
        found = answer.json()
        schema = next(one for name, one in SCHEMAS.items() if path.startswith(name))
        validate(found, schema)
        return found

    def send(self, path: str, **told: Any) -> Response:
        self.asked += 1
        return self.http.post(f"{BASE}/reader/api/0/{path}", data={"T": self.token, **told}, headers=self.headers)

    def do(self, path: str, **told: Any) -> None:
        answer = self.send(path, **told)
        assert (answer.status_code, answer.text) == (200, "OK"), answer.text

    def numbers(self, stream: str = f"{STATE}reading-list", **told: Any) -> list[str]:
        """All numbers of a stream, however many pages that takes."""
        found: list[str] = []
        after: dict[str, str] = {}
        while True:
            page = self.get("stream/items/ids", s=stream, **told, **after)
            found += [one["id"] for one in page["itemRefs"]]
            if "continuation" not in page:
                return found
            after = {"c": page["continuation"]}

    def unread(self, stream: str) -> int:
        counts = {one["id"]: one["count"] for one in self.get("unread-count")["unreadcounts"]}
        found: int = counts.get(stream, 0)
        return found
