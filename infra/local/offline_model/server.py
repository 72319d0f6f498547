"""The OpenAI-compatible HTTP interface over the rules, on the standard library's threading server."""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

from infra.local.offline_model import MODEL
from infra.local.offline_model.answers import answer
from infra.local.offline_model.usage import rough_tokens

if TYPE_CHECKING:
    from types import TracebackType

PURPOSE_HEADER = "x-context-memory-purpose"
_MAX_BODY = 16 * 1024 * 1024


class _BadRequestError(ValueError):
    """The request is not one that this server answers; the message says why, without its content."""


def completion(request: Any, purpose: str) -> dict[str, Any]:  # noqa: ANN401 (parsed JSON is anything until checked)
    """Answer one chat completion request, the same for the same request.

    Raises:
        _BadRequestError: no messages, or a stream is asked for.
    """
    messages = request.get("messages") if isinstance(request, dict) else None
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise _BadRequestError("messages must be a list of objects")
    if request.get("stream"):
        raise _BadRequestError("streaming is not offered")
    asked = [_text(message.get("content")) for message in messages]
    last = next(
        (text for message, text in zip(messages[::-1], asked[::-1], strict=True) if message.get("role") == "user"), ""
    )
    content = answer(purpose, last)
    sent, said = rough_tokens("\n".join(asked)), rough_tokens(content)
    return {
        "id": f"chatcmpl-{hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()[:24]}",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": sent,
            "completion_tokens": said,
            "total_tokens": sent + said,
            "prompt_tokens_details": {"cached_tokens": 0},
        },
    }


def _text(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


class _Handler(BaseHTTPRequestHandler):
    """Routes; says nothing about what it was asked."""

    protocol_version = "HTTP/1.1"
    server_version = MODEL
    timeout = 60

    def do_GET(self) -> None:
        """Health and the list of the one model."""
        model = {"id": MODEL, "object": "model", "created": 0, "owned_by": "context-memory"}
        route = self.path.split("?")[0].rstrip("/")
        if route in {"", "/health"}:
            self._send(
                HTTPStatus.OK, {"status": "ok", "model": MODEL, "about": "a stand-in by rules, no language model"}
            )
        elif route == "/v1/models":
            self._send(HTTPStatus.OK, {"object": "list", "data": [model]})
        elif route == f"/v1/models/{MODEL}":
            self._send(HTTPStatus.OK, model)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "no such route")

    def do_POST(self) -> None:
        """Chat completions."""
        body = self._body()
        if body is None:
            self.close_connection = True
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "a body with a length of at most 16 MB is needed")
        elif self.path.split("?")[0].rstrip("/") != "/v1/chat/completions":
            self._refuse(HTTPStatus.NOT_FOUND, "no such route")
        else:
            try:
                reply = completion(json.loads(body), self.headers.get(PURPOSE_HEADER, ""))
            except (_BadRequestError, ValueError) as error:
                self._refuse(HTTPStatus.BAD_REQUEST, str(error) if isinstance(error, _BadRequestError) else "no JSON")
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


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True


@dataclass(slots=True)
class OfflineModel:
    """The server as a context: listening inside, gone outside. Port 0 takes a free one."""

    host: str = "127.0.0.1"
    port: int = 0
    _server: _Server | None = None

    @property
    def base_url(self) -> str:
        """What goes into `OPENAI_BASE_URL`."""
        return f"http://{self.host}:{self.port}/v1"

    def __enter__(self) -> Self:
        self._server = _Server((self.host, self.port), _Handler)
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
