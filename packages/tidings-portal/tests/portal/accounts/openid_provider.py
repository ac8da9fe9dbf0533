"""An OpenID provider as a program of its own, on loopback: discovery, keys, the code flow with PKCE; and its lies.

    python -m tests.portal.accounts.openid_provider

It prints its issuer. `POST /lie?how=nonce` makes it lie from then on; an empty `how` makes it honest again.
"""

from __future__ import annotations

import json
import secrets
import time
from base64 import b64decode, urlsafe_b64encode
from hashlib import sha256
from hmac import new as hmac
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT, SECRET = "portal", "s3cret"
#: A key of nobody's.
MODULUS = int(
    "bee19e9cbc112b04686500d5f75ccd96c69abe70d41188c8d074b93dc142ceacb3f5560fd8412b327b3f389912596bd089e6"
    "2acaacfdc11f4390cb5e6d89f094ea8d02388f2a52692459946689ceb09e13aa787de081d06b5c31d4829c1754f548c531f4"
    "03819a2f18029afe4a4717be6e13e1e9b6b23b892d59f4a2b34009538527efe89f9dcdaee257aa4d78f6625a5b2a4be3680c"
    "69bc00fe5c626f8b6fbc0512310630970be5fa5141bd4ed95fe3f30fe6824efee5cbbc419715e39df2c237b91f706043673f"
    "78a65c8750df3b261fbab609f30c03043e112de376fa0ec1d8ae164c97b3d6a821c5f3f19f7893b6068b96ae34b1e838b9bf"
    "b0283fe5219b",
    16,
)
EXPONENT = int(
    "dca814a33b04dda58ac8b7dea0c5372445123d7450b2b45cf01cfec6d4d255f86f4ffcdcf430e1aec9aa9bd2d7d3673efb2a"
    "87ed236d7402a02891efe6d0bebc6727fa994766b53db63797c5b128ae230eb8d1f131c6df183ccb9dce1e831a43328c42e2"
    "c1eae041f08f927cc380cb81e7de3419e888c12a22b30a89ca8d0c38f130767dd34cad8fddebfe2f747d6b010220c0681aba"
    "d2de40d641af0464dc32d9666bea739d810986b1ecd85c018c0df3a068a478c5595d943ff426318ee676c6f458178f07a623"
    "a2278ad0bb11b65f5668bb2ebdfe8d76c8f61a9a8c4dd1ba39e9fac455fd38b41c24127acf9a5e8cf20aa981c1f21739cdb6"
    "ced6544b799",
    16,
)
PADDING = bytes.fromhex("3031300d060960864801650304020105000420")


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def signed(claims: dict[str, Any], method: str = "RS256", secret: str = SECRET) -> str:
    """A token."""
    body = f"{encoded(json.dumps({'alg': method, 'kid': 'a'}).encode())}.{encoded(json.dumps(claims).encode())}"
    if method == "RS256":
        digest = PADDING + sha256(body.encode()).digest()
        padded = b"\x00\x01" + b"\xff" * (256 - len(digest) - 3) + b"\x00" + digest
        mark = pow(int.from_bytes(padded), EXPONENT, MODULUS).to_bytes(256)
    else:
        mark = hmac(secret.encode(), body.encode(), sha256).digest() if method == "HS256" else b""
    return f"{body}.{encoded(mark)}"


class Provider(BaseHTTPRequestHandler):
    """Lets in whoever comes; codes are good once, for whoever has the verifier and the secret."""

    how = ""
    codes: dict[str, dict[str, str]] = {}  # noqa: RUF012  # of all requests

    @property
    def issuer(self) -> str:
        assert isinstance(self.server, ThreadingHTTPServer)
        return f"http://127.0.0.1:{self.server.server_port}"

    def do_GET(self) -> None:
        place = urlsplit(self.path)
        asked = {name: value[0] for name, value in parse_qs(place.query).items()}
        if place.path == "/.well-known/openid-configuration":
            places = {"authorization_endpoint": "enter", "token_endpoint": "token", "jwks_uri": "keys"}
            issuer = "http://other.example" if self.how == "discovery" else self.issuer
            self.say({"issuer": issuer} | {name: f"{self.issuer}/{path}" for name, path in places.items()})
        elif place.path == "/keys":
            modulus = MODULUS + 2 if self.how == "key" else MODULUS
            self.say({"keys": [{"kty": "RSA", "kid": "a", "n": encoded(modulus.to_bytes(256)), "e": "AQAB"}]})
        elif place.path == "/enter" and asked["client_id"] == CLIENT and asked["code_challenge_method"] == "S256":
            code = secrets.token_urlsafe(16)
            self.codes[code] = asked
            state = "another" if self.how == "state" else asked["state"]
            self.send_response(303)
            self.send_header("Location", f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': state})}")
            self.end_headers()
        else:
            self.say({"error": "invalid_request"}, 400)

    def do_POST(self) -> None:
        place = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
        if place.path == "/lie":
            Provider.how = parse_qs(place.query).get("how", [""])[0]
            self.say({})
            return
        fields = {name: value[0] for name, value in parse_qs(body).items()}
        asked = self.codes.pop(fields.get("code", ""), None)
        who = b64decode(self.headers.get("Authorization", "").removeprefix("Basic ")).decode()
        verifier = encoded(sha256(fields.get("code_verifier", "").encode()).digest())
        if asked is None or who != f"{CLIENT}:{SECRET}" or verifier != asked["code_challenge"]:
            self.say({"error": "invalid_grant"}, 400)
            return
        now, how = int(time.time()), self.how
        claims = {
            "iss": "http://other.example" if how == "issuer" else self.issuer,
            "aud": "another" if how == "audience" else CLIENT,
            "sub": "u-1",
            "nonce": "another" if how == "nonce" else asked["nonce"],
            "exp": now - 3600 if how == "late" else now + 300,
            "iat": now,
            "preferred_username": "Ann",
        }
        self.say({"id_token": signed(claims, "none" if how == "none" else "RS256"), "token_type": "Bearer"})

    def say(self, told: dict[str, Any], status: int = 200) -> None:
        body = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet."""


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Provider) as server:
        print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)  # noqa: T201  # whoever began it reads it
        server.serve_forever()
