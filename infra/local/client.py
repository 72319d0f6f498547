"""A client of the deployed API, as an orchestrator would write one: SigV4 over HTTP, patient where asked to be."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlencode

import httpx
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from infra.local.answers import Memory, Turn
from infra.local.ids import encode
from infra.local.recalled import Cited, Recalled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import TracebackType

    from infra.local.outputs import Outputs

_COME_AGAIN = frozenset({429, 503})
_PATIENCE = 5  # tries of a request that is told to come again
_LONGEST_PAUSE = 20.0  # seconds


class ServiceError(Exception):
    """The API refused or is out of reach; the message is a sentence for people, without anything that was said."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class TurnTooSlow(ServiceError):
    """A turn was not final in time."""


@dataclass(slots=True)
class Client:
    """Calls the API with the caller's keys. One connection pool; safe to share between threads."""

    outputs: Outputs
    timeout: float = 30.0
    sleep: Callable[[float], None] = time.sleep
    transport: httpx.BaseTransport | None = None
    _http: httpx.Client = field(init=False, repr=False)
    _signer: SigV4Auth = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Build the pool and the signer once."""
        caller = self.outputs.caller
        keys = Credentials(caller.access_key_id, caller.secret_access_key)
        self._signer = SigV4Auth(keys, "execute-api", self.outputs.region)
        # Not the environment's proxies: the local API listens on loopback.
        self._http = httpx.Client(timeout=self.timeout, transport=self.transport, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def load(self, user_id: str, space_id: str, *, model: str | None = None, web_search: bool | None = None) -> Memory:
        """What a new chat of this user would get.

        Raises:
            ServiceError: refused, or out of reach.
        """
        query = {
            "space_id": space_id,
            "model": model,
            "web_search": None if web_search is None else str(web_search).lower(),
        }
        asked = urlencode({name: value for name, value in query.items() if value is not None})
        return Memory.read(self._call("GET", f"{self._user(user_id)}/memory?{asked}"))

    def post(self, user_id: str, turn: Mapping[str, Any]) -> str | None:
        """Hand over a finished turn; the reason when it was skipped, None when it waits to be consolidated.

        Raises:
            ServiceError: refused, or out of reach.
        """
        answer = self._call("POST", f"{self._user(user_id)}/turns", turn)
        return str(answer.get("reason")) if answer.get("status") == "skipped" else None

    def turn(self, user_id: str, turn_id: str) -> Turn:
        """What became of a turn so far.

        Raises:
            ServiceError: refused, or out of reach.
        """
        return Turn.read(self._call("GET", f"{self._user(user_id)}/turns/{encode(turn_id)}"))

    def wait(self, user_id: str, turn_id: str, *, seconds: float) -> Turn:
        """Wait until a turn is done or dead.

        Raises:
            TurnTooSlow: neither within `seconds`.
            ServiceError: refused, or out of reach.
        """
        return self._wait(user_id, turn_id, seconds, lambda turn: turn.final)

    def wait_for_facts(self, user_id: str, turn_id: str, *, seconds: float) -> Turn:
        """Wait until nothing more of a turn is written back.

        Raises:
            TurnTooSlow: it still is after `seconds`.
            ServiceError: refused, or out of reach.
        """
        return self._wait(user_id, turn_id, seconds, lambda turn: turn.final and turn.facts != "queued")

    def own_memory(self, token: str) -> dict[str, Any]:
        """What the bearer of a user's token sees of their own memory: the answer's body.

        Raises:
            ServiceError: refused, or out of reach.
        """
        return self._call("GET", "/v1/me/memory", token=token)

    def own_facts(self, token: str) -> list[dict[str, Any]]:
        """The facts that the bearer of a user's token sees, as the export holds them.

        Raises:
            ServiceError: refused, or out of reach.
        """
        return list(self._call("GET", "/v1/me/export", token=token)["facts"])

    def recall(self, user_id: str, space_id: str, query: str, wanted: Mapping[str, Any] | None = None) -> Recalled:
        """What a chat is given for a question; `wanted` are further fields of the request, None leaves one out.

        Raises:
            ServiceError: refused, or out of reach.
        """
        asked = {"query": query, "space_id": space_id, **(wanted or {})}
        body = {name: value for name, value in asked.items() if value is not None}
        return Recalled.read(self._call("POST", f"{self._user(user_id)}/recall", body))

    def cite(self, user_id: str, answer: str, prompt_id: str) -> Cited:
        """Resolve the markers of an answer to a prompt.

        Raises:
            ServiceError: refused, or out of reach.
        """
        body = {"answer": answer, "prompt_id": prompt_id}
        return Cited.read(self._call("POST", f"{self._user(user_id)}/citations", body))

    def _wait(self, user_id: str, turn_id: str, seconds: float, done: Callable[[Turn], bool]) -> Turn:
        deadline = time.monotonic() + seconds
        for pause in _pauses():
            turn = self.turn(user_id, turn_id)
            if done(turn):
                return turn
            if time.monotonic() + pause > deadline:
                waits = f"its facts {turn.facts}" if turn.final else turn.status
                raise TurnTooSlow(f"The turn is still {waits} after {seconds:.0f} seconds.")
            self.sleep(pause)
        raise AssertionError("pauses never end")

    def _user(self, user_id: str) -> str:
        return f"/v1/companies/{self.outputs.company_id}/users/{encode(user_id)}"

    def _call(
        self, method: str, route: str, body: Mapping[str, Any] | None = None, *, token: str | None = None
    ) -> dict[str, Any]:
        content = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        url, tries = f"{self.outputs.api_url}{route}", 1
        while (answer := self._send(method, url, content, token)).status_code in _COME_AGAIN:
            if tries == _PATIENCE:
                break
            self.sleep(_pause_asked(answer))
            tries += 1
        if not answer.is_success:
            raise ServiceError(sentence_of(answer), answer.status_code)
        return dict(answer.json())

    def _send(self, method: str, url: str, content: bytes, token: str | None) -> httpx.Response:
        request = AWSRequest(method=method, url=url, data=content, headers={"content-type": "application/json"})
        if token is None:
            self._signer.add_auth(request)
        else:
            request.headers["authorization"] = f"Bearer {token}"
        try:
            return self._http.request(method, url, content=content, headers=dict(request.headers.items()))
        except httpx.HTTPError as error:
            raise ServiceError(f"The API is out of reach ({type(error).__name__}); is the environment up?") from error


def _pauses() -> Iterator[float]:
    """Short at first, never above a second."""
    pause = 0.1
    while True:
        yield pause
        pause = min(pause * 1.4, 1.0)


def _pause_asked(answer: httpx.Response) -> float:
    hint = answer.headers.get("retry-after", "")
    return min(float(hint), _LONGEST_PAUSE) if hint.isdigit() else 1.0


def sentence_of(answer: httpx.Response) -> str:
    """The service's problem document, or the gateway's own message, as one sentence."""
    try:
        problem = answer.json()
    except ValueError:
        problem = {}
    said = [str(problem[key]).removesuffix(".") for key in ("title", "field", "detail", "message") if problem.get(key)]
    return f"{answer.status_code}: {': '.join(said) or 'no reason given'}"
