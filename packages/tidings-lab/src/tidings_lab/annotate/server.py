"""The annotation server: serves the interface to this machine only.

It listens on the loopback address. Every URL begins with a random token, so that no other page in the browser can guess
one; requests with another host name (DNS rebinding) or from another origin are refused. Content security policies keep
the browser from running or loading anything of the annotated page.
"""

from __future__ import annotations

import json
import re
import secrets
import sys
from collections.abc import Callable
from dataclasses import asdict
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any, Final

from tidings.errors import TidingsError
from tidings.page.draw import POLICY
from tidings_lab.annotate.annotated_html import shown_units, wrapped_source
from tidings_lab.annotate.project import PAGE_TYPES, PageDescription, Project
from tidings_lab.annotation import marks

HOST: Final = "127.0.0.1"
APP_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
#: The policy of the frame: no scripts, no requests; only inline styles and inline pictures.
FRAME_POLICY: Final = (
    f"{POLICY}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin"
)
_ASSETS: Final = {
    "": ("index.html", "text/html"),
    "app.js": ("app.js", "text/javascript"),
    "frame.js": ("frame.js", "text/javascript"),
    "list.js": ("list.js", "text/javascript"),
    "app.css": ("app.css", "text/css"),
}
#: Empty documents in standards mode and in quirks mode.
_FRAMES: Final = {"frame": "<!DOCTYPE html><title>page</title>", "frame-quirks": "<title>page</title>"}
_PAGE: Final = re.compile(r"page/(\d{1,9})(?:/(mark|undo|redo|save|describe))?", re.ASCII)
#: The maximal size of a request body, enough for a page of 100,000 units.
_MAX_BODY: Final = 1 << 20
#: Seconds until an idle connection is closed.
_PATIENCE: Final = 30


class BadRequest(Exception):
    """The request is invalid; it is answered with an error status."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class AnnotationServer(ThreadingHTTPServer):
    """An HTTP server for the annotation of a project; `url` is the URL to open."""

    daemon_threads = True

    def __init__(self, project: Project, port: int = 0) -> None:
        self.project = project
        self.token = secrets.token_urlsafe(24)
        super().__init__((HOST, port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of browsers that close the connection early."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    @property
    def port(self) -> int:
        """Return the port of the server."""
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        """Return the URL to open, including the token."""
        return f"http://{HOST}:{self.port}/{self.token}/"

    @property
    def hosts(self) -> tuple[str, ...]:
        """Host names that requests may use."""
        return f"{HOST}:{self.port}", f"localhost:{self.port}"


class _Handler(BaseHTTPRequestHandler):
    server: AnnotationServer
    protocol_version = "HTTP/1.1"
    timeout = _PATIENCE
    unread = False  # whether the body of the request is still to be read

    def do_GET(self) -> None:  # named by the standard library
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def version_string(self) -> str:
        return "tidings"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # tokens are in the addresses: never logged
        pass

    # -- answering ------------------------------------------------------------------------------------------

    def _answer(self, act: Callable[[str], None]) -> None:
        self.unread = self.command == "POST"
        try:
            act(self._checked())
        except BadRequest as error:
            self._refuse(error.status, str(error))
        except (TidingsError, ValueError) as error:
            self._refuse(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))

    def _checked(self) -> str:
        """Check host, token and origin of a request; return its path without the token."""
        if self.headers.get("Host", "").lower() not in self.server.hosts:
            raise BadRequest(HTTPStatus.MISDIRECTED_REQUEST, "wrong host")
        origin = self.headers.get("Origin")
        if origin is not None and origin.removeprefix("http://") not in self.server.hosts:
            raise BadRequest(HTTPStatus.FORBIDDEN, "wrong origin")
        token, _, path = self.path.partition("?")[0].removeprefix("/").partition("/")
        if not secrets.compare_digest(token.encode(errors="replace"), self.server.token.encode()):
            raise BadRequest(HTTPStatus.FORBIDDEN, "open the address that tidings printed: it holds a token")
        return path

    def _get(self, path: str) -> None:
        if path in _ASSETS:
            name, kind = _ASSETS[path]
            content = files("tidings_lab.annotate").joinpath("assets", name).read_bytes()
            self._send(HTTPStatus.OK, content, kind, APP_POLICY)
        elif path in _FRAMES:
            self._send(HTTPStatus.OK, _FRAMES[path].encode(), "text/html", FRAME_POLICY)
        elif path == "pages":
            self._send_json(self._pages())
        elif (match := _PAGE.fullmatch(path)) and not match[2]:
            self._send_json(self._page(self._number(match[1])))
        else:
            raise BadRequest(HTTPStatus.NOT_FOUND, "there is nothing here")

    def _post(self, path: str) -> None:
        body = self._body()
        match = _PAGE.fullmatch(path)
        if not match or not match[2]:
            raise BadRequest(HTTPStatus.NOT_FOUND, "there is nothing here")
        project, number = self.server.project, self._number(match[1])
        if match[2] == "mark":
            chosen, mark = body.get("units"), marks.named(body.get("mark"))
            if not isinstance(chosen, list) or not all(type(unit) is int for unit in chosen):
                raise BadRequest(HTTPStatus.BAD_REQUEST, "units is no list of numbers")
            project.mark(number, chosen, mark)
        elif match[2] == "describe":
            project.describe(number, _record(body))
        elif match[2] == "undo":
            project.undo(number)
        elif match[2] == "redo":
            project.redo(number)
        else:
            project.save(number)
        self._send_json(self._state(number))

    def _body(self) -> dict[str, Any]:
        if self.headers.get("Content-Type", "").partition(";")[0].strip() != "application/json":
            raise BadRequest(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "send application/json")
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit() or len(length) > 10:
            raise BadRequest(HTTPStatus.LENGTH_REQUIRED, "how long is it?")
        if int(length) > _MAX_BODY:
            raise BadRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request has at most {_MAX_BODY} bytes")
        self.unread = False
        try:
            body = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            raise BadRequest(HTTPStatus.BAD_REQUEST, "this is no JSON") from None
        if not isinstance(body, dict):
            raise BadRequest(HTTPStatus.BAD_REQUEST, "this is no JSON object")
        return body

    def _number(self, text: str) -> int:
        if int(text) >= len(self.server.project.samples):
            raise BadRequest(HTTPStatus.NOT_FOUND, "there is no such page")
        return int(text)

    # -- responses ---------------------------------------------------------------------------------------

    def _pages(self) -> dict[str, Any]:
        project = self.server.project
        return {
            "marks": marks.NAMES,
            "types": PAGE_TYPES,
            "folder": str(project.folder),
            "pages": [{"id": one.id, "state": project.state(at)} for at, one in enumerate(project.samples)],
        }

    def _page(self, number: int) -> dict[str, Any]:
        project = self.server.project
        open_page, sample = project.open_page(number), project.samples[number]
        opinions = project.opinions.differing(sample.id) if project.opinions else None
        return {
            "id": sample.id,
            "url": sample.url,
            "html": wrapped_source(open_page.page, open_page.units),
            "units": shown_units(open_page.page, open_page.units),
            "opinions": opinions,
            **self._state(number),
        }

    def _state(self, number: int) -> dict[str, Any]:
        project = self.server.project
        with project.lock:
            history = project.history(number)
            return {
                "marks": history.marks.tolist(),
                "decided": sorted(history.decided),
                "undo": len(history.done),
                "redo": len(history.undone),
                "state": project.state(number),
                "record": asdict(record) if (record := project.record(number)) else None,
            }

    # -- sending --------------------------------------------------------------------------------------------

    def _send_json(self, content: dict[str, Any]) -> None:
        self._send(HTTPStatus.OK, json.dumps(content).encode(), "application/json", "default-src 'none'")

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        self.close_connection = True  # a body that was not read must not be taken for the next request
        length = self.headers.get("Content-Length", "")
        if self.unread and length.isascii() and length.isdigit() and len(length) <= 10:
            # Read some of the body first: a client that is still sending would not receive the response.
            self.rfile.read(min(int(length), 4 * _MAX_BODY))
        self._send(status, json.dumps({"error": reason}).encode(), "application/json", "default-src 'none'")

    def _send(self, status: HTTPStatus, content: bytes, kind: str, policy: str) -> None:
        self.send_response(status)
        headers = {
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Length": str(len(content)),
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "X-DNS-Prefetch-Control": "off",
            "Cache-Control": "no-store",
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)


def _record(body: dict[str, Any]) -> PageDescription:
    page_type, lang, is_sure = body.get("page_type"), body.get("lang"), body.get("is_sure", True)
    if not isinstance(page_type, str) or not isinstance(lang, str) or not isinstance(is_sure, bool):
        raise BadRequest(HTTPStatus.BAD_REQUEST, "page_type and lang are texts, is_sure is true or false")
    return PageDescription(page_type, lang, is_sure)
