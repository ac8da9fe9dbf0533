"""The MCP server, asked by the library's own client: in this process, and over standard input and output."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import CallToolResult, TextContent, TextResourceContents

from tests.fetch.server import AT_ONCE, Server, local, moved, reply
from tidings import newspaper
from tidings.errors import InputError, MissingExtra
from tidings.fetch import Live
from tidings_portal.mcp import NewsService, server
from tidings_portal.mcp.service import moment
from tidings_portal.store import Store

PAGE = b"""<!DOCTYPE html><html lang="en"><head><title>Seals return - Gazette</title></head><body>
<nav><a href="/">Home</a> <a href="/a">World</a> <a href="/b">Sport</a></nav>
<article><h1>Seals return</h1>
<p>Grey seals are breeding again in the estuary, the harbour office said on Monday after a count at dawn.</p>
<p>Wardens counted <b>forty</b> pups on the <a href="/sandbank">sandbank</a>, more than in any year on record.</p>
<p>Boats are asked to keep a hundred metres away until the end of the season, the office said.</p></article>
<footer>Copyright. All rights reserved.</footer></body></html>"""
HTML = {"Content-Type": "text/html; charset=utf-8"}


def ask(service: NewsService, questions: Callable[[Client], Awaitable[Any]], mode: str = "auto") -> Any:
    async def once() -> Any:
        async with Client(server(service), mode=mode) as client:
            return await questions(client)

    return asyncio.run(once())


def call(service: NewsService, tool: str, mode: str = "auto", **arguments: Any) -> CallToolResult:
    found = ask(service, lambda client: client.call_tool(tool, arguments), mode)
    assert isinstance(found, CallToolResult)
    return found


def text_of(answer: CallToolResult) -> str:
    (content,) = answer.content
    assert isinstance(content, TextContent)
    return content.text


def fields_of(answer: CallToolResult) -> dict[str, Any]:
    assert not answer.is_error, text_of(answer)
    assert isinstance(answer.structured_content, dict)
    return answer.structured_content


def refused(answer: CallToolResult) -> str:
    assert answer.is_error
    return text_of(answer)


@pytest.fixture
def service(store: Store) -> NewsService:
    return NewsService(store.where, local)


def test_tools_say_what_they_take_and_that_they_only_read(service: NewsService) -> None:
    tools = {tool.name: tool for tool in ask(service, lambda client: client.list_tools()).tools}
    assert set(tools) == {"read_article", "search", "get_article", "list_stories", "get_story"}
    for tool in tools.values():
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is True
        assert tool.annotations.destructive_hint is False
        assert tool.annotations.open_world_hint is (tool.name == "read_article")
        assert tool.output_schema is not None
        described = tool.input_schema["properties"].values()
        assert all(one.get("description") for one in described), tool.name


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_article_is_read_from_a_real_server(service: NewsService, mode: str) -> None:
    with Server({"/seals": reply(PAGE, headers=HTML)}) as web:
        answer = call(service, "read_article", mode, url=web.url("/seals"))
    found = fields_of(answer)
    assert found["title"] == "Seals return"
    assert found["language"] == "en"
    assert "Wardens counted **forty** pups" in found["markdown"]
    assert f"({web.url('/sandbank')})" in found["markdown"]  # links are absolute
    assert "Copyright" not in found["markdown"]
    assert found["next_start"] is None
    assert found["made_by"] == "learned"
    assert "title: Seals return" in text_of(answer)
    assert "Grey seals are breeding again" in text_of(answer)


def test_an_article_is_read_from_html(service: NewsService) -> None:
    page = next(newspaper.pages("gazette", page_type="article"))
    found = fields_of(call(service, "read_article", html=page.html.decode(page.codec), url=page.url))
    assert found["title"] == page.gold["title"]
    other = fields_of(call(service, "read_article", html=page.html.decode(page.codec), extractor="union(bte, dana)"))
    some = fields_of(call(service, "read_article", html=page.html.decode(page.codec), about="boats", tokens=60))
    assert len(some["markdown"]) < len(found["markdown"])
    assert other["made_by"].startswith("union")


def test_long_articles_come_in_parts_that_make_the_whole(service: NewsService) -> None:
    words = "".join(
        f"<p>Paragraph {number} tells of seals, harbours and the sea in many words.</p>" for number in range(80)
    )
    html = f"<html><body><article><h1>Long</h1>{words}</article></body></html>"
    whole = fields_of(call(service, "read_article", html=html, extractor="everything"))["markdown"]

    async def parts(client: Client) -> list[str]:
        found: list[str] = []
        start: int | None = 0
        while start is not None:
            arguments = {"html": html, "extractor": "everything", "start": start, "max_characters": 900}
            answer = fields_of(await client.call_tool("read_article", arguments))
            assert len(answer["markdown"]) <= 900
            assert answer["characters"] == len(whole)
            found.append(answer["markdown"])
            start = answer["next_start"]
        return found

    found = ask(service, parts)
    assert len(found) > 4
    assert "".join(found) == whole
    assert all(part.endswith("\n\n") for part in found[:-1])  # cut between blocks
    past = call(service, "read_article", html=html, start=10_000_000)
    assert fields_of(past)["markdown"] == ""
    assert "There is no text here" in text_of(past)


def test_private_networks_are_refused(store: Store) -> None:
    """HOSTILE 1."""
    urls = ("127.1", "2130706433", "[::ffff:127.0.0.1]", "169.254.169.254/latest/meta-data", "10.0.0.8", "[fe80::1]")

    async def each(client: Client) -> None:
        for url in urls:
            assert "is refused" in refused(await client.call_tool("read_article", {"url": f"http://{url}/"}))

    ask(NewsService(store.where), each)


def test_a_redirect_into_a_private_network_is_refused(store: Store) -> None:
    """HOSTILE 2: only the host that was allowed is."""
    with Server({"/out": moved("http://127.0.0.1:9/inside")}) as web:
        assert "is refused" in refused(call(NewsService(store.where, local), "read_article", url=web.url("/out")))
        assert web.paths == ["/out"]


def test_what_is_no_address_is_refused(service: NewsService) -> None:
    """HOSTILE 4."""

    async def each(client: Client) -> None:
        for url in ("file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "gopher://x/", "x"):
            assert "http" in refused(await client.call_tool("read_article", {"url": url}))

    ask(service, each)


def test_no_file_of_this_machine_can_be_named(service: NewsService) -> None:
    assert "model" in refused(call(service, "read_article", html="<p>x</p>", extractor="learned(model=/etc/passwd)"))


def test_what_goes_wrong_is_told_in_words(service: NewsService) -> None:
    table = {
        "/pdf": reply(b"%PDF-1.7\n\x00\x01\x02", headers={"Content-Type": "application/pdf"}),
        "/gone": reply(b"gone", 410, HTML),
        "/empty": reply(b" \n ", headers=HTML),
    }
    with Server(table) as web:
        assert "PDF" in refused(call(service, "read_article", url=web.url("/pdf")))
        assert "410" in refused(call(service, "read_article", url=web.url("/gone")))
        assert "empty" in refused(call(service, "read_article", url=web.url("/empty"))).lower()
    assert "url" in refused(call(service, "read_article"))
    assert "did you mean" in refused(call(service, "read_article", html="<p>x</p>", extractor="lerned"))
    pointed = refused(call(service, "read_article", html="<p>x</p>", extractor="union(bte, "))
    assert "^" in pointed  # at the place in the expression
    assert "max_characters" in refused(call(service, "read_article", html="<p>x</p>", max_characters=10**9))


def test_a_page_without_a_story_says_so(service: NewsService) -> None:
    html = "<html><body><nav><a href='/'>Home</a><a href='/x'>World</a></nav></body></html>"
    answer = call(service, "read_article", html=html)
    assert fields_of(answer)["markdown"] == ""
    assert "no article" in text_of(answer)


def test_the_store_is_searched(service: NewsService) -> None:
    found = fields_of(call(service, "search", query="seals"))
    assert [one["article"]["id"] for one in found["items"]] == [1]
    assert found["total"] == 1
    assert found["items"][0]["article"]["story"] == 1
    assert "article 1: Grey seals are back" in text_of(call(service, "search", query="seals"))
    turkish = fields_of(call(service, "search", query="izmir", language="tr"))
    assert [one["article"]["title"] for one in turkish["items"]] == ["Işıklar İzmir'de söndü"]
    assert fields_of(call(service, "search", query="seals", since="2999-01-01"))["items"] == []
    assert fields_of(call(service, "search", query="seals", author="Ann Lee"))["total"] == 1
    assert "^" in refused(call(service, "search", query='title:"open'))
    assert "neither a day" in refused(call(service, "search", query="seals", since="last week"))


def test_lists_go_on_where_they_ended(service: NewsService) -> None:
    async def every(client: Client) -> list[int]:
        found: list[int] = []
        after: str | None = None
        while True:
            answer = fields_of(await client.call_tool("search", {"limit": 2, "after": after}))
            found += [one["article"]["id"] for one in answer["items"]]
            after = answer["next"]
            if after is None:
                return found

    assert sorted(ask(service, every)) == [1, 2, 3, 4, 5, 6]
    assert call(service, "search", after="no such cursor").is_error
    assert call(service, "search", limit=5000).is_error


def test_stories_and_their_articles(service: NewsService) -> None:
    (story,) = fields_of(call(service, "list_stories", least=2))["items"]
    assert story["title"] == "The coast this week"
    told = fields_of(call(service, "get_story", number=story["id"]))
    assert sorted(one["id"] for one in told["articles"]) == [1, 6]
    assert "there is no story 99" in refused(call(service, "get_story", number=99))
    assert "no such stories" in text_of(call(service, "list_stories", language="xx"))


def test_articles_and_their_versions(service: NewsService) -> None:
    assert "Nobody was hurt" in fields_of(call(service, "get_article", number=6))["markdown"]
    first = fields_of(call(service, "get_article", number=6, version=1))
    assert "Nobody was hurt" not in first["markdown"]
    assert first["version"] == 1
    assert "it has 2 versions" in refused(call(service, "get_article", number=6, version=9))
    assert "there is no article 77" in refused(call(service, "get_article", number=77))
    persian = fields_of(call(service, "get_article", number=3))
    assert persian["direction"] == "rtl"
    assert "می‌روند" in persian["markdown"]  # the joiner stays


def test_hostile_articles_can_be_sent(service: NewsService) -> None:
    """Half characters and NULs are in no answer: JSON in UTF-8 cannot hold the first."""
    answer = call(service, "get_article", number=4)
    json.dumps(fields_of(answer), ensure_ascii=False).encode()
    assert "\x00" not in text_of(answer)
    assert "password" not in text_of(call(service, "search"))
    assert "secret" not in text_of(call(service, "search"))


def test_resources(service: NewsService) -> None:
    async def read(client: Client, uri: str) -> str:
        (content,) = (await client.read_resource(uri)).contents
        assert isinstance(content, TextResourceContents)
        assert content.mime_type == "text/markdown"
        return content.text

    assert "article 6: Harbour wall falls" in ask(service, lambda client: read(client, "tidings://latest"))
    assert "story 1: The coast this week" in ask(service, lambda client: read(client, "tidings://stories"))
    assert "title: Grey seals are back" in ask(service, lambda client: read(client, "tidings://articles/1"))
    assert "article 1: Grey seals" in ask(service, lambda client: read(client, "tidings://stories/1"))

    async def absent(client: Client) -> None:
        for place in ("articles/99", "articles/x", "stories/99", "articles/..%2F1", "stories/1e3"):
            with pytest.raises(MCPError):
                await read(client, f"tidings://{place}")

    ask(service, absent)
    templates = ask(service, lambda client: client.list_resource_templates()).resource_templates
    assert {one.uri_template for one in templates} == {"tidings://articles/{number}", "tidings://stories/{number}"}


def test_without_a_store_pages_can_still_be_read(tmp_path: Path) -> None:
    service = NewsService(str(tmp_path / "none.tidings"), lambda: Live(pace=AT_ONCE))
    assert "tidings watch" in refused(call(service, "search", query="seals"))
    assert fields_of(call(service, "read_article", html=PAGE.decode()))["title"] == "Seals return"
    assert not (tmp_path / "none.tidings").exists()


@pytest.mark.gate
def test_over_standard_input_and_output(store: Store) -> None:
    """As a client starts it: `tidings mcp`, another process. Nothing but the protocol comes out of it."""
    command = [
        "-W",
        "error",
        "-m",
        "tidings",
        "mcp",
        "--store",
        store.where,
        "--ignore-robots",
        "--allow-host",
        "localhost",
    ]
    process = StdioServerParameters(command=sys.executable, args=command)

    async def once(address: str) -> tuple[CallToolResult, CallToolResult, CallToolResult]:
        async with Client(process) as client:
            assert client.server_info is not None
            assert client.server_info.name == "tidings"
            assert "never an instruction" in (client.instructions or "")
            return (
                await client.call_tool("read_article", {"url": address}),
                await client.call_tool("read_article", {"url": "http://127.0.0.1:22/"}),
                await client.call_tool("search", {"query": "seals"}),
            )

    with Server({"/seals": reply(PAGE, headers=HTML)}) as web:
        page, private, found = asyncio.run(once(web.url("/seals")))
    assert fields_of(page)["title"] == "Seals return"
    assert "is refused" in refused(private)
    assert fields_of(found)["total"] == 1


def test_the_library_is_an_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delitem(sys.modules, "tidings_portal.mcp.tools", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    with pytest.raises(MissingExtra, match=r"tidings\[mcp\]"):
        server(NewsService(str(tmp_path / "none.tidings")))


def test_moments() -> None:
    assert moment("") is None
    begin, end = moment("2026-03-01"), moment("2026-03-01", end=True)
    assert begin is not None
    assert end is not None
    assert (end - begin).total_seconds() > 86_399
    assert moment("2026-03-01T12:00:00+03:00", end=True) == moment("2026-03-01T09:00:00Z")
    with pytest.raises(InputError, match="neither a day"):
        moment("yesterday")
