"""The issuer's two documents over HTTP, on the standard library's threading server."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

from infra.local.issuer.keys import public_jwk

if TYPE_CHECKING:
    from types import TracebackType

    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

DISCOVERY = "/.well-known/openid-configuration"
KEYS = "/.well-known/jwks.json"


def documents(url: str, key: RSAPrivateKey) -> dict[str, dict[str, Any]]:
    """What an issuer at `url` publishes, by path."""
    discovery = {
        "issuer": url,
        "jwks_uri": f"{url}{KEYS}",
        "id_token_signing_alg_values_supported": ["RS256"],
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
    }
    return {DISCOVERY: discovery, KEYS: {"keys": [public_jwk(key)]}}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    server: _Server

    def do_GET(self) -> None:
        found = self.server.published.get(self.path)
        data = json.dumps(found or {"error": "no such document"}).encode()
        self.send_response(HTTPStatus.OK if found else HTTPStatus.NOT_FOUND)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class names it so)
        """Keep still: who asks for public keys is nobody's business."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.published: dict[str, dict[str, Any]] = {}


@dataclass(slots=True)
class Issuer:
    """The server as a context: listening inside, gone outside. Port 0 takes a free one."""

    key: RSAPrivateKey
    port: int = 0
    _server: _Server | None = None

    @property
    def url(self) -> str:
        """What stands in `iss`."""
        return f"http://localhost:{self.port}"

    def __enter__(self) -> Self:
        self._server = _Server(self.port)
        self.port = int(self._server.server_address[1])
        self._server.published = documents(self.url, self.key)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None
