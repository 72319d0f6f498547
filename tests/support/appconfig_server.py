"""AppConfig's data plane over real HTTP, as AWS documents it: sessions, tokens for one call, nothing when unchanged.

Where it is given a clock, it refuses whoever polls earlier than the session said, or than a minute.

with AppConfigServer() as appconfig:
    appconfig.deploy({"companies": {"acme": {...}}})
    ...                                             # point a client at appconfig.url
    appconfig.fault = Fault(status=500)             # from now on
    assert appconfig.asked == ["session", "configuration"]
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

_SHORTEST_INTERVAL, _INTERVAL_UNSAID, _LONGEST_INTERVAL = 15, 60, 86400


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens instead of an answer: an error of this status and code, or a connection that breaks."""

    status: int = 500
    code: str = "InternalServerException"
    breaks: bool = False


@dataclass(frozen=True, slots=True)
class _Held:
    """What a session has had, and when it may poll again."""

    document: bytes | None
    interval: float
    not_before: float = 0.0


@dataclass
class AppConfigServer:
    """The server; a context manager. Its attributes may be changed at any time.

    Attributes:
        fault: befalls every request while it is set.
        document: what is deployed; None before anything was.
        held: requests wait for it, if it is set.
        asked: kinds of the requests so far.
        names: application, environment and profile of every session.
        clock: seconds by which a poll is too early; None lets everybody poll at any time.
    """

    fault: Fault | None = None
    document: bytes | None = None
    held: threading.Event | None = None
    asked: list[str] = field(default_factory=list)
    names: list[tuple[str, str, str]] = field(default_factory=list)
    clock: Callable[[], float] | None = None

    def __post_init__(self) -> None:
        """Bind a free port of the loopback interface."""
        self._served: dict[str, _Held] = {}
        self._tokens = count()
        self._lock = threading.Lock()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="appconfig")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        """The endpoint's address."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def deploy(self, document: Any) -> None:  # noqa: ANN401 - any JSON
        """Serve a document from now on; bytes are served as they are."""
        self.document = document if isinstance(document, bytes) else json.dumps(document).encode()

    def forget_sessions(self) -> None:
        """Let every token expire."""
        with self._lock:
            self._served.clear()

    def session(self, body: dict[str, Any]) -> str:
        """A first token."""
        self.names.append(
            (
                body["ApplicationIdentifier"],
                body["EnvironmentIdentifier"],
                body["ConfigurationProfileIdentifier"],
            )
        )
        interval = body.get("RequiredMinimumPollIntervalInSeconds", _INTERVAL_UNSAID)
        assert _SHORTEST_INTERVAL <= interval <= _LONGEST_INTERVAL
        return self._token(_Held(None, interval))

    def latest(self, token: str) -> tuple[str, bytes] | None:
        """Next token and document, which is empty when this session has it; None for a token that is not good."""
        with self._lock:
            held = self._served.get(token)
            if held is None or (self.clock and self.clock() < held.not_before):
                return None
            del self._served[token]
        now = self.document
        not_before = self.clock() + held.interval if self.clock else 0.0
        after = _Held(now, held.interval, not_before)
        return self._token(after), b"" if now is None or now == held.document else now

    def _token(self, held: _Held) -> str:
        with self._lock:
            token = f"token-{next(self._tokens)}"
            self._served[token] = held
            return token


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, appconfig: AppConfigServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.appconfig = appconfig


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_POST(self) -> None:
        """`StartConfigurationSession`."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self._goes_well("session"):
            token = self.server.appconfig.session(body)
            self._answer(201, json.dumps({"InitialConfigurationToken": token}).encode())

    def do_GET(self) -> None:
        """`GetLatestConfiguration`."""
        if not self._goes_well("configuration"):
            return
        (token,) = parse_qs(urlsplit(self.path).query)["configuration_token"]
        found = self.server.appconfig.latest(token)
        if found is None:
            self._error(400, "BadRequestException")
        else:
            self._answer(200, found[1], {"next-poll-configuration-token": found[0]})

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""

    def _goes_well(self, kind: str) -> bool:
        appconfig = self.server.appconfig
        appconfig.asked.append(kind)
        if appconfig.held:
            appconfig.held.wait(10)
        if fault := appconfig.fault:
            if fault.breaks:
                self.close_connection = True
            else:
                self._error(fault.status, fault.code)
        return fault is None

    def _error(self, status: int, code: str) -> None:
        self._answer(status, json.dumps({"Message": "no"}).encode(), {"x-amzn-errortype": code})

    def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
