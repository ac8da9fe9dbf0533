"""Sign-in with an OpenID Connect provider: the code flow with PKCE, state and nonce (Core 1.0, RFC 7636, RFC 9700).

State and nonce are in a signed cookie that expires after ten minutes. The token request goes through the guard against
internal addresses; signature, issuer, audience, times and nonce of the token are checked. An account is identified by
issuer and subject only, never by name or e-mail address.
"""

from __future__ import annotations

import json
import secrets
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NoBase64
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest
from hmac import new as hmac
from typing import Any, Final
from urllib.parse import quote, quote_plus, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings.errors import FetchError
from tidings.fetch import Kind
from tidings.fetch import Request as Asked
from tidings.urls import URL
from tidings_portal.accounts.account import admitted
from tidings_portal.accounts.current_user import with_accounts
from tidings_portal.accounts.sessions import sessions_of
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.forms import local_path
from tidings_portal.web.limits import take_turn
from tidings_portal.web.sessions import cookie, visit_of
from tidings_portal.web.settings import OpenIdProvider

_COOKIE: Final = "tidings_oidc"
_PURPOSE: Final = "oidc"
_LASTS: Final = 600
_SECONDS: Final = 20.0
#: Seconds that clocks may differ by.
_SKEW: Final = 120
_WELL_KNOWN: Final = "/.well-known/openid-configuration"
_PADDING: Final = bytes.fromhex("3031300d060960864801650304020105000420")  # SHA-256 (RFC 8017, 9.2)


@dataclass(frozen=True, slots=True)
class _Endpoints:
    authorization: str
    token: str
    keys: str
    by_post: bool  # the secret goes into the body


@dataclass(frozen=True, slots=True)
class _Pending:
    """A sign-in that has begun, stored in a signed cookie until the provider redirects back."""

    state: str
    nonce: str
    verifier: str
    goal: str
    until: int


async def begin(request: Request) -> Response:
    """Redirect to the OpenID provider to sign in, and set the cookie of the pending sign-in."""
    app, provider = app_of(request), _provider(request)
    take_turn(request)
    found = await _endpoints(app, provider)
    goal = local_path(request.query_params.get("next", ""))
    until = int(app.now().timestamp()) + _LASTS
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    pending = _Pending(state, nonce, verifier, goal, until)
    challenge = _encoded(sha256(pending.verifier.encode()).digest())
    asked = {
        "response_type": "code",
        "client_id": provider.client,
        "redirect_uri": _callback(request),
        "scope": "openid profile",
        "state": pending.state,
        "nonce": pending.nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    sign = "&" if "?" in found.authorization else "?"
    answer = RedirectResponse(f"{found.authorization}{sign}{urlencode(asked, quote_via=quote)}", 303)
    answer.headers.append("set-cookie", cookie(app, _COOKIE, _sealed(app, pending), _LASTS))
    answer.headers["cache-control"] = "no-store"
    return answer


async def finish(request: Request) -> Response:
    """Handle the redirect from the provider: check the response and sign the user in."""
    app, provider = app_of(request), _provider(request)
    take_turn(request)
    given = request.query_params
    pending = _unsealed(app, request.cookies.get(_COOKIE, ""))
    if pending is None or not compare_digest(pending.state.encode(), given.get("state", "").encode("utf-8", "replace")):
        raise HttpProblem(403, "forged")
    if given.get("iss", provider.issuer) != provider.issuer or not given.get("code"):
        raise HttpProblem(403, "not_signed_in")
    found = await _endpoints(app, provider)
    token = await _token(request, provider, found, given["code"][:4000], pending.verifier)
    claims = _checked(token, provider, await _keys(app, found), pending.nonce, app.now())

    def work() -> Response:
        sessions = sessions_of(request)
        names = [claims.get(name) for name in ("preferred_username", "name", "nickname")]
        person = sessions.known_by(
            provider.issuer, str(claims["sub"]), [str(one) for one in names if one], _own(request)
        )
        answer = admitted(request, pending.goal, person)
        answer.headers.append("set-cookie", cookie(app, _COOKIE, "", 0))
        return answer

    return await run_in_threadpool(work)


def _own(request: Request) -> int | None:
    """Return the id of the signed-in user, whose account will be linked to the provider; None if nobody is
    signed in.
    """
    found = sessions_of(request).login(visit_of(request).session)
    return None if found is None else found[1].id


def _provider(request: Request) -> OpenIdProvider:
    with_accounts(request)
    provider = app_of(request).settings.openid
    if provider is None:
        raise HttpProblem(404, "missing_page")
    return provider


def _callback(request: Request) -> str:
    return f"{app_of(request).settings.address or str(request.base_url).rstrip('/')}/sign-in/openid/callback"


def _sealed(app: App, pending: _Pending) -> str:
    told = [pending.state, pending.nonce, pending.verifier, pending.goal, pending.until]
    body = _encoded(json.dumps(told).encode())
    return f"{body}.{app.sign(_PURPOSE, body)}"


def _unsealed(app: App, value: str) -> _Pending | None:
    body, _, mark = value[:4000].partition(".")
    if not body or not app.is_signed(_PURPOSE, body, mark):
        return None
    found = _Pending(*json.loads(_decoded(body)))
    return found if app.now().timestamp() <= found.until else None


async def _endpoints(app: App, provider: OpenIdProvider) -> _Endpoints:
    told = await _fetch_json(app, Asked(provider.issuer.rstrip("/") + _WELL_KNOWN, Kind.PAGE, seconds=_SECONDS))
    if told.get("issuer") != provider.issuer:
        raise HttpProblem(502, "not_signed_in", "the provider calls itself something else than --openid says")
    ways = told.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    places = [str(told.get(name, "")) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")]
    if not all(map(URL.try_parse, places)):
        raise HttpProblem(502, "not_signed_in", "the provider does not say where to sign in")
    by_post = "client_secret_basic" not in ways and "client_secret_post" in ways
    return _Endpoints(places[0], places[1], places[2], by_post)


async def _token(request: Request, provider: OpenIdProvider, endpoints: _Endpoints, code: str, verifier: str) -> str:
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": _callback(request),
        "code_verifier": verifier,
        "client_id": provider.client,
    }
    headers = [("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json")]
    if provider.secret and endpoints.by_post:
        fields["client_secret"] = provider.secret
    elif provider.secret:
        pair = f"{quote_plus(provider.client)}:{quote_plus(provider.secret)}"  # RFC 6749, 2.3.1
        headers.append(("Authorization", "Basic " + b64encode(pair.encode()).decode("ascii")))
    token_request = Asked(
        endpoints.token, Kind.PAGE, headers=tuple(headers), seconds=_SECONDS, data=urlencode(fields).encode("ascii")
    )
    told = await _fetch_json(app_of(request), token_request)
    return str(told.get("id_token", ""))


async def _keys(app: App, endpoints: _Endpoints) -> list[Mapping[str, Any]]:
    document = await _fetch_json(app, Asked(endpoints.keys, Kind.PAGE, seconds=_SECONDS))
    keys = document.get("keys")
    return [one for one in keys if isinstance(one, dict)] if isinstance(keys, list) else []


async def _fetch_json(app: App, request: Asked) -> dict[str, Any]:
    """Fetch a URL of the provider and return its JSON object.

    Raises:
        HttpProblem: 502 if it cannot be reached or responds with something else. The response is not logged, because
            it may contain secrets.
    """
    outcome = await app.pictures.fetch(request)
    if isinstance(outcome, FetchError):
        raise HttpProblem(502, "not_signed_in", f"the provider cannot be asked: {outcome.reason}")
    try:
        document = json.loads(outcome.body) if outcome.status == 200 else None
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise HttpProblem(502, "not_signed_in", f"the provider answers with {outcome.status}")
    return document


def _checked(
    token: str, provider: OpenIdProvider, keys: list[Mapping[str, Any]], nonce: str, at: datetime
) -> Mapping[str, Any]:
    """Check an ID token and return its claims (OpenID Connect Core, 3.1.3.7).

    Raises:
        HttpProblem: signature, issuer, audience, times or nonce are wrong.
    """
    try:
        head, body, mark = token[:20_000].split(".")
        header, claims = json.loads(_decoded(head)), json.loads(_decoded(body))
        is_signed = _is_signed(header, f"{head}.{body}".encode(), _decoded(mark), provider, keys)
        audience = claims.get("aud")
        audiences = audience if isinstance(audience, list) else [audience]
        now = at.timestamp()
        is_good = (
            is_signed
            and claims.get("iss") == provider.issuer
            and provider.client in audiences
            and (len(audiences) == 1 or claims.get("azp") == provider.client)
            and float(claims["exp"]) > now - _SKEW
            and float(claims.get("iat", now)) < now + _SKEW
            and compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode())
            and 0 < len(str(claims.get("sub", ""))) < 256
        )
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, NoBase64):
        is_good, claims = False, {}
    if not is_good:
        raise HttpProblem(403, "not_signed_in")
    return dict(claims)


def _is_signed(
    header: Mapping[str, Any], body: bytes, mark: bytes, provider: OpenIdProvider, keys: list[Mapping[str, Any]]
) -> bool:
    """Return whether the signature of a token is valid: with an RSA key of the provider or the client secret.

    Unsigned tokens are refused.

    Args:
        header: the decoded header of the token.
        body: the signed bytes.
        mark: the signature.
        provider: the settings of the provider.
        keys: the public keys of the provider (JWKS).
    """
    method = header.get("alg")
    if method == "HS256":
        return bool(provider.secret) and compare_digest(hmac(provider.secret.encode(), body, sha256).digest(), mark)
    if method != "RS256":
        return False
    known = [one for one in keys if one.get("kty") == "RSA" and one.get("use", "sig") == "sig"]
    named = [one for one in known if one.get("kid") == header.get("kid")]
    return any(_is_rsa(one, body, mark) for one in (named if "kid" in header else known))


def _is_rsa(key: Mapping[str, Any], body: bytes, mark: bytes) -> bool:
    """Return whether `mark` is the RSASSA-PKCS1-v1_5 signature (SHA-256) of `body` (RFC 8017, 8.2.2)."""
    modulus, exponent = (int.from_bytes(_decoded(str(key.get(name, "")))) for name in ("n", "e"))
    size = (modulus.bit_length() + 7) // 8
    if not 256 <= size <= 1024 or not 3 <= exponent < 1 << 33 or len(mark) != size:
        return False
    digest = _PADDING + sha256(body).digest()
    wanted = b"\x00\x01" + b"\xff" * (size - len(digest) - 3) + b"\x00" + digest
    return compare_digest(pow(int.from_bytes(mark), exponent, modulus).to_bytes(size), wanted)


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
