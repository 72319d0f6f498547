"""The API as one caller reaches it: signed with that caller's keys, answers as they come."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import httpx
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from botocore.credentials import Credentials

SPACE = "smoke"
_SECONDS_BETWEEN_LOOKS = 0.5
_SECONDS_PER_CALL = 30.0


class ApiError(Exception):
    """The API answered what it should not have; the message holds status and title, nothing that was said."""


@dataclass(frozen=True)
class Api:
    """Calls for one company. `url` is without a slash at its end."""

    url: str
    region: str
    company: str
    credentials: Credentials

    @cached_property
    def _http(self) -> httpx.Client:
        return httpx.Client(timeout=_SECONDS_PER_CALL)

    def load(self, user: str) -> dict[str, Any]:
        """What a new chat of this user gets.

        Raises:
            ApiError: any other answer than 200.
        """
        return _body(self.call("GET", f"{self.path(user)}/memory?space_id={SPACE}"), 200)

    def post(self, user: str, turn: str, *, chat: str, at: str, said: str) -> dict[str, Any]:
        """Hand over a finished turn.

        Raises:
            ApiError: it was not accepted.
        """
        messages = [{"role": "user", "content": said}, {"role": "assistant", "content": "All right."}]
        document = {"turn_id": turn, "space_id": SPACE, "chat_id": chat, "occurred_at": at, "messages": messages}
        return _body(self.call("POST", f"{self.path(user)}/turns", document), 202)

    def final(self, user: str, turn: str, *, seconds: float) -> dict[str, Any]:
        """The turn once it is done or dead.

        Raises:
            ApiError: it was neither in time.
        """
        deadline = time.monotonic() + seconds
        while True:
            state = _body(self.call("GET", f"{self.path(user)}/turns/{turn}"), 200)
            if state["status"] in {"done", "dead"}:
                return state
            if time.monotonic() > deadline:
                raise ApiError(f"the turn is still {state['status']} after {seconds:.0f} seconds")
            time.sleep(_SECONDS_BETWEEN_LOOKS)

    def path(self, user: str, company: str | None = None) -> str:
        """Where a user's routes begin; the user's id needs no encoding."""
        return f"/v1/companies/{company or self.company}/users/{user}"

    def call(
        self, method: str, path: str, document: Mapping[str, Any] | None = None, *, signed: bool = True
    ) -> httpx.Response:
        """One request, whatever the answer."""
        url, content = f"{self.url}{path}", b"" if document is None else json.dumps(document).encode()
        request = AWSRequest(method=method, url=url, data=content, headers={"content-type": "application/json"})
        if signed:
            SigV4Auth(self.credentials, "execute-api", self.region).add_auth(request)
        return self._http.request(method, url, content=content, headers=dict(request.headers.items()))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()


def _body(answer: httpx.Response, expected: int) -> dict[str, Any]:
    if answer.status_code != expected:
        raise ApiError(f"status {answer.status_code} instead of {expected}{_title(answer)}")
    return dict(answer.json())


def _title(answer: httpx.Response) -> str:
    try:
        problem = answer.json()
    except ValueError:
        return ""
    title = problem.get("title") or problem.get("message") if isinstance(problem, dict) else None
    return f" ({title})" if title else ""
