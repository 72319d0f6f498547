"""The language model, over the `openai` client against any compatible endpoint."""

from __future__ import annotations

import random
import time
from threading import Lock
from typing import TYPE_CHECKING, Any

import openai

from context_memory.adapters.deadline import within
from context_memory.adapters.model_dialect import Dialect, is_reasoning
from context_memory.adapters.model_errors import fault_of
from context_memory.adapters.model_faults import Fault, timed_out
from context_memory.adapters.model_keys import usable_key
from context_memory.adapters.model_replies import only_characters, read_reply
from context_memory.ports.models import ModelReply

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.ports.models import ModelRequest
    from context_memory.ports.system import Clock

OPENAI_URL = "https://api.openai.com/v1"
MAX_TRIES = 3
_SHORTEST_TRY_SECONDS = 1.0  # a try that starts with less left is not worth waiting for
_CONNECT_SECONDS = 10.0
_MAX_TURN_HEADER = 4_096


class OpenAiModel:
    """A `LanguageModel`; made once per process, safe to share between threads.

    Args:
        base_url: the endpoint up to and with `/v1`; None or empty is OpenAI's own.
        api_key: gives the key; asked before each call, so it may be read late and changed at run time.
        clock: for the deadline, and to measure HTTP dates from.
        try_seconds: longest time for one try.
        reasoning_models: names of models that reason though their names do not show it.
        sleep: waits between tries.
        jitter: a number from 0 to 1 that keeps clients from coming back in step.
    """

    def __init__(
        self,
        *,
        base_url: str | None,
        api_key: Callable[[], str],
        clock: Clock,
        try_seconds: float = 60.0,
        reasoning_models: frozenset[str] = frozenset(),
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._base_url = base_url or OPENAI_URL
        self._api_key = api_key
        self._clock = clock
        self._try_seconds = try_seconds
        self._reasoning_models = reasoning_models
        self._sleep = sleep
        self._jitter = jitter
        self._dialects: dict[str, Dialect] = {}
        self._client: openai.OpenAI | None = None
        self._client_lock = Lock()

    def complete(self, request: ModelRequest) -> ModelReply:
        """Ask once, with retries within `request.seconds_left`; see `ports.LanguageModel` for the errors."""
        deadline = self._clock.monotonic() + request.seconds_left
        fault, tries = timed_out(), 0
        while (left := deadline - self._clock.monotonic()) > 0:
            dialect = self._dialect(request.model)
            answer = self._try(request, dialect, min(self._try_seconds, left))
            if isinstance(answer, ModelReply):
                return answer
            fault = answer
            other = dialect.without(fault.parameters)
            if other != dialect:  # the same question in words that the endpoint takes; each is given up once only
                self._dialects[request.model] = other
                continue
            tries += 1
            pause = fault.pause(tries, self._jitter)
            if (
                not fault.again
                or tries == MAX_TRIES
                or pause + _SHORTEST_TRY_SECONDS > deadline - self._clock.monotonic()
            ):
                break
            self._sleep(pause)
        raise fault.error

    def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        with self._client_lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _dialect(self, model: str) -> Dialect:
        known = self._dialects.get(model)
        return known or Dialect(reasoning=model in self._reasoning_models or is_reasoning(model))

    def _try(self, request: ModelRequest, dialect: Dialect, seconds: float) -> ModelReply | Fault:
        """One HTTP request. Errors of the client end here, not even as a cause: they quote prompts and keys."""
        try:
            body = within(seconds, lambda: self._post(request, dialect, seconds))
        except TimeoutError:
            return timed_out()
        except openai.OpenAIError as error:
            return fault_of(error, self._clock.now())
        return read_reply(body, request, dialect.output_limit(request.max_output_tokens))

    def _post(self, request: ModelRequest, dialect: Dialect, seconds: float) -> bytes:
        optional: dict[str, Any] = dialect.parameters(request.max_output_tokens, request.schema)
        reply = self._open().chat.completions.with_raw_response.create(
            model=request.model,
            messages=[
                {"role": "system", "content": only_characters(request.system)},
                {"role": "user", "content": only_characters(request.user)},
            ],
            extra_headers={
                "x-context-memory-purpose": request.purpose,
                "x-context-memory-turn": turn_header(request.turns),
            },
            timeout=openai.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
            **optional,
        )
        return reply.content

    def _open(self) -> openai.OpenAI:
        with self._client_lock:
            if self._client is None:
                # Retries are this module's: the client's own know nothing of the time that is left.
                self._client = openai.OpenAI(base_url=self._base_url, api_key=self._key, max_retries=0)
            return self._client

    def _key(self) -> str:
        return usable_key(self._api_key())


def turn_header(turns: tuple[str, ...]) -> str:
    """Join encoded turn ids with commas: as many whole ones, from the first on, as fit into 4 KB."""
    while len(header := ",".join(turns)) > _MAX_TURN_HEADER:
        turns = turns[:-1]
    return header
