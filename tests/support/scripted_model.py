"""A scripted, OpenAI-compatible model over real HTTP, in this process, on a free port of the loopback interface.

    with ScriptedModel() as model:
        model.queue("gate", "UPDATE")                         # answered in this order, each once
        model.script("consolidation", lambda asked: "NOOP")   # answers whatever the queue does not
        ...                                                   # point a client (or a Lambda) at model.base_url
        assert [asked.purpose for asked in model.asked()] == ["gate", "consolidation"]

Calls are told apart by the header `x-context-memory-purpose`. A string stands for a plain answer; everything else,
faults included, comes from `scripted_answers`. A call that no script foresaw is answered 501 and kept in
`unforeseen`, which a test should find empty at its end. All methods may be called from any thread.
"""

from __future__ import annotations

import json
import socket
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from tests.support.scripted_answers import Answer, error, text

if TYPE_CHECKING:
    from types import TracebackType


@dataclass(frozen=True, slots=True)
class Asked:
    """One recorded request. Header names are lower-case; `at` is this process's monotonic time of its arrival."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    at: float

    @property
    def purpose(self) -> str:
        """Which call of the chain this is; empty when it does not say."""
        return self.headers.get("x-context-memory-purpose", "")

    @property
    def turns(self) -> tuple[str, ...]:
        """Encoded ids of the turns that the call is made for."""
        return tuple(filter(None, self.headers.get("x-context-memory-turn", "").split(",")))

    def said_by(self, role: str) -> str:
        """Text of the messages of one role."""
        return "\n".join(part["content"] for part in self.body.get("messages", ()) if part["role"] == role)


type Said = Answer | str
type Script = Callable[[Asked], Said]


class ScriptedModel:
    """The server; a context manager. Stopping it ends every connection, hanging ones included."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queues: defaultdict[str, deque[Said]] = defaultdict(deque)
        self._scripts: dict[str, Script] = {}
        self._asked: list[Asked] = []
        self._unforeseen: list[Asked] = []
        self._connections: set[socket.socket] = set()
        self._stopping = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="scripted-model")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._thread.join()
        with self._lock:
            open_connections = tuple(self._connections)
        for connection in open_connections:
            _end(connection)
        self._server.server_close()

    @property
    def base_url(self) -> str:
        """What a client takes for `OPENAI_BASE_URL`."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def queue(self, purpose: str, *answers: Said) -> None:
        """Append answers for one purpose; each is given once."""
        with self._lock:
            self._queues[purpose].extend(answers)

    def script(self, purpose: str, script: Script) -> None:
        """Answer all calls of one purpose that find its queue empty; runs in the server's threads."""
        with self._lock:
            self._scripts[purpose] = script

    def script_of(self, purpose: str) -> Script:
        """What answers calls of a purpose now, for a script that answers some of them and leaves it the others."""
        with self._lock:
            return self._scripts[purpose]

    def asked(self, purpose: str | None = None) -> tuple[Asked, ...]:
        """What was asked so far, in order of arrival."""
        with self._lock:
            return tuple(one for one in self._asked if purpose in {None, one.purpose})

    def waiting(self, purpose: str) -> int:
        """How many queued answers nobody has fetched."""
        with self._lock:
            return len(self._queues[purpose])

    @property
    def unforeseen(self) -> tuple[Asked, ...]:
        """Calls for which there was no answer."""
        with self._lock:
            return tuple(self._unforeseen)

    def forget(self) -> None:
        """Drop all scripts, answers and records, so that one server can serve several tests."""
        with self._lock:
            self._queues.clear()
            self._scripts.clear()
            self._asked.clear()
            self._unforeseen.clear()

    def answer_to(self, asked: Asked) -> Answer:
        """Record a request and choose its answer."""
        with self._lock:
            self._asked.append(asked)
            queue, script = self._queues[asked.purpose], self._scripts.get(asked.purpose)
            said = queue.popleft() if queue else None
            if said is None and script is None:
                self._unforeseen.append(asked)
                return error(501, {"message": "No script foresees this call."})
        if said is None and script is not None:
            said = script(asked)  # outside the lock: a script may look at what was asked
        return said if isinstance(said, Answer) else text(said or "")

    def pause(self, seconds: float | None) -> bool:
        """Wait, at most until the server stops; whether it is still running."""
        return not self._stopping.wait(seconds)

    def opened(self, connection: socket.socket) -> None:
        """Remember a connection, so that stopping can end it; one that comes while stopping ends at once."""
        with self._lock:
            self._connections.add(connection)
        if self._stopping.is_set():
            _end(connection)

    def closed(self, connection: socket.socket) -> None:
        """Forget a connection."""
        with self._lock:
            self._connections.discard(connection)


def _end(connection: socket.socket) -> None:
    with suppress(OSError):  # the other side may have gone first
        connection.shutdown(socket.SHUT_RDWR)


class _Server(ThreadingHTTPServer):
    """Waits for its threads when it closes, so that no test leaves one behind."""

    daemon_threads = False
    block_on_close = True

    def __init__(self, model: ScriptedModel) -> None:
        self.model = model
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that leave early; a test that makes them leave knows."""


class _Handler(BaseHTTPRequestHandler):
    """One connection; HTTP/1.1, so that clients keep it open as they do in the world."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or a body waits 40 ms for the client to acknowledge its headers
    server: _Server

    def setup(self) -> None:
        super().setup()
        self.server.model.opened(self.connection)

    def finish(self) -> None:
        self.server.model.closed(self.connection)
        with suppress(OSError):  # bytes that a gone client will never read
            super().finish()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._send(self.server.model.answer_to(Asked(self.path, headers, json.loads(body), monotonic())))

    def _send(self, answer: Answer) -> None:
        model = self.server.model
        if answer.hangs_up or not model.pause(None if answer.hangs else answer.wait_seconds):
            self.close_connection = True
            return
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        pieces = [answer.body[at : at + 1] for at in range(len(answer.body))] if answer.drip_seconds else [answer.body]
        try:
            for piece in pieces:
                self.wfile.write(piece)
                if answer.drip_seconds and not model.pause(answer.drip_seconds):
                    break
        except ConnectionError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Keep the tests' output quiet."""
