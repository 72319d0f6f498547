"""A small HTTP server on loopback as a context: listening inside, gone outside.

It answers only whoever calls it by a name of this machine: a page of elsewhere whose host name was made to lead here
would else be of the same origin, and could have the issuer sign it in as anybody.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Self
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

_POLL_SECONDS = 0.05
_OUR_NAMES = frozenset({"localhost", "127.0.0.1"})
_LONGEST_FORM = 100_000  # bytes


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: its method, its path without the query, and the fields of its query (GET, HEAD) or form (POST)."""

    method: str
    path: str
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent back; the length of the body is told by itself."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


class Loopback:
    """Listens on 127.0.0.1 while it is entered, and lets `answer` answer. Port 0 takes a free one."""

    def __init__(self, port: int, answer: Callable[[Asked], Answer]) -> None:
        self.port = port
        self._answer = answer
        self._server: _Server | None = None

    @property
    def url(self) -> str:
        """Where it listens, without a slash at the end."""
        return f"http://localhost:{self.port}"

    def __enter__(self) -> Self:
        self._server = _Server(self.port, self._answer)
        self.port = int(self._server.server_address[1])
        serve = self._server.serve_forever
        threading.Thread(target=serve, kwargs={"poll_interval": _POLL_SECONDS}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    server: _Server

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        self._answer(Asked(self.command, path, dict(parse_qsl(query))))

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        length = min(int(self.headers.get("content-length") or 0), _LONGEST_FORM)
        form = self.rfile.read(length).decode(errors="replace")
        self._answer(Asked(self.command, self.path, dict(parse_qsl(form))))

    def _answer(self, asked: Asked) -> None:
        called = self.headers.get("host", "").partition(":")[0]
        self._send(self.server.answer(asked) if called in _OUR_NAMES else Answer(HTTPStatus.MISDIRECTED_REQUEST))

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class names it so)
        """Keep still: who asks a stand-in for what is nobody's business."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, port: int, answer: Callable[[Asked], Answer]) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.answer = answer
