"""The Lambda Runtime API (2018-06-01) for one process and one invocation."""

from __future__ import annotations

import http.server
import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

_FUNCTION_ARN = "arn:aws:lambda:us-east-1:000000000000:function:measured"
_INVOCATION_SECONDS = 30


@dataclass
class Invocation:
    """What happened, in seconds of a monotonic clock; `kind` is `response` or `error`."""

    event: bytes
    asked: float = 0.0
    answered: float = 0.0
    kind: str = ""
    body: bytes = b""
    done: threading.Event = field(default_factory=threading.Event)


class RuntimeApi:
    """Serves `event` once. The time of the first question for work is when the function had started."""

    def __init__(self, event: bytes) -> None:
        self.invocation = Invocation(event)
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.invocation, self._server.closing = self.invocation, self._closing
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def address(self) -> str:
        """For AWS_LAMBDA_RUNTIME_API."""
        return f"127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        """Serve."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop serving."""
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    invocation: Invocation
    closing: threading.Event

    def handle_error(self, request: object, client_address: object) -> None:
        """A process that is ended in the middle of a request is no news."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        """`/runtime/invocation/next`: the event, and from then on nothing."""
        invocation = self.server.invocation
        if invocation.asked:
            self.server.closing.wait(_INVOCATION_SECONDS)
            return
        invocation.asked = time.monotonic()
        deadline = int((time.time() + _INVOCATION_SECONDS) * 1000)
        headers = {
            "Lambda-Runtime-Aws-Request-Id": str(uuid.uuid4()),
            "Lambda-Runtime-Deadline-Ms": str(deadline),
            "Lambda-Runtime-Invoked-Function-Arn": _FUNCTION_ARN,
            "Content-Type": "application/json",
        }
        self._reply(200, invocation.event, headers)

    def do_POST(self) -> None:
        """`…/response`, `…/error` and `/runtime/init/error`."""
        invocation = self.server.invocation
        invocation.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        invocation.answered = time.monotonic()
        invocation.kind = self.path.rsplit("/", 1)[-1]
        self._reply(202, b"", {})
        invocation.done.set()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """No access log."""

    def _reply(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
