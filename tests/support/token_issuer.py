"""An issuer of users' tokens on this machine: discovery and keys over HTTP, tokens of every kind, and outages."""

from __future__ import annotations

import json
import time
from copy import copy
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any, Self

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

if TYPE_CHECKING:
    from types import TracebackType

AUDIENCE = "memory-app"
SCOPE = "memory"
_KEYS_PATH = "/keys"


class SigningKey:
    """A key pair with its name; `algorithm` is RS256 or ES256."""

    def __init__(self, kid: str, algorithm: str = "RS256", *, bits: int = 2048) -> None:
        self.kid = kid
        self.algorithm = algorithm
        self.private: Any = (
            rsa.generate_private_key(public_exponent=65537, key_size=bits)
            if algorithm == "RS256"
            else ec.generate_private_key(ec.SECP256R1())
        )

    def named(self, kid: str) -> SigningKey:
        """The same pair under another name."""
        other = copy(self)
        other.kid = kid
        return other

    def public_pem(self) -> bytes:
        """The public half, as files hold it."""
        return bytes(self.private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))

    def public(self) -> dict[str, Any]:
        """The public half, as an issuer lists it."""
        made = RSAAlgorithm if self.algorithm == "RS256" else ECAlgorithm
        return made.to_jwk(self.private.public_key(), as_dict=True) | {"kid": self.kid, "use": "sig"}

    def sign(self, claims: dict[str, Any], **header: Any) -> str:  # noqa: ANN401 - any JSON
        """A token with exactly these claims; `header` fields are added or replaced."""
        return jwt.encode(claims, self.private, algorithm=self.algorithm, headers={"kid": self.kid} | header)


@cache
def _usual_key() -> SigningKey:
    """One for all issuers: making it takes longer than any test."""
    return SigningKey("first")


class TokenIssuer:
    """Listens while it is entered. `answers` may be replaced: what stands at each path, as a JSON value."""

    def __init__(self) -> None:
        self.key = _usual_key()
        self.asked: list[str] = []
        self.up = True
        self.redirects_to: str | None = None
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuer.asked.append(self.path)
                known = issuer.up and self.path in issuer.answers
                body = json.dumps(issuer.answers[self.path]).encode() if known else b""
                self.send_response(302 if issuer.redirects_to else 200 if known else 503)
                if issuer.redirects_to:
                    self.send_header("location", issuer.redirects_to)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Stay quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self.url = f"http://localhost:{self._server.server_port}"
        self.answers: dict[str, Any] = {
            "/.well-known/openid-configuration": {"issuer": self.url, "jwks_uri": f"{self.url}{_KEYS_PATH}"},
        }
        self.lists(self.key)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def lists(self, *keys: SigningKey) -> None:
        """From now on these are the issuer's keys."""
        self.answers[_KEYS_PATH] = {"keys": [key.public() for key in keys]}

    def claims(self, subject: str, **changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON
        """Claims of a user's access token that lasts five minutes; None takes one out."""
        now = int(time.time())
        usual = {"iss": self.url, "sub": subject, "aud": AUDIENCE, "scope": SCOPE, "iat": now, "exp": now + 300}
        return {name: value for name, value in (usual | changes).items() if value is not None}

    def token(self, subject: str, **changes: Any) -> str:  # noqa: ANN401 - any JSON
        """A user's access token; `changes` as for `claims`."""
        return self.key.sign(self.claims(subject, **changes))
