"""The issuer over HTTP: what it publishes, its sign-in form, and the exchange of a code for a token."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from infra.local.issuer import form
from infra.local.issuer.codes import Codes, NotRedeemed
from infra.local.issuer.keys import public_jwk
from infra.local.issuer.requests import Clients, Refused, Request, Unknown
from infra.local.issuer.tokens import EXPIRES_SECONDS, access_claims, signed
from infra.local.loopback import Answer, Asked, Loopback

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

DISCOVERY = "/.well-known/openid-configuration"
KEYS = "/.well-known/jwks.json"
_AUTHORIZE, _REDEEM = "/authorize", "/token"
# No cookie is ever set, so that whoever reads these from elsewhere reads no more than anybody.
_OPEN = {"content-type": "application/json", "cache-control": "no-store", "access-control-allow-origin": "*"}


def documents(url: str, key: RSAPrivateKey) -> dict[str, dict[str, Any]]:
    """What an issuer at `url` publishes, by path."""
    discovery = {
        "issuer": url,
        "authorization_endpoint": f"{url}{_AUTHORIZE}",
        "token_endpoint": f"{url}{_REDEEM}",
        "jwks_uri": f"{url}{KEYS}",
        "id_token_signing_alg_values_supported": ["RS256"],
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": True,
        "subject_types_supported": ["public"],
    }
    return {DISCOVERY: discovery, KEYS: {"keys": [public_jwk(key)]}}


class Issuer(Loopback):
    """The server as a context. `clients`: whom it signs users in for; nobody, unless said."""

    def __init__(self, key: RSAPrivateKey, port: int = 0, clients: Clients | None = None) -> None:
        super().__init__(port, self._dispatch)
        self._key = key
        self._clients = clients or Clients()
        self._codes = Codes()

    def _dispatch(self, asked: Asked) -> Answer:
        if asked.path == _AUTHORIZE:
            return self._authorize(asked)
        if (asked.method, asked.path) == ("POST", _REDEEM):
            return self._redeem(asked.fields)
        found = documents(self.url, self._key).get(asked.path)
        return _told(HTTPStatus.OK, found) if found else _told(HTTPStatus.NOT_FOUND, {"error": "no such document"})

    def _authorize(self, asked: Asked) -> Answer:
        try:
            request = Request.read(asked.fields, self._clients)
        except Unknown as error:
            # Whoever is not known is not sent anywhere.
            return _told(HTTPStatus.BAD_REQUEST, _error("invalid_request", error))
        except Refused as error:
            return self._back(error.request, _error(error.name, error))
        companies = self._clients.companies(request.client_id)
        user, company = asked.fields.get("user", "").strip(), asked.fields.get("company")
        if asked.method == "POST" and user and company in companies:
            return self._back(request, {"code": self._codes.issue(request, user_id=user, company_id=company)})
        return Answer(HTTPStatus.OK, form.headers(request), form.html(request, companies).encode())

    def _redeem(self, fields: Mapping[str, str]) -> Answer:
        try:
            grant = self._codes.redeem(fields)
        except NotRedeemed as error:
            return _told(HTTPStatus.BAD_REQUEST, _error(error.name, error))
        request = grant.request
        claims = access_claims(
            issuer=self.url,
            user_id=grant.user_id,
            audience=request.client_id,
            scope=request.scope,
            company_id=grant.company_id,
        )
        issued = {"access_token": signed(claims, self._key), "token_type": "Bearer", "scope": request.scope}
        return _told(HTTPStatus.OK, {**issued, "expires_in": EXPIRES_SECONDS})

    def _back(self, request: Request, answer: Mapping[str, str]) -> Answer:
        query = urlencode({**answer, "state": request.state, "iss": self.url})
        return Answer(HTTPStatus.SEE_OTHER, {"location": f"{request.redirect_uri}?{query}"})


def _error(name: str, error: Exception) -> dict[str, str]:
    return {"error": name, "error_description": str(error)}


def _told(status: HTTPStatus, body: Mapping[str, Any]) -> Answer:
    return Answer(status, _OPEN, json.dumps(body).encode())
