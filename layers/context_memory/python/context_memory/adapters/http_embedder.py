"""Embeddings of any OpenAI-compatible endpoint, over the HTTP client that botocore brings.

The `openai` client takes 0.8 s to import, and recall is a path on which somebody waits.
"""

from __future__ import annotations

import json
import random
import time
from itertools import batched
from typing import TYPE_CHECKING

import urllib3
from urllib3.exceptions import HTTPError
from urllib3.exceptions import TimeoutError as Silence

from context_memory.adapters.deadline import within
from context_memory.adapters.embedding_replies import read_embeddings
from context_memory.adapters.model_complaints import complaint_of
from context_memory.adapters.model_faults import Fault, fault_of_status, no_answer, out_of_reach, retry_after, timed_out
from context_memory.adapters.model_keys import usable_key
from context_memory.adapters.model_replies import only_characters
from context_memory.domain.facts.vectors import quantised

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from context_memory.domain.facts.embedding import EmbeddingModel
    from context_memory.domain.facts.vectors import Vector
    from context_memory.ports.system import Clock

OPENAI_URL = "https://api.openai.com/v1"
MAX_TRIES = 3
TEXTS_AT_ONCE = 64
"""Texts of one request: endpoints take hundreds, and one that fails costs only these."""
LONGEST_TEXT = 2_000
"""Characters of a text that are embedded: models read some hundred words, and what follows blurs rather than helps."""
_LONGEST_ANSWER = 16 * 1024 * 1024
_SHORTEST_TRY_SECONDS = 0.2  # a try that starts with less left is not worth waiting for
_CONNECT_SECONDS = 2.0
_CONNECTIONS = 8
_OK = 200

type _Floats = Sequence[Sequence[float]]


class HttpEmbedder:
    """An `Embedder`; made once per process, safe to share between threads.

    Args:
        model: which, and how it wants to be asked.
        base_url: the endpoint up to and with `/v1`; None or empty is OpenAI's own.
        api_key: gives the key; asked before each call, so it may be read late and changed at run time.
        clock: for the deadline, and to measure HTTP dates from.
        try_seconds: longest time for one try.
        sleep: waits between tries.
        jitter: a number from 0 to 1 that keeps clients from coming back in step.
    """

    def __init__(
        self,
        *,
        model: EmbeddingModel,
        base_url: str | None,
        api_key: Callable[[], str],
        clock: Clock,
        try_seconds: float = 10.0,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.model = model.kept_as
        self._asked_as = model
        self._url = f"{(base_url or OPENAI_URL).rstrip('/')}/embeddings"
        self._api_key = api_key
        self._clock = clock
        self._try_seconds = try_seconds
        self._sleep = sleep
        self._jitter = jitter
        # A redirect would carry the key to somebody else; retries are this module's, which knows what time is left.
        self._pool = urllib3.PoolManager(maxsize=_CONNECTIONS, retries=False)

    def passages(self, texts: Sequence[str], *, seconds_left: float) -> Sequence[Vector]:
        """Vectors of texts that are to be found; see `ports.Embedder` for the errors."""
        deadline = self._clock.monotonic() + seconds_left
        prefix = self._asked_as.passage_prefix
        return [
            quantised(self.model, components)
            for batch in batched(texts, TEXTS_AT_ONCE, strict=False)
            for components in self._embed([f"{prefix}{_clipped(text)}" for text in batch], deadline)
        ]

    def query(self, text: str, *, seconds_left: float) -> Vector:
        """Vector of what is looked for; see `ports.Embedder` for the errors."""
        deadline = self._clock.monotonic() + seconds_left
        [components] = self._embed([f"{self._asked_as.query_prefix}{_clipped(text)}"], deadline)
        return quantised(self.model, components)

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        self._pool.clear()

    def _embed(self, texts: Sequence[str], deadline: float) -> _Floats:
        fault, tries = timed_out(), 0
        while (left := deadline - self._clock.monotonic()) > 0:
            answer = self._try(texts, min(self._try_seconds, left))
            if not isinstance(answer, Fault):
                return answer
            fault, tries = answer, tries + 1
            pause = fault.pause(tries, self._jitter)
            too_late = pause + _SHORTEST_TRY_SECONDS > deadline - self._clock.monotonic()
            if not fault.again or tries == MAX_TRIES or too_late:
                break
            self._sleep(pause)
        raise fault.error

    def _try(self, texts: Sequence[str], seconds: float) -> _Floats | Fault:
        """One HTTP request. Errors of the client end here, not even as a cause: they quote addresses and keys."""
        headers = {
            "authorization": f"Bearer {usable_key(self._api_key())}",
            "content-type": "application/json",
            "x-context-memory-purpose": "embedding",
        }
        try:
            status, told, body = within(seconds, lambda: self._post(texts, headers, seconds))
        except (TimeoutError, Silence):
            return timed_out()
        except (HTTPError, OSError):
            return out_of_reach()
        if status != _OK:
            return fault_of_status(status, complaint_of(_parsed(body)), retry_after(told, self._clock.now()))
        vectors = read_embeddings(body, len(texts))
        return no_answer() if vectors is None else vectors

    def _post(self, texts: Sequence[str], headers: dict[str, str], seconds: float) -> tuple[int, dict[str, str], bytes]:
        asked: dict[str, object] = {"model": self._asked_as.name, "input": texts}
        if self._asked_as.dimensions is not None:
            asked["dimensions"] = self._asked_as.dimensions
        answer = self._pool.request(
            "POST",
            self._url,
            body=json.dumps(asked).encode(),
            headers=headers,
            timeout=urllib3.Timeout(connect=min(seconds, _CONNECT_SECONDS), read=seconds),
            redirect=False,
            preload_content=False,
        )
        body = answer.read(_LONGEST_ANSWER + 1)
        if len(body) > _LONGEST_ANSWER:
            answer.close()  # what is still to come would be taken for the next answer
        else:
            answer.release_conn()
        return answer.status, {name.lower(): value for name, value in answer.headers.items()}, body


def _clipped(text: str) -> str:
    return only_characters(text[:LONGEST_TEXT])


def _parsed(body: bytes) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body.decode(errors="replace")
