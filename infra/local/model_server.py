"""One model behind an OpenAI-compatible interface, on the standard library's threading server."""

from __future__ import annotations

import argparse
import json
import threading
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

from infra.local.stand_ins import told_to_stop

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

PURPOSE_HEADER = "x-context-memory-purpose"
_MAX_BODY = 16 * 1024 * 1024


class BadRequestError(ValueError):
    """The request is not one that this server answers; the message says why, without its content."""


@dataclass(slots=True, kw_only=True)
class ModelServer:
    """The server as a context: listening inside, gone outside.

    Attributes:
        model: its name, wherever a model's name is shown.
        about: what it is, in a few words.
        route: the one route that asks it, such as `/v1/chat/completions`.
        reply: answers a parsed body and the call's purpose, or raises `BadRequestError`.
        port: 0 takes a free one.
    """

    model: str
    about: str
    route: str
    reply: Callable[[Any, str], dict[str, Any]]
    host: str = "127.0.0.1"
    port: int = 0
    _server: _Server | None = field(default=None, init=False)

    @property
    def base_url(self) -> str:
        """What goes into `OPENAI_BASE_URL`."""
        return f"http://{self.host}:{self.port}/v1"

    def __enter__(self) -> Self:
        self._server = _Server(self)
        self.port = int(self._server.server_address[1])
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


def serve(program: str, make: Callable[[str, int], ModelServer], argv: list[str] | None = None) -> int:
    """Serve until SIGINT or SIGTERM; 0 when it ended as asked, 1 when the port is taken."""
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description="A model of the local environment.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=0, help="port to listen on; 0 takes a free one (default)")
    arguments = parser.parse_args(argv)
    stop = told_to_stop()
    served = make(arguments.host, arguments.port)
    try:
        with served:
            print(f"{served.model}: {served.about}, at {served.base_url}", flush=True)
            stop.wait()
    except OSError as error:
        print(f"{served.model}: cannot listen on {arguments.host}:{arguments.port}: {error.strerror}", flush=True)
        return 1
    return 0


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, served: ModelServer) -> None:
        self.served = served
        super().__init__((served.host, served.port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    """Routes; says nothing about what it was asked."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or a body waits 40 ms for the client to acknowledge its headers
    timeout = 60
    server: _Server

    def version_string(self) -> str:
        """The model's name."""
        return self.server.served.model

    def do_GET(self) -> None:
        """Health and the list of the one model."""
        served = self.server.served
        model = {"id": served.model, "object": "model", "created": 0, "owned_by": "context-memory"}
        route = self.path.split("?")[0].rstrip("/")
        if route in {"", "/health"}:
            self._send(HTTPStatus.OK, {"status": "ok", "model": served.model, "about": served.about})
        elif route == "/v1/models":
            self._send(HTTPStatus.OK, {"object": "list", "data": [model]})
        elif route == f"/v1/models/{served.model}":
            self._send(HTTPStatus.OK, model)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "no such route")

    def do_POST(self) -> None:
        """The model's one route."""
        body = self._body()
        if body is None:
            self.close_connection = True
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "a body with a length of at most 16 MB is needed")
        elif self.path.split("?")[0].rstrip("/") != self.server.served.route:
            self._refuse(HTTPStatus.NOT_FOUND, "no such route")
        else:
            try:
                reply = self.server.served.reply(json.loads(body), self.headers.get(PURPOSE_HEADER, ""))
            except ValueError as error:
                self._refuse(HTTPStatus.BAD_REQUEST, str(error) if isinstance(error, BadRequestError) else "no JSON")
            else:
                self._send(HTTPStatus.OK, reply)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class names it so)
        """Keep still: a log of requests belongs to nobody here."""

    def _body(self) -> bytes | None:
        length = self.headers.get("content-length", "")
        return self.rfile.read(int(length)) if length.isdigit() and int(length) <= _MAX_BODY else None

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        self._send(
            status, {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}
        )

    def _send(self, status: HTTPStatus, document: dict[str, Any]) -> None:
        data = json.dumps(document, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
