"""The page from somebody's browser: sent by a bookmark, kept through the API, and the extension that does both."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.portal import housed
from tests.portal.api.covered import covers
from tidings import newspaper
from tidings_portal import store
from tidings_portal.reader.pages import packed_extension
from tidings_portal.store.records_of_people import LOCAL, Scope
from tidings_portal.web.access import make_token
from tidings_portal.web.app_state import App
from tidings_portal.web.translations import LANGUAGES

SEALS = next(newspaper.pages("gazette", page_type="article"))
HTML = SEALS.html.decode("utf-8", "replace")


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[App]:
    """A portal with nothing in it."""
    store.open(tmp_path / "news.tidings").close()
    with housed.app(tmp_path / "news.tidings") as opened:
        yield opened


@pytest.fixture
def empty_client(empty: App) -> TestClient:
    return housed.client(empty)


def writer(app: App, *scopes: Scope) -> dict[str, str]:
    """Headers of somebody with a token."""
    made = make_token("browser", frozenset(scopes or (Scope.READ, Scope.WRITE)))
    app.store.add_token(made.record, LOCAL, housed.NOW)
    return {"Authorization": f"Bearer {made.secret}"}


@covers("keep_page")
def test_a_page_is_kept_as_it_was_sent(empty: App, empty_client: TestClient) -> None:
    """Nothing is fetched: the address may well be behind a sign-in."""
    told = {"url": "https://closed.example/story", "html": HTML}
    answer = empty_client.post("/api/v1/articles", json=told, headers=writer(empty))
    assert answer.status_code == 201
    number = answer.json()["id"]
    kept = empty.store.article(number)
    assert kept is not None
    assert kept.article.title == answer.json()["title"] != ""
    page = empty.store.page_of(number)
    assert page is not None
    assert page.page.content.decode() == HTML
    assert [one.id for one in empty.store.saved(LOCAL).items] == [number]
    # The same page again is the same article.
    again = empty_client.post("/api/v1/articles", json={**told, "with": "bte"}, headers=writer(empty))
    assert again.json()["id"] == number


@pytest.mark.parametrize(
    ("told", "scopes", "status"),
    [
        ({"url": "https://closed.example/a", "html": HTML}, (Scope.READ,), 403),
        ({"url": "https://closed.example/a", "html": HTML}, None, 401),
        ({"url": "javascript:alert(1)", "html": HTML}, (), 422),
        ({"url": "https://closed.example/a", "html": "<p></p>"}, (), 400),
        ({"url": "https://closed.example/a", "html": HTML, "with": "nonsense("}, (), 400),
        ({"url": "https://closed.example/a", "html": "x" * 5_000_001}, (), 422),
        ({"html": HTML}, (), 422),
    ],
)
def test_what_is_not_kept(
    empty: App, empty_client: TestClient, told: dict[str, str], scopes: tuple[Scope, ...] | None, status: int
) -> None:
    headers = {} if scopes is None else writer(empty, *scopes)
    answer = empty_client.post("/api/v1/articles", json=told, headers=headers)
    assert answer.status_code in {status, 413 if len(told["html"]) > 5_000_000 else status}
    assert empty.store.totals().articles == 0


def test_a_page_of_another_site_cannot_keep_anything(empty: App, empty_client: TestClient) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    told = {"url": "https://closed.example/a", "html": HTML}
    assert empty_client.post("/api/v1/articles", json=told, headers=headers).status_code in {401, 403}
    assert empty_client.post("/read", data={"html": HTML}, headers=headers).status_code == 403
    assert empty_client.post("/read/save", data={"sent": "sent x"}, headers=headers).status_code == 403
    assert empty.store.totals().articles == 0


def test_the_window_that_receives_is_the_only_one_that_knows_its_opener(empty_client: TestClient) -> None:
    answer = empty_client.get("/read/receive")
    assert answer.headers["cross-origin-opener-policy"] == "unsafe-none"
    assert "data-receive" in answer.text
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert empty_client.get("/read").headers["cross-origin-opener-policy"] == "same-origin"
    assert "/read/receive" in empty_client.get("/read").text
    # No frame or picture of another site reaches it.
    framed = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
    assert empty_client.get("/read/receive", headers=framed).status_code == 403


def test_a_pasted_page_can_be_kept(empty: App, empty_client: TestClient) -> None:
    form = empty_client.get("/read/receive").text
    token = re.search(r'name="token" value="([^"]+)"', form)
    assert token is not None
    data = {"token": token[1], "url": "https://closed.example/story"}
    shown = empty_client.post("/read", data=data, files={"file": ("page.html", HTML.encode(), "text/html")})
    assert shown.status_code == 200
    sent = re.search(r'name="sent" value="([^"]+)"', shown.text)
    assert sent is not None
    kept = empty_client.post("/read/save", data={**data, "sent": sent[1]}, follow_redirects=False)
    assert kept.status_code == 303
    assert empty.store.totals().articles == 1
    for wrong in ("sent 00", "https://elsewhere.example/"):
        assert empty_client.post("/read/save", data={**data, "sent": wrong}).status_code == 400


def test_the_extension_asks_for_little() -> None:
    with zipfile.ZipFile(io.BytesIO(packed_extension())) as archive:
        names = set(archive.namelist())
        manifest = json.loads(archive.read("manifest.json"))
        scripts = {name: archive.read(name).decode() for name in names if name.endswith(".js")}
        pages = [archive.read(name).decode() for name in names if name.endswith(".html")]
    assert manifest["manifest_version"] == 3
    assert set(manifest["permissions"]) == {"activeTab", "scripting", "storage"}
    assert "host_permissions" not in manifest
    assert "content_scripts" not in manifest
    assert "unsafe" not in manifest["content_security_policy"]["extension_pages"]
    for page in pages:
        assert all(name in names for name in re.findall(r'(?:src|href)="([^"#]+)"', page))
        assert not re.search(r"<script>|\son\w+=", page)
    for name, text in scripts.items():
        assert not re.search(r"innerHTML|insertAdjacentHTML|DOMParser|eval\(|new Function", text), name
    assert 'credentials: "omit"' in scripts["popup.js"]


#: Keys of manifest.json that Chromium and Firefox document for Manifest 3, as far as this extension could use them.
DOCUMENTED = frozenset(
    "manifest_version name version description default_locale icons action options_ui permissions optional_permissions "
    "host_permissions optional_host_permissions content_security_policy browser_specific_settings background".split()
)


def _extension() -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(packed_extension())) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_the_manifest_has_what_firefox_and_chromium_document() -> None:
    held = _extension()
    manifest = json.loads(held["manifest.json"])
    assert set(manifest) <= DOCUMENTED
    assert re.fullmatch(r"\d{1,9}(\.\d{1,9}){0,3}", manifest["version"])
    assert set(manifest["action"]) <= {"default_popup", "default_title", "default_icon"}
    assert set(manifest["options_ui"]) <= {"page", "open_in_tab"}
    assert {manifest["action"]["default_popup"], manifest["options_ui"]["page"], *manifest["icons"].values()} <= set(
        held
    )
    gecko = manifest["browser_specific_settings"]["gecko"]
    assert set(gecko) <= {"id", "strict_min_version", "data_collection_permissions"}
    assert re.fullmatch(r"[\w.-]*@[\w.-]+", gecko["id"])  # as a mail address is written
    assert gecko["data_collection_permissions"] == {"required": ["websiteContent"]}  # pages go to one's own server
    assert f"_locales/{manifest['default_locale']}/messages.json" in held


def test_the_extension_speaks_the_languages_of_the_portal() -> None:
    held = _extension()
    spoken = {name.split("/")[1]: json.loads(text) for name, text in held.items() if name.startswith("_locales/")}
    assert set(spoken) == set(LANGUAGES)
    for language, said in spoken.items():
        assert set(said) == set(spoken["en"]), language
        for name, told in said.items():
            filled = re.findall(r"\$[A-Z]+\$", told["message"])
            assert filled == re.findall(r"\$[A-Z]+\$", spoken["en"][name]["message"])
            assert {f"${one.upper()}$" for one in told.get("placeholders", {})} == set(filled)
            assert language == "en" or told["message"] != spoken["en"][name]["message"], (language, name)
    own = "".join(text for name, text in held.items() if name.endswith((".js", ".html", "manifest.json")))
    asked = set(re.findall(r'word\("(\w+)"|data-said="(\w+)"|__MSG_(\w+)__|getMessage\("(\w+)"\)', own))
    assert {name for some in asked for name in some if name} == set(spoken["en"])
